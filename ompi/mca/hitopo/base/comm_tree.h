// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The address tree of one group of processes as communicators have it, and what splits ask of it, worked
// out when first asked for.
#ifndef OMPI_MCA_HITOPO_BASE_COMM_TREE_H
#define OMPI_MCA_HITOPO_BASE_COMM_TREE_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "ompi/mca/hitopo/base/comm_sides.h"
#include "ompi/mca/hitopo/base/rows.h"
#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"
#include "ompi/mca/hitopo/core/tree/hierarchy.h"
#include "ompi/mca/hitopo/core/tree/partition.h"

namespace hitopo {

class CommTree {
public:
    // tree: the processes of both groups as CommSides numbers them. binding: this process's CPUs as they
    // stand in the tree.
    CommTree(AddressTree&& tree, const CommSides& sides, CpuSet binding);

    ~CommTree();
    CommTree(const CommTree&) = delete;
    CommTree& operator=(const CommTree&) = delete;

    static int num_live();  // objects of this class in the process

    const AddressTree& tree() const { return tree_; }
    const CommSides& sides() const { return sides_; }
    std::size_t first_local() const { return sides_.first_local; }
    std::size_t num_local() const { return sides_.num_local; }
    std::size_t first_remote() const { return sides_.first_remote(); }
    std::size_t num_remote() const { return sides_.num_remote; }
    // In tree(), of a rank in the local group.
    std::uint32_t number_of(int rank) const { return sides_.number_of({rank, false}); }

    // What this process had when the tree was made; where its CPUs are others now, a split exchanges
    // the addresses anew. Each tree has its own: one that was exchanged anew says nothing of the others.
    const CpuSet& binding() const { return binding_; }
    // Of the exchange that the tree comes from, 0 or more: trees of one identity are equal.
    std::int64_t identity() const { return tree_.identity(); }

    // Worked out at the first call. Thread safe. own_rank: the process's in tree(), the same in all
    // calls.
    const std::vector<ResourceType>& types();
    const OwnGroup& unguided_group(std::uint32_t own_rank);
    const OwnGroup& shared_memory_group(std::uint32_t own_rank);
    const Hierarchy& hierarchy(std::uint32_t own_rank);

    // The rows of the local group, then of the remote group. Thread safe; throws where memory is short.
    Rows& rows() {
        has_rows_ = true;
        return on_demand().rows;
    }
    bool has_rows() const { return has_rows_; }  // whether anyone asked for them

private:
    // What most communicators are never asked for.
    struct OnDemand {
        explicit OnDemand(const CommTree& of)
            : rows(of.tree_, {of.first_local(), of.num_local()}, {of.first_remote(), of.num_remote()}) {}

        std::once_flag has_types, has_unguided_group, has_shared_group, has_hierarchy;
        std::vector<ResourceType> types;
        OwnGroup unguided_group;
        OwnGroup shared_group;
        Hierarchy hierarchy;
        Rows rows;
    };
    OnDemand& on_demand();

    static std::atomic<int> num_live_;

    const AddressTree tree_;
    const CommSides sides_;
    const CpuSet binding_;
    std::atomic<bool> has_rows_ = false;
    std::once_flag has_on_demand_;
    std::unique_ptr<OnDemand> on_demand_;
};

}  // namespace hitopo

#endif
