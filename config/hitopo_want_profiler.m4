dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_WANT_PROFILER
# The profiler needs nothing that the rest does not: the conditional HITOPO_WANT_PROFILER is the user's wish.
AC_DEFUN([HITOPO_WANT_PROFILER], [
    AC_ARG_ENABLE([profiler], [AS_HELP_STRING([--disable-profiler], [no profiler])], [], [enable_profiler=yes])
    AM_CONDITIONAL([HITOPO_WANT_PROFILER], [test "$enable_profiler" != no])
    HITOPO_SUMMARY_ADD([profiler], [`test "$enable_profiler" != no && echo yes || echo no`], [--disable-profiler])
])
