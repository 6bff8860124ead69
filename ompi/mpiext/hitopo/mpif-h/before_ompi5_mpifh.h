! Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
!
! Constants of the MPI standard, for versions of Open MPI before 5.
      INTEGER MPI_COMM_TYPE_HW_UNGUIDED
      INTEGER MPI_COMM_TYPE_HW_GUIDED
      PARAMETER (MPI_COMM_TYPE_HW_UNGUIDED=12)
      PARAMETER (MPI_COMM_TYPE_HW_GUIDED=13)
