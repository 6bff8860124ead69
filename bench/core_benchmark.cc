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
#include "ompi/mca/hitopo/core/exchange/directory.h"
#include "ompi/mca/hitopo/core/table/domain.h"
#include "ompi/mca/hitopo/core/table/grouping.h"
#include "ompi/mca/hitopo/core/table/hierarchy.h"
#include "ompi/mca/hitopo/core/table/table.h"

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

// What a process has in hand after the exchange.
struct Input {
    explicit Input(const JobShape& shape) {
        const SyntheticJob job(shape);
        size = job.size();
        bytes = job.summary(0, shape.num_nodes).in_order().encode(1);
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

Summary summary_of(const Input& input) { return std::move(*Summary::decode(input.bytes, input.size)); }

Plan plan_of(const Summary& summary, const Input& input) {
    return std::move(*make_plan(summary, input.size));
}

Directory directory_of(const Input& input) {
    const Summary summary = summary_of(input);
    Plan plan = plan_of(summary, input);
    return make_directory(summary, plan, {});
}

Table table_of(Directory& directory) {
    return Table(std::move(directory.dictionary), directory.occupancy);
}

std::size_t derive_domains(const Table& table) {
    std::size_t num_domains = 0;
    for (const ResourceType& type : resource_types(table)) {
        num_domains += static_cast<std::size_t>(domains_of(table, type).count);
    }
    return num_domains;
}

void decode(benchmark::State& state) {
    const Input& job = input(kAlike);
    for (auto _ : state) {
        benchmark::DoNotOptimize(summary_of(job));
    }
}

void plan(benchmark::State& state) {
    const Input& job = input(kAlike);
    const Summary summary = summary_of(job);
    for (auto _ : state) {
        benchmark::DoNotOptimize(plan_of(summary, job));
    }
}

void directory(benchmark::State& state) {
    const Summary summary = summary_of(input(kAlike));
    Plan plan = plan_of(summary, input(kAlike));
    for (auto _ : state) {
        benchmark::DoNotOptimize(make_directory(summary, plan, {}));
    }
}

void table(benchmark::State& state) {
    Directory directory = directory_of(input(kAlike));
    const auto dictionary = std::make_shared<const Dictionary>(std::move(directory.dictionary));
    for (auto _ : state) {
        benchmark::DoNotOptimize(Table(dictionary, directory.occupancy));
    }
}

void domains(benchmark::State& state) {
    Directory directory = directory_of(input(kAlike));
    const Table table = table_of(directory);
    for (auto _ : state) {
        benchmark::DoNotOptimize(derive_domains(table));
    }
}

void rows(benchmark::State& state) {
    Directory directory = directory_of(input(kAlike));
    const Table table = table_of(directory);
    std::vector<Address> addresses(table.size());
    for (auto _ : state) {
        for (std::size_t rank = 0; rank < table.size(); ++rank) {
            addresses[rank] = table.address(rank);
        }
        benchmark::DoNotOptimize(addresses.data());
    }
}

const Table& split_table(const JobShape& shape);

// One address, of ranks all over the job.
void address(benchmark::State& state, const JobShape& shape, bool is_by_node) {
    const Table& made = split_table(shape);
    std::vector<std::uint32_t> ranks(made.size());
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        const auto num_nodes = static_cast<std::uint32_t>(made.num_nodes());
        const auto num_processes = static_cast<std::uint32_t>(ranks.size()) / num_nodes;
        ranks[rank] = is_by_node ? rank % num_nodes * num_processes + rank / num_nodes : rank;
    }
    const Table table = made.restrict_to(ranks);
    constexpr std::size_t kStep = 7919;
    std::size_t rank = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(table.address(rank));
        rank = rank + kStep < table.size() ? rank + kStep : rank + kStep - table.size();
    }
}

void derive(benchmark::State& state, const JobShape& shape) {
    const Input& job = input(shape);
    const auto num_processes = static_cast<double>(job.size);
    const std::size_t before = live_bytes();
    std::size_t table_bytes = 0;
    reset_peak();
    for (auto _ : state) {
        Directory directory = directory_of(job);
        const std::size_t with_directory = live_bytes();
        const Table table = table_of(directory);
        table_bytes = live_bytes() - with_directory;
        benchmark::DoNotOptimize(derive_domains(table));
    }
    state.counters["wire_bytes"] = static_cast<double>(job.bytes.size()) / num_processes;
    state.counters["working_bytes"] = static_cast<double>(peak_bytes() - before) / num_processes;
    state.counters["table_bytes"] = static_cast<double>(table_bytes) / num_processes;
}

// ---- splits: of the highest rank, which has the most before it ----

const Table& split_table(const JobShape& shape) {
    static const JobShape* made_of = nullptr;
    static std::unique_ptr<const Table> made;
    if (made_of != &shape) {
        Directory directory = directory_of(input(shape));
        made = std::make_unique<const Table>(table_of(directory));
        made_of = &shape;
    }
    return *made;
}

void guided(const Table& table) {
    const auto rank = static_cast<std::uint32_t>(table.size() - 1);
    benchmark::DoNotOptimize(Grouping::by_type(table, {"NUMANode", false, kCluster}).own(rank));
}

void shared(const Table& table) {
    const auto rank = static_cast<std::uint32_t>(table.size() - 1);
    benchmark::DoNotOptimize(Grouping::by_shared_memory(table).own(rank));
}

void unguided(const Table& table) {
    const auto rank = static_cast<std::uint32_t>(table.size() - 1);
    benchmark::DoNotOptimize(Grouping::unguided(table).own(rank));
}

// By rank 0, which is in all roots communicators.
void hierarchy(const Table& table) { benchmark::DoNotOptimize(make_hierarchy(table, 0)); }

void split(benchmark::State& state, void (*one)(const Table&), const JobShape& shape) {
    const Table& table = split_table(shape);
    const std::size_t before = live_bytes();
    reset_peak();
    for (auto _ : state) {
        one(table);
    }
    state.counters["working_bytes"] = static_cast<double>(peak_bytes() - before);
}

BENCHMARK(sort_processes)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(derive, alike, kAlike)->Unit(benchmark::kMillisecond);
BENCHMARK(decode)->Unit(benchmark::kMillisecond);
BENCHMARK(plan)->Unit(benchmark::kMillisecond);
BENCHMARK(directory)->Unit(benchmark::kMillisecond);
BENCHMARK(table)->Unit(benchmark::kMillisecond);
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
