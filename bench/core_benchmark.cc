// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// From what a million processes say to their addresses and all their domains, against one std::sort.
// Each step is timed by itself too; `derive` is all of them. And what one process does for a split.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "bench/live_bytes.h"
#include "bench/sortables.h"
#include "bench/synthetic_job.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"
#include "ompi/mca/hitopo/core/tree/partition.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"

namespace hitopo::bench {
namespace {

constexpr std::size_t kNumSorted = 1000000;

void sort_processes(benchmark::State& state) {
    const std::vector<Sortable> unsorted = make_sortables(kNumSorted);
    std::vector<Sortable> sorted(unsorted.size());
    for (auto _ : state) {
        state.PauseTiming();
        std::copy(unsorted.begin(), unsorted.end(), sorted.begin());
        state.ResumeTiming();
        sort(sorted);
        benchmark::DoNotOptimize(sorted.data());
    }
}

// The state of a process after the exchange.
struct Input {
    explicit Input(const JobShape& shape) {
        const SyntheticJob job(shape);
        size = job.size();
        bytes = encode(job.records(0, shape.num_nodes));
    }

    std::size_t size;
    std::string bytes;
};

constexpr JobShape kAlike = {20000, 50, 20, 25, false, false, false};
constexpr JobShape kBySlot = {20000, 50, 20, 25, false, false, true};
constexpr JobShape kContainers = {20000, 50, 20, 25, true, false, false};
constexpr JobShape kScattered = {20000, 50, 20, 25, false, true, false};

// One at a time.
const Input& input(const JobShape& shape) {
    static const JobShape* made_of = nullptr;
    static std::unique_ptr<const Input> made;
    if (made_of != &shape) {
        made.reset();
        made = std::make_unique<Input>(shape);
        made_of = &shape;
    }
    return *made;
}

RecordMessage message_of(const Input& input) { return std::move(*decode(input.bytes, input.size)); }

AddressTree tree_of(const RecordMessage& message, const Input& input) {
    return std::move(*make_tree(message, input.size, 1));
}

std::size_t derive_domains(const AddressTree& tree) {
    std::size_t num_domains = 0;
    for (const ResourceType& type : resource_types(tree)) {
        const Partition domains = Partition::by_type(tree, type);
        benchmark::DoNotOptimize(domains.groups());
        num_domains += domains.count();
    }
    return num_domains;
}

void decode(benchmark::State& state) {
    const Input& job = input(kAlike);
    for (auto _ : state) {
        benchmark::DoNotOptimize(message_of(job));
    }
}

void tree(benchmark::State& state) {
    const Input& job = input(kAlike);
    const RecordMessage message = message_of(job);
    for (auto _ : state) {
        benchmark::DoNotOptimize(tree_of(message, job));
    }
}

const AddressTree& tree_of(const JobShape& shape);

void domains(benchmark::State& state) {
    const AddressTree& tree = tree_of(kAlike);
    for (auto _ : state) {
        benchmark::DoNotOptimize(derive_domains(tree));
    }
}

void rows(benchmark::State& state) {
    const AddressTree& tree = tree_of(kAlike);
    std::vector<Address> addresses(tree.size());
    for (auto _ : state) {
        for (std::uint32_t rank = 0; rank < tree.size(); ++rank) {
            addresses[rank] = tree.address(rank);
        }
        benchmark::DoNotOptimize(addresses.data());
    }
}

// One address, of ranks all over the job.
void address(benchmark::State& state, const JobShape& shape, bool is_by_node) {
    const AddressTree& made = tree_of(shape);
    std::vector<std::uint32_t> ranks(made.size());
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        const auto num_nodes = static_cast<std::uint32_t>(made.nodes().size());
        const auto num_processes = static_cast<std::uint32_t>(ranks.size()) / num_nodes;
        ranks[rank] = is_by_node ? rank % num_nodes * num_processes + rank / num_nodes : rank;
    }
    const AddressTree tree = made.restrict_to(ranks);
    constexpr std::uint32_t kStep = 7919;
    std::uint32_t rank = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(tree.address(rank));
        rank = rank + kStep < tree.size() ? rank + kStep
                                          : rank + kStep - static_cast<std::uint32_t>(tree.size());
    }
}

