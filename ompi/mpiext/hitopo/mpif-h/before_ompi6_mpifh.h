! Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
!
! Constants of the MPI standard, for versions of Open MPI before 6.
      INTEGER MPI_COMM_TYPE_RESOURCE_GUIDED
      PARAMETER (MPI_COMM_TYPE_RESOURCE_GUIDED=14)
