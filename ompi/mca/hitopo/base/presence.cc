// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/presence.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/base/comm_tree.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/rank_list.h"

namespace hitopo {
namespace {

// The key by which processes compare, before the first message, their local groups.
constexpr const char* kGroupKey = "group";

using Text = std::unique_ptr<char, void (*)(void*)>;

Text local_peers() { return {hitopo_glue_local_peers(), std::free}; }

// Processes of other versions are of no group.
std::uint32_t hash_of(const Text& peers) {
    return static_cast<std::uint32_t>(combine(hash_bytes(peers ? peers.get() : ""), kPresence));
}

// Without an answer that makes sense, itself alone.
std::vector<std::uint32_t> members_of(const Text& peers, std::uint32_t rank, std::uint32_t size) {
    const Result<RankList> list = peers ? RankList::parse(peers.get()) : RankList();
    std::vector<std::uint32_t> members = list ? list->below(size) : std::vector<std::uint32_t>();
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

void show(const Layer& layer, const char* topic, const std::string& missing,
          const std::string& present) {
    if (layer.help != nullptr) {
        hitopo_base_help_from(layer.help, topic, missing.c_str(), present.c_str(), "");
    } else {
        hitopo_glue_help("base", topic, missing.c_str(), present.c_str(), "");
    }
}

}  // namespace

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

Presence check_presence(const Layer& layer, bool is_ready, GroupFinder* groups) {
    const int rank = hitopo_glue_job_rank();
    if (hitopo_glue_job_size() > 1 && !hitopo_glue_can_tell()) {
        if (rank == 0) {
            show(layer, "cannot-tell", "", "");
        }
        return Presence::kCannotTell;
    }
    PmixAnnouncements announced(layer.name, 0);
    CommWire wire(hitopo_glue_world());
    Channel channel(wire);
    const PresenceOutcome found = check_presence(channel, announced, groups, is_ready);  // collective
    if (found.is_lowest_here) {
        show(layer, "mixed-job", std::to_string(found.missing), std::to_string(rank));
    }
    return found.presence;
}

void print_missing_layer(const Layer& layer, const SettingRanks& found) {
    const auto rank = static_cast<std::uint32_t>(hitopo_glue_job_rank());
    if (found.lacking && found.having == rank) {
        show(layer, "mixed-job", std::to_string(*found.lacking), std::to_string(rank));
    }
}

bool reaches_beyond_world(ompi_communicator_t* comm, bool knows_own_job) {
    if (hitopo_glue_has_world() && !hitopo_base_has_outsiders(comm)) {
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
