! Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
!
! What HiTopo adds to the module mpi_f08. It holds no procedures, so nothing of it is linked, and any
! compiler for which there is a module mpi_f08 can make it from this file and the two that it includes.
module hitopo_f08
  use mpi_f08, only : MPI_Comm, MPI_Group, MPI_Info
  implicit none
  private :: MPI_Comm, MPI_Group, MPI_Info
  include 'mpif-hitopo.h'
  include 'hitopo-usempif08.h'
end module hitopo_f08
