// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The address tree of one group of processes as communicators have it, and its addresses as rows of the
// C interface.
#ifndef OMPI_MCA_HITOPO_BASE_COMM_TREE_H
#define OMPI_MCA_HITOPO_BASE_COMM_TREE_H

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "ompi/mca/hitopo/base/comm_sides.h"
#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"

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
    // In tree(), of a rank in the local group.
    std::uint32_t number_of(int rank) const { return sides_.number_of({rank, false}); }

    // What this process had when the tree was made; where its CPUs are others now, a split exchanges
    // the addresses anew.
    const CpuSet& binding() const { return binding_; }
    // That of the exchange which the tree comes from, 0 or more: trees of one identity are equal.
    std::int64_t identity() const { return tree_.identity(); }

    // Rows live as long as this, and that of a process is always the same. Thread safe; they throw where
    // memory is short.
    std::int32_t* row(std::uint32_t number);  // of a process of tree()
    std::int32_t** rows();  // of the local group, then of the remote group; O(P) at the first call
    bool has_rows() const;  // whether there are any

private:
    std::int32_t* make_row(std::uint32_t number);

    const AddressTree tree_;
    const CommSides sides_;
    const CpuSet binding_;
    mutable std::mutex mutex_;                         // of what follows
    std::unordered_map<std::uint32_t, Address> rows_;  // by number
    std::vector<std::int32_t*> all_rows_;              // empty until all are asked for
};

}  // namespace hitopo

#endif
