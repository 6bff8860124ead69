# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# MCA_ompi_hitopo_hostname_CONFIG([action-if-can-compile], [action-if-cant-compile])
# Component hostname builds everywhere.
AC_DEFUN([MCA_ompi_hitopo_hostname_CONFIG], [
    AC_CONFIG_FILES([ompi/mca/hitopo/hostname/Makefile])
    $1
])
