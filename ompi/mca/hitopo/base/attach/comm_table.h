// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// One group's table as communicators hand it out: the compact table, the rows of the C interface and
// what splits ask for, built when first asked for.
#ifndef OMPI_MCA_HITOPO_BASE_ATTACH_COMM_TABLE_H
#define OMPI_MCA_HITOPO_BASE_ATTACH_COMM_TABLE_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "ompi/mca/hitopo/base/attach/rows.h"
#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/table/grouping.h"
#include "ompi/mca/hitopo/core/table/hierarchy.h"
#include "ompi/mca/hitopo/core/table/table.h"

namespace hitopo {

class CommTable {
public:
    // table: the processes of both groups in an order that both sides share; an intracommunicator has
    // an empty remote group. first_local, first_remote: where each group begins in it. binding: this
    // process's CPUs as it stands in the table. identity: of the exchange that the table comes from, 0
    // or more: a hash of all that it gave, so that tables of one identity are equal.
    CommTable(Table&& table, std::size_t first_local, std::size_t num_local, std::size_t first_remote,
              std::size_t num_remote, CpuSet binding, std::int64_t identity);

    ~CommTable();
    CommTable(const CommTable&) = delete;
    CommTable& operator=(const CommTable&) = delete;

    static int num_live();  // objects of this class in the process

    const Table& table() const { return table_; }
    std::size_t num_local() const { return num_local_; }
    // Where the local group begins in table().
    std::size_t first_local() const { return first_local_; }
    std::size_t first_remote() const { return first_remote_; }
    std::size_t num_remote() const { return num_remote_; }

    // What this process had when the table was made; where its CPUs are others now, a split exchanges
    // the addresses anew. Each table has its own: one that was exchanged anew says nothing of the
    // others.
    const CpuSet& binding() const { return binding_; }
    std::int64_t identity() const { return identity_; }

    // Worked out at the first call. Thread safe. own_rank: the process's in table(), the same in all
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
        explicit OnDemand(const CommTable& of)
            : rows(of.table_, {of.first_local_, of.num_local_}, {of.first_remote_, of.num_remote_}) {}

        std::once_flag has_types, has_unguided_group, has_shared_group, has_hierarchy;
        std::vector<ResourceType> types;
        OwnGroup unguided_group;
        OwnGroup shared_group;
        Hierarchy hierarchy;
        Rows rows;
    };
    OnDemand& on_demand();

    static std::atomic<int> num_live_;

    const Table table_;
    const std::size_t first_local_, num_local_, first_remote_, num_remote_;
    const CpuSet binding_;
    const std::int64_t identity_;
    std::atomic<bool> has_rows_ = false;
    std::once_flag has_on_demand_;
    std::unique_ptr<OnDemand> on_demand_;
};

}  // namespace hitopo

#endif
