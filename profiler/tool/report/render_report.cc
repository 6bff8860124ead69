// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/report/comparison.h"
#include "profiler/tool/report/report.h"

namespace hitopo::tool {
namespace {

Rendered render_report_text(const Report& report, const Options& options, Charset charset) {
    std::string text = format_report(report, charset);
    if (!options.side.empty()) {
        const Result<std::string> lanes = format_side_lanes(report.profile, options.side, charset);
        if (!lanes) {
            return {"", error_line(lanes.error())};
        }
        text += *lanes;
    }
    return {std::move(text), ""};
}

}  // namespace

Rendered render_report(Result<Profile> profile, const Options& options, Charset charset) {
    if (!profile) {
        return {"", error_line(profile.error())};
    }
    const Report report(*profile, options.profile);
    switch (options.format) {
        case Format::kHtml:
            return {format_report_page(report), ""};
        case Format::kJson:
            return {format_report_json(report), ""};
        case Format::kCsv:
            return {format_report_csv(report), ""};
        default:
            return render_report_text(report, options, charset);
    }
}

Rendered render_comparison(Result<Profile> a, Result<Profile> b, const Options& options,
                           Charset charset) {
    if (!a || !b) {
        return {"", error_line(a ? b.error() : a.error())};
    }
    const NamedProfile first = {options.profile, std::move(*a)};
    const NamedProfile second = {options.other_profiles.front(), std::move(*b)};
    return {options.format == Format::kHtml ? format_comparison_page(first, second)
                                            : format_comparison(first, second, false, charset),
            ""};
}

}  // namespace hitopo::tool
