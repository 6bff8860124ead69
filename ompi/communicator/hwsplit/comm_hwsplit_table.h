// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The table that a split goes by.
#ifndef OMPI_COMM_HWSPLIT_TABLE_H
#define OMPI_COMM_HWSPLIT_TABLE_H

#include <memory>
#include <optional>

#include "ompi/communicator/hwsplit/comm_hwsplit_agree.h"
#include "ompi/mca/hitopo/base/job/lifecycle.h"
#include "ompi/mca/hitopo/base/job/local_process.h"
#include "ompi/mca/hitopo/base/job/tables.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {

// Before agree().
inline void tell_table(const CommTable& table, Agreement& agreement) {
    agreement.choose(Agreement::kTable, table.identity());
    if (read_binding() != table.binding()) {
        agreement.raise(Agreement::kHasChanged);
    }
}

// After agree(): whether comm's members all go by `table`, and it has their present bindings.
inline bool accept_table(ompi_communicator_t* comm, const std::shared_ptr<CommTable>& table,
                         const Agreement& agreement) {
    if (!agreement.is_one(Agreement::kTable)) {
        return false;
    }
    Tables::instance().cache().accept(comm, table);
    return !agreement.has(Agreement::kHasChanged);
}

// attempt(table, is_last), and once more with a fresh table where it gives nothing, since members went
// by different ones or a binding changed; in the last it gives a status. is_agreed: whether the members
// have to go by one table before the attempt, too. none(): comm has no table. Collective over comm.
template <class Attempt, class None>
int with_table(ompi_communicator_t* comm, bool is_agreed, Attempt&& attempt, None&& none) {
    Lifecycle& lifecycle = Lifecycle::instance();
    for (const bool is_last : {false, true}) {
        const TableCache::Proposal proposal = lifecycle.table_for_collective(comm);  // collective
        if (proposal.table == nullptr) {
            return none();
        }
        if (proposal.is_agreed || !is_agreed) {
            if (const std::optional<int> status = attempt(proposal.table, is_last)) {
                return *status;
            }
        }
        if (const int status = lifecycle.load(comm)) {  // collective
            return status;
        }
    }
    return kSuccess;
}

}  // namespace hitopo

#endif
