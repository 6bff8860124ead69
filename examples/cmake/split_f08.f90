! Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
!
! How many steps the hierarchy of this job has, from Fortran.
program split_f08
  use mpi_f08
  use hitopo_f08
  implicit none
  type(MPI_Comm) :: steps(16), roots(16)
  character(len=64) :: types(16)
  integer :: num_steps, rank

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPIX_Comm_split_hierarchy(MPI_COMM_WORLD, 16, steps, roots, types, num_steps)
  if (rank == 0) print '(i0,a)', num_steps, ' steps'
  call MPI_Finalize()
end program split_f08
