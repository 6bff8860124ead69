// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// runs: 20000
//
// What `hitopo order` reads beside profiles. The first byte says what the rest is. Hosts are names that
// a launcher's file can hold; what was understood is understood again when it is written; a file fits
// the hosts that it names.
#include <string>

#include "ompi/tools/hitopo/order/check_file.h"
#include "ompi/tools/hitopo/order/grid_words.h"
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

void check_grid(std::string_view text) {
    const auto grid = hitopo::tool::parse_grid(text);
    if (grid) {
        require(grid->num_cells() >= 1 && grid->num_cells() <= hitopo::tool::kMaxSlots);
        const std::string words = hitopo::tool::grid_words(*grid);
        const auto again = hitopo::tool::parse_grid(words);
        require(again.is_ok() && again->dims == grid->dims && again->is_periodic == grid->is_periodic);
    }
}

void check_launch_file(std::string_view text, LaunchFormat format) {
    const auto hosts = hitopo::tool::hosts_of_file(text, format, "file");
    if (hosts) {
        require(hitopo::tool::check_file(text, format, "file", *hosts).is_ok());
    } else {
        require(!hosts.error().value.empty());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0] % 5) {
        case 0:
            check_hosts(hitopo::tool::parse_hostfile(text, "file"));
            break;
        case 1:
            check_hosts(hitopo::tool::slurm_hosts(std::string(text.substr(0, text.find('\n'))),
                                                  std::string(text.substr(text.find('\n') + 1))));
            break;
        case 2:
            check_grid(text);
            break;
        case 3:
            check_launch_file(text, LaunchFormat::kRankfile);
            break;
        default:
            check_launch_file(text, LaunchFormat::kMpichOrder);
    }
    return 0;
}
