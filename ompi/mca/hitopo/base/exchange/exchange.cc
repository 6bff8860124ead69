// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange/exchange.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/record/message.h"
#include "ompi/mca/hitopo/core/record/selection.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

// Flags of a status header. How many gatherings there are depends on them alone.
enum StatusFlag : std::uint32_t {
    kIsHostUnasked = 1,  // no process of some group asked for all of a host that the group is on
    kHasUplinks = 2,     // some process can tell the uplinks of its switch, if asked
    kIsRefused = 4       // nothing failed, but the records make no sense
};

Error refusal_of(std::uint32_t absent) {
    return {Errc::kDisagree,
            "rank " + std::to_string(absent),
            "HiTopo could not start in this process; read the message of this process, and check the "
            "memory of its node",
            "",
            0,
            0};
}

RecordMessage read(const std::string& bytes, std::size_t num_processes) {
    Result<RecordMessage> message = decode(bytes, num_processes);
    if (!message) {
        throw std::runtime_error(message.error().message);
    }
    return std::move(*message);
}

// A member may send its own record only.
RecordMessage read_member(const std::string& bytes, std::uint32_t member, std::size_t num_processes) {
    RecordMessage message = read(bytes, num_processes);
    for (const NodeRecord& record : message.records) {
        if (message.records.size() > 1 || record.ranks.size() > 1 || record.ranks.front() != member) {
            throw std::runtime_error("a process sent the record of another");
        }
    }
    return message;
}

std::uint32_t flags_of(const RecordMessage& group) {
    const bool has_uplinks =
        std::any_of(group.records.begin(), group.records.end(),
                    [](const NodeRecord& record) { return record.uplinks_component != 0; });
    return (hosts_to_ask(group.records).empty() ? 0U : kIsHostUnasked) |
           (has_uplinks ? kHasUplinks : 0U);
}

// One process in one exchange. What fails in it goes into its status, and it goes on. Its steps are not
// inlined: a program's thread may have little stack for them together.
class Participant {
public:
    Participant(Channel& channel, const LocalGroups& groups, ExchangeSide& side, std::int64_t identity)
        : channel_(channel), groups_(groups), side_(side) {
        status_.identity = channel.own() == 0 ? identity : 0;
    }

    // Collective.
    ExchangeOutcome run() {
        contribute(false);
        RecordMessage all = gather(&own_);
        if ((status_.flags & kIsHostUnasked) != 0) {
            ask_for_hosts(all);
        }
        if ((status_.flags & kHasUplinks) != 0) {
            ask_for_uplinks(all);
        }
        std::optional<Error> refusal;
        attempt([&] {
            refusal = status_.absent != StatusHeader::kNobody
                          ? refusal_of(status_.absent)
                          : side_.accept(std::move(all), status_.identity);
        });
        status_.flags = refusal ? kIsRefused : 0U;
        (void)gather(nullptr);
        ExchangeOutcome out;
        out.status = status_.has_failed() ? status_.status : kSuccess;
        out.failed_rank = status_.has_failed() ? static_cast<int>(status_.failed) : -1;
        out.is_refused = out.status == kSuccess && (status_.flags & kIsRefused) != 0;
        out.reason = std::move(refusal);  // a copy would take memory
        return out;
    }

private:
    bool is_leader() const { return groups_.members[0] == channel_.own(); }

    void fail(int code) { status_.fail(channel_.own(), code); }
    // Leaders that already went on do not learn of it.
    void note_sent(int code) { unsent_ = unsent_ == kSuccess ? code : unsent_; }

    template <class Body>
    void attempt(Body body) {
        if (!status_.has_failed()) {
            fail(guarded(body));
        }
    }

    void contribute(bool must_ask) {
        own_ = {};
        attempt([&] { own_ = side_.contribute(must_ask); });
        if (own_.records.empty()) {
            status_.absent = std::min(status_.absent, channel_.own());
        }
    }

    // Collective.
    [[gnu::noinline]] void ask_for_hosts(RecordMessage& all) {
        attempt([&] {
            for (const std::uint32_t rank : hosts_to_ask(all.records)) {
                if (rank == channel_.own()) {
                    contribute(true);
                }
            }
        });
        all = gather(&own_);
    }

