! Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
!
! What HiTopo adds to the module mpi. It holds no procedures, so nothing of it is linked, and any compiler
! for which there is a module mpi can make it from this file and the two that it includes.
module hitopo
  implicit none
  include 'mpif-hitopo.h'
  include 'hitopo-usempi.h'
end module hitopo
