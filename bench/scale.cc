// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
//     scale [PROCESSES...]      default: 1000 10000 100000 1000000
//
// The costs of a job of that many processes, of 50, 10 and one a node, ranks by slot and shuffled:
//   in_MB      bytes that a leader gets, and copy_ms, the least that they could cost
//   lead_ms    a leader's work to read them and to pass them on
//   make_ms    each process's to read the whole message and to make its tree; sorts: in std::sorts of
//              as many 64-byte records; peak_MB: of its memory
//   tree_MB    that each process keeps
//   guided ..  milliseconds of the first split of each kind, without its messages
//   messages   of a process, counted by hand
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "bench/live_bytes.h"
#include "bench/sortables.h"
#include "bench/synthetic_job.h"
#include "ompi/mca/hitopo/base/exchange/local_groups.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"
#include "ompi/mca/hitopo/core/tree/partition.h"

namespace hitopo::bench {
namespace {

constexpr int kNumRepetitions = 5;

double cpu_ms() {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

// The least of some repetitions, and the most memory that one took at once.
struct Cost {
    double ms, megabytes;
};
Cost cost_of(const std::function<void()>& body) {
    Cost least = {1e9, 0};
    const std::size_t before = live_bytes();
    reset_peak();
    for (int i = 0; i < kNumRepetitions; ++i) {
        const double start = cpu_ms();
        body();
        least.ms = std::min(least.ms, cpu_ms() - start);
    }
    least.megabytes = static_cast<double>(peak_bytes() - before) * 1e-6;
    return least;
}

double sort_ms(std::size_t count) {
    const std::vector<Sortable> unsorted = make_sortables(count);
    double least = 1e9;
    for (int i = 0; i < kNumRepetitions; ++i) {
        std::vector<Sortable> sorted = unsorted;
        const double start = cpu_ms();
        sort(sorted);
        least = std::min(least, cpu_ms() - start);
    }
    return least;
}

// The texts that the first leader receives, one a round.
std::vector<std::string> heard_of(const SyntheticJob& job, std::uint32_t num_nodes) {
    std::vector<std::string> heard;
    for (DisseminationRounds rounds(0, num_nodes); !rounds.is_over(); rounds.end_round()) {
        const auto from = static_cast<std::uint32_t>(rounds.from());
        const auto num = static_cast<std::uint32_t>(rounds.num_sent());
        heard.push_back(encode(job.records(from, from + num)));
    }
    return heard;
}

// The work of a leader from its own group's records on: it reads what it receives, passes it on, and
// sends it to its members.
std::string whole_from(const RecordMessage& own, const std::vector<std::string>& heard,
                       std::size_t num_nodes, std::size_t num_processes) {
    MessageMaker all;
    all.append(own);
    DisseminationRounds rounds(0, num_nodes);
    for (const std::string& text : heard) {
        (void)encode_groups(all.message(), rounds.num_sent());
        all.append(*decode(text, num_processes));
        rounds.end_round();
    }
    return encode(all.message());
}

AddressTree tree_from(const std::string& whole, std::size_t num_processes) {
    return std::move(*make_tree(*decode(whole, num_processes), num_processes, 1));
}

std::uint64_t log2_rounds(std::uint64_t count) {
    std::uint64_t rounds = 0;
    for (; std::uint64_t{1} << rounds < count; ++rounds) {
    }
    return rounds;
}

// The look-ups of the presence check, and the messages of the exchange (docs/design.md).
double messages_of_a_process(std::uint64_t num_processes, std::uint64_t num_nodes) {
    const std::uint64_t presence = num_processes * log2_rounds(num_processes);
    const std::uint64_t exchange = num_nodes * log2_rounds(num_nodes) + 2 * (num_processes - num_nodes);
    return static_cast<double>(presence + exchange) / static_cast<double>(num_processes);
}

void print_job(std::uint32_t num_processes, std::uint32_t num_per_node, bool is_by_slot, double sort) {
    JobShape shape;
    shape.num_nodes = std::max(num_processes / num_per_node, 1U);
    shape.num_processes_per_node = num_per_node;
    shape.is_by_slot = is_by_slot;
    const SyntheticJob job(shape);
    const RecordMessage own = job.records(0, 1);
    const std::vector<std::string> heard = heard_of(job, shape.num_nodes);
    const std::string bytes = std::accumulate(heard.begin(), heard.end(), std::string());
    std::string copy(bytes.size(), '\0');
    const Cost copied = cost_of([&] { std::memcpy(copy.data(), bytes.data(), bytes.size()); });
    std::string whole;
    const Cost led = cost_of([&] { whole = whole_from(own, heard, shape.num_nodes, job.size()); });
    const Cost made = cost_of([&] { (void)tree_from(whole, job.size()); });
    const std::size_t before = live_bytes();
    const AddressTree tree = tree_from(whole, job.size());
    const std::size_t kept = live_bytes() - before;
    const auto last = static_cast<std::uint32_t>(job.size() - 1);
    const Cost guided = cost_of([&] {
        (void)Partition::by_type(tree, {"NUMANode", false, kCluster}).own(last);
    });
    const Cost shared = cost_of([&] { (void)Partition::by_shared_memory(tree).own(last); });
    const Cost unguided = cost_of([&] { (void)Partition::unguided(tree).own(last); });
    const Cost hierarchy = cost_of([&] { (void)make_hierarchy(tree, 0); });
    std::printf(
        "%9zu %-8s %4u %8.3f %8.3f %8.2f %8.2f %6.2f %7.1f %8.3f %7.2f %7.2f %8.2f %9.2f %8.1f\n",
        job.size(), is_by_slot ? "slot" : "shuffled", num_per_node,
        static_cast<double>(bytes.size()) * 1e-6, copied.ms, led.ms, made.ms, made.ms / sort,
        made.megabytes, static_cast<double>(kept) * 1e-6, guided.ms, shared.ms, unguided.ms,
        hierarchy.ms, messages_of_a_process(job.size(), shape.num_nodes));
}

void print_jobs(std::uint32_t num_processes) {
    const double sort = sort_ms(num_processes);
    for (const std::uint32_t num_per_node : {50U, 10U, 1U}) {
        for (const bool is_by_slot : {true, false}) {
            print_job(num_processes, num_per_node, is_by_slot, sort);
        }
    }
}

}  // namespace
}  // namespace hitopo::bench

int main(int argc, char** argv) {
    std::printf("%9s %-8s %4s %8s %8s %8s %8s %6s %7s %8s %7s %7s %8s %9s %8s\n", "processes", "ranks",
                "node", "in_MB", "copy_ms", "lead_ms", "make_ms", "sorts", "peak_MB", "tree_MB",
                "guided", "shared", "unguided", "hierarchy", "messages");
    std::vector<std::uint32_t> sizes = {1000, 10000, 100000, 1000000};
    if (argc > 1) {
        sizes.clear();
        std::transform(argv + 1, argv + argc, std::back_inserter(sizes), [](const char* text) {
            return static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
        });
    }
    std::for_each(sizes.begin(), sizes.end(), hitopo::bench::print_jobs);
}
