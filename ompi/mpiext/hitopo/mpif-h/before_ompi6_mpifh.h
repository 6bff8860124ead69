! Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
!
! Of the MPI standard, where Open MPI is older than 6.
      INTEGER MPI_COMM_TYPE_RESOURCE_GUIDED
      PARAMETER (MPI_COMM_TYPE_RESOURCE_GUIDED=14)
