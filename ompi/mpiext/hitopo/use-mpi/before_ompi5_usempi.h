! Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
!
! A function of the MPI standard, for versions of Open MPI before 5.
interface
  subroutine MPI_Info_get_string(info, key, buflen, value, flag, ierror)
    integer, intent(in) :: info
    character(len=*), intent(in) :: key
    integer, intent(inout) :: buflen
    character(len=*), intent(inout) :: value
    logical, intent(out) :: flag
    integer, intent(out) :: ierror
  end subroutine
end interface
