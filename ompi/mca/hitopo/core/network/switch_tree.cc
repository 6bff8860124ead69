// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/switch_tree.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

using Names = std::vector<std::string>;

bool is_empty(const Name& name) { return name.text().empty(); }

bool is_bare(const SwitchRecord& record) { return record.nodes.empty() && record.switches.empty(); }

bool matches(std::string_view pattern, std::string_view name) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos) {
        return equals_ignoring_case(name, pattern);
    }
    const std::string_view begin = pattern.substr(0, star);
    const std::string_view end = pattern.substr(star + 1);
    return name.size() >= begin.size() + end.size() &&
           equals_ignoring_case(name.substr(0, begin.size()), begin) &&
           equals_ignoring_case(name.substr(name.size() - end.size()), end);
}

// Hosts, looked up by the rule of is_same_host.
class HostSet {
public:
    explicit HostSet(const Names& hosts) {
        for (const std::string& host : hosts) {
            by_key_[host_key(host)].push_back(host);
        }
    }

    bool has(std::string_view name) const {
        const auto found = by_key_.find(host_key(name));
        return found != by_key_.end() &&
               std::any_of(found->second.begin(), found->second.end(),
                           [name](const std::string& host) { return is_same_host(host, name); });
    }

private:
    std::unordered_map<std::string, Names> by_key_;
};

// A value as topology.conf has it.
std::string quoted(const std::string& value) {
    return value.find_first_of(" \t\r\n") == std::string::npos ? value : '"' + value + '"';
}

// Blocks have names of their own: block1 and switch block1 are two things.
std::string key_of(const SwitchRecord& record) { return (record.is_block ? 'b' : 's') + record.name; }

// Each name once, by the record with nodes or switches: slurmctld prints several lines of one torus.
std::vector<SwitchRecord> one_of_each(std::vector<SwitchRecord> records, Skipped& skipped) {
    std::vector<SwitchRecord> kept;
    std::unordered_map<std::string, std::size_t> by_key;
    for (SwitchRecord& record : records) {
        const auto [known, is_new] = by_key.emplace(key_of(record), kept.size());
        if (is_new) {
            kept.push_back(std::move(record));
        } else if (is_bare(kept[known->second])) {
            kept[known->second] = std::move(record);
        } else if (!is_bare(record)) {
            skipped.add({Errc::kMalformed, record.name,
                         "two lines have this name; remove one of them or change its name", record.where,
                         record.line, 1});
        }
    }
    return kept;
}

}  // namespace

Placeholders::Placeholders(std::string_view list) {
    for (const std::string_view pattern : split(list, ',')) {
        if (!trim(pattern).empty()) {
            patterns_.emplace_back(trim(pattern));
        }
    }
}

bool Placeholders::has(std::string_view name) const {
    return std::any_of(patterns_.begin(), patterns_.end(),
                       [name](const std::string& pattern) { return matches(pattern, name); });
}

void fill_switch_levels(std::vector<Name> names, RawAddress& levels, const Placeholders& unknown) {
    for (Name& name : names) {
        if (unknown.has(name.text())) {
            name = Name("");
        }
    }
    if (!is_empty(names.back())) {
        levels[kSwitch] = names.back();
    }
    names.pop_back();
    names.erase(std::remove_if(names.begin(), names.end(), is_empty), names.end());
    if (!names.empty()) {
        levels[kIsland] = std::move(names);
    }
}

SwitchTree SwitchTree::make(std::vector<SwitchRecord> records, Skipped skipped) {
    SwitchTree tree(std::move(skipped));
    for (SwitchRecord& record : one_of_each(std::move(records), tree.skipped_)) {
        tree.add(std::move(record));
    }
    tree.link();
    tree.measure();
    return tree;
}

void SwitchTree::add(SwitchRecord record) {
    Vertex vertex;
    if (!record.nodes.empty()) {
        if (!record.switches.empty()) {
            skip(record, Errc::kMalformed, std::exchange(record.switches, ""),
                 "a switch with nodes has no switches below it; remove one of the two lists");
        }
        Result<Hostlist> nodes = Hostlist::parse(record.nodes);
        if (nodes) {
            vertex.nodes = std::move(*nodes);
        } else {
            skip(record, nodes.error().code, nodes.error().value, nodes.error().message);
        }
    }
    vertex.record = std::move(record);
    vertices_.push_back(std::move(vertex));
}

void SwitchTree::skip(const SwitchRecord& record, Errc code, std::string value, std::string message) {
    skipped_.add({code, std::move(value), std::move(message), record.where, record.line, 1});
}

