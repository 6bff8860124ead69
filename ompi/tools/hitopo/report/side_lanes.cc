// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/report/side_lanes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/report/profile_sums.h"
#include "ompi/tools/hitopo/report/units.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

constexpr int kNone = -1;

// The domain of each rank of MPI_COMM_WORLD.
std::vector<int> domains_of_ranks(const SideResource& side, int size) {
    std::vector<int> domains(static_cast<std::size_t>(size), kNone);
    for (std::size_t number = 0; number < side.domains.size(); ++number) {
        for (const int rank : side.domains[number].ranks) {
            domains[static_cast<std::size_t>(rank)] = static_cast<int>(number);
        }
    }
    return domains;
}

std::string types_phrase(const std::vector<SideResource>& all) {
    std::vector<std::string> types;
    types.reserve(all.size());
    for (const SideResource& side : all) {
        types.push_back(side.type);
    }
    return types.empty() ? "none" : fmt::format("{}", fmt::join(types, ", "));
}

Error error_of(const std::string& type, const std::string& message) {
    return Error{Errc::kMalformed, type, message, "--side"};
}

}  // namespace

Result<SideLanes> side_lanes(const Profile& profile, const std::string& type) {
    const std::vector<SideResource> all =
        profile.table ? profile.table->side : std::vector<SideResource>();
    const auto side = std::find_if(all.begin(), all.end(), [&](const SideResource& other) {
        return equals_ignoring_case(other.type, type);
    });
    if (side == all.end()) {
        return error_of(type, "is no side resource of this job, which has " + types_phrase(all));
    }
    if (profile.max_peers) {
        return error_of(type,
                        "cannot be told: this profile has sums for each lane and no peers; the MCA "
                        "variable hitopo_prof_max_peers of that job decides it");
    }
    const std::vector<int> domains = domains_of_ranks(*side, profile.size);
    const auto domain_of = [&](int rank) {
        return rank < 0 ? kNone : domains[static_cast<std::size_t>(rank)];
    };
    SideLanes lanes = {side->type, side->domains.size(), {}};
    lanes.sums.resize(profile.communicators.size());
    for (const Traffic& traffic : profile.traffic) {
        const auto id = static_cast<std::size_t>(traffic.communicator);
        const int own =
            domain_of(profile.communicators[id].ranks[static_cast<std::size_t>(traffic.rank)]);
        for (const Peer& peer : traffic.peers) {
            const Pair pair = {traffic.rank, &peer};
            const int other = domain_of(peer.world_rank);
            SideLaneSum& sum = lanes.sums[id][own == kNone || other == kNone ? 2 : own == other ? 0 : 1];
            add_to(sum.messages, pair.messages());
            add_to(sum.bytes, pair.bytes());
        }
    }
    return lanes;
}

std::string format_side_lanes(const Profile& profile, const SideLanes& lanes, Charset charset) {
    std::vector<std::vector<std::string>> rows = {{"name"}};
    for (const char* title : {"within", "between", "in none"}) {
        rows[0].insert(rows[0].end(), {pad_left(title, 8), pad_left("bytes", 8)});
    }
    for (std::size_t id = 0; id < lanes.sums.size(); ++id) {
        rows.push_back({cut(safe(profile.communicators[id].name, charset), 18, charset)});
        for (const SideLaneSum& sum : lanes.sums[id]) {
            rows.back().insert(rows.back().end(), {pad_left(human_count(sum.messages), 8),
                                                   pad_left(human_bytes(sum.bytes), 8)});
        }
    }
    return fmt::format(
        "\n{}, {}: messages to single peers, and fetches, within a domain, between two,\n"
        "and where one process is in none\n{}",
        safe(lanes.type, charset), counted(lanes.num_domains, "domain"), aligned(rows, "  "));
}

}  // namespace hitopo::tool
