// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/resource_name.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

using Alias = std::pair<std::string_view, std::string_view>;

// What hwloc, its older versions and Open MPI call a type of a machine.
constexpr std::array<Alias, 16> kTypeAliases = {{{"socket", "Package"},
                                                 {"numa", "NUMANode"},
                                                 {"hwthread", "PU"},
                                                 {"group", "Group0"},
                                                 {"l1", "L1Cache"},
                                                 {"l2", "L2Cache"},
                                                 {"l3", "L3Cache"},
                                                 {"l4", "L4Cache"},
                                                 {"l5", "L5Cache"},
                                                 {"l1d", "L1Cache"},
                                                 {"l2d", "L2Cache"},
                                                 {"l3d", "L3Cache"},
                                                 {"l1i", "L1iCache"},
                                                 {"l2i", "L2iCache"},
                                                 {"l3i", "L3iCache"},
                                                 {"l1dcache", "L1Cache"}}};

// Open MPI's words for levels.
constexpr std::array<Alias, 3> kLevelAliases = {
    {{"host", "Node"}, {"cu", "Switch"}, {"board", "L2NUMA"}}};

template <std::size_t kSize>
std::string_view resolve(const std::array<Alias, kSize>& aliases, std::string_view word) {
    const auto found = std::find_if(aliases.begin(), aliases.end(), [word](const Alias& alias) {
        return equals_ignoring_case(alias.first, word);
    });
    return found == aliases.end() ? std::string_view() : found->second;
}

std::optional<std::size_t> find(const std::vector<ResourceType>& types, bool is_level,
                                std::string_view name) {
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (types[i].is_level == is_level && !types[i].is_side() &&
            equals_ignoring_case(types[i].name, name)) {
            return i;
        }
    }
    return std::nullopt;
}

template <std::size_t kSize>
std::optional<std::size_t> find_any(const std::vector<ResourceType>& types, bool is_level,
                                    const std::array<Alias, kSize>& aliases, std::string_view word) {
    const std::optional<std::size_t> found = find(types, is_level, word);
    return found ? found : find(types, is_level, resolve(aliases, word));
}

std::optional<std::size_t> find_side(const std::vector<ResourceType>& types, std::string_view uri) {
    const auto found = std::find_if(types.begin(), types.end(), [=](const ResourceType& type) {
        return type.is_side() && equals_ignoring_case(type.name, uri);
    });
    return found == types.end() ? std::nullopt : std::optional<std::size_t>(found - types.begin());
}

bool takes_prefix(std::string_view& word, std::string_view prefix) {
    if (!equals_ignoring_case(word.substr(0, prefix.size()), prefix)) {
        return false;
    }
    word.remove_prefix(prefix.size());
    return true;
}

}  // namespace

std::optional<std::size_t> find_resource(const std::vector<ResourceType>& types, std::string_view word) {
    if (takes_prefix(word, "hwloc://") || takes_prefix(word, "HWLOC_OBJ_")) {
        return find_any(types, false, kTypeAliases, word);
    }
    if (takes_prefix(word, "hitopo://")) {
        return find(types, true, word);
    }
    if (is_side_type(word)) {
        return find_side(types, word);
    }
    const std::optional<std::size_t> found = find_any(types, false, kTypeAliases, word);
    return found ? found : find_any(types, true, kLevelAliases, word);
}

bool is_shared_memory(std::string_view word) { return equals_ignoring_case(word, "mpi_shared_memory"); }

std::optional<std::size_t> parse_hw_level(std::string_view word) {
    if (!takes_prefix(word, "MPI_HW_LEVEL")) {
        return std::nullopt;
    }
    const auto number = parse_number(word);
    return number ? std::optional<std::size_t>(*number) : std::nullopt;
}

}  // namespace hitopo
