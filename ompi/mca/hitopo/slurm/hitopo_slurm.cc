// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/slurm/hitopo_slurm.h"

#include "ompi/mca/hitopo/slurm/hitopo_slurm_input.h"
#include "ompi/mca/hitopo/slurm/slurm_addr.h"
#include "ompi/mca/hitopo/support/environment.h"

namespace hitopo {
namespace {

std::string variable(const char* name) { return environment_variable(name).value_or(""); }

SlurmEnvironment read_environment() {
    return {variable("SLURM_TOPOLOGY_ADDR"), variable("SLURM_TOPOLOGY_ADDR_PATTERN"),
            variable("SLURMD_NODENAME"), variable("SLURM_CLUSTER_NAME"), variable("SLURM_JOB_ID")};
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
        return "switch names contain dots, so the island in SLURM_TOPOLOGY_ADDR is ambiguous: " + text;
    }
    return "SLURM_TOPOLOGY_ADDR names no " + std::string(level_name(level)) + ": " + text;
}

void answer_address(const SlurmEnvironment& environment, Reporter& reporter) {
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
    if (!environment.address.empty()) {
        answer_address(environment, reporter);
    } else {
        reporter.reason("SLURM_TOPOLOGY_ADDR is not set" +
                        std::string(environment.job.empty()
                                        ? ": this process is not a task of a Slurm job"
                                        : "; Slurm's topology.conf can be named in hitopo_file_path"));
    }
    answer_cluster(environment.cluster_name, reporter);
}

}  // namespace hitopo

extern "C" int hitopo_slurm_query(const hitopo_report_t* report) {
    return hitopo::report_by(report, [](hitopo::Reporter& reporter) {
        hitopo::answer_slurm(hitopo::read_environment(), reporter);
    });
}
