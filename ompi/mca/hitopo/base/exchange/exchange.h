// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The exchange: each process contributes a record, and all processes receive all records. Members send
// theirs to their leader, leaders send each other in ceil(log2 N) rounds what they have, and each leader
// sends the whole to its members.
//
// What can fail at one process, memory above all, ends no process's part: it goes on without content,
// and at the end all agree on how it went. So no process is left waiting, and either all have the result
// or none has.
#ifndef OMPI_MCA_HITOPO_BASE_EXCHANGE_EXCHANGE_H
#define OMPI_MCA_HITOPO_BASE_EXCHANGE_EXCHANGE_H

#include <cstdint>
#include <optional>
#include <string>

#include "ompi/mca/hitopo/base/exchange/channel.h"
#include "ompi/mca/hitopo/base/exchange/local_groups.h"
#include "ompi/mca/hitopo/core/record/node_record.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// One process's side. Its functions are local and may throw: the exchange then fails at all processes.
class ExchangeSide {
public:
    virtual ~ExchangeSide() = default;

    // A message of one record, of this process's rank in the channel; about its whole host, too, where
    // this process is the one to ask its components for that. Called again with must_ask in the lowest
    // process of a host for which no process asked. Without records: it cannot take part, and all
    // refuse.
    virtual RecordMessage contribute(bool must_ask) = 0;

    // The uplinks of this process's switch as that component finds them: encode(LedSwitch), "" for none.
    virtual std::string uplinks(const std::string& component) = 0;

    // Takes the records of all processes, and keeps what it makes of them: all memory that this process
    // needs for it has to be taken here. An error where they make no sense, or do not have each rank
    // once (make_tree checks that), the same at all processes.
    virtual std::optional<Error> accept(RecordMessage all, std::int64_t identity) = 0;
};

struct ExchangeOutcome {
    int status = 0;               // OMPI_SUCCESS, or the code of what failed: the same at all
    int failed_rank = -1;         // the lowest process where it did
    bool is_refused = false;      // there is no result though nothing failed: the same at all
    std::optional<Error> reason;  // why, where this process has found out

    bool is_well() const { return status == 0 && !is_refused; }
};

// Collective over all processes of the channel: a gathering and an agreement; a gathering more where no
// process of a host may have asked for all of it, and one where some process can tell uplinks. A member
// sends two messages and receives two, in the common case. identity: of this exchange; the lowest
// process's counts. What was accepted counts only where the outcome is well.
ExchangeOutcome exchange(Channel& channel, const LocalGroups& groups, ExchangeSide& side,
                         std::int64_t identity);

}  // namespace hitopo

#endif
