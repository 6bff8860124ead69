// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange/presence_check.h"

#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/base/exchange/roll_call.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

// Of the status headers of a check, whose `absent` is the lowest process that is not here.
enum PresenceFlag : std::uint32_t { kIsUnready = 1, kIsInOtherGroup = 2 };

class Check {
public:
    Check(Channel& channel, Announcements& announced, GroupFinder* groups, bool is_ready)
        : channel_(channel),
          announced_(announced),
          groups_(groups),
          call_(static_cast<int>(channel.own()), static_cast<int>(channel.size())),
          is_unready_(!is_ready),
          lowest_here_(channel.own()) {}

    PresenceOutcome run() {
        for (; !call_.is_over(); call_.end_round()) {
            pass_round();
        }
        if (call_.is_anyone_missing()) {
            return {Present::kSome, static_cast<std::uint32_t>(call_.lowest_missing()),
                    is_lowest_here()};
        }
        return {is_unready_ ? Present::kUnready : Present::kAll, 0, false};
    }

private:
    bool look_up(std::uint32_t process) {
        const bool is_here = announced_.is_here(process);
        if (is_here) {
            lowest_here_ = std::min(lowest_here_, process);
        } else {
            call_.note_missing(static_cast<int>(process));
        }
        return is_here;
    }

    void pass_round() {
        const auto to = static_cast<std::uint32_t>(call_.to());
        const auto from = static_cast<std::uint32_t>(call_.from());
        const bool is_to_here = look_up(to), is_from_here = look_up(from);
        StatusHeader header;
        header.absent = static_cast<std::uint32_t>(call_.lowest_missing());
        header.flags = (is_unready_ ? kIsUnready : 0U) |
                       (groups_ != nullptr && groups_->is_agreed() ? 0U : kIsInOtherGroup);
        Received none;
        Received& heard = groups_ != nullptr ? groups_->heard() : none;
        heard.header = {};
        // Whether it was sent does not count: the other process has it, or waits for ever, and all have
        // to go on alike.
        const int status = channel_
                               .pass(is_to_here ? to : Channel::kNobody, header,
                                     groups_ != nullptr ? groups_->leaders() : std::string_view(),
                                     is_from_here ? from : Channel::kNobody, heard)
                               .received;
        if (status != kSuccess && status != kErrorOutOfResource) {
            call_.note_missing(static_cast<int>(from));
        } else if (is_from_here) {
            hear(heard.header, status == kSuccess);
        }
    }

    // has_bytes: a process without memory for them is here, and has the header all the same.
    void hear(const StatusHeader& header, bool has_bytes) {
        if (header.absent < channel_.size()) {
            call_.note_missing(static_cast<int>(header.absent));
        }
        is_unready_ = is_unready_ || !has_bytes || (header.flags & kIsUnready) != 0;
        if (groups_ != nullptr) {
            groups_->hear(has_bytes && (header.flags & kIsInOtherGroup) == 0);
        }
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
    RollCall call_;
    bool is_unready_;
    std::uint32_t lowest_here_;  // that this process knows of
};

}  // namespace

GroupFinder::GroupFinder(std::uint32_t own, std::size_t num_processes,
                         std::vector<std::uint32_t> members, Announcements& announced)
    : own_(own), num_processes_(static_cast<std::uint32_t>(num_processes)), list_(num_processes) {
    groups_.members = std::move(members);
    groups_.leaders.reserve(num_processes);
    heard_.bytes.reserve(list_.max_bytes());
    const std::uint32_t leader = groups_.members[0];
    is_agreed_ = leader == own || announced.is_in_own_group(leader);
    if (leader == own) {
        list_.add({own, static_cast<std::uint32_t>(groups_.members.size())});
    }
}

void GroupFinder::hear(bool is_agreed) {
    const bool is_heard = list_.merge(heard_.bytes);
    is_agreed_ = is_agreed_ && is_agreed && is_heard;
}

LocalGroups GroupFinder::take_groups() {
    if (is_agreed_ && list_.is_whole()) {
        for (const LeaderList::Leader& leader : list_.leaders()) {
            groups_.leaders.push_back(leader.rank);
        }
        return std::move(groups_);
    }
    groups_.members.assign(1, own_);
    for (std::uint32_t process = 0; process < num_processes_; ++process) {
        groups_.leaders.push_back(process);
    }
    return std::move(groups_);
}

PresenceOutcome check_presence(Channel& channel, Announcements& announced, GroupFinder* groups,
                               bool is_ready) {
    return Check(channel, announced, groups, is_ready).run();
}

}  // namespace hitopo
