dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_XXHASH
# Stops unless xxhash.h is there and can be used without its library (XXH_INLINE_ALL: from 0.7 on).
AC_DEFUN([HITOPO_CHECK_XXHASH], [
    AC_MSG_CHECKING([for xxhash.h])
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#define XXH_INLINE_ALL
                                         #include <xxhash.h>]],
                                       [[return XXH64("", 0, 0) == 0;]])],
                      [AC_MSG_RESULT([yes])],
                      [AC_MSG_RESULT([no])
                       AC_MSG_ERROR([HiTopo needs the header xxhash.h, 0.7 or newer (Debian: libxxhash-dev)])])
])
