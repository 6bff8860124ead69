# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# MCA_ompi_hitopo_lldp_CONFIG([action-if-can-compile], [action-if-cant-compile])
# Component lldp builds everywhere: it runs a program of lldpd's where that is installed.
AC_DEFUN([MCA_ompi_hitopo_lldp_CONFIG], [
    AC_CONFIG_FILES([ompi/mca/hitopo/lldp/Makefile])
    $1
])
