// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The verdict on links, as findings of `hitopo check`.
#include <fmt/format.h>

#include <set>

#include "ompi/tools/hitopo/check/check.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

// The innermost level outside of nodes that all know, behind `text`; "": there is none.
std::string around_nodes(const CheckedJob& job, const char* text) {
    std::string around;
    for (const Level level : {kCluster, kIsland, kSwitch}) {
        around =
            job.known[level] == Known::kAll ? fmt::format("{} {}", text, level_name(level)) : around;
    }
    return around;
}

// "bandwidth between switches", "latency between nodes of one switch, NIC 2 of each".
std::string subject_of(const LinkClass& where, const CheckedJob& job) {
    return fmt::format("{} between {}{}{}{}", where.is_latency() ? "latency" : "bandwidth",
                       plural(level_name(where.level)),
                       where.level == kNode ? around_nodes(job, " of one") : "",
                       where.is_together() ? ", all their nodes at once" : "",
                       where.rail > 0 ? fmt::format(", NIC {} of each", where.rail + 1) : "");
}

// "switch s3", "node n7", "node n7, NIC mlx5_3".
std::string name_of(const LinkEnd& end, Level level, const TableDocument& table, const CheckedJob& job,
                    const DeviceJob& devices) {
    const auto rank = static_cast<std::size_t>(end.rank);
    if (level < kNode) {
        return fmt::format("{} {}", level_name(level),
                           table.ranks[rank].names[level].value_or(std::to_string(end.address[level])));
    }
    const std::string name = nodes_phrase({static_cast<std::size_t>(end.address[kNode])}, job);
    if (rank >= devices.ranks.size()) {
        return name;
    }
    const NodeDevices& node = devices.devices_of(devices.rank(end.rank));
    const std::vector<int> nics = used_nics(node);
    return nics.size() < 2 ? name : fmt::format("{}, NIC {}", name, node.nic(nics[end.rail]).name());
}

Finding finding_of(const LinkFault& fault, const MeasuredLinks& links, const TableDocument& table,
                   const CheckedJob& job, const DeviceJob& devices) {
    Finding finding;
    std::set<std::string> names;
    std::set<std::size_t> nodes;
    for (const LinkPlace& place : fault.places) {
        for (std::size_t end = 0; end < links.ends.size(); ++end) {
            if (links.place_of(end, place.first) == place) {
                names.insert(name_of(links.ends[end], place.first, table, job, devices));
                nodes.insert(static_cast<std::size_t>(links.ends[end].address[kNode]));
            }
        }
    }
    const bool is_node = fault.places.back().first == kNode;  // ordered by level
    finding.kind = is_node ? FindingKind::kSlowNode : FindingKind::kSlowUplink;
    finding.nodes.assign(nodes.begin(), nodes.end());
    const char* suspect = names.size() > 1 ? "one of these" : is_node ? "its link or NIC" : "its uplink";
    const std::string own = around_nodes(job, "nodes of its own");
    finding.text = fmt::format(
        "{}: {} of the median to {}{} ({} of {}){}: {}", fmt::join(names, " or "),
        fault.where.is_latency() ? fmt::format("{:.1f} times the latency", 1 / fault.ratio)
                                 : fmt::format("{:.2f}", fault.ratio),
        fault.where.level == kNode && !own.empty() ? own
                                                   : "other " + plural(level_name(fault.where.level)),
        fault.where.is_together() ? ", while its nodes send all at once" : "", fault.num_slow,
        counted(fault.num_pairs, "pair"),
        fault.inside > 0 ? fmt::format(", while inside it is {:.1f}", fault.inside) : "", suspect);
    finding.remedy = "Look at its ports' errors and rates; leave its nodes out until they are right";
    return finding;
}

}  // namespace

std::string link_line(const LinkSummary& links, const CheckedJob& job) {
    return fmt::format("{}: {:.1f} {} (median of {}): {}", subject_of(links.where, job), links.median,
                       links.unit(), counted(links.num_pairs, "pair"), links.answer());
}

Json link_json(const LinkSummary& links) {
    return {{"level", level_name(links.where.level)},
            {"rail", links.where.rail},
            {"is_together", links.where.is_together()},
            {"unit", links.unit()},
            {"median", links.median},
            {"num_pairs", links.num_pairs},
            {"answer", links.answer()}};
}

void find_slow_links(const MeasuredLinks& links, const TableDocument& table, const CheckedJob& job,
                     const DeviceJob& devices, Checked& checked) {
    std::vector<LinkFault> faults;
    checked.links = judge_links(links, faults);
    for (const LinkFault& fault : faults) {
        checked.findings.push_back(finding_of(fault, links, table, job, devices));
    }
    for (const LinkSummary& each : checked.links) {
        if (each.is_noisy) {
            checked.unchecked.push_back(subject_of(each.where, job) +
                                        ": too noisy to tell. Repeat it on idle nodes, or for longer");
        }
    }
    if (checked.links.empty()) {
        checked.unchecked.emplace_back(
            links.pairs.empty() ? "links: all processes are on one node"
                                : "links: no time for three repetitions; give --links more seconds");
    }
}

}  // namespace hitopo::tool
