dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
dnl
dnl The last lines of configure: what is made, what is not, and why. In Open MPI's own, a part of its summary.

# HITOPO_SUMMARY_ADD(WHAT, yes|no, WHY-NOT)
AC_DEFUN([HITOPO_SUMMARY_ADD], [
    m4_ifdef([OPAL_SUMMARY_ADD], [OPAL_SUMMARY_ADD([HiTopo], [$1], [], [$2])])
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
