// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/report/report_path.h"

namespace hitopo {
namespace {

constexpr std::size_t kMaxBytes = 64;

// No / among it: a launcher's name for a job leads nowhere else.
std::string as_file_name(std::string_view name) {
    static constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._@+-";
    std::string plain(name.substr(name.size() > kMaxBytes ? name.size() - kMaxBytes : 0));
    for (char& c : plain) {
        c = kPlain.find(c) == std::string_view::npos ? '_' : c;
    }
    return plain;
}

std::string in_utc(std::time_t time) {
    std::tm utc = {};
    char text[32] = "";
    return gmtime_r(&time, &utc) != nullptr &&
                   std::strftime(text, sizeof text, "%Y%m%dT%H%M%S", &utc) > 0
               ? text
               : "";
}

// What % and this letter stand for.
std::string stands_for(char c, const ReportOrigin& origin) {
    switch (c) {
        case 'h':
            return as_file_name(origin.host);
        case 'j':
            return as_file_name(origin.job);
        case 'p':
            return std::to_string(origin.process);
        case 't':
            return in_utc(origin.start);
        default:
            return "%";
    }
}

std::string expand(std::string_view pattern, const ReportOrigin& origin) {
    static constexpr std::string_view kOurs = "hjpt%";
    std::string path;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool is_ours = pattern[i] == '%' && i + 1 < pattern.size() &&
                             kOurs.find(pattern[i + 1]) != std::string_view::npos;
        path += is_ours ? stands_for(pattern[i + 1], origin) : std::string(1, pattern[i]);
        i += is_ours ? 1 : 0;
    }
    return path;
}

}  // namespace

std::string report_path(std::string_view pattern, int snapshot, const ReportOrigin& origin) {
    std::string path = expand(pattern, origin);
    const bool names_job = path != expand(pattern, {origin.host, "", -1, origin.start});
    const std::string suffix = (origin.is_spawned && !names_job ? "." + as_file_name(origin.job) : "") +
                               (snapshot > 0 ? "." + std::to_string(snapshot) : "");
    const std::size_t slash = path.rfind('/');
    const std::size_t dot = path.rfind('.');
    const bool has_ending = dot != std::string::npos && (slash == std::string::npos || dot > slash);
    return path.insert(has_ending ? dot : path.size(), suffix);
}

std::string parts_folder(std::string report) {
    static constexpr std::string_view kSuffix = ".json";
    if (report.size() > kSuffix.size() &&
        report.compare(report.size() - kSuffix.size(), kSuffix.size(), kSuffix) == 0) {
        report.resize(report.size() - kSuffix.size());
    }
    return report + ".parts";
}

}  // namespace hitopo
