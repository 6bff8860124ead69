dnl Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

# HITOPO_CHECK_IBVERBS(IF-FOUND, IF-NOT)
# Sets IBVERBS_CFLAGS and IBVERBS_LIBS.
AC_DEFUN([HITOPO_CHECK_IBVERBS], [
    HITOPO_CHECK_PACKAGE([IBVERBS], [ibverbs], [libibverbs], [infiniband/verbs.h], [ibv_get_device_list],
                         [-libverbs], [$1], [$2])
])
