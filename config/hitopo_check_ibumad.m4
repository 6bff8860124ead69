dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_IBUMAD
# Sets IBUMAD_CFLAGS and the conditional HITOPO_HAVE_IBUMAD. Only headers are used: component openib loads
# the library where there is something to ask.
AC_DEFUN([HITOPO_CHECK_IBUMAD], [
    HITOPO_CHECK_PACKAGE([IBUMAD], [ibumad], [libibumad], [infiniband/umad.h], [umad_open_port], [-libumad],
                         [hitopo_ibumad=yes], [hitopo_ibumad=no])
    AM_CONDITIONAL([HITOPO_HAVE_IBUMAD], [test $hitopo_ibumad = yes])
    HITOPO_SUMMARY_ADD([component hitopo:openib asks the fabric], [$hitopo_ibumad],
                       [no libibumad (Debian: libibumad-dev)])
])
