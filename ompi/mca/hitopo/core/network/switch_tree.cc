// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/switch_tree.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ompi/mca/hitopo/core/network/switch_levels.h"

namespace hitopo {
namespace {

using MaybeError = std::optional<Error>;
using Names = std::vector<std::string>;

Error at(const SwitchRecord& record, Errc code, std::string value, std::string message) {
    return {code, std::move(value), std::move(message), record.where, record.line, 1};
}

Error at(const SwitchRecord& record, Error error) {
    return at(record, error.code, std::move(error.value), std::move(error.message));
}

Result<Names> expand(const SwitchRecord& record, const std::string& list) {
    Result<Names> names = expand_hosts(list);
    return names ? names : at(record, names.error());
}

}  // namespace

Result<SwitchTree> SwitchTree::make(std::vector<SwitchRecord> records) {
    std::vector<Vertex> vertices;
    for (SwitchRecord& record : records) {
        Vertex vertex;
        if (record.switches.empty() && !record.nodes.empty()) {
            Result<Hostlist> nodes = Hostlist::parse(record.nodes);
            if (!nodes) {
                return at(record, nodes.error());
            }
            vertex.nodes = std::move(*nodes);
        }
        vertex.record = std::move(record);
        vertices.push_back(std::move(vertex));
    }
    SwitchTree tree(std::move(vertices));
    if (MaybeError error = tree.link()) {
        return *error;
    }
    if (MaybeError error = tree.measure()) {
        return *error;
    }
    return tree;
}

// Blocks have names of their own: block1 and switch block1 are two things.
MaybeError SwitchTree::link() {
    std::unordered_map<std::string, std::size_t> switches;
    std::unordered_map<std::string, std::size_t> blocks;
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
        const SwitchRecord& record = vertices_[i].record;
        if (!(record.is_block ? blocks : switches).emplace(record.name, i).second) {
            return at(record, Errc::kMalformed, record.name,
                      "two lines have this name; remove one or give it another name");
        }
    }
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
        const SwitchRecord& record = vertices_[i].record;
        const Result<Names> children =
            record.switches.empty() ? Result<Names>(Names()) : expand(record, record.switches);
        if (!children) {
            return children.error();
        }
        for (const std::string& name : *children) {
            const auto child = switches.find(name);
            if (child == switches.end()) {
                return at(record, Errc::kMalformed, name,
                          "no line describes this switch below " + record.name +
                              "; write SwitchName=" + name + " with its nodes or switches");
            }
            vertices_[i].children.push_back(child->second);
            vertices_[child->second].parents.push_back(i);
        }
    }
    return std::nullopt;
}

// From the leaves upward, each switch after all below it; in a circle none is ever the next.
MaybeError SwitchTree::measure() {
    std::vector<std::size_t> ready;
    std::vector<std::size_t> num_waiting(vertices_.size());
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
        num_waiting[i] = vertices_[i].children.size();
        if (num_waiting[i] == 0) {
            ready.push_back(i);
        }
    }
    for (std::size_t next = 0; next < ready.size(); ++next) {
        const Vertex& vertex = vertices_[ready[next]];
        for (const std::size_t parent : vertex.parents) {
            vertices_[parent].height = std::max(vertices_[parent].height, vertex.height + 1);
            if (--num_waiting[parent] == 0) {
                ready.push_back(parent);
            }
        }
    }
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
        if (num_waiting[i] != 0) {
            const SwitchRecord& record = vertices_[i].record;
            return at(record, Errc::kMalformed, record.name,
                      "this switch is below itself, or above a switch that is; break the circle");
        }
    }
    return std::nullopt;
}

std::vector<std::size_t> SwitchTree::leaves_of(std::string_view host, bool is_block) const {
    std::vector<std::size_t> leaves;
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
        const Vertex& vertex = vertices_[i];
        if (vertex.record.is_block == is_block && vertex.nodes && vertex.nodes->contains_host(host)) {
            leaves.push_back(i);
        }
    }
    return leaves;
}

std::vector<std::size_t> SwitchTree::with_all_above(std::vector<std::size_t> leaves) const {
    std::vector<bool> is_known(vertices_.size(), false);
    for (const std::size_t leaf : leaves) {
        is_known[leaf] = true;
    }
    for (std::size_t next = 0; next < leaves.size(); ++next) {
        for (const std::size_t parent : vertices_[leaves[next]].parents) {
            if (!is_known[parent]) {
                is_known[parent] = true;
                leaves.push_back(parent);
            }
        }
    }
    return leaves;
}

std::optional<SwitchPlace> SwitchTree::find(std::string_view host) const {
    std::vector<std::size_t> leaves = leaves_of(host, false);
    if (leaves.empty()) {
        leaves = leaves_of(host, true);
    }
    if (leaves.empty()) {
        return std::nullopt;
    }
    const SwitchRecord& first = vertices_[leaves.front()].record;
    SwitchPlace place;
    place.source = first.line > 0 ? first.where + ':' + std::to_string(first.line) : first.where;
    std::vector<Names> by_height;
    for (const std::size_t i : with_all_above(std::move(leaves))) {
        by_height.resize(std::max(by_height.size(), vertices_[i].height + 1));
        by_height[vertices_[i].height].push_back(vertices_[i].record.name);
    }
    std::vector<Name> names;
    for (auto group = by_height.rbegin(); group != by_height.rend(); ++group) {
        names.emplace_back(group->size() == 1 ? group->front() : compress_hosts(*group));
    }
    fill_switch_levels(std::move(names), place.levels);
    return place;
}

Result<std::string> SwitchTree::print(const std::vector<std::string>& hosts) const {
    const std::unordered_set<std::string> wanted(hosts.begin(), hosts.end());
    std::vector<Names> nodes(vertices_.size());
    std::vector<std::size_t> leaves;
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
        const Vertex& vertex = vertices_[i];
        if (!vertex.nodes) {
            continue;
        }
        Result<Names> all = vertex.nodes->expand();
        if (!all) {
            return at(vertex.record, all.error());
        }
        std::copy_if(all->begin(), all->end(), std::back_inserter(nodes[i]),
                     [&](const std::string& name) { return wanted.count(name) != 0; });
        if (!nodes[i].empty()) {
            leaves.push_back(i);
        }
    }
    std::vector<std::size_t> kept = with_all_above(std::move(leaves));
    std::sort(kept.begin(), kept.end());
    std::string text;
    for (const std::size_t i : kept) {
        const Vertex& vertex = vertices_[i];
        Names children;
        for (const std::size_t child : vertex.children) {
            if (std::binary_search(kept.begin(), kept.end(), child)) {
                children.push_back(vertices_[child].record.name);
            }
        }
        text += (vertex.record.is_block ? "BlockName=" : "SwitchName=") + vertex.record.name +
                (vertex.nodes ? " Nodes=" + compress_hosts(nodes[i])
                              : " Switches=" + compress_hosts(children)) +
                '\n';
    }
    return text;
}

}  // namespace hitopo
