# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# MCA_ompi_topo_hitopo_CONFIG([action-if-can-compile], [action-if-cant-compile])
AC_DEFUN([MCA_ompi_topo_hitopo_CONFIG], [
    AC_REQUIRE([HITOPO_CHECK_LEFT_OUT])
    AC_CONFIG_FILES([ompi/mca/topo/hitopo/Makefile])
    AS_IF([test -z "$hitopo_left_out"], [$1], [$2])
])