void SwitchTree::link() {
    std::unordered_map<std::string, std::size_t> switches;
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
        if (!vertices_[i].record.is_block) {
            switches.emplace(vertices_[i].record.name, i);
        }
    }
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
        const SwitchRecord& record = vertices_[i].record;
        const Result<Names> children =
            record.switches.empty() ? Result<Names>(Names()) : expand_hosts(record.switches);
        if (!children) {
            skip(record, children.error().code, children.error().value, children.error().message);
            continue;
        }
        for (const std::string& name : *children) {
            const auto child = switches.find(name);
            if (child == switches.end()) {
                skip(record, Errc::kMalformed, name,
                     "no line describes this switch, which is below another switch; write a line "
                     "SwitchName= with its name, and its nodes or switches");
                continue;
            }
            vertices_[i].children.push_back(child->second);
            vertices_[child->second].parents.push_back(i);
        }
    }
}

// From the leaves upward, each switch after all below it; in a circle none is ever the next.
void SwitchTree::measure() {
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
    if (ready.size() < vertices_.size()) {
        cut_circles(num_waiting);
    }
}

// Removes the links between switches that still wait, in a circle or above one.
void SwitchTree::cut_circles(const std::vector<std::size_t>& num_waiting) {
    const auto cut = [&](std::vector<std::size_t>& links) {
        links.erase(std::remove_if(links.begin(), links.end(),
                                   [&](std::size_t other) { return num_waiting[other] != 0; }),
                    links.end());
    };
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
        if (num_waiting[i] != 0) {
            const SwitchRecord& record = vertices_[i].record;
            skip(record, Errc::kMalformed, record.name,
                 "this switch is below itself, or above such a switch; remove it from one of the lists");
            cut(vertices_[i].children);
            cut(vertices_[i].parents);
        }
    }
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

// The names in its list of nodes.
Result<Names> SwitchTree::nodes_of(const Vertex& vertex) {
    Result<Names> names = vertex.nodes ? vertex.nodes->expand() : Names();
    if (names) {
        return names;
    }
    Error error = names.error();
    error.where = vertex.record.where;
    error.line = vertex.record.line;
    return error;
}

std::string SwitchTree::first_nodes() const {
    const auto found = std::find_if(vertices_.begin(), vertices_.end(),
                                    [](const Vertex& vertex) { return vertex.nodes.has_value(); });
    return found != vertices_.end() ? found->record.nodes : "";
}

std::vector<std::string> SwitchTree::hosts(Skipped& too_long) const {
    Names hosts;
    for (const Vertex& vertex : vertices_) {
        if (const Result<Names> own = nodes_of(vertex)) {
            hosts.insert(hosts.end(), own->begin(), own->end());
        } else {
            too_long.add(own.error());
        }
    }
    return hosts;
}

std::optional<SwitchAddress> SwitchTree::find(std::string_view host, const Placeholders& unknown) const {
    std::vector<std::size_t> leaves = leaves_of(host, false);
    const bool is_known = std::any_of(leaves.begin(), leaves.end(), [&](std::size_t leaf) {
        return !unknown.has(vertices_[leaf].record.name);
    });
    std::vector<std::size_t> blocks = is_known ? std::vector<std::size_t>() : leaves_of(host, true);
    if (!blocks.empty()) {
        leaves = std::move(blocks);
    }
    if (leaves.empty()) {
        return std::nullopt;
    }
    const SwitchRecord& first = vertices_[leaves.front()].record;
    SwitchAddress place;
    place.source = first.line > 0 ? first.where + ':' + std::to_string(first.line) : first.where;
    std::vector<Names> by_height;
    for (const std::size_t i : with_all_above(std::move(leaves))) {
        by_height.resize(std::max(by_height.size(), vertices_[i].height + 1));
        if (!unknown.has(vertices_[i].record.name)) {
            by_height[vertices_[i].height].push_back(vertices_[i].record.name);
        }
    }
    std::vector<Name> names;
    for (auto group = by_height.rbegin(); group != by_height.rend(); ++group) {
        names.emplace_back(group->size() == 1 ? group->front() : compress_hosts(*group));
    }
    fill_switch_levels(std::move(names), place.levels, unknown);
    return place;
}

Result<std::string> SwitchTree::print(const std::vector<std::string>& hosts) const {
    const HostSet wanted(hosts);
    std::vector<Names> nodes(vertices_.size());
    std::vector<std::size_t> leaves;
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
        const Vertex& vertex = vertices_[i];
        if (!vertex.nodes) {
            continue;
        }
        const Result<Names> all = nodes_of(vertex);
        if (!all) {
            return all.error();
        }
        std::copy_if(all->begin(), all->end(), std::back_inserter(nodes[i]),
                     [&](const std::string& name) { return wanted.has(name); });
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
        text += (vertex.record.is_block ? "BlockName=" : "SwitchName=") + quoted(vertex.record.name) +
                (vertex.nodes ? " Nodes=" + compress_hosts(nodes[i])
                              : " Switches=" + compress_hosts(children)) +
                '\n';
    }
    return text;
}

}  // namespace hitopo
