// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The tree of 100 000 processes in two: each makes up half of them, gathers the other half as
// MPI_Init would, and derives the whole. Prints what `bench/run two-processes` shows.
#include <mpi.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>

#include "bench/live_bytes.h"
#include "bench/sortables.h"
#include "bench/synthetic_job.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"
#include "ompi/mca/hitopo/core/tree/partition.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"

namespace hitopo::bench {
namespace {

constexpr JobShape kShape = {2000, 50, 20, 25, false, false, false};
constexpr int kNumRepetitions = 15;

double cpu_ms() {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

// CPU time of this thread: the other process and whatever else runs here do not count.
double time_ms(const std::function<void()>& body) {
    const double start = cpu_ms();
    body();
    return cpu_ms() - start;
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
}

double time_sort_ms(std::size_t count) {
    std::vector<Sortable> sortables = make_sortables(count);
    return time_ms([&] { sort(sortables); });
}

struct Gathered {
    std::size_t size;
    std::string bytes;
};

// Each process stands for the leaders of its part of the nodes.
Gathered gather(const SyntheticJob& job, std::uint32_t rank, std::uint32_t size) {
    const std::string mine =
        encode(job.records(kShape.num_nodes * rank / size, kShape.num_nodes * (rank + 1) / size));
    const int num_bytes = static_cast<int>(mine.size());
    std::vector<int> counts(size);
    MPI_Allgather(&num_bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::vector<int> displacements(size, 0);
    std::partial_sum(counts.begin(), counts.end() - 1, displacements.begin() + 1);
    std::string all(static_cast<std::size_t>(displacements.back() + counts.back()), '\0');
    MPI_Allgatherv(mine.data(), num_bytes, MPI_CHAR, all.data(), counts.data(), displacements.data(),
                   MPI_CHAR, MPI_COMM_WORLD);
    MessageMaker whole;
    for (std::size_t i = 0; i < size; ++i) {
        const std::string_view part(&all[static_cast<std::size_t>(displacements[i])],
                                    static_cast<std::size_t>(counts[i]));
        whole.append(*decode(part, job.size()));
    }
    return {job.size(), encode(whole.message())};
}

AddressTree derive(const Gathered& job) {
    return std::move(*make_tree(*decode(job.bytes, job.size), job.size, 1));
}

std::vector<std::int32_t> domains_of(const AddressTree& tree, const ResourceType& type) {
    return Partition::by_type(tree, type).groups();
}

// A hash of all addresses and all domains: equal trees have equal ones.
std::uint64_t fingerprint(const AddressTree& tree) {
    std::uint64_t hash = 0;
    for (std::uint32_t rank = 0; rank < tree.size(); ++rank) {
        for (const std::int32_t value : tree.address(rank)) {
            hash = combine(hash, static_cast<std::uint32_t>(value));
        }
    }
    for (const ResourceType& type : resource_types(tree)) {
        for (const std::int32_t domain : domains_of(tree, type)) {
            hash = combine(hash, static_cast<std::uint32_t>(domain));
        }
    }
    return hash;
}

bool is_equal_everywhere(std::uint64_t value) {
    const std::uint64_t mine[2] = {value, ~value};
    std::uint64_t greatest[2] = {};
    MPI_Allreduce(mine, greatest, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    return greatest[0] == ~greatest[1];
}

void measure(const Gathered& job, int rank) {
    const auto num_processes = static_cast<double>(job.size);
    std::vector<double> sort_ms, derive_ms, domains_ms;
    std::size_t tree_bytes = 0;
    const std::size_t before = live_bytes();
    reset_peak();
    for (int i = 0; i < kNumRepetitions; ++i) {
        std::optional<AddressTree> tree;
        derive_ms.push_back(time_ms([&] { tree.emplace(derive(job)); }));
        tree_bytes = live_bytes() - before;
        domains_ms.push_back(time_ms([&] {
            for (const ResourceType& type : resource_types(*tree)) {
                (void)domains_of(*tree, type);
            }
        }));
    }
    const std::size_t working_bytes = peak_bytes() - before;
    for (int i = 0; i < kNumRepetitions; ++i) {
        sort_ms.push_back(time_sort_ms(job.size));
    }
    const bool is_equal = is_equal_everywhere(fingerprint(derive(job)));
    if (rank == 0) {
        std::printf("processes %zu\n", job.size);
        std::printf("tree_to_sort %.2f\n", median(derive_ms) / median(sort_ms));
        std::printf("domains_to_sort %.2f\n", median(domains_ms) / median(sort_ms));
        std::printf("working_bytes %.1f\n", static_cast<double>(working_bytes) / num_processes);
        std::printf("kept_bytes %.1f\n", static_cast<double>(tree_bytes) / num_processes);
        std::printf("equal %s\n", is_equal ? "yes" : "no");
    }
}

}  // namespace
}  // namespace hitopo::bench

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const hitopo::bench::SyntheticJob job(hitopo::bench::kShape);
    hitopo::bench::measure(hitopo::bench::gather(job, rank, size), rank);
    MPI_Finalize();
    return 0;
}
