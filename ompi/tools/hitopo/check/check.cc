// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// All rules, one after the other, and their findings, as text and as JSON.
#include "ompi/tools/hitopo/check/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

// ---- findings of equal occurrences ----

constexpr std::size_t kMaxFindingsOfKind = 4;

// "2", "2 to 3": the least and the greatest of some figures; milli: of thousandths.
struct Range {
    int least = std::numeric_limits<int>::max(), most = 0;

    void add(int figure) {
        least = std::min(least, figure);
        most = std::max(most, figure);
    }
    std::string text() const { return joined(std::to_string(least), std::to_string(most)); }
    std::string milli_text() const {
        return joined(fmt::format("{:g}", least / 1000.0), fmt::format("{:g}", most / 1000.0));
    }

private:
    std::string joined(const std::string& from, const std::string& to) const {
        return least == most ? from : from + " to " + to;
    }
};

// Occurrences of one finding.
struct Group {
    Finding finding;  // without its text
    std::size_t num = 0;
    std::string where;  // if there is one
    Range count, of;
    bool has_room = true;        // each node has as many CPUs as `count`, as far as is known
    bool has_all = true;         // it is about all processes of each node
    bool is_restricted = false;  // a cpuset leaves them a part of some node
};

void add(Group& group, const Occurrence& occurrence, const CheckedJob& job) {
    const CheckedNode& node = job.nodes[occurrence.node];
    group.has_room &= node.machine == nullptr || node.machine->cpus.count() >= occurrence.count;
    group.has_all &= node.ranks.size() == occurrence.ranks.size();
    group.is_restricted |= node.machine != nullptr && node.machine->is_restricted;
    ++group.num;
    group.where = occurrence.where;
    group.count.add(occurrence.count);
    group.of.add(occurrence.of);
    Finding& finding = group.finding;
    finding.kind = occurrence.kind;
    finding.ranks.insert(finding.ranks.end(), occurrence.ranks.begin(), occurrence.ranks.end());
    finding.nodes.push_back(occurrence.node);
}

// ", CPU 0 of node n1", ", 4 times on 2 nodes (n[1-2])".
std::string places(const Group& group, const std::string& nodes) {
    return group.num > 1         ? fmt::format(", {} times on {}", group.num, nodes)
           : group.where.empty() ? fmt::format(", on {}", nodes)
                                 : fmt::format(", {} of {}", group.where, nodes);
}

struct Words {
    std::string text;
    std::string remedy;
};

Words words_of(const Group& group, const std::string& nodes) {
    const std::string count = group.count.text(), of = group.of.text();
    const char* s = group.of.most == 1 ? "" : "s";
    switch (group.finding.kind) {
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
                                group.count.most == 1 ? "1 process has" : count + " processes share",
                                group.of.milli_text(), nodes),
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
                    fmt::format("Set it to {}", group.of.least) +
                        (group.has_room ? fmt::format(", or bind each to as many CPUs: --map-by "
                                                      "slot:PE={} --bind-to core",
                                                      group.count.most)
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
                            count, group.of.milli_text(), nodes),
                "Set it lower, or request more CPUs (Kubernetes: limits.cpu)"};
        case FindingKind::kHwThreads:
            return {fmt::format("{} processes run on hardware threads of one core{}, while {} core{} of "
                                "its node {} free",
                                count, places(group, nodes), of, s, group.of.most == 1 ? "is" : "are"),
                    "If the job has these cores, give each process one: --map-by core --bind-to core"};
        case FindingKind::kOneSocket:
            return {fmt::format("run on one socket of {}, and leave the other{} idle, on {}", count,
                                group.count.most == 2 ? "" : "s", nodes),
                    "If the job has the whole node, use the memory of all sockets: --map-by socket "
                    "--bind-to core"};
        default:  // kAcrossSockets; others are about nodes
            return {fmt::format("may run on {} sockets, on {}", count, nodes),
                    "Bind each near its memory: --bind-to core, or --bind-to socket for processes with "
                    "threads"};
    }
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

// ---- what is printed ----

std::size_t num_faults(const Checked& checked) {
    return static_cast<std::size_t>(
        std::count_if(checked.findings.begin(), checked.findings.end(),
                      [](const Finding& finding) { return !finding.is_remark; }));
}

}  // namespace

std::string nodes_phrase(const std::vector<std::size_t>& nodes, const CheckedJob& job) {
    if (nodes.size() == 1) {
        return "node " + job.nodes[nodes.front()].name;
    }
    std::vector<std::string> names;
    names.reserve(nodes.size());
    for (const std::size_t node : nodes) {
        names.push_back(job.nodes[node].name);
    }
    const std::string hosts = compress_hosts(std::move(names));
    return fmt::format("{} ({})", counted(nodes.size(), "node"),
                       hosts.size() > kMaxListChars ? cut_hosts(hosts) : hosts);
}

