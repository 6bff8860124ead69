dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_WANT_PROFILER
# The conditionals HITOPO_WANT_PROFILER (the library, and hitopo-profile where the command's libraries are) and
# HITOPO_PROFILER_ALONE. The profiler writes JSON. Sets HITOPO_SUBDIRS, and hitopolibdir, where libmpi_hitopo is.
AC_DEFUN([HITOPO_WANT_PROFILER], [
    AC_ARG_ENABLE([profiler],
                  [AS_HELP_STRING([--disable-profiler], [no profiler, hitopo report and hitopo order])], [], [enable_profiler=yes])
    AC_ARG_WITH([hitopo],
                [AS_HELP_STRING([--with-hitopo=PREFIX],
                                [nothing but profiler, hitopo report and hitopo order, for the HiTopo installed there])],
                [], [with_hitopo=no])
    hitopo_profiler_why=--disable-profiler
    AS_IF([test "$enable_profiler" = no], [hitopo_profiler=no], [HITOPO_IF_JSON([profiler], [hitopo_profiler=yes], [hitopo_profiler=no])])
    HITOPO_SUBDIRS='ompi/mca/hitopo . $(MCA_SUBDIRS)'
    hitopolibdir='$(pkglibdir)'
    AS_IF([test "$with_hitopo" != no], [_HITOPO_PROFILER_ALONE])
    AC_SUBST([HITOPO_SUBDIRS])
    AC_SUBST([hitopolibdir])
    AM_CONDITIONAL([HITOPO_WANT_PROFILER], [test $hitopo_profiler = yes])
    AM_CONDITIONAL([HITOPO_PROFILER_ALONE], [test "$with_hitopo" != no])
    HITOPO_SUMMARY_ADD([profiler], [$hitopo_profiler], [$hitopo_profiler_why])
    AS_IF([test $hitopo_profiler = yes],
          [HITOPO_SUMMARY_ADD([hitopo report and hitopo order], [$hitopo_command], [no command hitopo])])
])

# The other's functions are no interface for programs: its version is the same.
AC_DEFUN([_HITOPO_PROFILER_ALONE], [
    AS_IF([test $hitopo_profiler = no], [AC_MSG_ERROR([--with-hitopo asks for the profiler alone: $hitopo_profiler_why])])
    PKG_CONFIG_PATH="$with_hitopo/lib/pkgconfig:$with_hitopo/lib64/pkgconfig:$PKG_CONFIG_PATH"
    export PKG_CONFIG_PATH
    PKG_CHECK_MODULES([HITOPO], [hitopo = $PACKAGE_VERSION], [],
                      [AC_MSG_ERROR([--with-hitopo=$with_hitopo: there is no HiTopo $PACKAGE_VERSION ($HITOPO_PKG_ERRORS)])])
    hitopolibdir=`$PKG_CONFIG --libs-only-L hitopo | sed 's/^-L//; s/ .*//'`
    AS_IF([test $hitopo_command = yes], [HITOPO_SUBDIRS='. ompi/tools/hitopo'], [HITOPO_SUBDIRS=.])
    hitopo_summary=
    AS_IF([test "$prefix" = NONE], [prefix=$with_hitopo])
])
