// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A short allreduce on fat trees that exist on paper, by our choice and by Open MPI's recursive doubling
// among ranks: a row for each machine and number of bytes, with hops that follow each other, messages,
// and what the busiest trunk carries each way. By slot, ranks are in the order of nodes; by node, they
// go round them.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "ompi/mca/coll/hitopo/core/segments.h"
#include "test/coll/simulated_network.h"

namespace hitopo::bench {
namespace {

using coll::kProcess;
using coll::MessageSegments;
using coll::SimulatedMachine;

constexpr int kMostBelowSwitch = 16;
constexpr double kPort = 25000;  // bytes a microsecond

struct Network {
    double latency_us, message_us, port;  // port: of a node; each process has half as much
    double uplinks;                       // of a switch, for each port to a node
};
constexpr Network kOneHop = {1, 0, 1e9, 1};  // the time is the number of hops

SimulatedMachine machine_of(int num_nodes, int num_processes, const Network& network) {
    const int below = std::min(num_nodes, kMostBelowSwitch);
    const double latency = network.latency_us, message = network.message_us, port = network.port;
    std::vector<coll::Tier> tiers;
    if (num_nodes > below) {
        tiers.push_back(
            {kSwitch, num_nodes / below, {latency, below * port * network.uplinks, message}});
    }
    tiers.push_back({kNode, below, {latency, port, message}});
    if (num_processes > 1) {
        const bool counts_hops = message == 0;
        tiers.push_back({kProcess, num_processes, {counts_hops ? 1 : 0.4, port / 2, message / 2}});
    }
    return {std::move(tiers), 4096};
}

// Ranks without groups, in the order of ranks, for recursive doubling: all that its messages show is the
// place of each.
class Placed : public coll::Positions {
public:
    Placed(int num_nodes, int num_processes, bool is_by_slot)
        : nodes_(num_nodes), processes_(num_processes), is_by_slot_(is_by_slot) {}
    int size() const override { return nodes_ * processes_; }
    int rank_of(int rank) const override {
        return is_by_slot_ ? rank : rank % nodes_ * processes_ + rank / nodes_;
    }
    int position_of(int place) const override {
        return is_by_slot_ ? place : place % processes_ * nodes_ + place / processes_;
    }
    unsigned levels() const override { return 1u << kHwThread; }
    int group_at(int level, int position) const override { return level == kHwThread ? position : 0; }
    int group_begin(int level, int group) const override {
        return level == kHwThread ? group : group * size();
    }

private:
    int nodes_, processes_;
    bool is_by_slot_;
};

struct Result {
    double us = 0, trunk_bytes = 0;
    std::uint64_t num_messages = 0;
};

Result run(const SimulatedMachine& machine, const std::vector<coll::Groups>& groups,
           const coll::TreeShape& trees, std::size_t bytes) {
    char here[1];
    coll::SimulatedNetwork network(machine, 1);
    std::vector<std::unique_ptr<coll::Algorithm>> algorithms;
    MessageSegments segments(groups.front(), trees, MessageSegments::Roots::kAll, 0, bytes, 0, 1);
    segments.input = segments.output = here;
    segments.goes_up = segments.comes_down = true;
    for (std::size_t rank = 0; rank < groups.size(); ++rank) {
        const int place = groups[rank].rank_of(groups[rank].own_position());
        algorithms.push_back(
            std::make_unique<coll::Engine>(network.messages(place), groups[rank], trees, segments, 1));
    }
    Result result;
    const std::optional<double> us = network.run(algorithms);
    if (!us) {
        std::fprintf(stderr, "processes wait for each other\n");
        std::exit(1);
    }
    result.us = *us;
    const coll::Link& trunk = machine.tiers().front().link;
    result.trunk_bytes = network.busiest_us(0) * trunk.bytes_per_us;
    result.num_messages = network.num_messages();
    return result;
}

void print(int num_nodes, int num_processes, const char* tree, const char* how, std::size_t bytes,
           const Result& timed, const Result& hops, double stock_us) {
    std::printf("%5d x %d %-8s %5zu  %-22s %5.0f %8llu %10.0f %8.2f %6.2f\n", num_nodes, num_processes,
                tree, bytes, how, hops.us, static_cast<unsigned long long>(timed.num_messages),
                timed.trunk_bytes, timed.us, timed.us / stock_us);
}

void compare(int num_nodes, int num_processes, const char* tree, const Network& network,
             std::size_t bytes) {
    const SimulatedMachine machine = machine_of(num_nodes, num_processes, network);
    const SimulatedMachine counting = machine_of(num_nodes, num_processes, kOneHop);
    double stock_us = 0;
    for (const bool is_by_slot : {true, false}) {
        if (num_processes == 1 && !is_by_slot) {
            continue;
        }
        const auto placed = std::make_shared<Placed>(num_nodes, num_processes, is_by_slot);
        std::vector<coll::Groups> ranks;
        for (int place = 0; place < machine.num_processes(); ++place) {
            ranks.emplace_back(placed, place);
        }
        coll::TreeShape doubling;
        doubling.exchanging = kHwThread;
        doubling.rounds = std::make_shared<coll::Rounds>(machine.num_processes(), 2);
        const Result timed = run(machine, ranks, doubling, bytes);
        stock_us = timed.us;
        print(num_nodes, num_processes, tree, is_by_slot ? "doubling, by slot" : "doubling, by node",
              bytes, timed, run(counting, ranks, doubling, bytes), stock_us);
    }
    std::vector<coll::Groups> groups;
    for (int rank = 0; rank < machine.num_processes(); ++rank) {
        groups.push_back(machine.groups_of(rank));
    }
    coll::Shape shape = groups.front().shape();
    shape.shares_memory = coll::shares_memory(shape, 4);
    const coll::Choice choice =
        coll::choose(shape, machine.links(), coll::Pattern::kThereAndBack, bytes, 8, 16);
    print(num_nodes, num_processes, tree, "ours", bytes, run(machine, groups, choice.trees, bytes),
          run(counting, groups, choice.trees, bytes), stock_us);
    std::printf("%36s%s\n", "", coll::describe(choice, shape).c_str());
}

}  // namespace
}  // namespace hitopo::bench

int main() {
    using hitopo::bench::Network;
    std::printf("%-9s %-8s %5s  %-22s %5s %8s %10s %8s %6s\n", "nodes", "tree", "bytes", "algorithm",
                "hops", "messages", "trunk", "us", "ratio");
    for (const int num_processes : {1, 4}) {
        for (const int num_nodes : {2, 3, 4, 8, 16, 32, 64, 256, 1008}) {
            for (const std::size_t bytes : {std::size_t{8}, std::size_t{2048}}) {
                const double port = hitopo::bench::kPort;
                hitopo::bench::compare(num_nodes, num_processes, "full", {1.5, 0.2, port, 1}, bytes);
                if (num_nodes > hitopo::bench::kMostBelowSwitch) {
                    hitopo::bench::compare(num_nodes, num_processes, "tapered",
                                           {1.5, 0.2, port / 2, 0.25}, bytes);
                }
            }
        }
    }
    return 0;
}
