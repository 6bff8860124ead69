// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange/exchange.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/record/selection.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

// Flags of a status header. They alone decide the number of gatherings.
enum StatusFlag : std::uint32_t {
    kIsHostUnasked = 1,  // no process of some group asked for all of a host that the group is on
    kHasUplinks = 2      // some process can find the uplinks of its switch, if asked
};

Error refusal_of(std::uint32_t absent) {
    return {Errc::kDisagree,
            "rank " + std::to_string(absent),
            "HiTopo could not start in this process, or its record arrived damaged; read the message "
            "of this process",
            "",
            0,
            0};
}

// Reads a leader's message. Leaders read those of members, so this fails only where bytes change on the
// way.
RecordMessage read(const std::string& bytes, std::size_t num_processes) {
    Result<RecordMessage> message = decode(bytes, num_processes);
    if (!message) {
        throw std::runtime_error(message.error().message);
    }
    return std::move(*message);
}

// A member may send its own record only.
bool is_of_member(const RecordMessage& message, std::uint32_t member) {
    return std::all_of(message.records.begin(), message.records.end(), [&](const NodeRecord& record) {
        return message.records.size() == 1 && record.ranks.size() == 1 && record.ranks.front() == member;
    });
}

std::uint32_t flags_of(const RecordMessage& group) {
    const bool has_uplinks =
        std::any_of(group.records.begin(), group.records.end(),
                    [](const NodeRecord& record) { return record.uplinks_component != 0; });
    return (hosts_to_ask(group.records).empty() ? 0U : kIsHostUnasked) |
           (has_uplinks ? kHasUplinks : 0U);
}

// A component that fails, other than by memory, costs the result of body(), not the job.
template <class Body>
void ask(Body&& body) {
    if (guarded(body) == kErrorOutOfResource) {
        throw std::bad_alloc();
    }
}

// One process in one exchange. Its steps are not inlined: a program's thread may have little stack for
// them together.
class Participant {
public:
    Participant(Channel& channel, const LocalGroups& groups, ExchangeSide& side, std::int64_t identity)
        : channel_(channel), groups_(groups), side_(side) {
        status_.identity = channel.own() == 0 ? identity : 0;
    }

    // Collective.
    std::optional<Error> run() {
        contribute(false);
        RecordMessage all = gather(own_);
        if ((status_.flags & kIsHostUnasked) != 0) {
            ask_for_hosts(all);
        }
        if ((status_.flags & kHasUplinks) != 0) {
            ask_for_uplinks(all);
        }
        return status_.absent != StatusHeader::kNobody ? refusal_of(status_.absent)
                                                       : side_.accept(std::move(all), status_.identity);
    }

private:
    void contribute(bool must_ask) {
        own_ = {};
        ask([&] { own_ = side_.contribute(must_ask); });
        if (own_.records.empty()) {
            note_absent(channel_.own());
        }
    }

    void note_absent(std::uint32_t process) { status_.absent = std::min(status_.absent, process); }

    // Collective.
    [[gnu::noinline]] void ask_for_hosts(RecordMessage& all) {
        for (const std::uint32_t rank : hosts_to_ask(all.records)) {
            if (rank == channel_.own()) {
                contribute(true);
            }
        }
        all = gather(own_);
    }

    // Collective.
    [[gnu::noinline]] void ask_for_uplinks(RecordMessage& all) {
        RecordMessage own;
        for (const SwitchToAsk& leaf : switches_to_ask(all)) {
            if (leaf.rank == channel_.own()) {
                std::string uplinks;
                ask([&] { uplinks = side_.uplinks(all.names[leaf.component]); });
                if (!uplinks.empty()) {
                    own.uplinks.push_back(std::move(uplinks));
                }
            }
        }
        all.uplinks = gather(own).uplinks;
    }

    // Collective. Returns the contributions of all.
    [[gnu::noinline]] RecordMessage gather(const RecordMessage& own) {
        return groups_.members[0] == channel_.own() ? gather_as_leader(own) : gather_as_member(own);
    }

    RecordMessage gather_as_member(const RecordMessage& own) {
        channel_.send(groups_.members[0], status_, encode(own));
        return read(receive(groups_.members[0]), channel_.size());
    }

    RecordMessage gather_as_leader(const RecordMessage& own) {
        MessageMaker all;
        all.append(gather_group(own));
        exchange_with_leaders(all);
        const std::string bytes = groups_.members.size() > 1 ? encode(all.message()) : "";
        for (std::size_t i = 1; i < groups_.members.size(); ++i) {
            channel_.send(groups_.members[i], status_, bytes);
        }
        return all.take();
    }

    RecordMessage gather_group(const RecordMessage& own) {
        MessageMaker members;
        members.append(own);
        for (std::size_t i = 1; i < groups_.members.size(); ++i) {
            const std::uint32_t member = groups_.members[i];
            const Result<RecordMessage> message = decode(receive(member), channel_.size());
            if (message && is_of_member(*message, member)) {
                members.append(*message);
            } else {
                note_absent(member);
            }
        }
        RecordMessage group = join_group(members.take());
        status_.flags |= flags_of(group);
        return group;
    }

    // all: this group's, to which those of the other leaders come.
    void exchange_with_leaders(MessageMaker& all) {
        const std::vector<std::uint32_t>& leaders = groups_.leaders;
        const auto own = std::lower_bound(leaders.begin(), leaders.end(), channel_.own());
        DisseminationRounds rounds(static_cast<std::size_t>(own - leaders.begin()), leaders.size());
        for (; !rounds.is_over(); rounds.end_round()) {
            const Received received =
                channel_.pass(leaders[rounds.to()], status_,
                              encode_groups(all.message(), rounds.num_sent()), leaders[rounds.from()]);
            status_.merge(received.header);
            all.append(read(received.bytes, channel_.size()));
        }
    }

    // Returns the bytes.
    std::string receive(std::uint32_t from) {
        Received received = channel_.receive(from);
        status_.merge(received.header);
        return std::move(received.bytes);
    }

    Channel& channel_;
    const LocalGroups& groups_;
    ExchangeSide& side_;
    StatusHeader status_;  // of this process and those whose status it received
    RecordMessage own_;
};

}  // namespace

std::optional<Error> exchange(Channel& channel, const LocalGroups& groups, ExchangeSide& side,
                              std::int64_t identity) {
    return Participant(channel, groups, side, identity).run();
}

}  // namespace hitopo
