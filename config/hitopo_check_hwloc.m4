dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_HWLOC(IF-FOUND, IF-NOT)
# hwloc 2, the library that Open MPI itself is linked with: one that was built into Open MPI under
# other symbols gives topologies that this one cannot read. Sets HWLOC_CFLAGS and HWLOC_LIBS.
# In Open MPI's own configure that is the one that everything is compiled and linked with. The conditional
# HITOPO_WANT_HWLOC_LOAD: from 5.0 on, processes have their daemon's topology, and nothing is loaded ahead.
AC_DEFUN([HITOPO_CHECK_HWLOC], [
    hitopo_hwloc_load=no
    m4_ifdef([OPAL_CONFIG_HWLOC], [], [_HITOPO_HWLOC_WANTS_LOAD])
    AM_CONDITIONAL([HITOPO_WANT_HWLOC_LOAD], [test $hitopo_hwloc_load = yes])
    m4_ifdef([OPAL_CONFIG_HWLOC], [_HITOPO_HWLOC_IS_OLD([$2], [$1])],
             [HITOPO_CHECK_PACKAGE([HWLOC], [hwloc], [hwloc >= 2.0], [hwloc.h], [hwloc_topology_init], [-lhwloc],
                                   [_HITOPO_HWLOC_IS_OMPIS([$1], [$2])], [$2])])
])

# Open MPI 5.0 is content with hwloc 1.11.
AC_DEFUN([_HITOPO_HWLOC_IS_OLD], [
    hitopo_save_CPPFLAGS=$CPPFLAGS
    CPPFLAGS="$CPPFLAGS $opal_hwloc_CPPFLAGS"
    AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#include <hwloc.h>
                                        #if HWLOC_API_VERSION >= 0x00020000
                                        #error "hwloc 2 or newer"
                                        #endif]])],
                      [hitopo_hwloc_is_old=yes], [hitopo_hwloc_is_old=no])
    CPPFLAGS=$hitopo_save_CPPFLAGS
    AS_IF([test $hitopo_hwloc_is_old = yes], [$1], [$2])
])

AC_DEFUN([_HITOPO_HWLOC_WANTS_LOAD], [
    hitopo_save_CPPFLAGS=$CPPFLAGS
    CPPFLAGS="$CPPFLAGS $OMPI_CPPFLAGS $PMIX_CFLAGS"
    AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#include "ompi_config.h"
                                        #if OMPI_MAJOR_VERSION >= 5
                                        #error "processes have their daemon's topology"
                                        #endif]])],
                      [hitopo_hwloc_load=yes])
    CPPFLAGS=$hitopo_save_CPPFLAGS
])

AC_DEFUN([_HITOPO_HWLOC_IS_OMPIS], [
    AC_MSG_CHECKING([whether Open MPI uses this hwloc])
    hitopo_save_CPPFLAGS=$CPPFLAGS
    CPPFLAGS="$CPPFLAGS $HWLOC_CFLAGS $OMPI_CPPFLAGS $PMIX_CFLAGS"
    AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#include "ompi_config.h"
                                        #if __has_include("opal/mca/hwloc/hwloc-internal.h")
                                        #include "opal/mca/hwloc/hwloc-internal.h"
                                        #endif
                                        #include <hwloc.h>
                                        #if defined(HWLOC_SYM_TRANSFORM) && HWLOC_SYM_TRANSFORM
                                        #error "Open MPI has an hwloc of its own"
                                        #endif]])],
                      [hitopo_hwloc_is_ompis=yes], [hitopo_hwloc_is_ompis=no])
    AC_MSG_RESULT([$hitopo_hwloc_is_ompis])
    CPPFLAGS=$hitopo_save_CPPFLAGS
    AS_IF([test $hitopo_hwloc_is_ompis = yes], [$1], [$2])
])
