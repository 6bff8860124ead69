dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_SLURM(IF-WANTED, IF-NOT)
# Slurm speaks through the environment, so component slurm needs only the wish. With Slurm's headers and
# library there is also the program that asks slurmctld: the conditional HITOPO_HAVE_SLURM, SLURM_CFLAGS and
# HITOPO_SLURM_SONAME, the library's name with its version.
AC_DEFUN([HITOPO_CHECK_SLURM], [
    AC_ARG_WITH([slurm],
                [AS_HELP_STRING([--with-slurm@<:@=DIR@:>@], [where slurm is installed @<:@found@:>@]; --without-slurm: no component slurm)],
                [], [with_slurm=yes])
    hitopo_have_slurm=no
    AS_IF([test "$with_slurm" != no], [_HITOPO_CHECK_SLURM_LIBRARY])
    AC_SUBST([SLURM_CFLAGS])
    AC_SUBST([HITOPO_SLURM_SONAME])
    AM_CONDITIONAL([HITOPO_HAVE_SLURM], [test $hitopo_have_slurm = yes])
    HITOPO_SUMMARY_ADD([asking slurmctld], [$hitopo_have_slurm],
                       [no headers and library of Slurm 20.11 or later (Debian: libslurm-dev)])
    AS_IF([test "$with_slurm" != no], [$1], [$2])
])

# The name is what a program linked with the library asks the loader for.
AC_DEFUN([_HITOPO_CHECK_SLURM_LIBRARY], [
    hitopo_save_CPPFLAGS=$CPPFLAGS
    hitopo_save_LIBS=$LIBS
    SLURM_CFLAGS=
    LIBS="-lslurm $LIBS"
    AS_IF([test "$with_slurm" != yes],
          [SLURM_CFLAGS=-I$with_slurm/include
           LIBS="-L$with_slurm/lib $LIBS"])
    CPPFLAGS="$CPPFLAGS $SLURM_CFLAGS"
    AC_MSG_CHECKING([for Slurm's library])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <slurm/slurm.h>]], [[slurm_init(0); return slurm_api_version() == 0;]])],
                   [HITOPO_SLURM_SONAME=`objdump -p conftest$EXEEXT | sed -n 's/^ *NEEDED *\(libslurm\.so\.[[0-9]]*\)$/\1/p'`])
    AC_MSG_RESULT([${HITOPO_SLURM_SONAME:-none}])
    AS_IF([test -n "$HITOPO_SLURM_SONAME"], [_HITOPO_CHECK_SLURM_FORM])
    CPPFLAGS=$hitopo_save_CPPFLAGS
    LIBS=$hitopo_save_LIBS
])

# What slurm_load_topo answers became opaque in 23.11; its own text is the only way in since. Later versions
# name the topology, and what to print of it.
AC_DEFUN([_HITOPO_CHECK_SLURM_FORM], [
    hitopo_slurm_load=
    hitopo_slurm_print=
    _HITOPO_TRY_SLURM([slurm_load_topo(&t)], [hitopo_slurm_load='-D"HITOPO_SLURM_LOAD(t)=t"'])
    _HITOPO_TRY_SLURM([slurm_load_topo(&t, 0)], [hitopo_slurm_load='-D"HITOPO_SLURM_LOAD(t)=t,NULL"'])
    AC_CHECK_MEMBER([topo_info_response_msg_t.topo_info],
                    [_HITOPO_TRY_SLURM([slurm_print_topo_info_msg(stdout, t, 0, 1)],
                                       [hitopo_slurm_print='-D"HITOPO_SLURM_PRINT(o,t)=o,t,NULL,1"'])
                     _HITOPO_TRY_SLURM([slurm_print_topo_info_msg(stdout, t, 0, 0, 1)],
                                       [hitopo_slurm_print='-D"HITOPO_SLURM_PRINT(o,t)=o,t,NULL,NULL,1"'])],
                    [_HITOPO_TRY_SLURM([t->topo_array->name], [hitopo_slurm_print=' '])],
                    [[#include <slurm/slurm.h>]])
    AS_IF([test -n "$hitopo_slurm_load" && test -n "$hitopo_slurm_print"],
          [hitopo_have_slurm=yes
           SLURM_CFLAGS="$SLURM_CFLAGS $hitopo_slurm_load $hitopo_slurm_print"])
])

# _HITOPO_TRY_SLURM(EXPRESSION, IF-IT-COMPILES)
AC_DEFUN([_HITOPO_TRY_SLURM], [
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <stdio.h>
                                         #include <slurm/slurm.h>]],
                                       [[topo_info_response_msg_t *t = 0; (void) t; (void) ($1);]])], [$2])
])
