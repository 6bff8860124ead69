! Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
!
! A function of the MPI standard, for versions of Open MPI before 6.
interface MPI_Get_hw_resource_info
  subroutine mpi_get_hw_resource_info_f08(hw_info, ierror)
    import :: MPI_Info
    type(MPI_Info), intent(out) :: hw_info
    integer, optional, intent(out) :: ierror
  end subroutine
end interface
