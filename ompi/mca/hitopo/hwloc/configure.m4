# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# MCA_ompi_hitopo_hwloc_CONFIG([action-if-can-compile], [action-if-cant-compile])
# Component hwloc needs the hwloc that Open MPI uses.
AC_DEFUN([MCA_ompi_hitopo_hwloc_CONFIG], [
    AC_CONFIG_FILES([ompi/mca/hitopo/hwloc/Makefile])
    HITOPO_CHECK_HWLOC([$1],
                       [hitopo_hwloc_why="no hwloc 2 that Open MPI uses too (Debian: libhwloc-dev)"
                        $2])
])
