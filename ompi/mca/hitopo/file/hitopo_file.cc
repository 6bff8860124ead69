// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/hitopo_file.h"

#include "ompi/mca/hitopo/base/regular_file.h"
#include "ompi/mca/hitopo/core/guard.h"
#include "ompi/mca/hitopo/file/hitopo_file_input.h"

namespace hitopo {
namespace {

void answer_level(Level level, const MapAnswer& answer, const std::string& none, Reporter& reporter) {
    const std::size_t index = static_cast<std::size_t>(level);
    if (!answer.levels[index]) {
        reporter.reason(level, none);
        return;
    }
    // A simulated node stands for a machine of its own, whatever host the process runs on.
    reporter.value(level, *answer.levels[index], level == kNode ? HITOPO_VALUE_REPLACES_NODE : 0);
    reporter.reason(level, answer.source[index]);
}

}  // namespace

Result<std::string> read_map_file(const std::string& path, std::size_t max_bytes) {
    return read_regular_file(
        path, max_bytes,
        "give a map that every node can read, of at most 16 MiB with all that it includes", "");
}

void answer_file(const std::string& path, const MapReader& reader, Reporter& reporter) {
    if (path.empty()) {
        reporter.reason("hitopo_file_path is not set");
        return;
    }
    const Result<MapAnswer> answer = read_map(path, {reporter.host_name(), reporter.rank()}, reader);
    if (!answer) {
        Error error = answer.error();
        if (error.where.empty()) {
            error.where = "hitopo_file_path";
        }
        reporter.error(error);
        return;
    }
    const std::string none = path + " tells nothing for host " + std::string(reporter.host_name()) +
                             ", rank " + std::to_string(reporter.rank());
    for (int level = 0; level < kNumLevels; ++level) {
        answer_level(static_cast<Level>(level), *answer, none, reporter);
    }
}

}  // namespace hitopo

extern "C" int hitopo_file_query(const hitopo_file_settings_t* settings, const hitopo_report_t* report) {
    return hitopo::guarded([settings, report] {
        hitopo::Reporter reporter(report);
        hitopo::answer_file(settings->path != nullptr ? settings->path : "", hitopo::read_map_file,
                            reporter);
        return reporter.status();
    });
}
