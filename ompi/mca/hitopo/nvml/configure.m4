# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# MCA_ompi_hitopo_nvml_CONFIG([action-if-can-compile], [action-if-cant-compile])
# Component nvml builds everywhere: the library that it asks is loaded where it is.
AC_DEFUN([MCA_ompi_hitopo_nvml_CONFIG], [
    AC_CONFIG_FILES([ompi/mca/hitopo/nvml/Makefile])
    $1
])