void derive(benchmark::State& state, const JobShape& shape) {
    const Input& job = input(shape);
    const auto num_processes = static_cast<double>(job.size);
    const std::size_t before = live_bytes();
    std::size_t tree_bytes = 0;
    reset_peak();
    for (auto _ : state) {
        const AddressTree tree = tree_of(message_of(job), job);
        tree_bytes = live_bytes() - before;
        benchmark::DoNotOptimize(derive_domains(tree));
    }
    state.counters["wire_bytes"] = static_cast<double>(job.bytes.size()) / num_processes;
    state.counters["working_bytes"] = static_cast<double>(peak_bytes() - before) / num_processes;
    state.counters["tree_bytes"] = static_cast<double>(tree_bytes) / num_processes;
}

// One at a time.
const AddressTree& tree_of(const JobShape& shape) {
    static const JobShape* made_of = nullptr;
    static std::unique_ptr<const AddressTree> made;
    if (made_of != &shape) {
        made = std::make_unique<const AddressTree>(tree_of(message_of(input(shape)), input(shape)));
        made_of = &shape;
    }
    return *made;
}

// ---- splits: of the highest rank, which has the most before it ----

void guided(const AddressTree& tree) {
    const auto rank = static_cast<std::uint32_t>(tree.size() - 1);
    benchmark::DoNotOptimize(Partition::by_type(tree, {"NUMANode", false, kCluster}).own(rank));
}

void shared(const AddressTree& tree) {
    const auto rank = static_cast<std::uint32_t>(tree.size() - 1);
    benchmark::DoNotOptimize(Partition::by_shared_memory(tree).own(rank));
}

void unguided(const AddressTree& tree) {
    const auto rank = static_cast<std::uint32_t>(tree.size() - 1);
    benchmark::DoNotOptimize(Partition::unguided(tree).own(rank));
}

// By rank 0, which is in all roots communicators.
void hierarchy(const AddressTree& tree) { benchmark::DoNotOptimize(make_hierarchy(tree, 0)); }

void split(benchmark::State& state, void (*one)(const AddressTree&), const JobShape& shape) {
    const AddressTree& tree = tree_of(shape);
    const std::size_t before = live_bytes();
    reset_peak();
    for (auto _ : state) {
        one(tree);
    }
    state.counters["working_bytes"] = static_cast<double>(peak_bytes() - before);
}

BENCHMARK(sort_processes)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(derive, alike, kAlike)->Unit(benchmark::kMillisecond);
BENCHMARK(decode)->Unit(benchmark::kMillisecond);
BENCHMARK(tree)->Unit(benchmark::kMillisecond);
BENCHMARK(domains)->Unit(benchmark::kMillisecond);
BENCHMARK(rows)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(address, by_slot, kBySlot, false);
BENCHMARK_CAPTURE(address, by_node, kBySlot, true);
BENCHMARK_CAPTURE(address, shuffled, kAlike, false);
BENCHMARK_CAPTURE(derive, by_slot, kBySlot)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(derive, containers, kContainers)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(derive, scattered, kScattered)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(split, guided_by_slot, guided, kBySlot)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(split, shared_by_slot, shared, kBySlot)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(split, unguided_by_slot, unguided, kBySlot)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(split, hierarchy_by_slot, hierarchy, kBySlot)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(split, guided_shuffled, guided, kAlike)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(split, shared_shuffled, shared, kAlike)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(split, unguided_shuffled, unguided, kAlike)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(split, hierarchy_shuffled, hierarchy, kAlike)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(split, unguided_scattered, unguided, kScattered)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(split, hierarchy_scattered, hierarchy, kScattered)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hitopo::bench

BENCHMARK_MAIN();
