// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/report/report_path.h"

#include <map>

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

std::string expand(std::string_view pattern, const ReportOrigin& origin) {
    const std::map<char, std::string> stand_for = {{'h', as_file_name(origin.host)},
                                                   {'j', as_file_name(origin.job)},
                                                   {'p', std::to_string(origin.process)},
                                                   {'t', in_utc(origin.start)},
                                                   {'%', "%"}};
    std::string path;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool is_percent = pattern[i] == '%' && i + 1 < pattern.size();
        const auto found = is_percent ? stand_for.find(pattern[i + 1]) : stand_for.end();
        path += found == stand_for.end() ? std::string(1, pattern[i]) : found->second;
        i += found == stand_for.end() ? 0 : 1;
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
