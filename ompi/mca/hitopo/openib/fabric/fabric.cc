// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/openib/fabric/fabric.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace hitopo {
namespace {

// Sorts by GUID and lets `join(kept, other)` merge each further entry of one GUID into the first.
template <class T, class Join>
void sort_by_guid(std::vector<T>& entries, Join join) {
    std::stable_sort(entries.begin(), entries.end(),
                     [](const T& a, const T& b) { return a.guid < b.guid; });
    std::size_t num_kept = 0;
    for (T& entry : entries) {
        if (num_kept > 0 && entries[num_kept - 1].guid == entry.guid) {
            join(entries[num_kept - 1], entry);
        } else if (T& place = entries[num_kept++]; &place != &entry) {
            place = std::move(entry);
        }
    }
    entries.resize(num_kept);
}

void join_switches(FabricSwitch& kept, const FabricSwitch& other) {
    kept.neighbours.insert(kept.neighbours.end(), other.neighbours.begin(), other.neighbours.end());
}

void make_distinct(std::vector<std::uint64_t>& guids) {
    std::sort(guids.begin(), guids.end());
    guids.erase(std::unique(guids.begin(), guids.end()), guids.end());
}

template <class T>
const T* find_guid(const std::vector<T>& sorted, std::uint64_t guid) {
    const auto found =
        std::lower_bound(sorted.begin(), sorted.end(), guid,
                         [](const T& entry, std::uint64_t wanted) { return entry.guid < wanted; });
    return found != sorted.end() && found->guid == guid ? &*found : nullptr;
}

}  // namespace

void Fabric::finish() {
    sort_by_guid(switches, join_switches);
    sort_by_guid(ports, [](const FabricPort&, const FabricPort&) {});
    for (FabricSwitch& one : switches) {
        make_distinct(one.neighbours);
    }
}

const FabricSwitch* Fabric::find_switch(std::uint64_t guid) const { return find_guid(switches, guid); }
const FabricPort* Fabric::find_port(std::uint64_t guid) const { return find_guid(ports, guid); }

std::string guid_to_string(std::uint64_t guid) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text = "0x";
    for (int shift = 60; shift >= 0; shift -= 4) {
        text += kDigits[guid >> shift & 0xf];
    }
    return text;
}

}  // namespace hitopo
