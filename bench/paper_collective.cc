// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "bench/paper_collective.h"

#include <algorithm>

#include "ompi/mca/coll/hitopo/coll_hitopo.h"
#include "ompi/mca/coll/hitopo/core/bundles.h"
#include "ompi/mca/coll/hitopo/core/segments.h"
#include "test/coll/simulated_network.h"

namespace hitopo::bench {
namespace {

using coll::MessageSegments;

// Numbers that are merged have so many.
constexpr std::size_t kNumberBytes = 8;

// Where messages come from and go to: there is no data.
char from_here[1], to_here[1];

coll::Pattern pattern_of(Collective collective) {
    switch (collective) {
        case Collective::kBcast:
            return coll::Pattern::kFromRoot;
        case Collective::kReduce:
            return coll::Pattern::kToRoot;
        case Collective::kAllreduce:
            return coll::Pattern::kThereAndBack;
        case Collective::kReduceScatter:
            return coll::Pattern::kToEach;
        case Collective::kAlltoall:
            return coll::Pattern::kExchange;
        default:
            return coll::Pattern::kFromEach;
    }
}

MessageSegments::Roots roots_of(Collective collective, const coll::Choice& choice) {
    if (collective == Collective::kAllreduce) {
        return MessageSegments::Roots::kAll;
    }
    return MessageSegments::one_root(choice.has_proxies);
}

}  // namespace

std::string_view name_of(Collective collective) {
    constexpr std::string_view kNames[] = {"bcast",     "reduce",         "allreduce",
                                           "allgather", "reduce_scatter", "alltoall"};
    return kNames[static_cast<std::size_t>(collective)];
}

PaperCollective::PaperCollective(const coll::SimulatedMachine& machine, const coll::Shape& shape,
                                 Collective collective, std::size_t bytes, int num_leaders)
    : machine_(machine), shape_(shape), collective_(collective), bytes_(bytes) {
    const std::size_t num_processes = static_cast<std::size_t>(machine.num_processes());
    const coll::Pattern pattern = pattern_of(collective);
    choice_ = coll::choose(shape, machine.links(), pattern,
                           pattern == coll::Pattern::kExchange ? block_bytes() * num_processes : bytes,
                           coll::is_merged(pattern) ? kNumberBytes : 1, num_leaders);
}

std::size_t PaperCollective::block_bytes() const {
    return std::max<std::size_t>(1, bytes_ / static_cast<std::size_t>(machine_.num_processes()));
}

std::string PaperCollective::plan() const { return coll::describe(choice_, shape_); }

// The bytes that a link of this level carries each way, the mean of all of them.
double PaperCollective::bytes_through(std::size_t tier) const {
    const double num_groups = machine_.num_groups(tier), members = machine_.num_members(tier);
    const double all = static_cast<double>(bytes_);
    const double block = static_cast<double>(block_bytes()), num_processes = machine_.num_processes();
    switch (collective_) {
        case Collective::kBcast:
        case Collective::kReduce:
            return all;
        case Collective::kAllreduce:
            return 2 * (num_groups - 1) / num_groups * all;
        case Collective::kAlltoall:
            return members * (num_processes - members) * block;
        default:
            return (num_processes - members) * block;
    }
}

double PaperCollective::bound_us() const {
    double us = 0;
    for (std::size_t tier = 0; tier < machine_.tiers().size(); ++tier) {
        us = std::max(us, bytes_through(tier) / machine_.tiers()[tier].link.bytes_per_us);
    }
    return us + machine_.tiers().front().link.latency_us;
}

std::uint64_t PaperCollective::num_messages() const {
    const auto others = static_cast<std::uint64_t>(machine_.num_processes()) - 1;
    const std::uint64_t num_pieces = (block_bytes() + choice_.segment_bytes - 1) / choice_.segment_bytes;
    switch (collective_) {
        case Collective::kAllreduce:
            return 2 * others * static_cast<std::uint64_t>(choice_.num_segments);
        case Collective::kAlltoall:
            return others * (others + 1);
        case Collective::kAllgather:
        case Collective::kReduceScatter:
            return others * (others + 1) * num_pieces;
        default:
            return others * static_cast<std::uint64_t>(choice_.num_segments);
    }
}

// As the component makes it. One serves all ranks: their numbers, routes and counts are the same, and
// results that others have no use for take no time.
std::unique_ptr<coll::Segments> PaperCollective::make_segments(const coll::Groups& groups) const {
    std::unique_ptr<coll::Segments> segments;
    if (coll::has_blocks(choice_.pattern)) {
        auto blocks = std::make_unique<coll::BlockSegments>(
            groups, coll::equal_blocks(machine_.num_processes(), block_bytes()), 0,
            choice_.segment_bytes);
        blocks->input = from_here;
        blocks->output = to_here;
        segments = std::move(blocks);
    } else {
        auto cut = std::make_unique<MessageSegments>(
            groups, choice_.trees, roots_of(collective_, choice_), 0, bytes_, 0, choice_.num_segments);
        cut->input = from_here;
        cut->output = to_here;
        segments = std::move(cut);
    }
    segments->goes_up = coll::is_merged(choice_.pattern);
    segments->comes_down = !segments->goes_up || collective_ == Collective::kAllreduce;
    return segments;
}

std::optional<Simulated> PaperCollective::simulate(const std::vector<coll::Groups>& groups) const {
    coll::SimulatedNetwork network(machine_, HITOPO_COLL_NUM_TAGS);
    std::vector<std::unique_ptr<coll::Algorithm>> algorithms;
    const bool is_bundled = collective_ == Collective::kAlltoall;
    // Bundles are copied from here, and to there; those of all processes.
    std::vector<char> out(is_bundled ? block_bytes() * groups.size() : 0), in(out.size());
    const std::unique_ptr<coll::Segments> segments =
        is_bundled ? nullptr : make_segments(groups.front());
    for (std::size_t rank = 0; rank < groups.size(); ++rank) {
        coll::Messages& messages = network.messages(static_cast<int>(rank));
        if (is_bundled) {
            algorithms.push_back(std::make_unique<coll::Bundles>(
                messages, groups[rank], out.data(), in.data(), block_bytes(), choice_.num_sharing));
        } else {
            algorithms.push_back(std::make_unique<coll::Engine>(messages, groups[rank], choice_.trees,
                                                                *segments, choice_.window));
        }
    }
    const std::optional<double> us = network.run(algorithms);
    if (!us) {
        return std::nullopt;
    }
    const coll::SimulatedNetwork::Busiest busiest = network.busiest();
    return Simulated{*us, busiest.level, busiest.us};
}

}  // namespace hitopo::bench
