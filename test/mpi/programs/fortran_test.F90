! Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
!
! All of HiTopo's functions from Fortran. fortran.sh compiles this three times, with -DWITH_MPIF, -DWITH_MPI
! and -DWITH_F08, and runs it on 8 simulated processes: 1 island, 1 switch, 2 nodes of 2 packages with a NUMA
! node each, of 2 cores each; process by process on a core. Communicators are compared with those of
! MPI_Comm_split; the types are written out by hand.
#ifdef WITH_F08
#define COMM_HANDLE type(MPI_Comm)
#define INFO_HANDLE type(MPI_Info)
#define GROUP_HANDLE type(MPI_Group)
#define HANDLE_VALUE(handle) handle%MPI_VAL
#else
#define COMM_HANDLE integer
#define INFO_HANDLE integer
#define GROUP_HANDLE integer
#define HANDLE_VALUE(handle) handle
#endif
program fortran_test
#if defined(WITH_F08)
  use mpi_f08
  use hitopo_f08
#elif defined(WITH_MPI)
  use mpi
  use hitopo
#endif
  implicit none
#ifdef WITH_MPIF
  include 'mpif.h'
  include 'mpif-hitopo.h'
#endif
  integer, parameter :: name_length = 40
  integer :: num_failed = 0, total, world_rank, world_size, ierror

  call MPI_Init(ierror)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, world_rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, world_size, ierror)
  call check(world_size == 8, '8 processes')

  call splits_of_the_standard()
  call hsplit()
  call roots()
  call hierarchy()
  call resource_info()
  call info_strings()
  call topology_info()
  call min_domain()
  call neighbours()
  call errors()
  call registering()
#ifdef WITH_F08
  call without_ierror()
