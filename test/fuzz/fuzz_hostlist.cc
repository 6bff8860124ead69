// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// runs: 10000
//
// Host lists: an error has its column; a list contains exactly what it expands to, and compressing
// is idempotent.
#include <algorithm>

#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "test/fuzz/require_located.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto list = hitopo::Hostlist::parse({reinterpret_cast<const char*>(data), size});
    if (!list) {
        require_located(list.error(), size);
        return 0;
    }
    (void)list->contains_host("node1");
    if (list->count() > 4096) {
        return 0;
    }
    auto hosts = list->expand();
    if (!hosts) {
        return 0;
    }
    require(hosts->size() == list->count());
    for (const std::string& host : *hosts) {
        require(list->contains_host(host));
    }
    const std::string compressed = hitopo::compress_hosts(*hosts);
    const auto again = hitopo::Hostlist::parse(compressed);
    require(again.is_ok());
    auto hosts_again = again->expand();
    require(hosts_again.is_ok());
    require(hitopo::compress_hosts(*hosts_again) == compressed);
    std::sort(hosts->begin(), hosts->end());
    hosts->erase(std::unique(hosts->begin(), hosts->end()), hosts->end());
    std::sort(hosts_again->begin(), hosts_again->end());
    require(*hosts == *hosts_again);
    return 0;
}
