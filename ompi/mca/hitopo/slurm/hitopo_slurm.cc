// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/slurm/hitopo_slurm.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "ompi/mca/hitopo/core/address/answer.h"
#include "ompi/mca/hitopo/core/network/slurm_components.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/slurm/published_topology.h"
#include "ompi/mca/hitopo/slurm/slurm_addr.h"
#include "ompi/mca/hitopo/support/environment.h"
#include "ompi/mca/hitopo/support/helper_process.h"

namespace hitopo {
namespace {

// Slurm's variables; empty where unset.
struct SlurmEnvironment {
    std::string address;       // SLURM_TOPOLOGY_ADDR
    std::string pattern;       // SLURM_TOPOLOGY_ADDR_PATTERN
    std::string node_name;     // SLURMD_NODENAME
    std::string cluster_name;  // SLURM_CLUSTER_NAME
    std::string job;           // SLURM_JOB_ID
    std::string job_nodes;     // SLURM_JOB_NODELIST, of all components of the job
};

std::string variable(const char* name) { return environment_variable(name).value_or(""); }

SlurmEnvironment read_environment() {
    return {variable("SLURM_TOPOLOGY_ADDR"), variable("SLURM_TOPOLOGY_ADDR_PATTERN"),
            variable("SLURMD_NODENAME"),     variable("SLURM_CLUSTER_NAME"),
            variable("SLURM_JOB_ID"),        slurm_job_nodes(environment_variable)};
}

void answer_cluster(const std::string& name, Answer& answer) {
    if (name.empty()) {
        answer.reasons[kCluster] = "SLURM_CLUSTER_NAME is not set";
    } else {
        answer.set(kCluster, Name(name), "SLURM_CLUSTER_NAME is " + name);
    }
}

std::string reason_for(Level level, const SlurmAddress& address, const std::string& text) {
    if (address.levels[level]) {
        return "SLURM_TOPOLOGY_ADDR is " + text;
    }
    if (level == kIsland && address.is_ambiguous) {
        return "switch names contain dots, so the island in SLURM_TOPOLOGY_ADDR is ambiguous: " + text;
    }
    return "SLURM_TOPOLOGY_ADDR names no " + std::string(level_name(level)) + ": " + text;
}

// The node under Slurm's name for it, or another one.
std::optional<SwitchAddress> find_node(const SwitchTree& tree, const std::string& slurm_name,
                                       std::vector<std::string> names, std::string& found) {
    names.insert(names.begin(), slurm_name);
    for (const std::string& name : names) {
        std::optional<SwitchAddress> place = name.empty() ? std::nullopt : tree.find(name);
        if (place) {
            found = name;
            return place;
        }
    }
    return std::nullopt;
}

// published: the text that the process that asked slurmctld published; NULL if none asked.
void answer_published(const SlurmEnvironment& environment, const char* published,
                      const Question& question, Answer& answer) {
    const std::string missing = "SLURM_TOPOLOGY_ADDR is not set";
    if (published == nullptr) {
        answer.reason = missing + ", and rank 0 is not in a Slurm job";
        return;
    }
    const Result<SwitchTree> tree = read_published_topology(published);
    if (!tree) {
        answer.reason = missing + ", and " + tree.error().message;
        return;
    }
    if (const std::optional<Error> skipped = tree->skipped().as_one()) {
        answer.fail(*skipped);
    }
    std::string node;
    const auto place = find_node(*tree, environment.node_name, question.node_names, node);
    if (!place) {
        answer.reason = missing + ", and the topology of slurmctld has no node " + question.host_name;
        return;
    }
    answer.values = place->levels;
    answer.values[kNode] = Name(node);
    for (const Level level : {kIsland, kSwitch, kNode}) {
        answer.reasons[level] =
            answer.values[level] ? "from slurmctld, by rank 0" : "the topology of slurmctld has none";
    }
}

void answer_address(const SlurmEnvironment& environment, const Question& question, Answer& answer) {
    const Result<SlurmAddress> address = parse_slurm_address(
        {environment.address, environment.pattern, environment.node_name, question.host_name});
    if (!address) {
        answer.fail(address.error());
        return;
    }
    if (address->is_ambiguous && question.asks_for_node && !question.is_known[kIsland]) {
        answer.fail({Errc::kSkipped, environment.address,
                     "switch names contain dots, so it is unknown which part is the island; rename the "
                     "switches, or name Slurm's topology.conf in hitopo_file_path",
                     "SLURM_TOPOLOGY_ADDR", 0, 0});
    }
    answer.values = address->levels;
    for (const Level level : {kIsland, kSwitch, kNode}) {
        answer.reasons[level] = reason_for(level, *address, environment.address);
    }
}

void answer_slurm(hitopo_slurm_published_fn_t published, const Question& question, Answer& answer) {
    const SlurmEnvironment environment = read_environment();
    if (!environment.address.empty()) {
        answer_address(environment, question, answer);
    } else if (environment.job.empty()) {
        answer.reason = "SLURM_TOPOLOGY_ADDR is not set: this process is not a task of a Slurm job";
    } else {
        const std::unique_ptr<char, void (*)(void*)> text(published(), std::free);
        answer_published(environment, text.get(), question, answer);
    }
    answer_cluster(environment.cluster_name, answer);
}

// A Slurm job always has a text, even if that only has the reason why no process asked.
std::optional<std::string> ask_slurm(const std::string& program, int timeout_ms) {
    const SlurmEnvironment environment = read_environment();
    if (environment.job.empty()) {
        return std::nullopt;
    }
    if (!environment.address.empty()) {
        return make_published_refusal("rank 0 did not ask slurmctld: it has SLURM_TOPOLOGY_ADDR");
    }
    if (timeout_ms <= 0) {
        return make_published_refusal("rank 0 did not ask slurmctld: hitopo_slurm_timeout_ms is 0");
    }
    if (program.empty()) {
        return make_published_refusal("HiTopo was built without Slurm's headers (libslurm-dev)");
    }
    // Slurm's library ends the process that calls it where it finds no slurm.conf, after a minute of
    // trying.
    const Printed printed = HelperProcess({program}, timeout_ms, true).read(timeout_ms);
    return make_published_topology(
        printed.text, printed.why_not + (printed.is_late ? " (hitopo_slurm_timeout_ms)" : ""),
        environment.job_nodes);
}

}  // namespace
}  // namespace hitopo

extern "C" char* hitopo_slurm_ask(const char* program, int timeout_ms) {
    char* copy = nullptr;
    (void)hitopo::guarded([&] {
        const std::optional<std::string> text = hitopo::ask_slurm(program, timeout_ms);
        copy = text ? ::strdup(text->c_str()) : nullptr;
    });
    return copy;
}

extern "C" int hitopo_slurm_query(hitopo_slurm_published_fn_t published,
                                  const hitopo_question_t* question, hitopo_answer_t* answer) {
    return hitopo::guarded([=] { hitopo::answer_slurm(published, *question, *answer); });
}
