// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/resource_type.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

struct Alias {
    std::string_view word, name;
};

// The names that hwloc, its older versions and Open MPI give a type of a machine.
constexpr Alias kTypeAliases[] = {
    {"socket", "Package"}, {"numa", "NUMANode"}, {"hwthread", "PU"},  {"group", "Group0"},
    {"l1", "L1Cache"},     {"l2", "L2Cache"},    {"l3", "L3Cache"},   {"l4", "L4Cache"},
    {"l5", "L5Cache"},     {"l1d", "L1Cache"},   {"l2d", "L2Cache"},  {"l3d", "L3Cache"},
    {"l1i", "L1iCache"},   {"l2i", "L2iCache"},  {"l3i", "L3iCache"}, {"l1dcache", "L1Cache"}};

// Open MPI's words for levels.
constexpr Alias kLevelAliases[] = {{"host", "Node"}, {"cu", "Switch"}, {"board", "L2NUMA"}};

template <class Accepts>
std::optional<std::size_t> find_if(const std::vector<ResourceType>& types, Accepts accepts) {
    const auto found = std::find_if(types.begin(), types.end(), accepts);
    return found == types.end() ? std::nullopt : std::optional<std::size_t>(found - types.begin());
}

std::optional<std::size_t> find_named(const std::vector<ResourceType>& types, bool is_level,
                                      std::string_view name) {
    return find_if(types, [=](const ResourceType& type) {
        return type.is_level == is_level && !type.is_side() && equals_ignoring_case(type.name, name);
    });
}

// By a name, or else by an alias.
template <std::size_t kSize>
std::optional<std::size_t> find_any(const std::vector<ResourceType>& types, bool is_level,
                                    const Alias (&aliases)[kSize], std::string_view word) {
    std::optional<std::size_t> found = find_named(types, is_level, word);
    for (const Alias& alias : aliases) {
        if (!found && equals_ignoring_case(alias.word, word)) {
            found = find_named(types, is_level, alias.name);
        }
    }
    return found;
}

bool takes_prefix(std::string_view& word, std::string_view prefix) {
    if (!equals_ignoring_case(word.substr(0, prefix.size()), prefix)) {
        return false;
    }
    word.remove_prefix(prefix.size());
    return true;
}

// The least number of letters to insert, remove or change (Levenshtein), in any case.
std::size_t distance_of(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);  // from a's begin to each begin of b
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t before = std::exchange(row[0], i + 1);  // row[j] of one letter of `a` less
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed =
                before + (equals_ignoring_case(a.substr(i, 1), b.substr(j, 1)) ? 0 : 1);
            before = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, before + 1});
        }
    }
    return row[b.size()];
}

}  // namespace

std::optional<std::size_t> find_resource(const std::vector<ResourceType>& types, std::string_view word) {
    if (takes_prefix(word, "hwloc://") || takes_prefix(word, "HWLOC_OBJ_")) {
        return find_any(types, false, kTypeAliases, word);
    }
    if (takes_prefix(word, "hitopo://")) {
        return find_named(types, true, word);
    }
    if (is_side_type(word)) {
        return find_if(types, [=](const ResourceType& type) {
            return type.is_side() && equals_ignoring_case(type.name, word);
        });
    }
    const std::optional<std::size_t> found = find_any(types, false, kTypeAliases, word);
    return found ? found : find_any(types, true, kLevelAliases, word);
}

std::string nearest_resource(const std::vector<ResourceType>& types, std::string_view word) {
    std::string nearest;
    std::size_t least = word.size() / 3 + 1;
    for (const ResourceType& type : types) {
        const std::string uri = type.uri();
        for (const std::string_view name : {std::string_view(uri), std::string_view(type.name)}) {
            const std::size_t distance = distance_of(word, name);
            if (distance < least) {
                least = distance;
                nearest = uri;
            }
        }
    }
    return nearest;
}

bool begins_as_resource(std::string_view word) {
    const auto begins_with = [=](std::string_view known) {
        return equals_ignoring_case(known, word.substr(0, known.size()));
    };
    const auto begins_with_alias = [=](const Alias& alias) {
        return begins_with(alias.word) || begins_with(alias.name);
    };
    bool is_known = word.find("://") != std::string_view::npos || begins_with("HWLOC_OBJ_");
    for (int level = 0; level < kNumLevels; ++level) {
        is_known = is_known || begins_with(level_type(static_cast<Level>(level)));
    }
    return is_known ||
           std::any_of(std::begin(kTypeAliases), std::end(kTypeAliases), begins_with_alias) ||
           std::any_of(std::begin(kLevelAliases), std::end(kLevelAliases), begins_with_alias);
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
