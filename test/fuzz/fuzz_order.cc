// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// runs: 20000
//
// What `hitopo order` reads beside profiles. The first byte says what the rest is. Hosts are names that
// a launcher's file can hold; what was understood is understood again when it is written; a file fits
// the hosts that it names.
#include <string>

#include "ompi/tools/hitopo/order/check_file.h"
#include "ompi/tools/hitopo/order/grid_words.h"
#include "test/fuzz/checks_by_kind.h"
#include "test/fuzz/require.h"

namespace {

using hitopo::tool::Host;
using hitopo::tool::LaunchFormat;
using Hosts = std::vector<Host>;

void check_hosts(const hitopo::Result<Hosts>& hosts) {
    if (!hosts) {
        require(!hosts.error().value.empty() && !hosts.error().message.empty());
        return;
    }
    std::string text;
    std::size_t sum = 0;
    for (const Host& host : *hosts) {
        require(hitopo::tool::is_host_name(host.name));
        text += host.name + " slots=" + std::to_string(host.num_slots) + '\n';
        sum += host.num_slots;
    }
    require(sum <= hitopo::tool::kMaxSlots);
    const auto again = hitopo::tool::parse_hostfile(text, "again");
    require(again.is_ok() && *again == *hosts);
}

void check_hostfile(std::string_view text) { check_hosts(hitopo::tool::parse_hostfile(text, "file")); }

// The list of nodes, a line, and the tasks of each.
void check_slurm(std::string_view text) {
    const std::size_t end = text.find('\n');
    check_hosts(
        hitopo::tool::slurm_hosts(std::string(text.substr(0, end)), std::string(text.substr(end + 1))));
}

void check_grid(std::string_view text) {
    const auto grid = hitopo::tool::parse_grid(text);
    if (grid) {
        require(grid->num_cells() >= 1 && grid->num_cells() <= hitopo::tool::kMaxSlots);
        const std::string words = hitopo::tool::grid_words(*grid);
        const auto again = hitopo::tool::parse_grid(words);
        require(again.is_ok() && again->dims == grid->dims && again->is_periodic == grid->is_periodic);
    }
}

template <LaunchFormat format>
void check_launch_file(std::string_view text) {
    const auto hosts = hitopo::tool::hosts_of_file(text, format, "file");
    if (hosts) {
        require(hitopo::tool::check_file(text, format, "file", *hosts).is_ok());
    } else {
        require(!hosts.error().value.empty());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return check_by_kind(
        data, size,
        {check_hostfile, check_slurm, check_grid, check_launch_file<LaunchFormat::kRankfile>,
         check_launch_file<LaunchFormat::kMpichOrder>});
}
