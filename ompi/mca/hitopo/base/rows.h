// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A tree's addresses as the C interface hands them out: rows that stay where they are.
#ifndef OMPI_MCA_HITOPO_BASE_ROWS_H
#define OMPI_MCA_HITOPO_BASE_ROWS_H

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "ompi/mca/hitopo/core/tree/address_tree.h"

namespace hitopo {

// Thread safe. Rows live as long as this, and a process's is always the same.
class Rows {
public:
    // Processes of the tree that follow each other in it, which outlives this.
    struct Part {
        std::size_t first, num;
    };
    Rows(const AddressTree& tree, Part local, Part remote) : tree_(tree), parts_{local, remote} {}
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    // The row of the tree's process `rank`. Makes the others only where many were asked for.
    std::int32_t* row(std::size_t rank);

    // The rows of the local part's processes, then the remote part's. Time and memory O(P) at the first
    // call.
    std::int32_t** all();

private:
    void make_all();

    const AddressTree& tree_;
    const Part parts_[2];
    std::mutex mutex_;
    std::unordered_map<std::size_t, Address> single_;  // by rank; none is added once all are made
    std::vector<Address> addresses_;                   // by rank; empty until all are made
    std::vector<std::int32_t*> all_;
};

}  // namespace hitopo

#endif
