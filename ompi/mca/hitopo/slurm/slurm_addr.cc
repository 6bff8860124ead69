// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/slurm/slurm_addr.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/network/switch_tree.h"
#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

using Fields = std::vector<std::string_view>;

constexpr const char* kAddress = "SLURM_TOPOLOGY_ADDR";
constexpr const char* kPattern = "SLURM_TOPOLOGY_ADDR_PATTERN";

Error malformed(const char* where, std::string_view value, const char* message) {
    return {Errc::kMalformed, std::string(value), message, where, 0, 0};
}

std::size_t count(std::string_view text, char c) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), c));
}

// pattern = { group "." } "node"
// group   = word { ":" word }      the words behind ':' are coordinates inside the group
//
//   switch.switch.node    block.node    ring:position.node    torus:x:y:z.node
Result<Fields> parse_groups(std::string_view pattern) {
    Fields groups = split(pattern, '.');
    if (groups.back() != "node") {
        return malformed(kPattern, pattern,
                         "the pattern does not end in 'node'; let Slurm set this variable");
    }
    groups.pop_back();
    if (std::count(groups.begin(), groups.end(), std::string_view()) != 0) {
        return malformed(kPattern, pattern,
                         "the pattern has an empty field; let Slurm set this variable");
    }
    return groups;
}

// Behind the `num_groups`-th dot; npos where there are fewer.
std::size_t offset_behind(std::string_view address, std::size_t num_groups) {
    std::size_t begin = 0;
    for (; num_groups > 0; --num_groups) {
        const std::size_t dot = address.find('.', begin);
        if (dot == std::string_view::npos) {
            return dot;
        }
        begin = dot + 1;
    }
    return begin;
}

// The possible begins of the node's name, rightmost first: host names have dots, and so may switches.
std::vector<std::size_t> inner_levels(std::string_view address, std::size_t num_groups) {
    std::vector<std::size_t> places = {offset_behind(address, num_groups)};
    if (num_groups == 0) {
        return places;
    }
    for (std::size_t dot = address.find('.', places.back()); dot != std::string_view::npos;
         dot = address.find('.', dot + 1)) {
        places.push_back(dot + 1);
    }
    std::reverse(places.begin(), places.end());
    return places;
}

// A known name is looked for as a whole first, then as a short or full form of it.
std::optional<std::size_t> find_node(const SlurmAddressText& text, std::size_t num_groups) {
    const std::vector<std::size_t> places = inner_levels(text.address, num_groups);
    for (const std::string_view name : {text.node_name, text.host_name}) {
        const auto find = [&](auto is_equal) {
            const auto place = std::find_if(places.begin(), places.end(), [&](std::size_t at) {
                return !name.empty() && is_equal(text.address.substr(at), name);
            });
            return place == places.end() ? std::nullopt : std::optional<std::size_t>(*place);
        };
        const std::optional<std::size_t> whole = find(std::equal_to<std::string_view>());
        if (const std::optional<std::size_t> place = whole ? whole : find(is_same_host)) {
            return place;
        }
    }
    return std::nullopt;
}

Error stale(const SlurmAddressText& text) {
    const std::string_view name = text.node_name.empty() ? text.host_name : text.node_name;
    return {
        Errc::kStale,
        std::string(text.address),
        "its last field is not this node, " + std::string(name) +
            "; do not forward Slurm's variables with mpirun -x, because each node has its own values",
        kAddress,
        0,
        0};
}

// name { ":" digits }: the name alone, in canonical form where it is a list in brackets.
//
//   leaf1    leaf[1-2]    r8:2    t0:3:0:12
Result<std::string> parse_group(std::string_view field, std::size_t num_coordinates) {
    const std::string_view whole = field;
    for (; num_coordinates > 0 && !whole.empty(); --num_coordinates) {
        const std::size_t colon = field.rfind(':');
        if (colon == std::string_view::npos || !parse_number(field.substr(colon + 1))) {
            return malformed(kAddress, whole,
                             "the pattern requires a number after ':'; let Slurm set these variables");
        }
        field = field.substr(0, colon);
    }
    if (field.find_first_of(",[]") == std::string_view::npos) {
        return std::string(field);
    }
    const Result<Hostlist> list = Hostlist::parse(field);
    if (!list) {
        return malformed(
            kAddress, whole,
            "its brackets are not closed or contain no numbers; let Slurm set these variables");
    }
    const Result<std::vector<std::string>> names = list->expand();
    return names ? compress_hosts(*names) : std::string(field);
}

Result<std::vector<Name>> parse_names(const Fields& fields, const Fields& groups) {
    std::vector<Name> names;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        Result<std::string> name = parse_group(fields[i], count(groups[i], ':'));
        if (!name) {
            return name.error();
        }
        names.emplace_back(std::move(*name));
    }
    return names;
}

}  // namespace

// address = { group "." } node      one group for each of the pattern's
//
//   root.island1.leaf1.n1    core..mid2.leafC.n5    core[1-2].leaf[1-2].n3    r8:2.tux1
Result<SlurmAddress> parse_slurm_address(const SlurmAddressText& text) {
    const Result<Fields> groups = parse_groups(text.pattern);
    if (!groups) {
        return groups.error();
    }
    if (count(text.address, '.') < groups->size()) {
        return malformed(
            kAddress, text.address,
            "it has fewer fields than SLURM_TOPOLOGY_ADDR_PATTERN; let Slurm set these variables");
    }
    const std::optional<std::size_t> node = find_node(text, groups->size());
    if (!node) {
        return stale(text);
    }
    SlurmAddress result;
    result.levels[kNode] = Name(std::string(text.address.substr(*node)));
    if (groups->empty()) {
        return result;
    }
    const std::string_view above = text.address.substr(0, *node - 1);
    Fields fields = groups->size() == 1 ? Fields{above} : split(above, '.');
    result.is_ambiguous = fields.size() > groups->size();
    if (result.is_ambiguous) {
        result.levels[kSwitch] = Name(std::string(above));
        return result;
    }
    Result<std::vector<Name>> names = parse_names(fields, *groups);
    if (!names) {
        return names.error();
    }
    fill_switch_levels(std::move(*names), result.levels);
    return result;
}

}  // namespace hitopo
