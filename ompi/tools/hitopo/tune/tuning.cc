// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/tune/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ompi/mca/coll/hitopo/core/links.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

constexpr double kBarColumns = 30;

std::string bar(double us, double longest_us, char mark) {
    const double columns = longest_us > 0 ? us / longest_us * kBarColumns : 0;
    return std::string(static_cast<std::size_t>(std::lround(columns)), mark);
}

std::string timings_text(const std::vector<Timing>& timings) {
    std::vector<std::vector<std::string>> rows = {{"", "bytes", "measured", "expected", "us"}};
    for (const Timing& timing : timings) {
        const double longest = std::max(timing.measured_us, timing.expected_us);
        rows.push_back({timing.collective, pad_left(std::to_string(timing.bytes), 8),
                        pad_left(fmt::format("{:.0f}", timing.measured_us), 8),
                        pad_left(fmt::format("{:.0f}", timing.expected_us), 8),
                        bar(timing.measured_us, longest, '#')});
        rows.push_back({"", "", "", "", bar(timing.expected_us, longest, '-')});
    }
    return aligned(rows, "  ");
}

const char* served_how(const Tuning& tuning) {
    if (tuning.is_on_one_node) {
        return "Collectives of Open MPI (#): the processes are on one node, where coll/hitopo is not "
               "used.\n"
               "Estimated times of coll/hitopo with these links (-):\n";
    }
    return tuning.is_served ? "Collectives of this job (#), and estimated times with these links (-):\n"
                            : "Collectives of Open MPI (#), and estimated times of coll/hitopo with "
                              "these links (-);\n"
                              "--mca coll_hitopo_priority 40 enables coll/hitopo:\n";
}

}  // namespace

std::string format_tune_file(const Tuning& tuning) {
    const std::string links = coll::format_links(tuning.links, tuning.shape);
    return links.empty() ? "" : fmt::format("--mca coll_hitopo_links {}\n", links);
}

std::string format_tuning(const Tuning& tuning) {
    const std::string option = format_tune_file(tuning);
    return option.empty() ? "Nothing to measure: there is only one process.\n"
                          : fmt::format("Setting for jobs on these links:\n  {}\n{}{}", option,
                                        served_how(tuning), timings_text(tuning.timings));
}

}  // namespace hitopo::tool
