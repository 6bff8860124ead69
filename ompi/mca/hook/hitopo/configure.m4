# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# MCA_ompi_hook_hitopo_CONFIG([action-if-can-compile], [action-if-cant-compile])
# The hook builds everywhere.
AC_DEFUN([MCA_ompi_hook_hitopo_CONFIG], [
    AC_CONFIG_FILES([ompi/mca/hook/hitopo/Makefile])
    $1
])