#endif

  call MPI_Allreduce(num_failed, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  call MPI_Finalize(ierror)
  if (total /= 0) stop 1
  if (world_rank == 0) print '(a)', 'all as expected'

contains

  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(len=*), intent(in) :: what
    if (is_right) return
    num_failed = num_failed + 1
    print '(a,i0,2a)', 'rank ', world_rank, ': failed: ', what
  end subroutine check

  subroutine check_text(found, expected, what)
    character(len=*), intent(in) :: found, expected, what
    call check(found == expected, what // ': ' // trim(found) // ' instead of ' // expected)
  end subroutine check_text

  ! comm is what MPI_Comm_split makes of color. Frees it. Collective over MPI_COMM_WORLD.
  subroutine check_split(comm, color, what)
    COMM_HANDLE, intent(inout) :: comm
    integer, intent(in) :: color
    character(len=*), intent(in) :: what
    COMM_HANDLE :: expected
    integer :: comparison
    call check(ierror == MPI_SUCCESS, what // ' succeeds')
    call MPI_Comm_split(MPI_COMM_WORLD, color, world_rank, expected, ierror)
    if (expected == MPI_COMM_NULL .or. comm == MPI_COMM_NULL) then
      call check(expected == comm, what // ' gives MPI_COMM_NULL')
    else
      call MPI_Comm_compare(expected, comm, comparison, ierror)
      call check(comparison == MPI_CONGRUENT, what // ' gives the group and its order')
      call MPI_Comm_free(comm, ierror)
    end if
    if (expected /= MPI_COMM_NULL) call MPI_Comm_free(expected, ierror)
  end subroutine check_split

  subroutine make_info(info, key, value)
    INFO_HANDLE, intent(out) :: info
    character(len=*), intent(in) :: key, value
    call MPI_Info_create(info, ierror)
    call MPI_Info_set(info, key, value, ierror)
  end subroutine make_info

  ! Open MPI's own Fortran function, which knows neither split type on 4.1.
  subroutine splits_of_the_standard()
    COMM_HANDLE :: newcomm
    INFO_HANDLE :: info
    character(len=name_length) :: type
    integer :: length
    logical :: flag

    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, world_rank, MPI_INFO_NULL, newcomm, ierror)
    call check_split(newcomm, 0, 'SHARED')

    call make_info(info, 'mpi_hw_resource_type', 'hwloc://Machine')
    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, world_rank, info, newcomm, ierror)
    call check_split(newcomm, world_rank / 4, 'HW_GUIDED')
    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_RESOURCE_GUIDED, world_rank, info, newcomm, ierror)
    call check_split(newcomm, world_rank / 4, 'RESOURCE_GUIDED')

    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, world_rank, info, newcomm, ierror)
    call check_split(newcomm, world_rank / 4, 'HW_UNGUIDED')
    length = name_length
    call MPI_Info_get_string(info, 'mpi_hw_resource_type', length, type, flag, ierror)
    call check(flag, 'HW_UNGUIDED sets the type')
    call check_text(type, 'hwloc://Machine', 'the type of HW_UNGUIDED')
    call MPI_Info_free(info, ierror)
  end subroutine splits_of_the_standard

  subroutine hsplit()
    COMM_HANDLE :: newcomm
    INFO_HANDLE :: info
    character(len=name_length) :: type
    integer :: num_subcomms, domain_rank

    call make_info(info, 'MPI_HW_DOMAIN_TYPE', 'Socket')
    call MPIX_Comm_split_type(MPI_COMM_WORLD, MPIX_COMM_TYPE_HW_DOMAIN, world_rank, info, newcomm, ierror)
    call MPIX_Get_hw_domain_info(newcomm, num_subcomms, domain_rank, type, info, ierror)
    call check(num_subcomms == 4, 'there are 4 sockets')
    call check(domain_rank == world_rank / 2, 'sockets are ranked by their lowest process')
    call check_text(type, 'hwloc://Package', 'the type of a split by Socket')
    call check_split(newcomm, world_rank / 2, 'HW_DOMAIN by Socket')
    call MPI_Info_free(info, ierror)

    call MPIX_Comm_split_type(MPI_COMM_WORLD, MPIX_COMM_TYPE_HW_DOMAIN, world_rank, MPI_INFO_NULL, newcomm, ierror)
    call check_split(newcomm, world_rank / 4, 'HW_DOMAIN without info')
    call MPIX_Comm_split_type(MPI_COMM_WORLD, MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, world_rank, MPI_INFO_NULL, newcomm, &
                              ierror)
    call check_split(newcomm, world_rank / 4, 'PHYSICAL_TOPOLOGY')
    call MPIX_Comm_split_type(MPI_COMM_WORLD, MPIX_COMM_TYPE_ADDRESS_SPACE, world_rank, MPI_INFO_NULL, newcomm, ierror)
    call check_split(newcomm, world_rank, 'ADDRESS_SPACE')
  end subroutine hsplit

  ! Keys turn each socket around but for that of rank 0, which leads its own: the roots are 0, 3, 5, 7.
  subroutine roots()
    COMM_HANDLE :: newcomm, rootscomm
    INFO_HANDLE :: info
    integer :: new_rank, color

    call make_info(info, 'mpi_hw_resource_type', 'hwloc://Package')
    call MPIX_Comm_split_roots(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, -world_rank, info, newcomm, rootscomm, ierror)
    call check(ierror == MPI_SUCCESS, 'split_roots succeeds')
    call MPI_Info_free(info, ierror)
    call MPI_Comm_rank(newcomm, new_rank, ierror)
    color = MPI_UNDEFINED
    if (any(world_rank == [0, 3, 5, 7])) color = 0
    call check((new_rank == 0) .eqv. (color == 0), 'the roots are 0, 3, 5, 7')
    call check_split(rootscomm, color, 'the roots communicator')
    call MPI_Comm_free(newcomm, ierror)
  end subroutine roots

  ! Nodes, sockets, cores. The name is always the deepest of the types that cover the same processes.
  subroutine hierarchy()
    integer, parameter :: max_steps = 5
    COMM_HANDLE :: newcomms(max_steps), rootscomms(max_steps)
    character(len=name_length) :: types(max_steps)
    integer :: colors(max_steps), roots_colors(max_steps), num_steps, step

    call MPIX_Comm_split_hierarchy(MPI_COMM_WORLD, max_steps, newcomms, rootscomms, types, num_steps, ierror)
    call check(ierror == MPI_SUCCESS, 'split_hierarchy succeeds')
    call check(num_steps == 3, 'there are 3 steps')
    call check_text(types(1), 'hwloc://Machine', 'the type of step 1')
    call check_text(types(2), 'hwloc://NUMANode', 'the type of step 2')
    call check_text(types(3), 'hwloc://PU', 'the type of step 3')
    call check(types(4) == ' ' .and. types(5) == ' ', 'steps that are none have no type')

    ! Children of one parent have their roots together: of the world, of each node, of each socket.
    colors = [world_rank / 4, world_rank / 2, world_rank, MPI_UNDEFINED, MPI_UNDEFINED]
    roots_colors = [0, world_rank / 4, world_rank / 2, MPI_UNDEFINED, MPI_UNDEFINED]
    if (mod(world_rank, 4) /= 0) roots_colors(1) = MPI_UNDEFINED
    if (mod(world_rank, 2) /= 0) roots_colors(2) = MPI_UNDEFINED
    do step = 1, max_steps
      ierror = MPI_SUCCESS
      call check_split(newcomms(step), colors(step), 'a step')
      ierror = MPI_SUCCESS
      call check_split(rootscomms(step), roots_colors(step), 'the roots of a step')
    end do
  end subroutine hierarchy

  subroutine check_value(info, key, expected)
    INFO_HANDLE, intent(in) :: info
    character(len=*), intent(in) :: key, expected
    character(len=name_length) :: value
    integer :: length
    logical :: flag
    value = ' '
    length = name_length
    call MPI_Info_get_string(info, key, length, value, flag, ierror)
    call check(flag, 'there is a key ' // key)
    call check_text(value, expected, key)
  end subroutine check_value

  subroutine resource_info()
    INFO_HANDLE :: info
    call MPI_Get_hw_resource_info(info, ierror)
    call check(ierror == MPI_SUCCESS, 'get_hw_resource_info succeeds')
    call check_value(info, 'hwloc://Package', 'true')
    call check_value(info, 'hwloc://NUMANode', 'true')
    call check_value(info, 'hitopo://Switch', 'true')
    call check_value(info, 'hitopo://Cluster', 'false')
    call MPI_Info_free(info, ierror)
  end subroutine resource_info

  ! In Fortran, a string's length has no terminator in it.
  subroutine info_strings()
    INFO_HANDLE :: info
    character(len=12) :: value
    integer :: length
    logical :: flag

    call make_info(info, 'key', 'abcdefgh')
    value = '----------'
    length = 12
    call MPI_Info_get_string(info, '  key ', length, value, flag, ierror)
    call check(flag .and. length == 8, 'a value has its length')
    call check_text(value, 'abcdefgh', 'a value of a key with blanks around it')
#ifndef WITH_OMPI_INFO_STRING
    ! Open MPI 5.0.7 and 6.0 write the whole value.
    length = 3
    call MPI_Info_get_string(info, 'key', length, value, flag, ierror)
    call check(flag .and. length == 8, 'a cut value has its whole length')
    call check_text(value, 'abc', 'a value cut by buflen')
#endif
    value = 'untouched'
    length = 0
    call MPI_Info_get_string(info, 'key', length, value, flag, ierror)
    call check(flag .and. length == 8, 'buflen 0 asks for the length')
    call check_text(value, 'untouched', 'a value of buflen 0')
    length = 12
    call MPI_Info_get_string(info, 'no key', length, value, flag, ierror)
    call check(.not. flag .and. length == 12, 'a key that is not there')
    call check_text(value, 'untouched', 'a value that is not there')
    call MPI_Info_free(info, ierror)
  end subroutine info_strings

  subroutine topology_info()
    INFO_HANDLE :: info
    integer :: num_levels, num_keys

    call MPI_Info_create(info, ierror)
    call MPIX_Get_hw_topology_info(num_levels, info, ierror)
    call check(ierror == MPI_SUCCESS, 'get_hw_topology_info succeeds')
    call MPI_Info_get_nkeys(info, num_keys, ierror)
    call check(num_keys == num_levels, 'a key for each level')
    call check_value(info, 'MPI_HW_LEVEL0', 'hitopo://Island')
    call check_value(info, 'MPI_HW_LEVEL1', 'hitopo://Switch')
    call check_value(info, 'MPI_HW_LEVEL2', 'hitopo://Node')
    call MPI_Info_free(info, ierror)
  end subroutine topology_info

  subroutine min_domain()
    INFO_HANDLE :: info
    character(len=name_length) :: type
    character(len=11) :: short

    call MPIX_Get_min_hw_domain(MPI_COMM_WORLD, 2, [world_rank, ieor(world_rank, 1)], type, ierror)
    call check_text(type, 'hwloc://NUMANode', 'the domain of two in one socket')
    call MPIX_Get_min_hw_domain(MPI_COMM_WORLD, 2, [world_rank, ieor(world_rank, 4)], type, ierror)
    call check_text(type, 'hitopo://Switch', 'the domain of two nodes')
    call MPIX_Get_min_hw_domain(MPI_COMM_WORLD, 2, [ieor(world_rank, 1), ieor(world_rank, 2)], type, ierror)
    call check_text(type, 'Invalid', 'the domain of others')
    call MPIX_Get_min_hw_domain(MPI_COMM_WORLD, 2, [world_rank, ieor(world_rank, 2)], short, ierror)
    call check_text(short, 'hwloc://Mac', 'a domain cut by its variable')

    call MPI_Info_create(info, ierror)
    call MPIX_Get_min_hierarchy(MPI_COMM_WORLD, 2, [world_rank, ieor(world_rank, 2)], info, ierror)
    call check_value(info, 'MPI_HIER_LEVEL', 'hwloc://Machine')
    call MPI_Info_free(info, ierror)
  end subroutine min_domain

  subroutine check_neighbours(hops, metric, expected)
    integer, intent(in) :: hops, metric, expected
    GROUP_HANDLE :: group
    integer :: size
    call MPIX_Get_hw_domain_neighbours(MPI_COMM_WORLD, hops, metric, group, ierror)
    call check(ierror == MPI_SUCCESS, 'get_hw_domain_neighbours succeeds')
    call MPI_Group_size(group, size, ierror)
    call check(size == expected, 'the number of neighbours')
    call MPI_Group_free(group, ierror)
  end subroutine check_neighbours

  ! Compute: PU, Core, Package; memory: NUMANode, Package, Machine; network: Node, Switch, Island.
  subroutine neighbours()
    call check_neighbours(0, MPIX_HW_METRIC_NETWORK, 1)
    call check_neighbours(2, MPIX_HW_METRIC_COMPUTE, 1)
    call check_neighbours(3, MPIX_HW_METRIC_COMPUTE, 2)
    call check_neighbours(1, MPIX_HW_METRIC_MEMORY, 2)
    call check_neighbours(3, MPIX_HW_METRIC_MEMORY, 4)
    call check_neighbours(1, MPIX_HW_METRIC_NETWORK, 4)
    call check_neighbours(2, MPIX_HW_METRIC_NETWORK, 8)
  end subroutine neighbours

  subroutine check_class(expected, what)
    integer, intent(in) :: expected
    character(len=*), intent(in) :: what
    integer :: class, class_error
    call MPI_Error_class(ierror, class, class_error)
    call check(class == expected, what)
  end subroutine check_class

  subroutine errors()
    character(len=name_length) :: type
    GROUP_HANDLE :: group
    call MPIX_Get_min_hw_domain(MPI_COMM_WORLD, 1, [8], type, ierror)
    call check_class(MPI_ERR_RANK, 'rank 8 of 8')
    call MPIX_Get_min_hw_domain(MPI_COMM_WORLD, -1, [0], type, ierror)
    call check_class(MPI_ERR_ARG, '-1 ranks')
    call MPIX_Get_hw_domain_neighbours(MPI_COMM_WORLD, 1, 4, group, ierror)
    call check_class(MPI_ERR_ARG, 'metric 4')
  end subroutine errors

  subroutine check_registered(comm, expected, what)
    COMM_HANDLE, intent(in) :: comm
    logical, intent(in) :: expected
    character(len=*), intent(in) :: what
    logical :: flag
    flag = .not. expected
    ierror = -1
    call MPIX_Comm_is_registered(comm, flag, ierror)
    call check(ierror == MPI_SUCCESS .and. (flag .eqv. expected), what)
  end subroutine check_registered

  subroutine registering()
    COMM_HANDLE :: comm
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call check_registered(MPI_COMM_WORLD, .false., 'the world is not registered')
    call check_registered(comm, .false., 'a duplicate is not registered')
    call MPIX_Comm_register(comm, ' two words  ', ierror)
    call check(ierror == MPI_SUCCESS, 'comm_register succeeds')
    call check_registered(comm, .true., 'what was registered')
    call MPIX_Comm_register(comm, '   ', ierror)
    call check_registered(comm, .true., 'registered again without a name')
    call MPIX_Comm_unregister(comm, ierror)
    call check(ierror == MPI_SUCCESS, 'comm_unregister succeeds')
    call check_registered(comm, .false., 'what was unregistered')
    call MPIX_Comm_unregister(comm, ierror)
    call check_class(MPI_ERR_ARG, 'unregistered twice')
    call MPI_Comm_free(comm, ierror)
    call MPIX_Comm_register(comm, 'null', ierror)
    call check_class(MPI_ERR_COMM, 'MPI_COMM_NULL registered')
    call check_registered(comm, .false., 'MPI_COMM_NULL is not registered')
  end subroutine registering

#ifdef WITH_F08
  subroutine without_ierror()
    type(MPI_Comm) :: newcomm, rootscomm
    type(MPI_Info) :: info
    type(MPI_Group) :: group
    character(len=name_length) :: type
    integer :: num_levels, num_subcomms, domain_rank, length
    logical :: flag

    call MPI_Get_hw_resource_info(info)
    length = name_length
    call MPI_Info_get_string(info, 'hwloc://Core', length, type, flag)
    call check(flag .and. type == 'true', 'get_hw_resource_info without ierror')
    call MPIX_Get_hw_topology_info(num_levels, info)
    call check(num_levels > 3, 'get_hw_topology_info without ierror')
    call MPIX_Get_min_hierarchy(MPI_COMM_WORLD, 1, [world_rank], info)
    call check_value(info, 'MPI_HIER_LEVEL', 'hwloc://PU')
    call MPIX_Get_min_hw_domain(MPI_COMM_WORLD, 1, [world_rank], type)
    call check_text(type, 'hwloc://PU', 'get_min_hw_domain without ierror')
    call MPIX_Get_hw_domain_neighbours(MPI_COMM_WORLD, 0, MPIX_HW_METRIC_MEMORY, group)
    call MPI_Group_free(group)
    call MPIX_Comm_split_type(MPI_COMM_WORLD, MPIX_COMM_TYPE_ADDRESS_SPACE, 0, MPI_INFO_NULL, newcomm)
    call check_split(newcomm, world_rank, 'split_type without ierror')
    call MPIX_Comm_split_roots(MPI_COMM_WORLD, MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, world_rank, MPI_INFO_NULL, newcomm, &
                               rootscomm)
    call MPIX_Get_hw_domain_info(newcomm, num_subcomms, domain_rank, type, MPI_INFO_NULL)
    call check(num_subcomms == 2 .and. domain_rank == world_rank / 4, 'get_hw_domain_info without ierror')
    call check_split(newcomm, world_rank / 4, 'split_roots without ierror')
    if (rootscomm /= MPI_COMM_NULL) call MPI_Comm_free(rootscomm)
    call MPIX_Comm_register(MPI_COMM_SELF, 'self')
    call MPIX_Comm_is_registered(MPI_COMM_SELF, flag)
    call check(flag, 'comm_register without ierror')
    call MPIX_Comm_unregister(MPI_COMM_SELF)
    call MPIX_Comm_is_registered(MPI_COMM_SELF, flag)
    call check(.not. flag, 'comm_unregister without ierror')
    call MPI_Info_free(info)
  end subroutine without_ierror
#endif

end program fortran_test
