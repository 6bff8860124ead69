dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_PMIX
# Stops without PMIx: through it each process says before MPI_Init that HiTopo is there. It must be
# the one that Open MPI uses. Sets PMIX_CFLAGS and PMIX_LIBS.
AC_DEFUN([HITOPO_CHECK_PMIX], [
    HITOPO_CHECK_PACKAGE([PMIX], [pmix], [pmix], [pmix.h], [PMIx_Init], [-lpmix], [],
                         [AC_MSG_ERROR([HiTopo needs PMIx's headers (Debian: libpmix-dev), or --with-pmix=DIR])])
])
