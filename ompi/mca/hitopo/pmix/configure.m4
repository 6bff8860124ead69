# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# MCA_ompi_hitopo_pmix_CONFIG([action-if-can-compile], [action-if-cant-compile])
# Component pmix needs a PMIx that knows fabrics; the framework itself does with an older one.
AC_DEFUN([MCA_ompi_hitopo_pmix_CONFIG], [
    AC_CONFIG_FILES([ompi/mca/hitopo/pmix/Makefile])
    HITOPO_CHECK_PMIX_FABRIC([$1],
                             [hitopo_pmix_why="PMIx is older than 4.0 and knows no fabrics"
                              $2])
])
