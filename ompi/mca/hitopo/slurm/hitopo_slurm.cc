// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/slurm/hitopo_slurm.h"

#include <cstdlib>

#include "ompi/mca/hitopo/core/guard.h"
#include "ompi/mca/hitopo/core/slurm_addr.h"
#include "ompi/mca/hitopo/slurm/hitopo_slurm_input.h"

namespace hitopo {
namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

SlurmEnvironment read_environment() {
    return {variable("SLURM_TOPOLOGY_ADDR"), variable("SLURM_TOPOLOGY_ADDR_PATTERN"),
            variable("SLURMD_NODENAME"), variable("SLURM_CLUSTER_NAME")};
}

void answer_cluster(const std::string& name, Reporter& reporter) {
    if (name.empty()) {
        reporter.reason(kCluster, "SLURM_CLUSTER_NAME is not set");
        return;
    }
    reporter.value(kCluster, Name(name));
    reporter.reason(kCluster, "SLURM_CLUSTER_NAME is " + name);
}

std::string reason_for(Level level, const SlurmAddress& address, const std::string& text) {
    if (address.levels[level]) {
        return "SLURM_TOPOLOGY_ADDR is " + text;
    }
    if (level == kIsland && address.is_ambiguous) {
        return "switch names with dots in SLURM_TOPOLOGY_ADDR hide which is the island: " + text;
    }
    return "SLURM_TOPOLOGY_ADDR names no " + std::string(level_name(level)) + ": " + text;
}

void answer_address(const SlurmEnvironment& environment, Reporter& reporter) {
    if (environment.address.empty()) {
        reporter.reason("SLURM_TOPOLOGY_ADDR is not set: this is no task of a Slurm job");
        return;
    }
    const Result<SlurmAddress> address = parse_slurm_address(
        {environment.address, environment.pattern, environment.node_name, reporter.host_name()});
    if (!address) {
        reporter.error(address.error());
        return;
    }
    reporter.values(address->levels);
    for (const Level level : {kIsland, kSwitch, kNode}) {
        reporter.reason(level, reason_for(level, *address, environment.address));
    }
}

}  // namespace

void answer_slurm(const SlurmEnvironment& environment, Reporter& reporter) {
    answer_address(environment, reporter);
    answer_cluster(environment.cluster_name, reporter);
}

}  // namespace hitopo

extern "C" int hitopo_slurm_query(const hitopo_report_t* report) {
    return hitopo::guarded([report] {
        hitopo::Reporter reporter(report);
        hitopo::answer_slurm(hitopo::read_environment(), reporter);
        return reporter.status();
    });
}
