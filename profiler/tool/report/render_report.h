// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// From profiles to what `hitopo report` writes: pure functions.
#ifndef PROFILER_TOOL_REPORT_RENDER_REPORT_H
#define PROFILER_TOOL_REPORT_RENDER_REPORT_H

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/options.h"
#include "ompi/tools/hitopo/program.h"
#include "profiler/tool/profile/profile.h"

namespace hitopo::tool {

// `hitopo report`.
Rendered render_report(Result<Profile> profile, const Options& options, Charset charset);

// `hitopo report --compare`, of options.profile and the one of options.other_profiles.
Rendered render_comparison(Result<Profile> a, Result<Profile> b, const Options& options,
                           Charset charset);

}  // namespace hitopo::tool

#endif
