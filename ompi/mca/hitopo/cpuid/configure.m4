# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# MCA_ompi_hitopo_cpuid_CONFIG([action-if-can-compile], [action-if-cant-compile])
# Component cpuid needs an x86 processor.
AC_DEFUN([MCA_ompi_hitopo_cpuid_CONFIG], [
    AC_CONFIG_FILES([ompi/mca/hitopo/cpuid/Makefile])

    AC_MSG_CHECKING([for the cpuid instruction])
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <cpuid.h>]],
                                       [[unsigned a, b, c, d; __cpuid_count(0, 0, a, b, c, d); return (int) a;]])],
                      [AC_MSG_RESULT([yes])
                       $1],
                      [AC_MSG_RESULT([no])
                       hitopo_cpuid_why="the processor is not an x86"
                       $2])
])
