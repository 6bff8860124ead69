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

// Names that stand where a switch's name is not known. Nodes that share one share no switch.
class Placeholders {
public:
    // The names that Topograph and soperator write.
    static constexpr std::string_view kUsual = "no-topology,unknown,*.unknown";

    // Names with commas, in any case; '*' in one stands for any characters, once.
    explicit Placeholders(std::string_view list = kUsual);

    bool has(std::string_view name) const;

private:
    std::vector<std::string> patterns_;
};

// `names`: outermost first, the leaf switch last, empty where the tree has no switch at that height. The
// leaf is the switch; the nearest one above that is not empty is the island, with the names above it in
// its path. Names that are `unknown` count as empty.
void fill_switch_levels(std::vector<Name> names, RawAddress& levels,
                        const Placeholders& unknown = Placeholders());

// One switch, or one block (a ring or torus counts as one), and its line of the input.
struct SwitchRecord {
    std::string name;
    std::string nodes;     // host list of a leaf
    std::string switches;  // host list of the switches below one that is no leaf
                           // both may be empty: it has nothing below it yet
    bool is_block = false;
    std::string where;
    int line = 0;
};

// The place of a node.
struct SwitchAddress {
    RawAddress levels;   // switch, and island where there is one above
    std::string source;  // "path:line" of the (first) leaf switch or block
};

class SwitchTree {
public:
    // Each breach of the rules costs only itself, and stands in skipped() with its record's position:
    // a list that does not parse, or with more than Hostlist::kMaxHosts switches, the link to a switch
    // that no record describes, or in a circle, the switches below one with nodes, and the second record
    // of a name. skipped: those that the reader of the records left out before.
    static SwitchTree make(std::vector<SwitchRecord> records, Skipped skipped = {});

    const Skipped& skipped() const { return skipped_; }

    // The first list of nodes, as its record has it; "" where there is none.
    std::string first_nodes() const;

    // All nodes that it names, in the order written. A list that is too long to expand costs itself and
    // is added to `too_long`.
    std::vector<std::string> hosts(Skipped& too_long) const;

    // The place of the node `host`, by the rule of is_same_host. A node on several leaf switches
    // has their names, and those at each height above, as one list in canonical form ("leaf[1-2]"), as
    // Slurm prints it. A block counts as its nodes' switch, unless the node is on a switch too. Names
    // that are `unknown` are none: if a host has no others, its place has no levels.
    std::optional<SwitchAddress> find(std::string_view host,
                                      const Placeholders& unknown = Placeholders()) const;

    // The lines of a topology.conf with all that find() needs for `hosts`, and no more. kTooLarge.
    Result<std::string> print(const std::vector<std::string>& hosts) const;

private:
    struct Vertex {
        SwitchRecord record;
        std::optional<Hostlist> nodes;      // of a leaf or block
        std::vector<std::size_t> children;  // indices into vertices_
        std::vector<std::size_t> parents;
        std::size_t height = 0;  // leaf: 0; else one more than the highest child
    };

    explicit SwitchTree(Skipped skipped) : skipped_(std::move(skipped)) {}

    static Result<std::vector<std::string>> nodes_of(const Vertex& vertex);
    void add(SwitchRecord record);
    void link();
    void measure();
    void cut_circles(const std::vector<std::size_t>& num_waiting);
    void skip(const SwitchRecord& record, Errc code, std::string value, std::string message);
    std::vector<std::size_t> leaves_of(std::string_view host, bool is_block) const;
    std::vector<std::size_t> with_all_above(std::vector<std::size_t> leaves) const;

    std::vector<Vertex> vertices_;
    Skipped skipped_;
};

}  // namespace hitopo

#endif
