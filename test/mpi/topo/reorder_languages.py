# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""A grid of 8 x 4 and a ring as a distributed graph, by mpi4py; prints as reorder.c does."""
from mpi4py import MPI

world = MPI.COMM_WORLD
cart = world.Create_cart([8, 4], periods=[False, False], reorder=True)
ranks = cart.gather(world.rank, root=0)
if cart.rank == 0:
    print("cart:", *ranks, flush=True)

# Each sends to who is half of all away: other nodes, by slot.
far = (world.rank + world.size // 2) % world.size
graph = world.Create_dist_graph_adjacent([far], [far], reorder=True)
far = (graph.rank + graph.size // 2) % graph.size
heard = graph.neighbor_alltoall([graph.rank])
print("right" if heard == [far] else f"wrong: {heard} at {graph.rank}", flush=True)
