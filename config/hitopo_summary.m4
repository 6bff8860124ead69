dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
dnl
dnl The last lines of configure: what is made, what is not, and why.

# HITOPO_SUMMARY_ADD(WHAT, yes|no, WHY-NOT)
AC_DEFUN([HITOPO_SUMMARY_ADD], [
    AS_IF([test "$2" = yes],
          [AS_VAR_APPEND([hitopo_summary], ["    yes  $1
"])],
          [AS_VAR_APPEND([hitopo_summary], ["    no   $1: $3
"])])
])

# HITOPO_SUMMARY
AC_DEFUN([HITOPO_SUMMARY], [
    AS_ECHO(["
$PACKAGE_STRING will be installed below $prefix
$hitopo_summary"])
])
