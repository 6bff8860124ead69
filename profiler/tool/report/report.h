// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo report`: the numbers of a profile, and its forms. Names in these are safe (safe_text.h) but
// for JSON, which is ASCII.
#ifndef PROFILER_TOOL_REPORT_REPORT_H
#define PROFILER_TOOL_REPORT_REPORT_H

#include <string>

#include "profiler/tool/profile/profile_sums.h"
#include "profiler/tool/report/next.h"
#include "profiler/tool/report/waits.h"

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

}  // namespace hitopo::tool

#endif
