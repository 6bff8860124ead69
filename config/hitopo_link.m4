dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_LINK
# Sets HITOPO_LDFLAGS for every shared object: they find each other in their folder, wherever that
# was moved, and show nothing but the C symbols of config/exports.map.
AC_DEFUN([HITOPO_LINK], [
    AC_MSG_CHECKING([whether the linker takes a version script])
    hitopo_save_LDFLAGS=$LDFLAGS
    LDFLAGS="$LDFLAGS -shared -fPIC -Wl,--version-script=$srcdir/config/exports.map"
    AC_LINK_IFELSE([AC_LANG_SOURCE([[int mca_x(void); int mca_x(void) { return 0; }]])], [AC_MSG_RESULT([yes])],
                   [AC_MSG_RESULT([no])
                    AC_MSG_ERROR([HiTopo needs a linker with version scripts (GNU ld, gold, lld)])])
    LDFLAGS=$hitopo_save_LDFLAGS
    HITOPO_LDFLAGS='-Wl,--gc-sections -Wl,--version-script=$(top_srcdir)/config/exports.map -Wl,-rpath,'\''$$ORIGIN'\'
    AC_SUBST([HITOPO_LDFLAGS])
    OMPI_LIBMPI_NAME=ompi_hitopo
    AC_SUBST([OMPI_LIBMPI_NAME])
])
