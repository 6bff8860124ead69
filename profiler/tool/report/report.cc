// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo report` in the form that was asked for; and, on request, lanes of a side resource.
#include "profiler/tool/report/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/words.h"
#include "profiler/tool/profile/phrases.h"
#include "profiler/tool/profile/profile_sums.h"

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

// The section of `hitopo report --side nvlink://Domain`. type: as of a guided split, whatever its case.
// An error, for people: the profile's table has no such type, or it has no pairs.
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
    MessageCount within, between, others;
    for (const ProcessRecord& process : profile.processes) {
        const int own = domains[static_cast<std::size_t>(process.rank)];
        for (const PeerCount& pair : process.pairs) {
            const int other = domains[static_cast<std::size_t>(pair.rank)];
            add_to(own == kNone || other == kNone ? others
                   : own == other                 ? within
                                                  : between,
                   {pair.messages, pair.bytes});
        }
        add_to(others, process.unknown);
    }
    std::vector<std::vector<std::string>> rows = {
        {fmt::format("{} ({})", safe(side->type, charset), counted(side->domains.size(), "domain")),
         "messages", "bytes"}};
    for (const auto& [name, sum] :
         {std::pair("within a domain", within), std::pair("between two", between),
          std::pair("with a process in none", others)}) {
        rows.push_back({name, human_count(sum.messages), human_bytes(sum.bytes)});
    }
    return "\nPoint-to-point messages, by side resource\n" + fitted(std::move(rows), 80, charset);
}

Rendered render_report_text(const Report& report, const Options& options, Charset charset) {
    std::string text = format_report(report, charset);
    if (!options.side.empty()) {
        const Result<std::string> lanes = format_side_lanes(report.profile, options.side, charset);
        if (!lanes) {
            return {"", error_line(lanes.error())};
        }
        text += *lanes;
    }
    return {std::move(text), ""};
}

}  // namespace

Rendered render_report(Result<Profile> profile, const Options& options, Charset charset) {
    if (!profile) {
        return {"", error_line(profile.error())};
    }
    const Report report(*profile, options.profile);
    switch (options.format) {
        case Format::kHtml:
            return {format_report_page(report), ""};
        case Format::kJson:
            return {format_report_json(report), ""};
        case Format::kCsv:
            return {format_report_csv(report), ""};
        default:
            return render_report_text(report, options, charset);
    }
}

Rendered render_comparison(Result<Profile> a, Result<Profile> b, const Options& options,
                           Charset charset) {
    if (!a || !b) {
        return {"", error_line(a ? b.error() : a.error())};
    }
    const NamedProfile first = {options.profile, std::move(*a)};
    const NamedProfile second = {options.other_profiles.front(), std::move(*b)};
    return {options.format == Format::kHtml ? format_comparison_page(first, second)
                                            : format_comparison(first, second, false, charset),
            ""};
}

}  // namespace hitopo::tool
