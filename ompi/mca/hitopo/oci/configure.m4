# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# MCA_ompi_hitopo_oci_CONFIG([action-if-can-compile], [action-if-cant-compile])
# Component oci needs nlohmann_json: it reads what curl brings, where that is installed.
AC_DEFUN([MCA_ompi_hitopo_oci_CONFIG], [
    AC_CONFIG_FILES([ompi/mca/hitopo/oci/Makefile])
    HITOPO_IF_JSON([oci], [$1], [$2])
])
