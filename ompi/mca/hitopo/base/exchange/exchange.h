// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The exchange: each process contributes a record, and all processes receive all records. Members send
// theirs to their leader, leaders exchange theirs in ceil(log2 N) rounds, and each leader sends the
// whole to its members.
//
// A process that fails alone, by memory or a message, throws: the others wait for it, so the caller
// ends the job (docs/design.md, "Who fails alone").
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

// One process's side. Its functions are local and may throw. If contribute() or uplinks() throws
// anything but bad_alloc, its result is empty.
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

    // Takes the records of all processes, and makes its result of them. An error, the same at all
    // processes, where they make no sense, or do not have each rank once (make_tree checks that).
    virtual std::optional<Error> accept(RecordMessage all, std::int64_t identity) = 0;
};

// Collective over all processes of the channel: a gathering; one more where no process of a host may
// have asked for all of it, and one where some process can find uplinks. In each a member sends one
// message and receives one. identity: of this exchange; the lowest process's counts. Returns the reason
// why there is no result, empty where there is one: the same at all processes.
std::optional<Error> exchange(Channel& channel, const LocalGroups& groups, ExchangeSide& side,
                              std::int64_t identity);

}  // namespace hitopo

#endif
