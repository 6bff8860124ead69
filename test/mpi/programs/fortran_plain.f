C Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
C
C A program in fixed form that is not linked with HiTopo: a guided split by NUMA node. Rank 0 prints its
C communicator's size.
      PROGRAM PLAIN
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INCLUDE 'mpif-hitopo.h'
      INTEGER INFO, NEWCOMM, RANK, NEWSIZE, IERROR

      CALL MPI_INIT(IERROR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERROR)
      CALL MPI_INFO_CREATE(INFO, IERROR)
      CALL MPI_INFO_SET(INFO, 'mpi_hw_resource_type',
     &                  'hwloc://NUMANode', IERROR)
      CALL MPI_COMM_SPLIT_TYPE(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED,
     &                         RANK, INFO, NEWCOMM, IERROR)
      CALL MPI_COMM_SIZE(NEWCOMM, NEWSIZE, IERROR)
      IF (RANK .EQ. 0) PRINT *, 'size', NEWSIZE
      CALL MPI_COMM_FREE(NEWCOMM, IERROR)
      CALL MPI_INFO_FREE(INFO, IERROR)
      CALL MPI_FINALIZE(IERROR)
      END