std::vector<Finding> to_findings(const std::vector<Occurrence>& occurrences, const CheckedJob& job) {
    using Figures = std::pair<int, int>;
    std::map<FindingKind, std::set<Figures>> figures;
    for (const Occurrence& each : occurrences) {
        figures[each.kind].emplace(each.count, each.of);
    }
    std::map<std::pair<FindingKind, Figures>, Group> groups;
    for (const Occurrence& each : occurrences) {
        const bool are_many = figures[each.kind].size() > kMaxFindingsOfKind;
        add(groups[{each.kind, are_many ? Figures() : Figures(each.count, each.of)}], each, job);
    }
    std::vector<Finding> findings;
    for (auto& [key, group] : groups) {
        Finding& finding = group.finding;
        finding.ranks = distinct(std::move(finding.ranks));
        finding.nodes = distinct(std::move(finding.nodes));
        Words words = words_of(group, nodes_phrase(finding.nodes, job));
        finding.text = std::move(words.text);
        finding.remedy = std::move(words.remedy);
        findings.push_back(std::move(finding));
    }
    return findings;
}

std::string_view kind_name(FindingKind kind) {
    constexpr std::string_view kNames[] = {
        "overloaded-node", "quota",       "shared-core",    "shared-cpus",      "unbound",
        "several-sockets", "threads",     "shared-threads", "quota-threads",    "level",
        "required",        "unknown-gpu", "far-gpu",        "shared-gpu",       "far-nic",
        "unknown-nic",     "slow-node",   "slow-uplink",    "hardware-threads", "one-socket",
        "across-sockets",  "load",        "order",          "no-switch",        "gpu-nic-apart",
        "gpu-cpus",        "idle-gpu",    "nic-down",       "gpu-order",        "hidden-peers"};
    return kNames[static_cast<std::size_t>(kind)];
}

Checked check_job(const CheckedJob& job, bool uses_openmp, const DeviceJob& devices, GpuUse use,
                  Checked more) {
    std::vector<Occurrence> occurrences;
    find_sharing(job, occurrences);
    find_unbound(job, occurrences);
    Checked checked{to_findings(occurrences, job), find_unchecked(job), std::move(more.links)};
    find_levels(job, checked.findings);
    find_no_switch(job, checked.findings);
    find_load(job, checked.findings);
    find_order(job, checked.findings);
    find_devices(devices, job, use, checked);
    std::move(more.findings.begin(), more.findings.end(), std::back_inserter(checked.findings));
    std::move(more.unchecked.begin(), more.unchecked.end(), std::back_inserter(checked.unchecked));
    bool has_threads = false;
    for (Finding& finding : checked.findings) {
        const bool is_about_threads = finding.kind == FindingKind::kThreads ||
                                      finding.kind == FindingKind::kSharedThreads ||
                                      finding.kind == FindingKind::kQuotaThreads;
        has_threads |= is_about_threads;
        finding.is_remark |=
            finding.kind >= FindingKind::kHwThreads || (!uses_openmp && is_about_threads);
    }
    std::stable_sort(checked.findings.begin(), checked.findings.end(),
                     [](const Finding& a, const Finding& b) {
                         return std::pair(a.is_remark, a.kind) < std::pair(b.is_remark, b.kind);
                     });
    if (has_threads && !uses_openmp) {
        checked.unchecked.emplace_back(
            "whether the program uses OpenMP; add --openmp if it does, and too many threads are a "
            "fault");
    }
    return checked;
}

bool has_faults(const Checked& checked) { return num_faults(checked) > 0; }

std::string format_check(const Checked& checked, const CheckedJob& job, Charset charset) {
    const std::size_t faults = num_faults(checked);
    const std::size_t remarks = checked.findings.size() - faults;
    std::string text = fmt::format("{}: {}{}\n", fmt::join(job.counts, ", "),
                                   faults == 0 ? "no faults" : counted(faults, "fault"),
                                   remarks == 0 ? "" : ", " + counted(remarks, "remark"));
    for (const Finding& finding : checked.findings) {
        const std::string subject = finding.ranks.empty() ? "" : ranks_phrase(finding.ranks) + ": ";
        const std::string line = fmt::format("{}: {}{}. {}.", finding.is_remark ? "remark" : "fault",
                                             subject, finding.text, finding.remedy);
        text += safe(line, charset) + '\n';
    }
    for (const LinkSummary& links : checked.links) {
        text += link_line(links, job) + '\n';
    }
    for (const std::string& unchecked : checked.unchecked) {
        text += safe("not checked: " + unchecked, charset) + ".\n";
    }
    return text;
}

Json check_document(const Checked& checked, const CheckedJob& job, const std::string& version) {
    const std::size_t faults = num_faults(checked);
    Json findings = Json::array();
    for (const Finding& finding : checked.findings) {
        Json nodes = Json::array();
        for (const std::size_t node : finding.nodes) {
            nodes.push_back(job.nodes[node].name);
        }
        findings.push_back({{"kind", kind_name(finding.kind)},
                            {"is_fault", !finding.is_remark},
                            {"ranks", number_list(finding.ranks, std::string::npos)},
                            {"num_ranks", finding.ranks.size()},
                            {"nodes", nodes},
                            {"text", finding.text},
                            {"remedy", finding.remedy}});
    }
    Json document = {{"hitopo", version},
                     {"schema", kSchema},
                     {"document", "check"},
                     {"communicator", "MPI_COMM_WORLD"},
                     {"size", job.processes.size()},
                     {"num_nodes", job.nodes.size()},
                     {"num_faults", faults},
                     {"num_remarks", checked.findings.size() - faults},
                     {"findings", findings},
                     {"unchecked", checked.unchecked}};
    for (const LinkSummary& links : checked.links) {
        document["links"].push_back(link_json(links));
    }
    return document;
}

}  // namespace hitopo::tool
