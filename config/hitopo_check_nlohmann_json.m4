dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_NLOHMANN_JSON
# Stops without the header.
AC_DEFUN([HITOPO_CHECK_NLOHMANN_JSON], [
    AC_LANG_PUSH([C++])
    AC_CHECK_HEADER([nlohmann/json.hpp], [],
                    [AC_MSG_ERROR([HiTopo needs the header nlohmann/json.hpp (Debian: nlohmann-json3-dev)])])
    AC_LANG_POP([C++])
])
