// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The processes of a communicator in one order, by which trees, exchanges and the cache number them:
// those of an intracommunicator by rank, those of an intercommunicator's two groups one after the other,
// in an order that both sides share. Messages between them, and their address tree.
#ifndef OMPI_MCA_HITOPO_BASE_COMM_TREE_H
#define OMPI_MCA_HITOPO_BASE_COMM_TREE_H

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "ompi/mca/hitopo/base/exchange/channel.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"

namespace hitopo {

struct CommSides {
    explicit CommSides(const ompi_communicator_t* comm);  // NULL: of one process alone. Local

    std::size_t first_local = 0, num_local = 1, num_remote = 0;

    std::size_t first_remote() const { return first_local == 0 ? num_local : 0; }
    std::size_t size() const { return num_local + num_remote; }
    std::uint32_t number_of(hitopo_glue_peer_t peer) const {
        return static_cast<std::uint32_t>((peer.is_remote ? first_remote() : first_local) +
                                          static_cast<std::size_t>(peer.rank));
    }
    hitopo_glue_peer_t peer_of(std::uint32_t number) const;

    // By number, the rank in MPI_COMM_WORLD; empty where a process is of another job. O(size).
    std::vector<std::uint32_t> world_ranks(const ompi_communicator_t* comm) const;
};

class CommWire : public ExchangeWire {
public:
    explicit CommWire(ompi_communicator_t* comm);  // NULL: of one process alone, which sends nothing

    std::uint32_t own() const override { return own_; }
    std::size_t size() const override { return sides_.size(); }
    const CommSides& sides() const { return sides_; }
    std::size_t swap(std::uint32_t to, const void* sent, std::size_t num_sent, std::uint32_t from,
                     void* received, std::size_t capacity) override;

private:
    ompi_communicator_t* const comm_;
    const CommSides sides_;
    const std::uint32_t own_;
};

// The address tree of one group of processes as communicators have it, and its addresses as rows of the
// C interface.
class CommTree {
public:
    // tree: the processes of both groups as CommSides numbers them. binding: this process's CPUs as they
    // stand in the tree. group: equal in other trees of these processes; 0: not known.
    CommTree(AddressTree&& tree, const CommSides& sides, CpuSet binding, std::uint64_t group = 0);
    ~CommTree();
    CommTree(const CommTree&) = delete;
    CommTree& operator=(const CommTree&) = delete;

    static int num_live();  // objects of this class in the process

    const AddressTree& tree() const { return tree_; }
    const CommSides& sides() const { return sides_; }
    std::uint64_t group() const { return group_; }
    // The number in tree() of a rank in the local group.
    std::uint32_t number_of(int rank) const { return sides_.number_of({rank, false}); }

    // The CPUs of this process when the tree was made; if it has others now, a split exchanges the
    // addresses anew.
    const CpuSet& binding() const { return binding_; }
    // The identity of the exchange which the tree comes from, above 0: trees of one identity are equal.
    std::int64_t identity() const { return tree_.identity(); }

    // Rows live as long as this, and that of a process is always the same. Thread safe; they throw where
    // memory is short.
    std::int32_t* row(std::uint32_t number);  // of a process of tree()
    std::int32_t** rows();  // of the local group, then of the remote group; O(P) at the first call
    bool has_rows() const;  // whether there are any

private:
    const AddressTree tree_;
    const CommSides sides_;
    const CpuSet binding_;
    const std::uint64_t group_;
    mutable std::recursive_mutex mutex_;               // of what follows
    std::unordered_map<std::uint32_t, Address> rows_;  // by number
    std::vector<std::int32_t*> all_rows_;              // empty until all are asked for
};

}  // namespace hitopo

#endif
