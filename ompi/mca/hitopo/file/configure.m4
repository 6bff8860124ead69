# -*- shell-script -*-
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# MCA_ompi_hitopo_file_CONFIG([action-if-can-compile], [action-if-cant-compile])
# Component file needs nlohmann_json; with libyaml it also reads topology.yaml.
AC_DEFUN([MCA_ompi_hitopo_file_CONFIG], [
    AC_CONFIG_FILES([ompi/mca/hitopo/file/Makefile])
    HITOPO_CHECK_LIBYAML([LIBYAML_CFLAGS="$LIBYAML_CFLAGS -DHITOPO_HAVE_LIBYAML"])
    hitopo_file_LIBS=$LIBYAML_LIBS
    HITOPO_IF_JSON([file], [$1], [$2])
])
