dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
dnl
dnl C11 with GNU extensions for the glue, C++17 for all else.

# HITOPO_CHECK_FLAG(LANGUAGE, FLAG, IF-NOT, PROLOGUE)
# Runs IF-NOT unless the compiler of LANGUAGE takes FLAG for a program with this prologue.
AC_DEFUN([HITOPO_CHECK_FLAG], [
    AC_LANG_PUSH([$1])
    AC_MSG_CHECKING([whether the $1 compiler takes $2])
    hitopo_save_flags="$[]_AC_LANG_PREFIX[]FLAGS"
    _AC_LANG_PREFIX[]FLAGS="$hitopo_save_flags $2"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([$4])], [AC_MSG_RESULT([yes])],
                      [AC_MSG_RESULT([no])
                       $3])
    _AC_LANG_PREFIX[]FLAGS="$hitopo_save_flags"
    AC_LANG_POP([$1])
])

# HITOPO_CHECK_CXX17(IF-NOT)
AC_DEFUN([HITOPO_CHECK_CXX17], [
    HITOPO_CHECK_FLAG([C++], [-std=c++17], [$1],
                      [[#include <charconv>
                        #include <optional>
                        #include <string_view>
                        #include <variant>]])
])

# HITOPO_LANGUAGES
# Sets AM_CFLAGS, AM_CXXFLAGS and AM_CPPFLAGS for every Makefile: C alone sees Open MPI's headers.
AC_DEFUN([HITOPO_LANGUAGES], [
    HITOPO_CHECK_FLAG([C], [-std=gnu11], [AC_MSG_ERROR([HiTopo needs a C compiler for C11: set CC])])
    HITOPO_CHECK_CXX17([AC_MSG_ERROR([HiTopo needs a C++ compiler for C++17 (g++ 8 or clang 7 at least): set CXX])])
    AM_CFLAGS="-std=gnu11 -Wall -Wextra $OMPI_CPPFLAGS $PMIX_CFLAGS"
    AM_CXXFLAGS="-std=c++17 -Wall -Wextra -ffunction-sections"
    AM_CPPFLAGS='-I$(top_srcdir)'
    AC_SUBST([AM_CFLAGS])
    AC_SUBST([AM_CXXFLAGS])
    AC_SUBST([AM_CPPFLAGS])
])
