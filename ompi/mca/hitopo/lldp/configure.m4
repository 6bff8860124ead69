# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# MCA_ompi_hitopo_lldp_CONFIG([action-if-can-compile], [action-if-cant-compile])
# Component lldp needs nlohmann_json: it reads what a program of lldpd's writes, where that is installed.
AC_DEFUN([MCA_ompi_hitopo_lldp_CONFIG], [
    AC_CONFIG_FILES([ompi/mca/hitopo/lldp/Makefile])
    HITOPO_IF_JSON([lldp], [$1], [$2])
])
