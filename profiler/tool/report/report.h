// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo report`: the numbers of a profile, and its forms. Names in these are safe (safe_text.h) but
// for JSON, which is ASCII.
#ifndef PROFILER_TOOL_REPORT_REPORT_H
#define PROFILER_TOOL_REPORT_REPORT_H

#include <string>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/options.h"
#include "ompi/tools/hitopo/program.h"
#include "profiler/tool/report/next.h"

namespace hitopo::tool {

// Valid as long as the profile.
struct Report {
    // file: the name that the user gave.
    Report(const Profile& of, const std::string& file)
        : profile(of),
          sums(sum_up(of)),
          waits(who_waits(of, sums)),
          next(what_next(of, sums, waits, file)) {}

    const Profile& profile;
    ProfileSums sums;
    Waits waits;
    Next next;
};

// At most 80 columns, but for words of a command.
std::string format_report(const Report& report, Charset charset);

// One page of HTML (UTF-8) that needs nothing else.
std::string format_report_page(const Report& report);

// docs/json.md, "report".
Json report_document(const Report& report);

// The same as text; and a line for each kind of communicators and lane (UTF-8).
std::string format_report_json(const Report& report);
std::string format_report_csv(const Report& report);

// The section of `hitopo report --side nvlink://Domain`, lanes of a side resource. type: as of a guided
// split, whatever its case. An error, for people: the profile's table has no such type, or it has no
// pairs.
Result<std::string> format_side_lanes(const Profile& profile, const std::string& type, Charset charset);

// All that `hitopo report` writes.
Rendered render_report(Result<Profile> profile, const Options& options, Charset charset);

// `hitopo report --compare`, of options.profile and the one of options.other_profiles.
Rendered render_comparison(Result<Profile> a, Result<Profile> b, const Options& options,
                           Charset charset);

}  // namespace hitopo::tool

#endif
