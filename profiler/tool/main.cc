// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The program hitopo-profile, which `hitopo report` and `hitopo order` run: it reads files and needs no
// MPI.
#include <fmt/format.h>

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ompi/tools/hitopo/options.h"
#include "ompi/tools/hitopo/program.h"
#include "profiler/tool/hang/hang.h"
#include "profiler/tool/order/order.h"
#include "profiler/tool/report/report.h"

namespace hitopo::tool {
namespace {

int report_several(const Options& options, const std::string& remedy) {
    std::vector<std::string> all = options.other_profiles;
    all.push_back(options.profile);
    report(fmt::format("{} files are given; {} (oldest first):\n{}", all.size(), remedy,
                       listed_by_time(all)));
    return kExitUsage;
}

int run_report(const Options& options, Charset charset) {
    if (options.is_hang) {
        return write(render_hang(options, charset), options);
    }
    if (!options.other_profiles.empty() && !options.compares) {
        return report_several(options, "name one of them, or two with --compare");
    }
    Result<Profile> profile = open_profile(options.profile);
    return write(options.compares
                     ? render_comparison(std::move(profile),
                                         open_profile(options.other_profiles.front()), options, charset)
                     : render_report(std::move(profile), options, charset),
                 options);
}

int run_order(const Options& options) {
    if (!options.other_profiles.empty()) {
        return report_several(options, "name one of them");
    }
    const Result<Ordered> ordered = find_order(options);
    for (const Error& error : ordered ? ordered->skipped : std::vector<Error>()) {
        (void)report(error_line(error));
    }
    if (!ordered) {
        return report(error_line(ordered.error()));
    }
    return write(ordered->file ? Rendered{*ordered->file, "", false, ordered->report}
                               : Rendered{ordered->report, ""},
                 options);
}

int run(const Options& options, Charset charset) {
    if (const std::optional<Error> error = probe_output(options.output)) {
        return report(error_line(*error));
    }
    return options.command == Command::kOrder ? run_order(options) : run_report(options, charset);
}

int run_command(int argc, char** argv) {
    const CommandLine line =
        argc > 1 && is_of_profiler(argv[1])
            ? parse_command_line(argc, argv)
            : CommandLine{{}, "hitopo-profile: use hitopo report or hitopo order.\n", kExitUsage};
    if (!is_first_process()) {  // where it was started as a job, once
        return line.exit_code;
    }
    return line.options ? run(*line.options, terminal_charset()) : print(line);
}

}  // namespace
}  // namespace hitopo::tool

int main(int argc, char** argv) {
    try {
        return hitopo::tool::run_command(argc, argv);
    } catch (const std::exception& error) {
        return hitopo::tool::report(error.what());
    }
}
