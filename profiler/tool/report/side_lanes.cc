// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/report/side_lanes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/words.h"
#include "profiler/tool/profile/profile_sums.h"
#include "profiler/tool/profile/units.h"

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
    if (!profile.has_pairs) {
        return error_of(type,
                        "cannot be told: this profile has no pairs of processes; the MCA variable "
                        "hitopo_prof_max_peers of that job decides it");
    }
    const std::vector<int> domains = domains_of_ranks(*side, profile.size);
    SideLanes lanes = {side->type, side->domains.size(), {}};
    const auto add = [&](std::size_t sum, const PairTraffic& pair) {
        add_to(lanes.sums[sum].messages, pair.messages);
        add_to(lanes.sums[sum].bytes, pair.bytes);
    };
    for (const ProfiledProcess& process : profile.processes) {
        const int own = domains[static_cast<std::size_t>(process.rank)];
        for (const PairTraffic& pair : process.pairs) {
            const int other = domains[static_cast<std::size_t>(pair.rank)];
            add(own == kNone || other == kNone ? 2 : own == other ? 0 : 1, pair);
        }
        add(2, process.unknown);
    }
    return lanes;
}

std::string format_side_lanes(const SideLanes& lanes, Charset charset) {
    std::vector<std::vector<std::string>> rows = {
        {fmt::format("{} ({})", safe(lanes.type, charset), counted(lanes.num_domains, "domain")),
         "messages", "bytes"}};
    constexpr std::array<const char*, 3> kNames = {"within a domain", "between two",
                                                   "with a process in none"};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        rows.push_back(
            {kNames[i], human_count(lanes.sums[i].messages), human_bytes(lanes.sums[i].bytes)});
    }
    return "\nMessages to single peers, by side resource\n" + fitted(std::move(rows), 80, charset);
}

}  // namespace hitopo::tool
