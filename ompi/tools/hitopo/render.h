// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Makes the output of a command from the library's JSON texts: pure functions.
#ifndef OMPI_TOOLS_HITOPO_RENDER_H
#define OMPI_TOOLS_HITOPO_RENDER_H

#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/links/links.h"
#include "ompi/tools/hitopo/options.h"
#include "ompi/tools/hitopo/program.h"
#include "ompi/tools/hitopo/tune/tuning.h"

namespace hitopo::tool {

// The texts that rank 0 has when all communication is over.
struct Documents {
    std::optional<std::string> table;
    std::string reason;                  // the obstacle, if there is no table
    std::vector<std::string> processes;  // of each rank, "" if it has none; empty without --why
    std::optional<std::string> framework = std::nullopt;  // with --collectives, of info and tune
    std::optional<Tuning> tuning = std::nullopt;          // of tune, where there is a table
    std::vector<int> threads = {};                        // of check: omp_threads() of each rank
    // With --devices, of check and select: of each rank that is the lowest of its node the library's
    // document, and of each rank to_text(OwnDevices).
    std::vector<std::string> devices = {};
    std::vector<std::string> own_devices = {};
    MeasuredLinks links = {};              // with --links, of check
    std::vector<std::string> limits = {};  // of check and show: to_text(CpuLimits) of each rank
};

// The output of the subcommands. is_check: with --check. launcher: of the rankfile.
Rendered render_show(const Documents& documents, const Options& options, Charset charset);
Rendered render_info(const Documents& documents, const Options& options, Charset charset);
// Text of render_info() with a line before it that says whether HiTopo is on in this job.
Rendered with_state(Rendered info, const Documents& documents, const Options& options);
Rendered render_tune(const Documents& documents, bool is_check);
Rendered render_select(const Documents& documents, const Options& options, Launcher launcher,
                       Charset charset);
Rendered render_check(const Documents& documents, const Options& options, Charset charset);

// As far as they can be read; else a table without ranks, a framework without variables.
TableDocument table_in(const Documents& documents);
FrameworkDocument framework_in(const Documents& documents);

}  // namespace hitopo::tool

#endif
