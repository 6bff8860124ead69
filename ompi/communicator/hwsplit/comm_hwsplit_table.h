// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The table that a split goes by.
#ifndef OMPI_COMM_HWSPLIT_TABLE_H
#define OMPI_COMM_HWSPLIT_TABLE_H

#include <memory>
#include <optional>

#include "ompi/communicator/hwsplit/comm_hwsplit_agree.h"
#include "ompi/mca/hitopo/base/job/binding_watch.h"
#include "ompi/mca/hitopo/base/job/lifecycle.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {

inline void tell_whether_bound_anew(const CommTable& table, Agreement& agreement) {
    if (may_be_bound_anew(table)) {
        agreement.raise(Agreement::kHasChanged);
    }
}

// attempt(table, is_last), and once more with a fresh table where it gives nothing, since somebody's
// binding changed; in the last it gives a status. none(): comm has no table. Collective over comm.
template <class Attempt, class None>
int with_table(ompi_communicator_t* comm, Attempt&& attempt, None&& none) {
    Lifecycle& lifecycle = Lifecycle::instance();
    for (const bool is_last : {false, true}) {
        const std::shared_ptr<CommTable> table = lifecycle.table_for_collective(comm);  // collective
        if (table == nullptr) {
            return none();
        }
        if (const std::optional<int> status = attempt(*table, is_last)) {
            return *status;
        }
        if (const int status = lifecycle.load(comm)) {  // collective
            return status;
        }
    }
    return kSuccess;
}

}  // namespace hitopo

#endif
