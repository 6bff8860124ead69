# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# MCA_ompi_hitopo_slingshot_CONFIG([action-if-can-compile], [action-if-cant-compile])
# Component slingshot builds everywhere: it reads files of the kernel.
AC_DEFUN([MCA_ompi_hitopo_slingshot_CONFIG], [
    AC_CONFIG_FILES([ompi/mca/hitopo/slingshot/Makefile])
    $1
])
