! Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
!
! A function of the MPI standard, for versions of Open MPI before 5.
interface MPI_Info_get_string
  subroutine mpi_info_get_string_f08(info, key, buflen, value, flag, ierror)
    import :: MPI_Info
    type(MPI_Info), intent(in) :: info
    character(len=*), intent(in) :: key
    integer, intent(inout) :: buflen
    character(len=*), intent(inout) :: value
    logical, intent(out) :: flag
    integer, optional, intent(out) :: ierror
  end subroutine
end interface
