// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo report --format csv`: a line for each communicator and lane (docs/profiling.md). Fields are
// quoted as RFC 4180 has it; lines end as texts do here.
#include <fmt/format.h>

#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/report/profile_sums.h"

namespace hitopo::tool {
namespace {

// Safe text has no line ends.
std::string field(const std::string& text) {
    std::string quoted;
    for (const char c : safe(text, Charset::kUtf8)) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted.find_first_of(",\"") == std::string::npos ? quoted : '"' + quoted + '"';
}

}  // namespace

std::string format_report_csv(const Profile& profile) {
    std::string text =
        "communicator,count,size,remote_size,lane,messages,bytes,collective_bytes,served_messages,"
        "served_bytes,served_flat_bytes\n";
    const std::vector<CommunicatorSums> sums = sum_up(profile);
    for (std::size_t id = 0; id < sums.size(); ++id) {
        const ProfiledCommunicator& one = profile.communicators[id];
        const std::string begin =
            fmt::format("{},{},{},{}", field(one.name), one.count(), one.size, one.remote_size);
        for (std::size_t i = 0; i < profile.lanes.size(); ++i) {
            const LaneSum& lane = sums[id].lanes[i];
            text += fmt::format("{},{},{},{},{},{},{},{}\n", begin, field(profile.lanes[i]),
                                lane.messages, lane.bytes, lane.collective_bytes, lane.served_messages,
                                lane.served_bytes, lane.served_flat_bytes);
        }
    }
    return text;
}

}  // namespace hitopo::tool
