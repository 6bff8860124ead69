// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// From the library's JSON texts to what the command writes: pure functions.
#ifndef OMPI_TOOLS_HITOPO_RENDER_H
#define OMPI_TOOLS_HITOPO_RENDER_H

#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/coll_settings.h"
#include "ompi/tools/hitopo/options.h"
#include "ompi/tools/hitopo/report/profile.h"
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

struct Rendered {
    std::string text;         // for the output; may be empty
    std::string error;        // for standard error, without "hitopo: "; empty if all went well
    bool has_faults = false;  // of check: found some; of tune --check: settings that do not fit
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

// `hitopo report`.
Rendered render_report(Result<Profile> profile, const Options& options, Charset charset);

// `hitopo report --compare`, of options.profile and the one of options.other_profiles.
Rendered render_comparison(Result<Profile> a, Result<Profile> b, const Options& options,
                           Charset charset);

// One line for people.
std::string error_line(const Error& error);

}  // namespace hitopo::tool

#endif
