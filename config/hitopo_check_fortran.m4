dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_FORTRAN
# Sets MPIFORT, the Fortran wrapper beside MPICC, and the conditional HITOPO_HAVE_FORTRAN: modules are made
# only where it compiles them. HITOPO_FORTRAN_LACKS: what of the MPI standard this Open MPI lacks, as the
# files' names begin.
AC_DEFUN([HITOPO_CHECK_FORTRAN], [
    AC_ARG_ENABLE([fortran], [AS_HELP_STRING([--disable-fortran], [no Fortran modules])], [], [enable_fortran=yes])
    AC_ARG_WITH([fortran-modules],
                [AS_HELP_STRING([--with-fortran-modules=DIR],
                                [where compiled Fortran modules go @<:@INCLUDEDIR/hitopo@:>@])],
                [], [with_fortran_modules=])
    AS_CASE([$with_fortran_modules],
            [no|yes], [AC_MSG_ERROR([--with-fortran-modules wants a folder: --with-fortran-modules=DIR, or --disable-fortran])],
            [""], [fortranmoddir='$(includedir)/hitopo'],
            [fortranmoddir=$with_fortran_modules])
    AC_SUBST([fortranmoddir])
    AC_ARG_VAR([MPIFORT], [Open MPI's Fortran wrapper @<:@mpifort beside mpicc@:>@])
    AC_ARG_VAR([FCFLAGS], [Fortran compiler flags])
    AS_IF([test -z "$MPIFORT"], [MPIFORT=`AS_ECHO(["$MPICC"]) | sed 's,mpicc\([[^/]]*\)$,mpifort\1,'`])
    hitopo_fortran=no
    AS_IF([test "$enable_fortran" != no], [_HITOPO_CHECK_MODULES], [hitopo_fortran_why=--disable-fortran])
    AS_CASE([$OMPI_VERSION],
            [[[1-4].*]], [HITOPO_FORTRAN_LACKS="before_ompi5 before_ompi6"],
            [5.*], [HITOPO_FORTRAN_LACKS=before_ompi6],
            [HITOPO_FORTRAN_LACKS=])
    AC_SUBST([HITOPO_FORTRAN_LACKS])
    AM_CONDITIONAL([HITOPO_HAVE_FORTRAN], [test $hitopo_fortran = yes])
    HITOPO_SUMMARY_ADD([Fortran modules hitopo and hitopo_f08], [$hitopo_fortran], [$hitopo_fortran_why])
])

# A compiler that names the files of modules otherwise would do for users, but not for our makefile.
AC_DEFUN([_HITOPO_CHECK_MODULES], [
    hitopo_fortran_why="$MPIFORT makes no modules here (Debian: gfortran)"
    AC_MSG_CHECKING([whether $MPIFORT knows mpi_f08 and makes modules])
    AS_MKDIR_P([conftest.fortran])
    cat >conftest.fortran/conftest.f90 <<'_HITOPO_EOF'
module hitopo_conftest
  use mpi_f08, only : MPI_Comm
end module hitopo_conftest
_HITOPO_EOF
    AS_IF([(cd conftest.fortran && "$MPIFORT" $FCFLAGS -c conftest.f90) >&AS_MESSAGE_LOG_FD 2>&1 &&
           test -f conftest.fortran/hitopo_conftest.mod], [hitopo_fortran=yes])
    rm -rf conftest.fortran
    AC_MSG_RESULT([$hitopo_fortran])
])
