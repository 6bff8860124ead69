dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_SCOTCH(IF-FOUND, IF-NOT)
# Sets SCOTCH_CFLAGS and SCOTCH_LIBS, below --with-scotch=DIR if given. Scotch has no pkg-config module; its header
# wants FILE, and is in a folder of its own in Debian.
AC_DEFUN([HITOPO_CHECK_SCOTCH], [
    AC_ARG_WITH([scotch],
                [AS_HELP_STRING([--with-scotch@<:@=DIR@:>@], [where Scotch is installed @<:@found@:>@])],
                [], [with_scotch=check])
    hitopo_found=no
    AS_CASE([$with_scotch],
            [no], [],
            [yes|check], [_HITOPO_TRY_SCOTCH([], [-lscotch])
                          _HITOPO_TRY_SCOTCH([-I/usr/include/scotch], [-lscotch])],
            [_HITOPO_TRY_SCOTCH([-I$with_scotch/include], [-L$with_scotch/lib -lscotch -lscotcherr])])
    AC_SUBST([SCOTCH_CFLAGS])
    AC_SUBST([SCOTCH_LIBS])
    AS_IF([test $hitopo_found = yes], [$1],
          [AS_IF([test "$with_scotch" != check && test "$with_scotch" != no],
                 [AC_MSG_ERROR([--with-scotch=$with_scotch: scotch.h or its library was not found])])
           $2])
])

AC_DEFUN([_HITOPO_TRY_SCOTCH], [
    AS_IF([test $hitopo_found = no], [
        hitopo_save_CPPFLAGS=$CPPFLAGS
        hitopo_save_LIBS=$LIBS
        CPPFLAGS="$CPPFLAGS $1"
        LIBS="$2 $LIBS"
        AC_MSG_CHECKING([for SCOTCH_archSub with $1 $2])
        AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <stdio.h>
                                          #include <scotch.h>]],
                                        [[return SCOTCH_archSub(NULL, NULL, 0, NULL);]])],
                       [AC_MSG_RESULT([yes])
                        hitopo_found=yes
                        SCOTCH_CFLAGS="$1"
                        SCOTCH_LIBS="$2"],
                       [AC_MSG_RESULT([no])])
        CPPFLAGS=$hitopo_save_CPPFLAGS
        LIBS=$hitopo_save_LIBS
    ])
])
