# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
#     mpirun -np 16 .. python3 split.py
#
# Splits MPI_COMM_WORLD in mpi4py: guided, by a type of resource, and step by step, each time by the next one that a process
# shares. mpi4py before 4.0 has no names for these split types; their values are those of Open MPI's mpi.h and of mpiext_hitopo_c.h.
from mpi4py import MPI

HW_UNGUIDED = getattr(MPI, "COMM_TYPE_HW_UNGUIDED", 12)
HW_GUIDED = getattr(MPI, "COMM_TYPE_HW_GUIDED", 13)

world = MPI.COMM_WORLD


def split_by(comm, resource):
    """The processes of comm that share an instance of it with this one; COMM_NULL where this one has none."""
    info = MPI.Info.Create()
    info.Set("mpi_hw_resource_type", resource)
    part = comm.Split_type(HW_GUIDED, comm.Get_rank(), info)
    info.Free()
    return part


def steps(comm):
    """The types by which comm is divided, the outermost first, and how many processes share each with this one."""
    found = []
    while True:
        info = MPI.Info.Create()
        part = comm.Split_type(HW_UNGUIDED, comm.Get_rank(), info)
        if part == MPI.COMM_NULL:
            info.Free()
            return found
        found.append((info.Get("mpi_hw_resource_type"), part.Get_size()))
        info.Free()
        comm = part


node = split_by(world, "hitopo://Node")
size = 0 if node == MPI.COMM_NULL else node.Get_size()
print(f"rank {world.Get_rank()}: {size} on its node; {steps(world)}", flush=True)
