// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Occurrences become findings: equal ones one line.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/tools/hitopo/check/check.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

constexpr std::size_t kMaxFindingsOfKind = 4;

// What occurrences of one finding have in common.
struct Group {
    std::vector<const Occurrence*> members;
    int least_count = 0, most_count = 0;
    int least_of = 0, most_of = 0;
    bool has_room = true;        // each node has as many CPUs as `count`, as far as is known
    bool has_all = true;         // it is about all processes of each node
    bool is_restricted = false;  // a cpuset leaves them a part of some node
};

struct Words {
    std::string text;
    std::string remedy;
};

std::string range(int least, int most) {
    return least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
}

template <class T>
void sort_unique(std::vector<T>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

void add(Group& group, const Occurrence& occurrence, const Placement& placement) {
    const CheckedMachine* machine = placement.nodes[occurrence.node].machine;
    group.has_room &= machine == nullptr || machine->cpus.count() >= occurrence.count;
    group.has_all &= placement.nodes[occurrence.node].ranks.size() == occurrence.ranks.size();
    group.is_restricted |= machine != nullptr && machine->is_restricted;
    const bool is_first = group.members.empty();
    group.members.push_back(&occurrence);
    group.least_count = is_first ? occurrence.count : std::min(group.least_count, occurrence.count);
    group.most_count = std::max(group.most_count, occurrence.count);
    group.least_of = is_first ? occurrence.of : std::min(group.least_of, occurrence.of);
    group.most_of = std::max(group.most_of, occurrence.of);
}

// ", CPU 0 of node n1", ", 4 times on 2 nodes (n[1-2])".
std::string places(const Group& group, const std::string& nodes) {
    const std::string& where = group.members.front()->where;
    if (group.members.size() > 1) {
        return fmt::format(", {} times on {}", group.members.size(), nodes);
    }
    return where.empty() ? fmt::format(", on {}", nodes) : fmt::format(", {} of {}", where, nodes);
}

// "0.5", "2": of thousandths.
std::string cpus_of(int least_milli, int most_milli) {
    const std::string least = fmt::format("{:g}", least_milli / 1000.0);
    return least_milli == most_milli ? least : fmt::format("{} to {:g}", least, most_milli / 1000.0);
}

Words words_of(FindingKind kind, const Group& group, const std::string& nodes) {
    const std::string count = range(group.least_count, group.most_count);
    const std::string of = range(group.least_of, group.most_of);
    const char* s = group.most_of == 1 ? "" : "s";
    switch (kind) {
        case FindingKind::kOverloadedNode:
            return group.is_restricted
                       ? Words{fmt::format(
                                   "{} processes run on a node whose cpuset leaves them {} CPU{}: {}",
                                   count, of, s, nodes),
                               "Request more CPUs for the job, or start fewer processes per node"}
                       : Words{
                             fmt::format("{} processes run on a node of {} CPUs: {}", count, of, nodes),
                             "Start fewer processes per node, or use more nodes"};
        case FindingKind::kQuota:
            return {fmt::format("{} a quota of {} CPUs (cgroup), on {}",
                                group.most_count == 1 ? "1 process has" : count + " processes share",
                                cpus_of(group.least_of, group.most_of), nodes),
                    "Request a CPU for each process (Kubernetes: limits.cpu), or start fewer processes: "
                    "the system stops all of them whenever the quota is used up"};
        case FindingKind::kSharedCore:
            return {fmt::format("{} processes are bound to one core{}", count, places(group, nodes)),
                    std::string("Bind each to its own core: --map-by core --bind-to core") +
                        (group.has_all ? "; if taskset, a container or the batch system restricts all "
                                         "of them to this core, request more CPUs there"
                                       : "")};
        case FindingKind::kSharedCpus:
            return {fmt::format("{} processes share {} CPUs{}", count, of, places(group, nodes)),
                    "Spread them: --map-by core --bind-to core; or request more CPUs for the job"};
        case FindingKind::kUnbound:
            return {fmt::format("may run on all {} CPUs of a node while others are bound, on {}", count,
                                nodes),
                    "Bind these too: --bind-to core, or --bind-to socket for processes with threads"};
        case FindingKind::kSeveralSockets:
            return {fmt::format("may run on {} sockets while others are bound, on {}", count, nodes),
                    "Bind each within one socket: --bind-to core or socket, or --map-by socket:PE=N for "
                    "N threads"};
        case FindingKind::kThreads:
            return {fmt::format("OMP_NUM_THREADS is {}, but a process has {} CPU{}, on {}", count, of, s,
                                nodes),
                    fmt::format("Set it to {}", group.least_of) +
                        (group.has_room ? fmt::format(", or bind each to as many CPUs: --map-by "
                                                      "slot:PE={} --bind-to core",
                                                      group.most_count)
                                        : "")};
        case FindingKind::kSharedThreads:
            return {
                fmt::format("OMP_NUM_THREADS gives them {} threads together, and they share {} CPUs{}",
                            count, of, places(group, nodes)),
                "Set it lower, or start fewer processes per node, each bound to its own CPUs: "
                "--map-by slot:PE=N --bind-to core for N threads"};
        case FindingKind::kQuotaThreads:
            return {
                fmt::format("OMP_NUM_THREADS gives them {} threads together, and they have a quota of "
                            "{} CPUs (cgroup), on {}",
                            count, cpus_of(group.least_of, group.most_of), nodes),
                "Set it lower, or request more CPUs (Kubernetes: limits.cpu)"};
        case FindingKind::kHwThreads:
            return {fmt::format("{} processes run on hardware threads of one core{}, while {} core{} of "
                                "its node {} free",
                                count, places(group, nodes), of, s, group.most_of == 1 ? "is" : "are"),
                    "If the job has these cores, give each process one: --map-by core --bind-to core"};
        case FindingKind::kOneSocket:
            return {fmt::format("run on one socket of {}, and no process runs on the others, on {}",
                                count, nodes),
                    "If the job has the whole node, use the memory of all sockets: --map-by socket "
                    "--bind-to core"};
        default:  // kAcrossSockets; others are about nodes
            return {fmt::format("may run on {} sockets, on {}", count, nodes),
                    "Bind each near its memory: --bind-to core, or --bind-to socket for processes with "
                    "threads"};
    }
}

Finding to_finding(FindingKind kind, const Group& group, const Placement& placement) {
    Finding finding;
    finding.kind = kind;
    for (const Occurrence* occurrence : group.members) {
        finding.ranks.insert(finding.ranks.end(), occurrence->ranks.begin(), occurrence->ranks.end());
        finding.nodes.push_back(occurrence->node);
    }
    sort_unique(finding.ranks);
    sort_unique(finding.nodes);
    const Words words = words_of(kind, group, nodes_phrase(finding.nodes, placement));
    finding.text = words.text;
    finding.remedy = words.remedy;
    return finding;
}

using Groups = std::map<std::pair<int, int>, Group>;  // by the figures

Groups joined(const Groups& groups, const Placement& placement) {
    Groups all;
    for (const auto& [figures, group] : groups) {
        for (const Occurrence* occurrence : group.members) {
            add(all[{0, 0}], *occurrence, placement);
        }
    }
    return all;
}

// A list of hosts in some 60 columns: "n[1,3,..]", "a1,b[2-3],..".
std::string cut_hosts(const std::string& hosts) {
    std::size_t end = 0;
    bool is_inside = false;
    bool ends_inside = false;
    for (std::size_t i = 0; i < hosts.size() && i <= kMaxListChars; ++i) {
        is_inside = hosts[i] == '[' || (is_inside && hosts[i] != ']');
        if (hosts[i] == ',') {
            end = i;
            ends_inside = is_inside;
        }
    }
    const std::string rest = ends_inside ? "..]" : "..";
    return end == 0 ? rest : hosts.substr(0, end + 1) + rest;
}

}  // namespace

std::string nodes_phrase(const std::vector<std::size_t>& nodes, const Placement& placement) {
    if (nodes.size() == 1) {
        return "node " + placement.nodes[nodes.front()].name;
    }
    std::vector<std::string> names;
    names.reserve(nodes.size());
    for (const std::size_t node : nodes) {
        names.push_back(placement.nodes[node].name);
    }
    const std::string hosts = compress_hosts(std::move(names));
    return fmt::format("{} ({})", counted(nodes.size(), "node"),
                       hosts.size() > kMaxListChars ? cut_hosts(hosts) : hosts);
}

std::vector<Finding> to_findings(const std::vector<Occurrence>& occurrences,
                                 const Placement& placement) {
    std::map<FindingKind, Groups> kinds;
    for (const Occurrence& occurrence : occurrences) {
        add(kinds[occurrence.kind][{occurrence.count, occurrence.of}], occurrence, placement);
    }
    std::vector<Finding> findings;
    for (const auto& [kind, groups] : kinds) {
        for (const auto& [figures, group] :
             groups.size() > kMaxFindingsOfKind ? joined(groups, placement) : groups) {
            findings.push_back(to_finding(kind, group, placement));
        }
    }
    return findings;
}

}  // namespace hitopo::tool
