// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo select`: which GPUs, NICs and CPUs each rank of a job should have, and what gives them to it.
#ifndef OMPI_TOOLS_HITOPO_SELECT_SELECT_H
#define OMPI_TOOLS_HITOPO_SELECT_SELECT_H

#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/devices/job.h"
#include "ompi/tools/hitopo/document.h"
#include "ompi/tools/hitopo/options.h"
#include "ompi/tools/hitopo/program.h"

namespace hitopo::tool {

// The devices and CPUs of the ranks of nodes of one kind.
struct Selected {
    std::vector<int> ranks;  // those of one of its nodes that has most, by local rank
    std::vector<int> gpus;   // that the job has, as numbers in NodeDevices::gpus
};

struct Selection {
    DeviceJob job;                 // as given, but for what each rank should have
    std::vector<bool> is_rebound;  // by rank: to other CPUs than it has
    std::vector<Selected> kinds;
};

// The error of what `select` cannot do.
inline Error refused(std::string what, std::string remedy) {
    return {Errc::kDisagree, std::move(what), std::move(remedy), ""};
}

// core/machine/plan.h is the rule. The errors, with the remedy: a node without GPU and NIC, GPUs of two
// vendors, GPUs that a rank may not open, ranks whose GPUs are unknown (MIG), and nodes with equal
// devices whose ranks are bound in other ways or have other GPUs.
Result<Selection> select_devices(const DeviceJob& job, const SelectOptions& options);

// POSIX sh, which gives a local rank what it should have, under any launcher. It recognizes nodes by the
// addresses of their GPUs. sees_all: the job's other GPUs of the node, too, behind a rank's own. The
// error: nodes with GPUs at equal addresses and other plans, or a name that is none of a device.
Result<std::string> select_script(const Selection& selection, bool sees_all, const std::string& version);

// All of it: the file in the format of options.select, and beside it what it gives each rank, as `hitopo
// show --devices` will print it, and its use. table: of the job. launcher: for a rankfile.
Rendered render_selection(TableDocument table, const DeviceJob& job, const Options& options,
                          Launcher launcher, Charset charset);

}  // namespace hitopo::tool

#endif
