# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# MCA_ompi_topo_hitopo_CONFIG([action-if-can-compile], [action-if-cant-compile])
# Scotch is for distributed graphs, and for `hitopo order`.
AC_DEFUN([MCA_ompi_topo_hitopo_CONFIG], [
    AC_REQUIRE([HITOPO_CHECK_LEFT_OUT])
    AC_CONFIG_FILES([ompi/mca/topo/hitopo/Makefile])
    HITOPO_CHECK_SCOTCH([hitopo_has_scotch=yes], [hitopo_has_scotch=no])
    AM_CONDITIONAL([HITOPO_HAS_SCOTCH], [test $hitopo_has_scotch = yes])
    HITOPO_SUMMARY_ADD([graphs by Scotch], [$hitopo_has_scotch], [Scotch was not found])
    AS_IF([test -z "$hitopo_left_out"], [$1], [$2])
])
