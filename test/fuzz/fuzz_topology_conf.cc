// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// topology.conf: an error has a position and a remedy; what is published of a tree is found again, where
// each word has a '=': slurmctld prints lists with blanks without the quotes that they have in a file.
#include <algorithm>
#include <iterator>
#include <sstream>

#include "ompi/mca/hitopo/core/network/topology_conf.h"
#include "ompi/mca/hitopo/slurm/published_topology.h"
#include "test/fuzz/require.h"

namespace {

bool has_settings_only(const std::string& text) {
    std::istringstream words(text);
    return std::all_of(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>(),
                       [](const std::string& word) { return word.find('=') != std::string::npos; });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    (void)hitopo::is_topology_conf(text);
    const auto tree = hitopo::parse_topology_conf(text, "topology.conf");
    if (!tree) {
        require(tree.error().where == "topology.conf" && tree.error().line > 0 &&
                tree.error().column > 0);
        require(!tree.error().message.empty());
        return 0;
    }
    (void)tree->find("n1");
    const std::string printed =
        std::string(hitopo::kTopologyBegin) + text + "\n" + std::string(hitopo::kTopologyEnd);
    const std::string published = hitopo::make_published_topology(printed, "", "n[1-2]");
    const auto kept = hitopo::read_published_topology(published);
    require(kept ? !has_settings_only(text) ||
                       kept->find("n1").has_value() == tree->find("n1").has_value()
                 : published[0] == '#');
    return 0;
}
