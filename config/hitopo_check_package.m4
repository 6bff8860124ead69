dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_PACKAGE(PREFIX, OPTION, PKG-CONFIG-MODULES, HEADER, FUNCTION, LIBRARIES, IF-FOUND, IF-NOT)
# Finds a library through pkg-config, or through its header and a function where there is none, below
# --with-OPTION=DIR if given. Sets PREFIX_CFLAGS and PREFIX_LIBS. --without-OPTION finds nothing.
AC_DEFUN([HITOPO_CHECK_PACKAGE], [
    AC_ARG_WITH([$2],
                [AS_HELP_STRING([--with-$2@<:@=DIR@:>@], [where $2 is installed @<:@found@:>@])],
                [], [AS_VAR_SET([with_[]m4_translit([$2], [-], [_])], [check])])
    hitopo_with=$with_[]m4_translit([$2], [-], [_])
    hitopo_found=no
    AS_CASE([$hitopo_with],
            [no], [],
            [yes|check],
            [PKG_CHECK_MODULES([$1], [$3], [hitopo_found=yes],
                               [_HITOPO_CHECK_LIBRARY([$1], [$4], [$5], [$6])])],
            [$1_CFLAGS=-I$hitopo_with/include
             $1_LIBS=-L$hitopo_with/lib
             _HITOPO_CHECK_LIBRARY([$1], [$4], [$5], [$6])])
    AC_SUBST([$1_CFLAGS])
    AC_SUBST([$1_LIBS])
    AS_IF([test $hitopo_found = yes], [$7],
          [AS_IF([test "$hitopo_with" != check && test "$hitopo_with" != no],
                 [AC_MSG_ERROR([--with-$2=$hitopo_with: $4 or its library was not found])])
           $8])
])

AC_DEFUN([_HITOPO_CHECK_LIBRARY], [
    hitopo_save_CPPFLAGS=$CPPFLAGS
    hitopo_save_LIBS=$LIBS
    CPPFLAGS="$CPPFLAGS $$1_CFLAGS"
    LIBS="$$1_LIBS $4 $LIBS"
    AC_MSG_CHECKING([for $3 with $4])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <$2>]], [[void *volatile found = (void *) $3; return !found;]])],
                   [AC_MSG_RESULT([yes])
                    hitopo_found=yes
                    $1_LIBS="$$1_LIBS $4"],
                   [AC_MSG_RESULT([no])])
    CPPFLAGS=$hitopo_save_CPPFLAGS
    LIBS=$hitopo_save_LIBS
])
