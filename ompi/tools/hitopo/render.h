// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// From the library's JSON texts to what the command writes: pure functions.
#ifndef OMPI_TOOLS_HITOPO_RENDER_H
#define OMPI_TOOLS_HITOPO_RENDER_H

#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/coll_settings.h"
#include "ompi/tools/hitopo/options.h"
#include "ompi/tools/hitopo/program.h"
#include "ompi/tools/hitopo/tune/tuning.h"

namespace hitopo::tool {

// What rank 0 has got when all communication is over.
struct Documents {
    std::optional<std::string> table;
    std::string reason;                  // why there is no table
    std::vector<std::string> processes;  // of each rank, "" if it has none; empty without --why
    std::optional<std::string> framework = std::nullopt;  // with --collectives, and of tune
    std::optional<Tuning> tuning = std::nullopt;          // of tune, where there is a table
    std::vector<int> threads = {};                        // of check: omp_threads() of each rank
    std::vector<std::string> limits = {};  // of check and show: to_text(CpuLimits) of each rank
};

// `hitopo show`.
Rendered render_show(const Documents& documents, const Options& options, Charset charset);

// `hitopo info`.
Rendered render_info(const std::optional<std::string>& framework, const Options& options,
                     Charset charset);

// `hitopo tune`. is_check: with --check.
Rendered render_tune(const Documents& documents, bool is_check);

// `hitopo check`.
Rendered render_check(const Documents& documents, const Options& options, Charset charset);

// What the variables and the table say, as far as they can be read.
CollSettings settings_in(const Documents& documents);
std::vector<std::int32_t> addresses_in(const Documents& documents);

}  // namespace hitopo::tool

#endif
