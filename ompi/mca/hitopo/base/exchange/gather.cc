// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange/gather.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "ompi/mca/hitopo/core/record/selection.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

RecordMessage read(const std::string& bytes, std::size_t num_processes) {
    Result<RecordMessage> message = decode(bytes, num_processes);
    if (!message) {
        throw std::runtime_error(message.error().message);
    }
    return std::move(*message);
}

// A member speaks for itself alone.
RecordMessage read_member(const std::string& bytes, std::uint32_t member, std::size_t num_processes) {
    RecordMessage message = read(bytes, num_processes);
    for (const NodeRecord& record : message.records) {
        if (message.records.size() > 1 || record.ranks.size() > 1 || record.ranks.front() != member) {
            throw std::runtime_error("a process speaks for another");
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

}  // namespace

template <class Body>
void Gather::attempt(StatusHeader& mine, Body body) const {
    if (!mine.has_failed()) {
        mine.fail(channel_.own(), guarded(body));
    }
}

RecordMessage Gather::all_say(const RecordMessage& own, StatusHeader& mine) {
    return is_leader() ? lead(own, mine) : follow(own, mine);
}

RecordMessage Gather::follow(const RecordMessage& own, StatusHeader& mine) {
    std::string said;
    attempt(mine, [&] { said = encode(own); });
    const int sent = channel_.send(groups_.members[0], mine, said);
    Received whole;
    const int received = channel_.receive(groups_.members[0], whole);
    mine.hear(whole.header);
    mine.fail(channel_.own(), sent);
    mine.fail(channel_.own(), received);
    RecordMessage all;
    attempt(mine, [&] { all = read(whole.bytes, channel_.size()); });
    return all;
}

RecordMessage Gather::lead(const RecordMessage& own, StatusHeader& mine) {
    std::unique_ptr<MessageMaker> members, all;
    attempt(mine, [&] {
        members = std::make_unique<MessageMaker>();
        all = std::make_unique<MessageMaker>();
        members->append(own);
    });
    for (std::size_t i = 1; i < groups_.members.size(); ++i) {
        hear_member(groups_.members[i], members.get(), mine);
    }
    attempt(mine, [&] {
        const RecordMessage group = join_group(members->take());
        mine.flags |= flags_of(group);
        all->append(group);
    });
    mine.fail(channel_.own(), tell_leaders(all.get(), mine));
    std::string bytes;
    attempt(mine, [&] { bytes = groups_.members.size() > 1 ? encode(all->message()) : ""; });
    mine.fail(channel_.own(), tell_members(mine, bytes));
    return mine.has_failed() ? RecordMessage() : all->take();
}

void Gather::hear_member(std::uint32_t member, MessageMaker* members, StatusHeader& mine) {
    Received said;
    mine.fail(channel_.own(), channel_.receive(member, said));
    mine.hear(said.header);
    if (members != nullptr) {
        attempt(mine, [&] { members->append(read_member(said.bytes, member, channel_.size())); });
    }
}

// all: not whole where the status has a failure.
int Gather::tell_leaders(MessageMaker* all, StatusHeader& mine) {
    const std::vector<std::uint32_t>& leaders = groups_.leaders;
    const auto own = std::lower_bound(leaders.begin(), leaders.end(), channel_.own());
    int status = kSuccess;
    LeaderRounds rounds(static_cast<std::size_t>(own - leaders.begin()), leaders.size());
    for (; !rounds.is_over(); rounds.end_round()) {
        std::string sent;
        if (all != nullptr) {
            attempt(mine, [&] { sent = encode_groups(all->message(), rounds.num_sent()); });
        }
        Received heard;
        const Channel::Passed passed =
            channel_.pass(leaders[rounds.to()], mine, sent, leaders[rounds.from()], heard);
        mine.hear(heard.header);
        status = status == kSuccess ? passed.sent : status;
        mine.fail(channel_.own(), passed.received);
        if (all != nullptr) {
            attempt(mine, [&] { all->append(read(heard.bytes, channel_.size())); });
        }
    }
    return status;
}

int Gather::tell_members(const StatusHeader& header, const std::string& bytes) {
    int status = kSuccess;
    for (std::size_t i = 1; i < groups_.members.size(); ++i) {
        const int sent = channel_.send(groups_.members[i], header, bytes);
        status = status == kSuccess ? sent : status;
    }
    return status;
}

// A process that has its leader's word knows that the leader has its own: what it sent did arrive. And
// after that word nobody could tell of a failure.
StatusHeader Gather::agree(StatusHeader mine) {
    if (is_leader()) {
        for (std::size_t i = 1; i < groups_.members.size(); ++i) {
            hear_member(groups_.members[i], nullptr, mine);
        }
        (void)tell_leaders(nullptr, mine);
        (void)tell_members(mine, "");
        return mine;
    }
    Received word;
    (void)channel_.send(groups_.members[0], mine, "");
    word.header.fail(channel_.own(), channel_.receive(groups_.members[0], word));
    return word.header;
}

}  // namespace hitopo
