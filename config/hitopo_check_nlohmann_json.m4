dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_NLOHMANN_JSON
# Sets hitopo_json to yes or no, and the conditional HITOPO_HAVE_JSON: the command, the profiler and what reads JSON are made
# only where the header is.
AC_DEFUN([HITOPO_CHECK_NLOHMANN_JSON], [
    hitopo_json=no
    AC_LANG_PUSH([C++])
    AS_IF([test -z "$hitopo_left_out"], [AC_CHECK_HEADER([nlohmann/json.hpp], [hitopo_json=yes])])
    AC_LANG_POP([C++])
    AM_CONDITIONAL([HITOPO_HAVE_JSON], [test $hitopo_json = yes])
])

# HITOPO_IF_JSON(COMPONENT, IF-FOUND, IF-NOT)
AC_DEFUN([HITOPO_IF_JSON], [
    AS_IF([test $hitopo_json = yes], [$2],
          [hitopo_$1_why="no nlohmann/json.hpp (Debian: nlohmann-json3-dev)"
           $3])
])
