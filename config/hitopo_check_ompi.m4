dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_OMPI
# Finds an installed Open MPI with its internal headers, or stops. Sets
#   MPICC         its compiler wrapper
#   MPI_CPPFLAGS  where mpi.h is, without the C++ bindings of old: for any language
#   OMPI_CPPFLAGS where the internal headers are: for C only
#   OMPI_LIBS     libmpi, and the library that registers MCA variables
#   OMPI_VERSION  for the summary
# and what HITOPO_CHECK_PMIX sets.
AC_DEFUN([HITOPO_CHECK_OMPI], [
    AC_ARG_WITH([ompi],
                [AS_HELP_STRING([--with-ompi=PREFIX],
                                [Open MPI's prefix, or its mpicc @<:@mpicc of PATH@:>@])],
                [], [with_ompi=yes])
    AC_ARG_WITH([ompi-source],
                [AS_HELP_STRING([--with-ompi-source=DIR],
                                [the source of that Open MPI, for internal headers that it does not install])],
                [], [with_ompi_source=no])
    _HITOPO_FIND_MPICC
    _HITOPO_OMPI_FOLDERS
    HITOPO_CHECK_PMIX
    _HITOPO_OMPI_SOURCE
    _HITOPO_OMPI_HEADERS
    _HITOPO_OMPI_LIBS
    AC_SUBST([MPI_CPPFLAGS])
    AC_SUBST([OMPI_CPPFLAGS])
    AC_SUBST([OMPI_LIBS])
    AC_SUBST([OMPI_VERSION])
])

AC_DEFUN([_HITOPO_FIND_MPICC], [
    AS_CASE([$with_ompi],
            [no], [AC_MSG_ERROR([HiTopo is built against an Open MPI: --without-ompi makes no sense])],
            [yes], [AC_PATH_PROGS([MPICC], [mpicc.openmpi mpicc])],
            [AS_IF([test -d "$with_ompi"], [MPICC=$with_ompi/bin/mpicc], [MPICC=$with_ompi])])
    AC_MSG_CHECKING([for Open MPI's version])
    OMPI_VERSION=`"$MPICC" --showme:version 2>/dev/null | sed -n 's/.*Open MPI \([[0-9]][[^ ]]*\).*/\1/p'`
    AS_IF([test -n "$OMPI_VERSION"], [AC_MSG_RESULT([$OMPI_VERSION])],
          [AC_MSG_RESULT([none])
           AC_MSG_ERROR([no mpicc of Open MPI found (tried: ${MPICC:-PATH}). Install it (Debian: libopenmpi-dev)
or name it: --with-ompi=PREFIX])])
    AC_SUBST([MPICC])
])

# The wrapper names two folders: one that holds mpi.h, and `openmpi` below it. The second is there
# only where the internal headers are.
AC_DEFUN([_HITOPO_OMPI_FOLDERS], [
    MPI_CPPFLAGS=-DOMPI_SKIP_MPICXX
    OMPI_CPPFLAGS=
    hitopo_folders=`"$MPICC" --showme:incdirs`
    for hitopo_folder in $hitopo_folders; do
        AS_IF([test -f "$hitopo_folder/mpi.h"], [MPI_CPPFLAGS="$MPI_CPPFLAGS -I$hitopo_folder"])
        OMPI_CPPFLAGS="$OMPI_CPPFLAGS -I$hitopo_folder"
        AS_IF([test -d "$hitopo_folder/openmpi"],
              [OMPI_CPPFLAGS="$OMPI_CPPFLAGS -I$hitopo_folder/openmpi"])
    done
])

# Open MPI 5.0 and 6.0 do not install opal/mca/threads/pthreads/, which all others include. The source
# comes last, so that it gives nothing but what is missing.
AC_DEFUN([_HITOPO_OMPI_SOURCE], [
    AS_CASE([$with_ompi_source],
            [no], [],
            [AS_IF([test -f "$with_ompi_source/VERSION" && test -d "$with_ompi_source/opal/mca"], [],
                   [AC_MSG_ERROR([--with-ompi-source=$with_ompi_source: this is no source of Open MPI (no VERSION, no opal/mca)])])
             hitopo_source_version=`sed -n 's/^\(major\|minor\|release\)=//p' "$with_ompi_source/VERSION" | paste -sd.`
             AS_CASE([$OMPI_VERSION], [$hitopo_source_version*], [],
                     [AC_MSG_WARN([--with-ompi-source: the source is Open MPI $hitopo_source_version, the installation $OMPI_VERSION])])
             OMPI_CPPFLAGS="$OMPI_CPPFLAGS -I$with_ompi_source"
             AS_IF([test -f "$with_ompi_source/opal/include/opal_config.h"], [_HITOPO_OMPI_CONFIGURED_SOURCE])])
])

# A source whose configure has run has all headers, where an installation may have none.
AC_DEFUN([_HITOPO_OMPI_CONFIGURED_SOURCE], [
    for hitopo_folder in opal orte ompi; do
        OMPI_CPPFLAGS="$OMPI_CPPFLAGS -I$with_ompi_source/$hitopo_folder/include"
    done
])

AC_DEFUN([_HITOPO_OMPI_HEADERS], [
    AC_MSG_CHECKING([for Open MPI's internal headers])
    hitopo_save_CPPFLAGS=$CPPFLAGS
    CPPFLAGS="$CPPFLAGS $OMPI_CPPFLAGS $PMIX_CFLAGS"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include "ompi_config.h"
                                         #include "ompi/communicator/communicator.h"
                                         #include "opal/mca/base/base.h"]])],
                      [AC_MSG_RESULT([yes])],
                      [AC_MSG_RESULT([no])
                       _HITOPO_OMPI_MISSING_HEADER
                       _HITOPO_OMPI_THREE_WAYS])
    CPPFLAGS=$hitopo_save_CPPFLAGS
])

# Sets hitopo_missing to the first internal header that is not there, empty where they are there and do not compile.
AC_DEFUN([_HITOPO_OMPI_MISSING_HEADER], [
    hitopo_missing=
    for hitopo_header in ompi_config.h opal/mca/base/base.h opal/mca/threads/pthreads/threads_pthreads_mutex.h; do
        # Before 5.0 there is no folder of that name.
        AS_CASE([$OMPI_VERSION:$hitopo_header], [[[1-4].*:opal/mca/threads/*]], [continue])
        AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#if !__has_include("$hitopo_header")
                                            #error "missing"
                                            #endif]])], [], [hitopo_missing=$hitopo_header; break])
    done
])

AC_DEFUN([_HITOPO_OMPI_THREE_WAYS], [
    AS_IF([test -n "$hitopo_missing"], [hitopo_what="there is no $hitopo_missing"], [hitopo_what="they do not compile, see config.log"])
    AC_MSG_ERROR([Open MPI $OMPI_VERSION of $MPICC lacks internal headers that HiTopo is built with: $hitopo_what. Three ways on:
  - install what your distribution has for developers (Debian: libopenmpi-dev), or build Open MPI with --with-devel-headers;
  - give the source of that version: --with-ompi-source=DIR (Debian: apt-get source openmpi). It is enough for what is missing
    in all installations of 5.0 and 6.0; where all headers are, its configure must have run in there;
  - build Open MPI 5.0 or main with HiTopo inside: contrib/into-openmpi DIR (docs/in-tree.md)])
])

AC_DEFUN([_HITOPO_OMPI_LIBS], [
    hitopo_ompi_ldflags=
    for hitopo_folder in `"$MPICC" --showme:libdirs`; do
        hitopo_ompi_ldflags="$hitopo_ompi_ldflags -L$hitopo_folder"
    done
    hitopo_save_LIBS=$LIBS
    LIBS="$hitopo_ompi_ldflags -lmpi $LIBS"
    OMPI_LIBS="$hitopo_ompi_ldflags -lmpi"
    _HITOPO_OMPI_LIB([mca_base_component_var_register], [open-pal])
    # 6.0's libmpi is a thin one over this.
    _HITOPO_OMPI_LIB([ompi_comm_set], [open_mpi])
    LIBS=$hitopo_save_LIBS
])

# _HITOPO_OMPI_LIB(FUNCTION, LIBRARY): adds it to OMPI_LIBS where libmpi alone lacks the function.
AC_DEFUN([_HITOPO_OMPI_LIB], [
    AC_SEARCH_LIBS([$1], [$2], [],
                   [AC_MSG_ERROR([cannot link with Open MPI's internals: $1 is neither in libmpi nor in lib$2 in$hitopo_ompi_ldflags])])
    AS_CASE([$ac_cv_search_$1], [-l*], [OMPI_LIBS="$OMPI_LIBS $ac_cv_search_$1"])
])

# HITOPO_CHECK_OMPI_HOOK
# --with-ompi-hook: ompihookdir is Open MPI's own component folder, where `make install` then links
# the hook, so that every program has HiTopo.
AC_DEFUN([HITOPO_CHECK_OMPI_HOOK], [
    AC_ARG_WITH([ompi-hook],
                [AS_HELP_STRING([--with-ompi-hook@<:@=DIR@:>@],
                                [link the hook into Open MPI's component folder @<:@no@:>@])],
                [], [with_ompi_hook=no])
    AS_CASE([$with_ompi_hook],
            [no], [ompihookdir=],
            [yes], [AC_MSG_CHECKING([for Open MPI's component folder])
                    ompihookdir=`"${MPICC%/*}/ompi_info" --parsable --path pkglibdir 2>/dev/null | sed -n 's/^path:pkglibdir://p'`
                    AC_MSG_RESULT([${ompihookdir:-unknown}])],
            [ompihookdir=$with_ompi_hook])
    AS_IF([test "$with_ompi_hook" != no && ! test -d "$ompihookdir"],
          [AC_MSG_ERROR([--with-ompi-hook: there is no folder '$ompihookdir'; give Open MPI's component folder,
the one that holds mca_pml_ob1.so: --with-ompi-hook=DIR])])
    AM_CONDITIONAL([HITOPO_WANT_OMPI_HOOK], [test -n "$ompihookdir"])
    AC_SUBST([ompihookdir])
    HITOPO_SUMMARY_ADD([hook in Open MPI's folder $ompihookdir], [`test -n "$ompihookdir" && echo yes || echo no`],
                       [not asked for with --with-ompi-hook])
])
