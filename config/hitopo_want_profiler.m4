dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_WANT_PROFILER
# The profiler writes JSON; else the conditional HITOPO_WANT_PROFILER is the user's wish.
AC_DEFUN([HITOPO_WANT_PROFILER], [
    AC_ARG_ENABLE([profiler], [AS_HELP_STRING([--disable-profiler], [no profiler])], [], [enable_profiler=yes])
    hitopo_profiler_why=--disable-profiler
    AS_IF([test "$enable_profiler" = no], [hitopo_profiler=no], [HITOPO_IF_JSON([profiler], [hitopo_profiler=yes], [hitopo_profiler=no])])
    AM_CONDITIONAL([HITOPO_WANT_PROFILER], [test $hitopo_profiler = yes])
    HITOPO_SUMMARY_ADD([profiler], [$hitopo_profiler], [$hitopo_profiler_why])
])
