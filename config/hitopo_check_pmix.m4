dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_PMIX
# Stops without PMIx: through it each process says before MPI_Init that HiTopo is there. It must be
# the one that Open MPI uses: by default one that lies in Open MPI's own folders, hitopo_folders, as its build has it
# with --with-pmix=internal. Sets PMIX_CFLAGS and PMIX_LIBS.
AC_DEFUN([HITOPO_CHECK_PMIX], [
    AS_IF([test -z "${with_pmix+set}"],
          [for hitopo_folder in $hitopo_folders; do
               AS_IF([test -f "$hitopo_folder/pmix.h" && test -e "${hitopo_folder%/*}/lib/libpmix.so"],
                     [with_pmix=${hitopo_folder%/*}])
           done])
    HITOPO_CHECK_PACKAGE([PMIX], [pmix], [pmix], [pmix.h], [PMIx_Init], [-lpmix], [],
                         [AC_MSG_ERROR([HiTopo needs PMIx's headers (Debian: libpmix-dev), or --with-pmix=DIR])])
])
