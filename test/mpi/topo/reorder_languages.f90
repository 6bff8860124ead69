! Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
!
! A grid of 8 x 4 and pairs as a distributed graph, in Fortran; prints as reorder.c does.
program reorder_languages
    use mpi
    implicit none
    integer :: rank, size, new_rank, cart, graph, far(1), heard(1), said(1), ierror
    integer, allocatable :: ranks(:)

    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, (/8, 4/), (/.false., .false./), .true., cart, ierror)
    call MPI_Comm_rank(cart, new_rank, ierror)
    allocate (ranks(size))
    call MPI_Gather(rank, 1, MPI_INTEGER, ranks, 1, MPI_INTEGER, 0, cart, ierror)
    if (new_rank == 0) print '(a,*(1x,i0))', 'cart:', ranks

    far(1) = mod(rank + size / 2, size)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, far, MPI_UNWEIGHTED, 1, far, MPI_UNWEIGHTED, &
        MPI_INFO_NULL, .true., graph, ierror)
    call MPI_Comm_rank(graph, new_rank, ierror)
    said(1) = new_rank
    call MPI_Neighbor_alltoall(said, 1, MPI_INTEGER, heard, 1, MPI_INTEGER, graph, ierror)
    if (heard(1) == mod(new_rank + size / 2, size)) then
        print '(a)', 'right'
    else
        print '(a)', 'wrong'
    end if
    call MPI_Finalize(ierror)
end program
