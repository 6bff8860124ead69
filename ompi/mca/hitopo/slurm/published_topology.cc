// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/slurm/published_topology.h"

#include <algorithm>
#include <vector>

#include "ompi/mca/hitopo/core/network/topology_conf.h"
#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

constexpr char kWhyNot = '#';               // begins a comment in a topology.conf
constexpr std::size_t kMaxWhyChars = 1000;  // part of it is a program's output

std::string last_line(std::string_view text) {
    std::string_view last;
    for (const std::string_view line : split(text, '\n')) {
        const std::string_view trimmed = trim(line);
        last = trimmed.empty() ? last : trimmed;
    }
    return std::string(last);
}

std::string because(const std::string& why, const std::string& detail) {
    const std::string separator = why.empty() || detail.empty() ? "" : ": ";
    return make_published_refusal("slurmctld gave no topology: " + why + separator + detail);
}

// Between its two marks; the library may print above the first one only.
Result<std::string> topology_in(const std::string& printed) {
    const std::size_t begin = printed.find(kTopologyBegin);
    const std::size_t end = printed.rfind(kTopologyEnd);
    if (begin == std::string::npos || end == std::string::npos || end < begin) {
        return Error{Errc::kFailed, "", last_line(printed), "", 0, 0};
    }
    const std::size_t first = begin + kTopologyBegin.size();
    return printed.substr(first, end - first);
}

// Slurm prints a list as its file has it: "Nodes=c1, c2 c3". Words without '=' belong to the value
// before.
std::string with_commas(std::string text) {
    constexpr const char* kBlanks = " \t\r\n";
    for (std::size_t blank = 0; (blank = text.find_first_of(kBlanks, blank)) != std::string::npos;) {
        const std::size_t word = std::min(text.find_first_not_of(kBlanks, blank), text.size());
        const std::size_t end = std::min(text.find_first_of(kBlanks, word), text.size());
        if (word < end && text.find('=', word) >= end) {
            std::fill(&text[blank], &text[word], ',');
        }
        blank = end;
    }
    return text;
}

Result<std::string> part_for(const std::string& topology, const std::string& job_nodes) {
    const Result<SwitchTree> tree = parse_topology_conf(with_commas(topology), "slurmctld");
    if (!tree) {
        return tree.error();
    }
    const Result<std::vector<std::string>> nodes = expand_hosts(job_nodes);
    Result<std::string> part = nodes ? tree->print(*nodes) : nodes.error();
    if (!part) {
        return part;
    }
    // All processes get the lines of unknown kinds, to warn of them.
    for (const Error& error : tree->skipped().kept()) {
        *part += error.code == Errc::kSkipped ? error.value + "=\n" : "";
    }
    return part;
}

}  // namespace

std::string make_published_topology(const std::string& printed, const std::string& why_not,
                                    const std::string& job_nodes) {
    if (!why_not.empty()) {
        return because(why_not, last_line(printed));
    }
    const Result<std::string> topology = topology_in(printed);
    if (!topology) {
        return because(topology.error().message, "");
    }
    const Result<std::string> part = part_for(*topology, job_nodes);
    if (!part) {
        return because(part.error().message, part.error().value);
    }
    if (part->size() > kMaxPublishedBytes) {
        return because(
            "the topology of the job's nodes has more than 64 KiB; name Slurm's topology.conf in "
            "hitopo_file_path",
            "");
    }
    return part->empty() ? because("it has no switch for the job's nodes", "") : *part;
}

std::string make_published_refusal(const std::string& why) {
    return kWhyNot + shortened(safe(why, Charset::kUtf8), kMaxWhyChars);
}

Result<SwitchTree> read_published_topology(const std::string& published) {
    if (!published.empty() && published.front() == kWhyNot) {
        return Error{Errc::kFailed, "", published.substr(1), "", 0, 0};
    }
    return parse_topology_conf(published, "slurmctld");
}

}  // namespace hitopo
