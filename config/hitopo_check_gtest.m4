dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_GTEST
# Sets GTEST_CFLAGS and GTEST_LIBS, and the conditional HITOPO_HAVE_GTEST: unit tests are made only
# where GoogleTest and nlohmann_json are.
AC_DEFUN([HITOPO_CHECK_GTEST], [
    PKG_CHECK_MODULES([GTEST], [gtest_main gtest >= 1.10], [hitopo_gtest=yes], [hitopo_gtest=no])
    AS_IF([test $hitopo_json = no], [hitopo_gtest=no])
    AM_CONDITIONAL([HITOPO_HAVE_GTEST], [test "$hitopo_gtest" = yes])
    HITOPO_SUMMARY_ADD([unit tests], [$hitopo_gtest],
                       [no GoogleTest 1.10 or nlohmann_json (Debian: libgtest-dev nlohmann-json3-dev)])
])
