! Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
!
! Interfaces for programs that `use mpi`: handles are integers. Resource types are padded with blanks, or truncated
! if they are longer than the variable.
interface
  subroutine MPIX_Comm_split_type(comm, split_type, key, info, newcomm, ierror)
    integer, intent(in) :: comm, split_type, key, info
    integer, intent(out) :: newcomm, ierror
  end subroutine
  subroutine MPIX_Comm_split_roots(comm, split_type, key, info, newcomm, rootscomm, ierror)
    integer, intent(in) :: comm, split_type, key, info
    integer, intent(out) :: newcomm, rootscomm, ierror
  end subroutine
  subroutine MPIX_Comm_split_hierarchy(comm, max_steps, newcomms, rootscomms, types, num_steps, ierror)
    integer, intent(in) :: comm, max_steps
    integer, intent(out) :: newcomms(*), rootscomms(*), num_steps, ierror
    character(len=*), intent(out) :: types(*)
  end subroutine
  subroutine MPIX_Get_hw_topology_info(numlevels, info, ierror)
    integer, intent(out) :: numlevels, ierror
    integer, intent(in) :: info
  end subroutine
  subroutine MPIX_Get_hw_domain_info(comm, num_subcomms, rank, type, info, ierror)
    integer, intent(in) :: comm, info
    integer, intent(out) :: num_subcomms, rank, ierror
    character(len=*), intent(out) :: type
  end subroutine
  subroutine MPIX_Get_min_hw_domain(comm, size, ranks, type, ierror)
    integer, intent(in) :: comm, size, ranks(*)
    character(len=*), intent(out) :: type
    integer, intent(out) :: ierror
  end subroutine
  subroutine MPIX_Get_min_hierarchy(comm, size, ranks, info, ierror)
    integer, intent(in) :: comm, size, ranks(*), info
    integer, intent(out) :: ierror
  end subroutine
  subroutine MPIX_Get_hw_domain_neighbours(comm, hops, metric, newgroup, ierror)
    integer, intent(in) :: comm, hops, metric
    integer, intent(out) :: newgroup, ierror
  end subroutine
  subroutine MPIX_Comm_register(comm, name, ierror)
    integer, intent(in) :: comm
    character(len=*), intent(in) :: name
    integer, intent(out) :: ierror
  end subroutine
  subroutine MPIX_Comm_unregister(comm, ierror)
    integer, intent(in) :: comm
    integer, intent(out) :: ierror
  end subroutine
  subroutine MPIX_Comm_is_registered(comm, flag, ierror)
    integer, intent(in) :: comm
    logical, intent(out) :: flag
    integer, intent(out) :: ierror
  end subroutine
end interface
