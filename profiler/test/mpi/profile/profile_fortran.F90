! Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
!
! For profile_languages.sh: calls of each kind from Fortran, by mpif.h, use mpi (-DWITH_MPI) or use mpi_f08
! (-DWITH_F08, which leaves ierror out). It writes the lines of recorder.c itself: the folder of these is the first
! argument. -DWITHOUT_ADDRESSES: without MPI_IN_PLACE and its kin, which Open MPI knows only by the names of the
! compiler that it was built with.
#if defined(WITH_F08)
#define HANDLE(kind) type(kind)
#define IERR
#define IERR_FIRST
#else
#define HANDLE(kind) integer
#define IERR , ierr
#define IERR_FIRST ierr
#endif
#if defined(WITH_F08) || defined(WITH_MPI)
#define POINTER type(c_ptr)
#else
#define POINTER integer(kind=MPI_ADDRESS_KIND)
#endif

program profile_fortran
#if defined(WITH_F08)
  use mpi_f08
  use, intrinsic :: iso_c_binding, only : c_ptr
#elif defined(WITH_MPI)
  use mpi
  use, intrinsic :: iso_c_binding, only : c_ptr
#endif
  implicit none
#if !defined(WITH_F08) && !defined(WITH_MPI)
  include 'mpif.h'
#endif
  integer, parameter :: max_ranks = 16
#if !defined(WITH_F08)
  integer :: ierr
  integer :: status(MPI_STATUS_SIZE)
#else
  type(MPI_Status) :: status
#endif
  HANDLE(MPI_Comm) :: parent, comm
  HANDLE(MPI_Request) :: request, requests(2)
  HANDLE(MPI_Message) :: message
  HANDLE(MPI_Win) :: win
  HANDLE(MPI_File) :: file
  HANDLE(MPI_Datatype) :: types(max_ranks), pairs
  POINTER :: base
  integer :: rank, size, left, right, i
  integer :: counts(max_ranks), displacements(max_ranks), byte_displacements(max_ranks)
  integer :: outgoing(max_ranks * max_ranks), incoming(max_ranks * max_ranks)
  integer(kind=MPI_ADDRESS_KIND), parameter :: window_bytes = 64, start = 0
  character(len=512) :: folder, program_path

  call MPI_Init(IERR_FIRST)
  call MPI_Comm_get_parent(parent IERR)
  if (parent /= MPI_COMM_NULL) then
     call MPI_Comm_disconnect(parent IERR)
     call MPI_Finalize(IERR_FIRST)
     stop
  end if
  call get_command_argument(0, program_path)
  call get_command_argument(1, folder)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank IERR)
  call MPI_Comm_size(MPI_COMM_WORLD, size IERR)
  left = mod(rank + size - 1, size)
  right = mod(rank + 1, size)
  outgoing = rank
  do i = 1, max_ranks
     counts(i) = i
     displacements(i) = (i - 1) * max_ranks
     byte_displacements(i) = 4 * displacements(i)
     types(i) = MPI_INTEGER
  end do
  call begin_trace

  call use_messages
  call use_persistent_requests
  call use_collectives
  call use_windows
  call use_files
  call use_others

  close (10)
  call MPI_Finalize(IERR_FIRST)

