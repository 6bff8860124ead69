// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Lanes of a side resource, on request.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/words.h"
#include "profiler/tool/profile/profile_sums.h"
#include "profiler/tool/profile/units.h"
#include "profiler/tool/report/report.h"

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

Result<std::string> format_side_lanes(const Profile& profile, const std::string& type, Charset charset) {
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
    MessageSum within, between, others;
    for (const ProfiledProcess& process : profile.processes) {
        const int own = domains[static_cast<std::size_t>(process.rank)];
        for (const PairTraffic& pair : process.pairs) {
            const int other = domains[static_cast<std::size_t>(pair.rank)];
            add_to(own == kNone || other == kNone ? others
                   : own == other                 ? within
                                                  : between,
                   pair.messages, pair.bytes);
        }
        add_to(others, process.unknown.messages, process.unknown.bytes);
    }
    std::vector<std::vector<std::string>> rows = {
        {fmt::format("{} ({})", safe(side->type, charset), counted(side->domains.size(), "domain")),
         "messages", "bytes"}};
    for (const auto& [name, sum] :
         {std::pair("within a domain", within), std::pair("between two", between),
          std::pair("with a process in none", others)}) {
        rows.push_back({name, human_count(sum.messages), human_bytes(sum.bytes)});
    }
    return "\nMessages to single peers, by side resource\n" + fitted(std::move(rows), 80, charset);
}

}  // namespace hitopo::tool
