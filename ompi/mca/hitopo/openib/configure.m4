# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# MCA_ompi_hitopo_openib_CONFIG([action-if-can-compile], [action-if-cant-compile])
# Component openib needs libibverbs; with libibumad it can ask the fabric.
AC_DEFUN([MCA_ompi_hitopo_openib_CONFIG], [
    AC_CONFIG_FILES([ompi/mca/hitopo/openib/Makefile])
    HITOPO_CHECK_IBUMAD
    HITOPO_CHECK_IBVERBS([hitopo_openib_LIBS=$IBVERBS_LIBS
                          $1],
                         [hitopo_openib_why="no libibverbs (Debian: libibverbs-dev)"
                          $2])
])
