// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange/presence_check.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {

LeaderList::LeaderList(std::size_t num_processes) : num_members_(num_processes) {
    bytes_.reserve(max_bytes());
}

// Runs of leaders: the distance of each from the one before, the members of each, how many they are.
std::string_view LeaderList::encode(std::uint32_t first, std::size_t num) {
    bytes_.clear();
    std::uint32_t distance = 0, num_members = 0, count = 0;  // of the present run
    const auto end_run = [&] {
        for (const std::uint32_t number : {distance, num_members, count}) {
            bytes_.put_varint(number);
        }
    };
    std::size_t last = 0;
    for (std::size_t i = 0; i < num; ++i) {
        const std::uint32_t members = num_members_[(first + i) % num_members_.size()];
        if (members == 0) {
            continue;
        }
        const auto step = static_cast<std::uint32_t>(i - last);
        if (count > 0 && (step != distance || members != num_members)) {
            end_run();
            count = 0;
        }
        distance = step;
        num_members = members;
        ++count;
        last = i;
    }
    if (count > 0) {
        end_run();
    }
    return bytes_.bytes();
}

bool LeaderList::decode(std::uint32_t first, std::string_view bytes) {
    const std::size_t num_processes = num_members_.size();
    ByteReader reader(bytes);
    std::uint64_t at = 0;
    while (reader.num_left() > 0) {
        const std::uint64_t distance = reader.get_varint(), num_members = reader.get_varint(),
                            count = reader.get_varint();
        if (reader.has_failed() || distance >= num_processes || num_members > num_processes ||
            count > num_processes || (distance == 0 && count > 1)) {
            return false;
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            at += distance;
            if (at >= num_processes) {
                return false;
            }
            num_members_[(first + at) % num_processes] = static_cast<std::uint32_t>(num_members);
        }
    }
    return true;
}

bool LeaderList::is_whole() const {
    return std::accumulate(num_members_.begin(), num_members_.end(), std::uint64_t{0}) ==
           num_members_.size();
}

// Flags of the status headers of a check, whose `absent` is the lowest process known to be missing.
enum PresenceFlag : std::uint32_t { kIsUnready = 1, kIsInOtherGroup = 2 };

// At the end all that are here know alike whether any process is missing, and each knows one of the
// missing. Let a be missing and r here: a - r is a sum of the rounds' distances, so a chain of rounds
// leads from a to r. The process after the last missing one on it notices, and passes it on along the
// rest.
class PresenceCheck {
public:
    PresenceCheck(Channel& channel, Announcements& announced, GroupFinder* groups, bool is_ready)
        : channel_(channel), announced_(announced), groups_(groups), lowest_here_(channel.own()) {
        status_.flags = (is_ready ? 0U : kIsUnready) |
                        (groups != nullptr && groups->is_agreed_ ? 0U : kIsInOtherGroup);
    }

    PresenceOutcome run() {
        DisseminationRounds rounds(channel_.own(), channel_.size());
        for (; !rounds.is_over(); rounds.end_round()) {
            pass_round(static_cast<std::uint32_t>(rounds.to()),
                       static_cast<std::uint32_t>(rounds.from()), rounds.num_sent());
        }
        if (groups_ != nullptr) {
            groups_->is_agreed_ = (status_.flags & kIsInOtherGroup) == 0;
        }
        if (status_.absent != Channel::kNobody) {
            return {Presence::kSome, status_.absent, is_lowest_here()};
        }
        return {(status_.flags & kIsUnready) != 0 ? Presence::kUnready : Presence::kAll, 0, false};
    }

private:
    bool look_up(std::uint32_t process) {
        const bool is_here = announced_.is_here(process);
        if (is_here) {
            lowest_here_ = std::min(lowest_here_, process);
        } else {
            note_missing(process);
        }
        return is_here;
    }

    void note_missing(std::uint32_t process) { status_.absent = std::min(status_.absent, process); }

    // num_sent: of how many processes from this one on it sends the leaders.
    void pass_round(std::uint32_t to, std::uint32_t from, std::size_t num_sent) {
        const bool is_to_here = look_up(to), is_from_here = look_up(from);
        Received none;
        Received& received = groups_ != nullptr ? groups_->received_ : none;
        received.header = {};
        const std::string_view leaders =
            groups_ != nullptr ? groups_->leaders_.encode(channel_.own(), num_sent) : std::string_view();
        // The status of the send does not count: the other process has the message, or waits for ever,
        // and all have to go on alike.
        const int status = channel_
                               .pass(is_to_here ? to : Channel::kNobody, status_, leaders,
                                     is_from_here ? from : Channel::kNobody, received)
                               .received;
        if (status != kSuccess && status != kErrorOutOfResource) {
            note_missing(from);
        } else if (is_from_here) {
            merge(received, from, status == kSuccess);
        }
    }

    // has_bytes: a process without memory for them has the header all the same.
    void merge(const Received& received, std::uint32_t from, bool has_bytes) {
        status_.merge(received.header);
        status_.flags |= has_bytes ? 0U : kIsUnready;
        const bool is_merged = groups_ == nullptr || groups_->leaders_.decode(from, received.bytes);
        status_.flags |= has_bytes && is_merged ? 0U : kIsInOtherGroup;
    }

    // Nearly all have met a lower one in the check. That none of these many is here is proof enough for
    // the others: a message twice is better than to look up half of a large job.
    bool is_lowest_here() {
        constexpr std::uint32_t kMaxLookUps = 64;
        const std::uint32_t own = channel_.own();
        for (std::uint32_t at = 0; lowest_here_ == own && at < std::min(own, kMaxLookUps); ++at) {
            (void)look_up(at);
        }
        return lowest_here_ == own;
    }

    Channel& channel_;
    Announcements& announced_;
    GroupFinder* const groups_;
    StatusHeader status_;        // of this process and those whose status it received
    std::uint32_t lowest_here_;  // that this process knows of
};

GroupFinder::GroupFinder(std::uint32_t own, std::size_t num_processes,
                         std::vector<std::uint32_t> members, Announcements& announced)
    : own_(own), leaders_(num_processes) {
    groups_.members = std::move(members);
    groups_.leaders.reserve(num_processes);
    received_.bytes.reserve(leaders_.max_bytes());
    const std::uint32_t leader = groups_.members[0];
    is_agreed_ = leader == own || announced.is_in_own_group(leader);
    if (leader == own) {
        leaders_.add(own, static_cast<std::uint32_t>(groups_.members.size()));
    }
}

LocalGroups GroupFinder::take_groups() {
    const bool is_found = is_agreed_ && leaders_.is_whole();
    if (!is_found) {
        groups_.members.assign(1, own_);
    }
    const std::vector<std::uint32_t>& num_members = leaders_.num_members();
    for (std::uint32_t process = 0; process < num_members.size(); ++process) {
        if (!is_found || num_members[process] > 0) {
            groups_.leaders.push_back(process);
        }
    }
    return std::move(groups_);
}

PresenceOutcome check_presence(Channel& channel, Announcements& announced, GroupFinder* groups,
                               bool is_ready) {
    return PresenceCheck(channel, announced, groups, is_ready).run();
}

}  // namespace hitopo
