// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/machine/plan.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {
namespace {

using Numbers = std::vector<int>;

// The i-th of `parts` blocks of `items`, as equal as can be.
template <class T>
std::vector<T> block(const std::vector<T>& items, std::size_t i, std::size_t parts) {
    const auto at = [&](std::size_t part) {
        return items.begin() + static_cast<std::ptrdiff_t>(part * items.size() / parts);
    };
    return {at(i), at(i + 1)};
}

Numbers up_to(std::size_t count) {
    Numbers numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

CpuSet common(CpuSet a, const CpuSet& b) { return a &= b; }

// The squared difference of the relative positions of i among m and k among n, in units of 1 / (2mn).
std::int64_t apart(int i, int m, int k, int n) {
    const std::int64_t difference = std::int64_t{2 * i + 1} * n - std::int64_t{2 * k + 1} * m;
    return difference * difference;
}

// The GPUs of each rank where some of `cpus` are not the whole node: they are assigned.
// ranks, gpus: in order. num_each: GPUs of each rank; 0: all are dealt out.
std::vector<Numbers> assigned_gpus(const NodeDevices& node, const std::vector<CpuSet>& cpus,
                                   const Numbers& ranks, const Numbers& gpus, int num_each) {
    // A row for each GPU and a column for each rank, or a row for each GPU of each rank.
    const bool deals_out = num_each == 0;
    const int num_ranks = static_cast<int>(ranks.size()), num_gpus = static_cast<int>(gpus.size());
    const int num_rows = deals_out ? num_gpus : num_ranks * num_each;
    const int num_columns = deals_out ? num_ranks : num_gpus;
    const auto rank_at = [&](int row, int column) {
        return static_cast<std::size_t>(
            ranks[static_cast<std::size_t>(deals_out ? column : row / num_each)]);
    };
    const auto gpu_at = [&](int row, int column) {
        return gpus[static_cast<std::size_t>(deals_out ? row : column)];
    };
    const Numbers columns = share_out(num_rows, num_columns, [&](int row, int column) {
        const Device& gpu = node.gpu(gpu_at(row, column));
        return Cost{static_cast<int>(distance(node, cpus[rank_at(row, column)], gpu)),
                    apart(row, num_rows, column, num_columns)};
    });
    std::vector<Numbers> chosen(ranks.size());
    for (int row = 0; row < num_rows; ++row) {
        const int column = columns[static_cast<std::size_t>(row)];
        chosen[rank_at(row, column)].push_back(gpu_at(row, column));
    }
    return chosen;
}

std::vector<Numbers> choose_gpus(const NodeDevices& node, const std::vector<CpuSet>& cpus, bool is_bound,
                                 Numbers gpus, const PlanOptions& options) {
    const std::size_t num_ranks = cpus.size();
    if (gpus.empty()) {
        return std::vector<Numbers>(num_ranks);
    }
    const auto in_order = [&](int number) {
        return std::make_tuple(options.by_gpu ? 0 : node.gpu(number).place.first(), number);
    };
    std::sort(gpus.begin(), gpus.end(), [&](int a, int b) { return in_order(a) < in_order(b); });
    std::vector<Numbers> chosen(num_ranks);
    if (!is_bound && num_ranks <= gpus.size()) {
        for (std::size_t rank = 0; rank < num_ranks; ++rank) {
            chosen[rank] = block(gpus, rank, num_ranks);
            if (options.gpus_per_rank > 0) {
                chosen[rank].resize(
                    std::min(chosen[rank].size(), static_cast<std::size_t>(options.gpus_per_rank)));
            }
        }
    } else {
        Numbers ranks = up_to(num_ranks);
        std::stable_sort(ranks.begin(), ranks.end(), [&](int a, int b) {
            return cpus[static_cast<std::size_t>(a)].first() < cpus[static_cast<std::size_t>(b)].first();
        });
        const int most = std::max(1, static_cast<int>(gpus.size() / num_ranks));
        const bool deals_out = options.gpus_per_rank == 0 && gpus.size() > num_ranks;
        chosen = assigned_gpus(node, cpus, ranks, gpus,
                               deals_out ? 0 : std::clamp(options.gpus_per_rank, 1, most));
    }
    for (Numbers& own : chosen) {
        std::sort(own.begin(), own.end());
    }
    return chosen;
}

void choose_nics(const NodeDevices& node, const std::vector<CpuSet>& cpus,
                 std::vector<RankPlan>& plans) {
    std::map<Numbers, std::vector<std::size_t>> ranks_of;  // a rank once for each of its GPUs
    for (std::size_t rank = 0; rank < plans.size(); ++rank) {
        for (const int gpu : plans[rank].gpus) {
            ranks_of[nearest_nics(node, node.gpu(gpu))].push_back(rank);
        }
        if (plans[rank].gpus.empty()) {
            const CpuSet& own = plans[rank].cpus.is_empty() ? cpus[rank] : plans[rank].cpus;
            ranks_of[nearest_nics(node, own)].push_back(rank);
        }
    }
    for (const auto& [nearest, ranks] : ranks_of) {
        for (std::size_t i = 0; i < ranks.size() && !nearest.empty(); ++i) {
            Numbers& nics = plans[ranks[i]].nics;
            const Numbers own = ranks.size() < nearest.size()
                                    ? block(nearest, i, ranks.size())
                                    : Numbers{nearest[i * nearest.size() / ranks.size()]};
            nics.insert(nics.end(), own.begin(), own.end());
        }
    }
    for (RankPlan& own : plans) {
        own.nics = distinct(std::move(own.nics));
    }
}

// CPUs whose cores the ranks with this GPU divide, from the place to the node.
constexpr int kNumRegions = 4;
CpuSet region_of(const NodeDevices& node, const Device& gpu, int kind) {
    CpuSet packages;
    switch (kind) {
        case 0:
            return gpu.place;
        case 1:
            return near_cpus(node, gpu);
        case 2:
            for (const CpuSet& package : node.packages) {
                if (!common(package, gpu.place).is_empty()) {
                    packages |= package;
                }
            }
            return packages;
        default:
            return node.cpus;
    }
}

struct Region {
    CpuSet cpus;
    std::vector<std::size_t> ranks;  // that have a GPU there
};

std::vector<Region> regions_of(const NodeDevices& node, const std::vector<RankPlan>& plans, int kind) {
    std::vector<Region> regions;
    for (std::size_t rank = 0; rank < plans.size(); ++rank) {
        for (const int gpu : plans[rank].gpus) {
            const CpuSet cpus = region_of(node, node.gpu(gpu), kind);
            auto region = std::find_if(regions.begin(), regions.end(),
                                       [&](const Region& other) { return other.cpus == cpus; });
            if (region == regions.end()) {
                region = regions.insert(region, {cpus, {}});
            }
            if (region->ranks.empty() || region->ranks.back() != rank) {
                region->ranks.push_back(rank);
            }
        }
    }
    return regions;
}

std::vector<CpuSet> cores_in(const NodeDevices& node, const CpuSet& region) {
    return parts_within(common(region, node.cpus), node.cores);
}

bool are_disjoint(const std::vector<CpuSet>& sets) {
    CpuSet all;
    return std::all_of(sets.begin(), sets.end(), [&](const CpuSet& set) {
        const bool is_apart = !set.is_empty() && common(all, set).is_empty();
        all |= set;
        return is_apart;
    });
}

// Whether each region has a core for each of its ranks, and none overlaps with another.
bool have_room(const NodeDevices& node, const std::vector<Region>& regions) {
    std::vector<CpuSet> sets;
    for (const Region& region : regions) {
        if (cores_in(node, region.cpus).size() < region.ranks.size()) {
            return false;
        }
        sets.push_back(region.cpus);
    }
    return are_disjoint(sets);
}

void choose_cpus(const NodeDevices& node, std::vector<RankPlan>& plans) {
    for (int kind = 0; kind < kNumRegions; ++kind) {
        const std::vector<Region> regions = regions_of(node, plans, kind);
        if (!have_room(node, regions)) {
            continue;
        }
        for (const Region& region : regions) {
            const std::vector<CpuSet> cores = cores_in(node, region.cpus);
            for (std::size_t i = 0; i < region.ranks.size(); ++i) {
                for (const CpuSet& core : block(cores, i, region.ranks.size())) {
                    plans[region.ranks[i]].cpus |= core;
                }
            }
        }
        return;
    }
}

}  // namespace

std::vector<RankPlan> plan(const NodeDevices& node, const std::vector<CpuSet>& bound,
                           const std::vector<int>& gpus, const PlanOptions& options) {
    const bool is_bound =
        !options.by_gpu && std::any_of(bound.begin(), bound.end(), [&](const CpuSet& c) {
            return !c.is_empty() && !node.cpus.is_subset_of(c);
        });
    std::vector<CpuSet> cpus = bound;  // where each may run
    for (CpuSet& own : cpus) {
        own = own.is_empty() || !is_bound ? node.cpus : own;
    }
    const std::vector<Numbers> chosen = choose_gpus(node, cpus, is_bound, gpus, options);
    std::vector<RankPlan> plans(bound.size());
    for (std::size_t rank = 0; rank < plans.size(); ++rank) {
        plans[rank].gpus = chosen[rank];
    }
    if (!options.keeps_cpus && (options.by_gpu || !are_disjoint(bound))) {
        choose_cpus(node, plans);
    }
    for (std::size_t rank = 0; rank < plans.size(); ++rank) {
        plans[rank].cpus = plans[rank].cpus.is_empty() ? bound[rank] : plans[rank].cpus;
    }
    choose_nics(node, cpus, plans);
    return plans;
}

}  // namespace hitopo
