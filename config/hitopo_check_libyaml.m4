dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_LIBYAML(IF-FOUND, IF-NOT)
# Sets LIBYAML_CFLAGS and LIBYAML_LIBS. In C, unlike yaml-cpp: no C++ type or exception comes in from
# another shared object.
AC_DEFUN([HITOPO_CHECK_LIBYAML], [
    HITOPO_CHECK_PACKAGE([LIBYAML], [libyaml], [yaml-0.1], [yaml.h], [yaml_parser_load], [-lyaml], [$1], [$2])
])
