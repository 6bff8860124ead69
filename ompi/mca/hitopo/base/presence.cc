// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/presence.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/base/comm_tree.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/rank_list.h"

namespace hitopo {
// The flag of the status headers of a check, whose `absent` is the lowest process known to be missing.
constexpr std::uint32_t kIsInOtherGroup = 1;

// At the end all that are here know alike whether any process is missing, and each knows one of the
// missing. Let a be missing and r here: a - r is a sum of the rounds' distances, so a chain of rounds
// leads from a to r. The process after the last missing one on it notices, and passes it on along the
// rest.
class PresenceCheck {
public:
    PresenceCheck(Channel& channel, Announcements& announced, GroupFinder* groups)
        : channel_(channel), announced_(announced), groups_(groups), lowest_here_(channel.own()) {
        status_.flags = groups != nullptr && groups->is_agreed_ ? 0U : kIsInOtherGroup;
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
        return {Presence::kAll, 0, false};
    }

private:
    bool look_up(std::uint32_t process) {
        const bool is_here = announced_.is_here(process);
        if (is_here) {
            lowest_here_ = std::min(lowest_here_, process);
        } else {
            status_.absent = std::min(status_.absent, process);
        }
        return is_here;
    }

    // num_sent: the number of processes, from this one on, whose leaders it sends.
    void pass_round(std::uint32_t to, std::uint32_t from, std::size_t num_sent) {
        const bool is_to_here = look_up(to), is_from_here = look_up(from);
        const std::string leaders =
            groups_ != nullptr ? groups_->leaders_.encode(channel_.own(), num_sent) : "";
        const Received received = channel_.pass(is_to_here ? to : Channel::kNobody, status_, leaders,
                                                is_from_here ? from : Channel::kNobody);
        status_.merge(received.header);
        if (groups_ != nullptr && !groups_->leaders_.decode(from, received.bytes)) {
            status_.flags |= kIsInOtherGroup;
        }
    }

    // Nearly all have met a lower one in the check. If none of these many is here, that is proof enough
    // for the others: a message twice is better than to look up half of a large job.
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

PresenceOutcome check_presence(Channel& channel, Announcements& announced, GroupFinder* groups) {
    return PresenceCheck(channel, announced, groups).run();
}

// ---- the same by PMIx ----

namespace {

// The key by which processes compare, before the first message, their local groups.
constexpr const char* kGroupKey = "group";

using Text = std::unique_ptr<char, void (*)(void*)>;

Text local_peers() { return {hitopo_glue_local_peers(), std::free}; }

// Processes of other versions are of no group.
std::uint32_t hash_of(const Text& peers) {
    return static_cast<std::uint32_t>(combine(hash_bytes(peers ? peers.get() : ""), kPresence));
}

// This process alone if the list makes no sense.
std::vector<std::uint32_t> members_of(const Text& peers, std::uint32_t rank, std::uint32_t size) {
    const Result<NumberRanges> list = peers ? parse_ranges(peers.get()) : NumberRanges();
    std::vector<std::uint32_t> members =
        list ? numbers_below(*list, size) : std::vector<std::uint32_t>();
    return std::binary_search(members.begin(), members.end(), rank) ? members : std::vector{rank};
}

class PmixAnnouncements : public Announcements {
public:
    PmixAnnouncements(const char* layer, std::uint32_t group) : layer_(layer), group_(group) {}

    bool is_here(std::uint32_t process) override {
        return hitopo_glue_is_present(layer_, kPresence, static_cast<int>(process));
    }
    bool is_in_own_group(std::uint32_t process) override {
        return hitopo_glue_is_present(kGroupKey, group_, static_cast<int>(process));
    }

private:
    const char* layer_;
    const std::uint32_t group_;
};

void show(const Layer& layer, const char* topic, const std::string& missing = "",
          const std::string& present = "", const char* remedy = "") {
    if (layer.help != nullptr) {
        ompi_hitopo_base_help_from(layer.help, topic, missing.c_str(), present.c_str(), remedy);
    } else {
        hitopo_glue_help(topic, missing.c_str(), present.c_str(), remedy);
    }
}

constexpr const char* kOffKey = "off";

struct Cause {
    const char* text;
    const char* remedy;
};

// The reason why a process counts as missing. Local.
Cause cause_of(const Layer& layer, int missing) {
    if (hitopo_glue_is_present(layer.name, kAnyVersion, missing)) {
        return {"runs another version of it",
                "Start all programs of the job with one installation of HiTopo"};
    }
    if (layer.name == nullptr && hitopo_glue_is_present(kOffKey, kAnyVersion, missing)) {
        return {"has hitopo_base_eager=false", "Give all processes the same value of hitopo_base_eager"};
    }
    return {"does not run it",
            "Install it on all nodes, and link or preload it in all programs of the job"};
}

void show_missing(const Layer& layer, std::uint32_t missing, const Cause& cause) {
    show(layer, "mixed-job", "rank " + std::to_string(missing) + ' ' + cause.text,
         std::to_string(hitopo_glue_job_rank()), cause.remedy);
}

}  // namespace

void announce_off() { hitopo_glue_announce(kOffKey, kPresence); }

void announce_presence() {
    hitopo_glue_announce(nullptr, kPresence);
    const Text peers = local_peers();
    if (peers && hitopo_glue_has_announced(nullptr)) {
        hitopo_glue_announce(kGroupKey, hash_of(peers));
    }
}

GroupFinder find_groups() {
    const auto rank = static_cast<std::uint32_t>(hitopo_glue_job_rank());
    const auto size = static_cast<std::uint32_t>(hitopo_glue_job_size());
    const Text peers = local_peers();
    PmixAnnouncements announced(nullptr, hash_of(peers));
    return {rank, size, members_of(peers, rank, size), announced};
}

Presence check_presence(const Layer& layer, GroupFinder* groups) {
    const int rank = hitopo_glue_job_rank();
    if (hitopo_glue_job_size() > 1 && !hitopo_glue_can_tell()) {
        if (rank == 0) {
            show(layer, "cannot-tell");
        }
        return Presence::kCannotTell;
    }
    PmixAnnouncements announced(layer.name, 0);
    CommWire wire(hitopo_glue_world());
    Channel channel(wire);
    const PresenceOutcome found = check_presence(channel, announced, groups);  // collective
    if (found.is_lowest_here) {
        show_missing(layer, found.missing, cause_of(layer, static_cast<int>(found.missing)));
    }
    return found.presence;
}

void print_missing_layer(const Layer& layer, const SettingRanks& found) {
    const auto rank = static_cast<std::uint32_t>(hitopo_glue_job_rank());
    if (found.lacking && found.having == rank) {
        show_missing(layer, *found.lacking, cause_of(layer, static_cast<int>(*found.lacking)));
    }
}

bool reaches_beyond_world(ompi_communicator_t* comm, bool knows_own_job) {
    if (hitopo_glue_has_world() && !ompi_hitopo_base_has_outsiders(comm)) {
        return false;
    }
    const CommSides sides(comm);
    for (std::uint32_t number = 0; number < sides.size(); ++number) {
        const hitopo_glue_peer_t peer = sides.peer_of(number);
        std::uint32_t job = 0, rank = 0;
        const bool is_on_own_node = hitopo_glue_member(comm, peer.is_remote, peer.rank, &job, &rank);
        const bool is_known = knows_own_job && job == hitopo_glue_job();
        if (!is_known && !hitopo_glue_is_foreigner_present(kPresence, job, rank, is_on_own_node)) {
            return false;
        }
    }
    return true;
}

}  // namespace hitopo
