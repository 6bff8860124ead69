// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The verdict on links, as findings of `hitopo check`.
#include <fmt/format.h>

#include <algorithm>

#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/check/check.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

struct Names {
    const MeasuredLinks& links;
    const TableDocument& table;
    const CheckedJob& job;
    const DeviceJob& devices;

    const LinkEnd& end(int number) const { return links.ends[static_cast<std::size_t>(number)]; }

    // The ends of a place.
    std::vector<LinkEnd> ends_of(const LinkPlace& place) const {
        if (place.first == kNode) {
            return {end(place.second)};
        }
        std::vector<LinkEnd> ends;
        std::copy_if(links.ends.begin(), links.ends.end(), std::back_inserter(ends),
                     [&](const LinkEnd& each) {
                         return each.address[static_cast<std::size_t>(place.first)] == place.second;
                     });
        return ends;
    }

    // "node n7", "node n7, NIC mlx5_3", "switch s3".
    std::string of(const LinkPlace& place) const {
        const LinkEnd first = ends_of(place).front();
        if (place.first < kNode) {
            const auto level = static_cast<std::size_t>(place.first);
            return fmt::format("{} {}", level_name(place.first),
                               table.ranks[static_cast<std::size_t>(first.rank)].names[level].value_or(
                                   std::to_string(place.second)));
        }
        const auto node = static_cast<std::size_t>(first.address[kNode]);
        const bool has_several =
            std::count_if(links.ends.begin(), links.ends.end(), [&](const LinkEnd& each) {
                return each.address[kNode] == first.address[kNode];
            }) > 1;
        if (!has_several) {
            return "node " + job.nodes[node].name;
        }
        const NodeDevices& own = devices.devices_of(devices.rank(first.rank));
        return fmt::format("node {}, NIC {}", job.nodes[node].name,
                           own.nic(used_nics(own)[static_cast<std::size_t>(first.rail)]).name());
    }
};

// The innermost level outside of nodes that all know; kNode: there is none.
Level around_nodes(const CheckedJob& job) {
    for (const Level level : {kSwitch, kIsland, kCluster}) {
        if (job.known[level] == Known::kAll) {
            return level;
        }
    }
    return kNode;
}

// "nodes of its own switch", "other switches".
std::string others_of(const LinkClass& where, const CheckedJob& job) {
    const Level around = around_nodes(job);
    return where.level < kNode ? "other " + plural(level_name(where.level))
           : around == kNode   ? "other nodes"
                               : fmt::format("nodes of its own {}", level_name(around));
}

Finding finding_of(const LinkFault& fault, const Names& names) {
    Finding finding;
    std::string places;
    bool is_node = true, is_uplink = true;
    for (const LinkPlace& place : fault.places) {
        add_item(places, " or ", names.of(place));
        is_node &= place.first == kNode;
        is_uplink &= place.first < kNode;
        for (const LinkEnd& end : names.ends_of(place)) {
            finding.nodes.push_back(static_cast<std::size_t>(end.address[kNode]));
        }
    }
    finding.kind = is_uplink ? FindingKind::kSlowUplink : FindingKind::kSlowNode;
    finding.nodes = distinct(std::move(finding.nodes));
    finding.text =
        fmt::format("{}: {} of the median to {}{} ({} of {} pairs){}: {}", places,
                    fault.where.is_latency ? fmt::format("{:.1f} times the latency", 1 / fault.ratio)
                                           : fmt::format("{:.2f}", fault.ratio),
                    others_of(fault.where, names.job),
                    fault.where.is_together ? ", while its nodes send all at once" : "", fault.num_slow,
                    fault.num_pairs,
                    fault.inside > 0 ? fmt::format(", while inside it is {:.1f}", fault.inside) : "",
                    is_node     ? "its link or NIC"
                    : is_uplink ? "its uplink"
                                : "one of these");
    finding.remedy =
        "Look at the error counters and the rates of its ports; leave its nodes out until they are "
        "right";
    return finding;
}

// "bandwidth between switches", "latency between nodes of one switch, NIC 2 of each".
std::string subject_of(const LinkSummary& links, const CheckedJob& job) {
    const LinkClass& where = links.where;
    const Level around = around_nodes(job);
    return fmt::format(
        "{} between {}{}{}{}", where.is_latency ? "latency" : "bandwidth",
        plural(level_name(where.level)),
        where.level == kNode && around != kNode ? fmt::format(" of one {}", level_name(around)) : "",
        where.is_together ? ", all their nodes at once" : "",
        where.rail > 0 ? fmt::format(", NIC {} of each", where.rail + 1) : "");
}

const char* answer_of(const LinkSummary& links) {
    return links.has_fault ? "fault" : links.is_noisy() ? "too noisy to tell" : "ok";
}

}  // namespace

std::string link_line(const LinkSummary& links, const CheckedJob& job) {
    return fmt::format("{}: {:.1f} {} (median of {}): {}", subject_of(links, job), links.median,
                       links.where.is_latency ? "us" : "MB/s",
                       counted(static_cast<std::size_t>(links.num_pairs), "pair"), answer_of(links));
}

Json link_json(const LinkSummary& links) {
    return {{"level", level_name(links.where.level)},
            {"rail", links.where.rail},
            {"is_together", links.where.is_together},
            {"unit", links.where.is_latency ? "us" : "MB/s"},
            {"median", links.median},
            {"num_pairs", links.num_pairs},
            {"answer", answer_of(links)}};
}

void find_slow_links(const MeasuredLinks& links, const TableDocument& table, const CheckedJob& job,
                     const DeviceJob& devices, Checked& checked) {
    if (links.rounds.empty()) {
        checked.unchecked.emplace_back("links: all processes are on one node");
        return;
    }
    const LinkVerdict verdict = judge_links(links);
    if (verdict.classes.empty()) {
        checked.unchecked.emplace_back(
            "links: there was no time for three repetitions; give --links more seconds");
    }
    for (const LinkFault& fault : verdict.faults) {
        checked.findings.push_back(finding_of(fault, {links, table, job, devices}));
    }
    for (const LinkSummary& each : verdict.classes) {
        if (each.is_noisy()) {
            checked.unchecked.push_back(fmt::format(
                "{}: too noisy to tell: {}. Repeat it on idle nodes, or with more seconds",
                subject_of(each, job),
                each.num_unexplained > 0
                    ? fmt::format("no node or uplink explains {}",
                                  counted(static_cast<std::size_t>(each.num_unexplained), "slow pair"))
                    : "repetitions differ"));
        }
    }
    checked.links = verdict.classes;
}

}  // namespace hitopo::tool
