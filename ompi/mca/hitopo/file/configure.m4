# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# MCA_ompi_hitopo_file_CONFIG([action-if-can-compile], [action-if-cant-compile])
AC_DEFUN([MCA_ompi_hitopo_file_CONFIG], [
    AC_CONFIG_FILES([ompi/mca/hitopo/file/Makefile])
    $1
])
