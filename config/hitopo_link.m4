dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_LINK
# Sets HITOPO_LDFLAGS for every shared object: they find each other in their folder, wherever that
# was moved, show nothing but the C symbols of config/exports.map, and stay where they are: MCA variables
# outlive a component's dlclose, and libstdc++'s memory for exceptions of last resort is never freed. The loader
# reads 16 bytes from $ORIGIN on: valgrind is silent if something stands behind it.
AC_DEFUN([HITOPO_LINK], [
    _HITOPO_EXPORTS
    AC_MSG_CHECKING([whether the linker takes a version script])
    hitopo_save_LDFLAGS=$LDFLAGS
    LDFLAGS="$LDFLAGS -shared -fPIC -Wl,--version-script=$srcdir/config/$HITOPO_EXPORTS"
    AC_LINK_IFELSE([AC_LANG_SOURCE([[int mca_x(void); int mca_x(void) { return 0; }]])], [AC_MSG_RESULT([yes])],
                   [AC_MSG_RESULT([no])
                    AC_MSG_ERROR([HiTopo needs a linker with version scripts (GNU ld, gold, lld)])])
    LDFLAGS=$hitopo_save_LDFLAGS
    HITOPO_LDFLAGS='-Wl,-z,nodelete -Wl,--gc-sections -Wl,--version-script=$(top_srcdir)/config/$(HITOPO_EXPORTS) -Wl,-rpath,'\''$$ORIGIN:$(pkglibdir)'\'
    AC_SUBST([HITOPO_LDFLAGS])
    HITOPO_LIBRARY=libompi_hitopo
    AC_SUBST([HITOPO_LIBRARY])
    HITOPO_LINK_STATIC_LIBSTDCXX
])

# HITOPO_EXPORTS: the version script, by the names that Fortran compilers give to functions.
AC_DEFUN([_HITOPO_EXPORTS], [
    AC_ARG_ENABLE([all-fortran-names],
                  [AS_HELP_STRING([--enable-all-fortran-names],
                                  [show Fortran's functions without underscores, too (mpi_send, MPI_SEND) @<:@if Open MPI's compiler adds none@:>@])],
                  [], [_HITOPO_OWN_FORTRAN_NAMES])
    AS_IF([test "$enable_all_fortran_names" = no], [HITOPO_EXPORTS=exports.map], [HITOPO_EXPORTS=exports-all-fortran.map])
    AC_SUBST([HITOPO_EXPORTS])
])

AC_DEFUN([_HITOPO_OWN_FORTRAN_NAMES], [
    hitopo_save_CPPFLAGS=$CPPFLAGS
    CPPFLAGS="$CPPFLAGS $OMPI_CPPFLAGS"
    AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#include "opal_config.h"
                                        #if !OMPI_FORTRAN_PLAIN && !OMPI_FORTRAN_CAPS
                                        #error "underscores"
                                        #endif]])],
                      [enable_all_fortran_names=yes], [enable_all_fortran_names=no])
    CPPFLAGS=$hitopo_save_CPPFLAGS
])

# HITOPO_LINK_STATIC_LIBSTDCXX
# Gives every shared object what it needs of libstdc++, hidden. The shared one would come into
# programs that are not ours: into C programs, where its relocations are the largest part of what we
# add to MPI_Init, and by LD_PRELOAD before a newer one that a C++ program brings along.
AC_DEFUN([HITOPO_LINK_STATIC_LIBSTDCXX], [
    AC_ARG_ENABLE([static-libstdcxx],
                  [AS_HELP_STRING([--disable-static-libstdcxx],
                                  [link the shared libstdc++ [default: the static one where the compiler has it]])],
                  [], [enable_static_libstdcxx=auto])
    AS_CASE([$CXXFLAGS], [*-fsanitize=*], [enable_static_libstdcxx=no])
    # libtool links with -nostdlib and what it found the compiler to add.
    hitopo_static_postdeps=`echo "$postdeps_CXX" | sed 's/-lstdc++/-l:libstdc++.a/; s/-lgcc_s/-lgcc -lgcc_eh/g'`
    AS_IF([test "$enable_static_libstdcxx" != no], [
        AC_MSG_CHECKING([for a static libstdc++])
        AC_LANG_PUSH([C++])
        hitopo_save_LDFLAGS=$LDFLAGS
        hitopo_save_LIBS=$LIBS
        LDFLAGS="$LDFLAGS -shared -fPIC -nostdlib"
        LIBS="$LIBS $hitopo_static_postdeps"
        AC_LINK_IFELSE([AC_LANG_SOURCE([[#include <stdexcept>
            extern "C" int mca_x() { try { throw std::runtime_error("x"); } catch (...) { return 0; } }]])],
                       [hitopo_has_static_libstdcxx=yes], [hitopo_has_static_libstdcxx=no])
        LDFLAGS=$hitopo_save_LDFLAGS
        LIBS=$hitopo_save_LIBS
        AC_LANG_POP([C++])
        AS_CASE([$hitopo_static_postdeps], [*:libstdc++.a*], [], [hitopo_has_static_libstdcxx=no])
        AC_MSG_RESULT([$hitopo_has_static_libstdcxx])
        AS_IF([test $hitopo_has_static_libstdcxx = yes], [postdeps_CXX=$hitopo_static_postdeps],
              [test "$enable_static_libstdcxx" = yes],
              [AC_MSG_ERROR([--enable-static-libstdcxx: $CXX links no libstdc++.a into a shared object; on Red Hat systems install libstdc++-static])])
    ])
])