contains

  subroutine begin_trace
    character(len=1024) :: path

    write (path, '(a, a, i0)') trim(folder), '/trace.', rank
    open (unit=10, file=trim(path), action='write', status='replace')
    write (10, '(a)') '0 handles WORLD=w SELF=s none=n'
    write (10, '(a, i0, a, *(i0, :, ","))') '0 comm handle=w rank=', rank, ' ranks=', (i, i = 0, size - 1)
    write (10, '(a, i0)') '0 comm handle=s rank=0 ranks=', rank
  end subroutine begin_trace

  subroutine traced(name, expected)
    character(len=*), intent(in) :: name, expected

    write (10, '(4a)') '1 ', name, ' comm=w ', trim(expected) ! a second comm counts
  end subroutine traced

  character(len=64) function to(dest, bytes)
    integer, intent(in) :: dest, bytes

    write (to, '(a, i0, a, i0)') 'dest=', dest, ' bytes=', bytes
  end function to

  character(len=256) function each(numbers)
    integer, intent(in) :: numbers(:)

    write (each, '(*(i0, :, ","))') numbers(1:size)
  end function each

  subroutine use_messages
    logical :: flag

    call traced('MPI_Sendrecv', to(right, 12))
    call MPI_Sendrecv(outgoing, 3, MPI_INTEGER, right, 0, incoming, 3, MPI_INTEGER, left, 0, MPI_COMM_WORLD, status IERR)
    call traced('MPI_Isend', to(right, 16)//' request>=i')
    call MPI_Isend(outgoing, 2, MPI_DOUBLE_PRECISION, right, 0, MPI_COMM_WORLD, request IERR)
    call traced('MPI_Mprobe', '')
    call MPI_Mprobe(left, 0, MPI_COMM_WORLD, message, status IERR)
    call traced('MPI_Mrecv', '')
    call MPI_Mrecv(incoming, 2, MPI_DOUBLE_PRECISION, message, status IERR)
    call traced('MPI_Wait', 'request=i')
    call MPI_Wait(request, status IERR)
    call traced('MPI_Isend', to(right, 4)//' request>=i')
    call MPI_Isend(outgoing, 1, MPI_INTEGER, right, 0, MPI_COMM_WORLD, request IERR)
    flag = .false.
    do while (.not. flag)
       call traced('MPI_Improbe', '')
       call MPI_Improbe(left, 0, MPI_COMM_WORLD, flag, message, status IERR)
    end do
    call traced('MPI_Imrecv', 'request>=r')
    call MPI_Imrecv(incoming, 1, MPI_INTEGER, message, requests(1) IERR)
    call traced('MPI_Wait', 'request=r')
    call MPI_Wait(requests(1), status IERR)
    call traced('MPI_Wait', 'request=i')
    call MPI_Wait(request, status IERR)
    call traced('MPI_Send', '')
    call MPI_Send(outgoing, 3, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD IERR)
    call MPI_Type_vector(3, 1, 2, MPI_INTEGER, pairs IERR)
    call MPI_Type_commit(pairs IERR)
    call traced('MPI_Sendrecv_replace', to(left, 12))
    call MPI_Sendrecv_replace(incoming, 1, pairs, left, 0, right, 0, MPI_COMM_WORLD, status IERR)
    call MPI_Type_free(pairs IERR)
  end subroutine use_messages

  subroutine use_persistent_requests
    call traced('MPI_Send_init', to(right, 20)//' request>=p')
    call MPI_Send_init(outgoing, 5, MPI_INTEGER, right, 0, MPI_COMM_WORLD, requests(1) IERR)
    call traced('MPI_Recv_init', 'request>=q')
    call MPI_Recv_init(incoming, 5, MPI_INTEGER, left, 0, MPI_COMM_WORLD, requests(2) IERR)
    do i = 1, 3
       call traced('MPI_Startall', 'array_of_requests=p,q')
       call MPI_Startall(2, requests IERR)
       call traced('MPI_Waitall', 'array_of_requests=p,q')
       call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE IERR)
    end do
    call traced('MPI_Start', 'request=q')
    call MPI_Start(requests(2) IERR)
    call traced('MPI_Start', 'request=p')
    call MPI_Start(requests(1) IERR)
    call traced('MPI_Wait', 'request=p')
    call MPI_Wait(requests(1), status IERR)
    call traced('MPI_Wait', 'request=q')
    call MPI_Wait(requests(2), status IERR)
    call MPI_Request_free(requests(1) IERR)
    call MPI_Request_free(requests(2) IERR)
  end subroutine use_persistent_requests

  subroutine use_collectives
    call traced('MPI_Barrier', '')
    call MPI_Barrier(MPI_COMM_WORLD IERR)
    call traced('MPI_Bcast', 'root=1 count=7 datatype=4')
    call MPI_Bcast(outgoing, 7, MPI_INTEGER, 1, MPI_COMM_WORLD IERR)
#if !defined(WITHOUT_ADDRESSES)
    call traced('MPI_Allreduce', 'count=3 datatype=4')
    call MPI_Allreduce(MPI_IN_PLACE, incoming, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD IERR)
    call traced('MPI_Allgather', 'in_place=1 recvcount=2 recvtype=4')
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, incoming, 2, MPI_INTEGER, MPI_COMM_WORLD IERR)
    call traced('MPI_Alltoallv', 'in_place=1 recvtype=4 recvcounts='//each(counts + rank))
    call MPI_Alltoallv(MPI_IN_PLACE, counts, displacements, MPI_INTEGER, incoming, counts + rank, displacements, &
         MPI_INTEGER, MPI_COMM_WORLD IERR)
    call traced('MPI_Gather', 'root=0 sendcount=2 sendtype=4')
    if (rank == 0) then
       call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, incoming, 2, MPI_INTEGER, 0, MPI_COMM_WORLD IERR)
    else
       call MPI_Gather(outgoing, 2, MPI_INTEGER, incoming, 2, MPI_INTEGER, 0, MPI_COMM_WORLD IERR)
    end if
#endif
    call traced('MPI_Allgather', 'sendcount=3 sendtype=4')
    call MPI_Allgather(outgoing, 3, MPI_INTEGER, incoming, 3, MPI_INTEGER, MPI_COMM_WORLD IERR)
    call traced('MPI_Alltoallw', 'sendtype=4 sendcounts='//each(counts + rank))
    call MPI_Alltoallw(outgoing, counts + rank, byte_displacements, types, incoming, counts + rank, byte_displacements, &
         types, MPI_COMM_WORLD IERR)
    call traced('MPI_Reduce_scatter', 'datatype=4 recvcounts='//each(counts))
    call MPI_Reduce_scatter(outgoing, incoming, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD IERR)
    call traced('MPI_Iallreduce', 'count=3 datatype=4 request>=a')
    call MPI_Iallreduce(outgoing, incoming, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request IERR)
    call traced('MPI_Wait', 'request=a')
    call MPI_Wait(request, status IERR)
  end subroutine use_collectives

  subroutine use_windows
    call traced('MPI_Win_allocate', '')
    call MPI_Win_allocate(window_bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win IERR)
    call traced('MPI_Win_fence', '')
    call MPI_Win_fence(0, win IERR)
    call traced('MPI_Put', to(right, 16))
    call MPI_Put(outgoing, 4, MPI_INTEGER, right, start, 4, MPI_INTEGER, win IERR)
    call traced('MPI_Win_fence', '')
    call MPI_Win_fence(0, win IERR)
    call traced('MPI_Get', to(right, 4))
    call MPI_Get(incoming, 1, MPI_INTEGER, right, start, 1, MPI_INTEGER, win IERR)
    call traced('MPI_Win_fence', '')
    call MPI_Win_fence(0, win IERR)
    call traced('MPI_Fetch_and_op', to(right, 4))
    call MPI_Fetch_and_op(outgoing, incoming, MPI_INTEGER, right, start, MPI_NO_OP, win IERR)
    call traced('MPI_Win_fence', '')
    call MPI_Win_fence(0, win IERR)
    call traced('MPI_Win_free', '')
    call MPI_Win_free(win IERR)

    call traced('MPI_Win_allocate_shared', '')
    call MPI_Win_allocate_shared(window_bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win IERR)
    call traced('MPI_Win_fence', '')
    call MPI_Win_fence(0, win IERR)
    call traced('MPI_Win_free', '')
    call MPI_Win_free(win IERR)
  end subroutine use_windows

  subroutine use_files
    call traced('MPI_File_open', '')
    call MPI_File_open(MPI_COMM_WORLD, trim(folder)//'/written', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file IERR)
    call traced('MPI_File_set_view', '')
    call MPI_File_set_view(file, int(16 * rank, MPI_OFFSET_KIND), MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL IERR)
    call traced('MPI_File_write_all', 'count=4 datatype=4')
    call MPI_File_write_all(file, outgoing, 4, MPI_INTEGER, status IERR)
    call traced('MPI_File_close', '')
    call MPI_File_close(file IERR)
  end subroutine use_files

  subroutine use_others
    character(len=64) :: members

    write (members, '(a, i0, a, *(i0, :, ","))') ' rank=', rank, ' ranks=', (i, i = 0, size - 1)
    call traced('comm', 'handle=c'//members)
    call traced('MPI_Comm_split', 'newcomm>=c')
    call MPI_Comm_split(MPI_COMM_WORLD, 0, 0, comm IERR)
    call traced('MPI_Barrier', 'comm=c')
    call MPI_Barrier(comm IERR)
    call traced('MPI_Comm_set_name', 'comm=c name=part12')
    call MPI_Comm_set_name(comm, 'part12' IERR)
    call traced('MPI_Comm_free', 'comm=c')
    call MPI_Comm_free(comm IERR)
    call MPI_Pcontrol(0)
    call MPI_Barrier(MPI_COMM_WORLD IERR)
    call MPI_Pcontrol(1)
#if !defined(WITHOUT_ADDRESSES)
    call traced('comm', 'handle=d remote=-1'//members)
    call traced('MPI_Comm_spawn', 'intercomm>=d')
    call MPI_Comm_spawn(trim(program_path), MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, comm, &
         MPI_ERRCODES_IGNORE IERR)
    call traced('MPI_Comm_disconnect', 'comm=d')
    call MPI_Comm_disconnect(comm IERR)
#endif
  end subroutine use_others
end program profile_fortran
