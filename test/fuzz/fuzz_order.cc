// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// runs: 20000
//
// What `hitopo order` reads beside profiles. The first byte says what the rest is. Hosts are names that
// a launcher's file can hold; what was understood is understood again when it is written.
#include <string>

#include "ompi/tools/hitopo/launch/launch.h"
#include "ompi/tools/hitopo/options.h"
#include "test/fuzz/checks_by_kind.h"
#include "test/fuzz/require.h"

namespace {

using hitopo::tool::Host;

template <class T>
bool is_told(const hitopo::Result<T>& result) {
    require(result.is_ok() || (!result.error().value.empty() && !result.error().message.empty()));
    return result.is_ok();
}

// Each host has a line with its slots, as far as they are given.
void check_hostfile(std::string_view text) {
    const auto file = hitopo::tool::parse_hostfile(text, "file");
    if (!is_told(file)) {
        return;
    }
    std::string again;
    for (const Host& host : file->hosts) {
        require(hitopo::tool::is_host_name(host.name));
        again += host.name + (host.is_open ? "" : " slots=" + std::to_string(host.num_slots)) + '\n';
    }
    const auto once_more = hitopo::tool::parse_hostfile(again, "again");
    require(once_more.is_ok() && once_more->hosts == file->hosts);
}

// The list of nodes, a line, and the tasks of each.
void check_slurm(std::string_view text) {
    const std::size_t end = text.find('\n');
    const auto hosts = hitopo::tool::slurm_hosts([&](const std::string& name) {
        return name == "SLURM_JOB_NODELIST"     ? std::optional<std::string>(text.substr(0, end))
               : name == "SLURM_TASKS_PER_NODE" ? std::optional<std::string>(text.substr(end + 1))
                                                : std::nullopt;
    });
    if (!is_told(hosts)) {
        return;
    }
    std::size_t sum = 0;
    for (const Host& host : *hosts) {
        require(hitopo::tool::is_host_name(host.name));
        sum += host.num_slots;
    }
    require(sum <= hitopo::tool::kMaxSlots);
}

void check_grid(std::string_view text) {
    const auto grid = hitopo::tool::parse_grid(text);
    if (grid) {
        require(grid->num_cells() >= 1 && grid->num_cells() <= hitopo::tool::kMaxSlots);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return check_by_kind(data, size, {check_hostfile, check_slurm, check_grid});
}
