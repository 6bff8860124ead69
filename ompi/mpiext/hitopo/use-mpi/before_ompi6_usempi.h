! Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
!
! A function of the MPI standard, for versions of Open MPI before 6.
interface
  subroutine MPI_Get_hw_resource_info(hw_info, ierror)
    integer, intent(out) :: hw_info, ierror
  end subroutine
end interface
