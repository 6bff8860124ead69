dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_YAML_CPP
# Sets YAML_CPP_CFLAGS and YAML_CPP_LIBS, for the command alone: no library of ours is linked with it.
AC_DEFUN([HITOPO_CHECK_YAML_CPP], [
    AC_LANG_PUSH([C++])
    HITOPO_CHECK_PACKAGE([YAML_CPP], [yaml-cpp], [yaml-cpp >= 0.6], [yaml-cpp/yaml.h], [new YAML::Parser], [-lyaml-cpp],
                         [hitopo_yaml_cpp=yes
                          YAML_CPP_CFLAGS="$YAML_CPP_CFLAGS -DHITOPO_HAVE_YAML_CPP"],
                         [hitopo_yaml_cpp=no])
    AC_LANG_POP([C++])
    HITOPO_SUMMARY_ADD([command hitopo map reads YAML], [$hitopo_yaml_cpp],
                       [no yaml-cpp (Debian: libyaml-cpp-dev)])
])
