dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_INSTALL_FOLDERS
# The names that Open MPI's own makefiles have for where things go: one folder for all libraries,
# and a folder below include that can be given to the compiler as a whole.
AC_DEFUN([HITOPO_INSTALL_FOLDERS], [
    ompilibdir='$(pkglibdir)'
    ompidatadir='$(pkgdatadir)'
    ompiincludedir='$(includedir)/hitopo'
    AC_SUBST([ompilibdir])
    AC_SUBST([ompidatadir])
    AC_SUBST([ompiincludedir])
    AM_CONDITIONAL([WANT_INSTALL_HEADERS], [true])
])
