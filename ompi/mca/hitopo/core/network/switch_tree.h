// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A network as Slurm describes it: switches with nodes or other switches below them, and blocks of
// nodes.
#ifndef OMPI_MCA_HITOPO_CORE_NETWORK_SWITCH_TREE_H
#define OMPI_MCA_HITOPO_CORE_NETWORK_SWITCH_TREE_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// One switch, or one block (a ring counts as one), and where the input tells of it.
struct SwitchRecord {
    std::string name;
    std::string nodes;     // host list; of a switch with others below it: not looked at
    std::string switches;  // host list of the switches below; empty for a leaf
    bool is_block = false;
    std::string where;
    int line = 0;
};

// Where a node hangs.
struct SwitchPlace {
    RawAddress levels;          // switch, and island where there is one above
    std::string source;         // "path:line" of the (first) leaf switch or block
    std::string island_source;  // where the island stands; "": the same
};

class SwitchTree {
public:
    // kMalformed with the record's position: a list that does not parse, a switch below itself, a name
    // that no record has, or that two have. kTooLarge: more than Hostlist::kMaxHosts below one switch.
    static Result<SwitchTree> make(std::vector<SwitchRecord> records);

    // The place of the node `host`, also looked up in its short form. A node on several leaf switches
    // has their names, and those at each height above, as one list in canonical form ("leaf[1-2]"), as
    // Slurm prints it. A block is what its nodes share, so it is their switch; where the node hangs on a
    // switch too, that stands.
    std::optional<SwitchPlace> find(std::string_view host) const;

    // The lines of a topology.conf with all that find() needs for `hosts`, and no more.
    Result<std::string> print(const std::vector<std::string>& hosts) const;

private:
    struct Vertex {
        SwitchRecord record;
        std::optional<Hostlist> nodes;      // of a leaf or block
        std::vector<std::size_t> children;  // indices into vertices_
        std::vector<std::size_t> parents;
        std::size_t height = 0;  // leaf: 0; else one more than the highest child
    };

    explicit SwitchTree(std::vector<Vertex> vertices) : vertices_(std::move(vertices)) {}

    std::optional<Error> link();
    std::optional<Error> measure();
    std::vector<std::size_t> leaves_of(std::string_view host, bool is_block) const;
    std::vector<std::size_t> with_all_above(std::vector<std::size_t> leaves) const;

    std::vector<Vertex> vertices_;
};

}  // namespace hitopo

#endif
