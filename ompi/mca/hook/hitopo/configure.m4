# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# MCA_ompi_hook_hitopo_COMPILE_MODE(project, framework, component, mode)
# Never a shared object in Open MPI's own build: 5.0.7's mpirun hides those (docs/upstream.md, 24).
AC_DEFUN([MCA_ompi_hook_hitopo_COMPILE_MODE], [
    AC_MSG_CHECKING([for MCA component $2:$3 compile mode])
    $4="static"
    AC_MSG_RESULT([$$4])
])

# MCA_ompi_hook_hitopo_CONFIG([action-if-can-compile], [action-if-cant-compile])
# What is named _LIBS, here and in other components, is for programs that are linked with a
# static Open MPI.
AC_DEFUN([MCA_ompi_hook_hitopo_CONFIG], [
    AC_REQUIRE([HITOPO_CHECK_LEFT_OUT])
    AC_CONFIG_FILES([ompi/mca/hook/hitopo/Makefile])
    hook_hitopo_LIBS=-lstdc++
    AS_IF([test -z "$hitopo_left_out"], [$1], [$2])
])