    // Collective.
    [[gnu::noinline]] void ask_for_uplinks(RecordMessage& all) {
        RecordMessage own;
        attempt([&] {
            for (const SwitchToAsk& leaf : switches_to_ask(all)) {
                if (leaf.rank == channel_.own()) {
                    std::string uplinks = side_.uplinks(all.names[leaf.component]);
                    if (!uplinks.empty()) {
                        own.uplinks.push_back(std::move(uplinks));
                    }
                }
            }
        });
        all.uplinks = gather(&own).uplinks;
    }

    // Collective. own: what this process contributes, nothing where that failed. Gives what all
    // contribute: whole where no status has a failure, else anything. own: NULL to agree: then statuses
    // alone are gathered, and are the same at all processes in the end, unless the last message of all
    // fails, of which no process could tell the others; a send that fails is no reason: a process that
    // receives its leader's status knows that its own arrived.
    [[gnu::noinline]] RecordMessage gather(const RecordMessage* own) {
        unsent_ = kSuccess;
        RecordMessage all = is_leader() ? gather_as_leader(own) : gather_as_member(own);
        fail(own != nullptr ? unsent_ : kSuccess);
        return all;
    }

    RecordMessage gather_as_member(const RecordMessage* own) {
        std::string bytes;
        attempt([&] { bytes = own == nullptr ? "" : encode(*own); });
        note_sent(channel_.send(groups_.members[0], status_, bytes));
        Received whole;
        fail(channel_.receive(groups_.members[0], whole));
        status_.merge(whole.header);
        RecordMessage all;
        if (own != nullptr) {
            attempt([&] { all = read(whole.bytes, channel_.size()); });
        }
        return all;
    }

    RecordMessage gather_as_leader(const RecordMessage* own) {
        std::unique_ptr<MessageMaker> members, all;  // NULL where the status alone counts
        if (own != nullptr) {
            attempt([&] {
                members = std::make_unique<MessageMaker>();
                all = std::make_unique<MessageMaker>();
                members->append(*own);
            });
        }
        receive_from_members(members.get());
        if (own != nullptr) {
            attempt([&] {
                const RecordMessage group = join_group(members->take());
                status_.flags |= flags_of(group);
                all->append(group);
            });
        }
        exchange_with_leaders(all.get());
        std::string bytes;
        if (own != nullptr && groups_.members.size() > 1) {
            attempt([&] { bytes = encode(all->message()); });
        }
        for (std::size_t i = 1; i < groups_.members.size(); ++i) {
            note_sent(channel_.send(groups_.members[i], status_, bytes));
        }
        return own == nullptr || status_.has_failed() ? RecordMessage() : all->take();
    }

    void receive_from_members(MessageMaker* all) {
        for (std::size_t i = 1; i < groups_.members.size(); ++i) {
            const std::uint32_t member = groups_.members[i];
            Received received;
            fail(channel_.receive(member, received));
            status_.merge(received.header);
            if (all != nullptr) {
                attempt([&] { all->append(read_member(received.bytes, member, channel_.size())); });
            }
        }
    }

    // all: this group's, to which comes what the other leaders send.
    void exchange_with_leaders(MessageMaker* all) {
        const std::vector<std::uint32_t>& leaders = groups_.leaders;
        const auto own = std::lower_bound(leaders.begin(), leaders.end(), channel_.own());
        DisseminationRounds rounds(static_cast<std::size_t>(own - leaders.begin()), leaders.size());
        for (; !rounds.is_over(); rounds.end_round()) {
            std::string bytes;
            if (all != nullptr) {
                attempt([&] { bytes = encode_groups(all->message(), rounds.num_sent()); });
            }
            Received received;
            const Channel::Passed passed =
                channel_.pass(leaders[rounds.to()], status_, bytes, leaders[rounds.from()], received);
            status_.merge(received.header);
            note_sent(passed.sent);
            fail(passed.received);
            if (all != nullptr) {
                attempt([&] { all->append(read(received.bytes, channel_.size())); });
            }
        }
    }

    Channel& channel_;
    const LocalGroups& groups_;
    ExchangeSide& side_;
    StatusHeader status_;    // of this process and those whose status it received
    int unsent_ = kSuccess;  // the first error of a send in this gathering
    RecordMessage own_;
};

}  // namespace

ExchangeOutcome exchange(Channel& channel, const LocalGroups& groups, ExchangeSide& side,
                         std::int64_t identity) {
    return Participant(channel, groups, side, identity).run();
}

}  // namespace hitopo
