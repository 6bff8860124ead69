! Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
!
! Interfaces for programs that `use mpi_f08`. The specific names are C functions that are given a handle's
! MPI_VAL, since a TYPE(MPI_Comm) is nothing else, and a null pointer for an ierror that is left out.
interface MPIX_Comm_split_type
  subroutine mpix_comm_split_type_f08(comm, split_type, key, info, newcomm, ierror)
    import :: MPI_Comm, MPI_Info
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: split_type, key
    type(MPI_Info), intent(in) :: info
    type(MPI_Comm), intent(out) :: newcomm
    integer, optional, intent(out) :: ierror
  end subroutine
end interface
interface MPIX_Comm_split_roots
  subroutine mpix_comm_split_roots_f08(comm, split_type, key, info, newcomm, rootscomm, ierror)
    import :: MPI_Comm, MPI_Info
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: split_type, key
    type(MPI_Info), intent(in) :: info
    type(MPI_Comm), intent(out) :: newcomm, rootscomm
    integer, optional, intent(out) :: ierror
  end subroutine
end interface
interface MPIX_Comm_split_hierarchy
  subroutine mpix_comm_split_hierarchy_f08(comm, max_steps, newcomms, rootscomms, types, num_steps, ierror)
    import :: MPI_Comm
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: max_steps
    type(MPI_Comm), intent(out) :: newcomms(max_steps), rootscomms(max_steps)
    character(len=*), intent(out) :: types(max_steps)
    integer, intent(out) :: num_steps
    integer, optional, intent(out) :: ierror
  end subroutine
end interface
interface MPIX_Get_hw_topology_info
  subroutine mpix_get_hw_topology_info_f08(numlevels, info, ierror)
    import :: MPI_Info
    integer, intent(out) :: numlevels
    type(MPI_Info), intent(in) :: info
    integer, optional, intent(out) :: ierror
  end subroutine
end interface
interface MPIX_Get_hw_domain_info
  subroutine mpix_get_hw_domain_info_f08(comm, num_subcomms, rank, type, info, ierror)
    import :: MPI_Comm, MPI_Info
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out) :: num_subcomms, rank
    character(len=*), intent(out) :: type
    type(MPI_Info), intent(in) :: info
    integer, optional, intent(out) :: ierror
  end subroutine
end interface
interface MPIX_Get_min_hw_domain
  subroutine mpix_get_min_hw_domain_f08(comm, size, ranks, type, ierror)
    import :: MPI_Comm
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: size, ranks(size)
    character(len=*), intent(out) :: type
    integer, optional, intent(out) :: ierror
  end subroutine
end interface
interface MPIX_Get_min_hierarchy
  subroutine mpix_get_min_hierarchy_f08(comm, size, ranks, info, ierror)
    import :: MPI_Comm, MPI_Info
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: size, ranks(size)
    type(MPI_Info), intent(in) :: info
    integer, optional, intent(out) :: ierror
  end subroutine
end interface
interface MPIX_Get_hw_domain_neighbours
  subroutine mpix_get_hw_domain_neighbours_f08(comm, hops, metric, newgroup, ierror)
    import :: MPI_Comm, MPI_Group
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: hops, metric
    type(MPI_Group), intent(out) :: newgroup
    integer, optional, intent(out) :: ierror
  end subroutine
end interface
interface MPIX_Comm_register
  subroutine mpix_comm_register_f08(comm, name, ierror)
    import :: MPI_Comm
    type(MPI_Comm), intent(in) :: comm
    character(len=*), intent(in) :: name
    integer, optional, intent(out) :: ierror
  end subroutine
end interface
interface MPIX_Comm_unregister
  subroutine mpix_comm_unregister_f08(comm, ierror)
    import :: MPI_Comm
    type(MPI_Comm), intent(in) :: comm
    integer, optional, intent(out) :: ierror
  end subroutine
end interface
interface MPIX_Comm_is_registered
  subroutine mpix_comm_is_registered_f08(comm, flag, ierror)
    import :: MPI_Comm
    type(MPI_Comm), intent(in) :: comm
    logical, intent(out) :: flag
    integer, optional, intent(out) :: ierror
  end subroutine
end interface
