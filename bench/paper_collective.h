// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// One collective of a machine on paper: what the component would choose, what its model expects, what
// the links need at least, and what the core takes over a simulated network.
#ifndef BENCH_PAPER_COLLECTIVE_H
#define BENCH_PAPER_COLLECTIVE_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/coll/hitopo/core/engine.h"
#include "test/coll/simulated_machine.h"

namespace hitopo::bench {

enum class Collective { kBcast, kReduce, kAllreduce, kAllgather, kReduceScatter, kAlltoall };
inline constexpr Collective kCollectives[] = {Collective::kBcast,         Collective::kReduce,
                                              Collective::kAllreduce,     Collective::kAllgather,
                                              Collective::kReduceScatter, Collective::kAlltoall};

std::string_view name_of(Collective collective);

struct Simulated {
    double us;
    int busiest_level;  // of all links
    double busiest_us;  // for which that link is busy
};

// bytes: of the message; where there are blocks, of all blocks of a process together; of an alltoall, so
// many that it goes in bundles.
class PaperCollective {
public:
    // machine, shape: live as long as this does. The root is rank 0.
    PaperCollective(const coll::SimulatedMachine& machine, const coll::Shape& shape,
                    Collective collective, std::size_t bytes, int num_leaders);

    std::string plan() const;
    double model_us() const { return choice_.us; }

    // The least that an algorithm takes: one message's latency, and the time in which the links of one
    // level carry what each of them must, each way.
    double bound_us() const;

    // The number of messages.
    std::uint64_t num_messages() const;

    // groups: of each rank. None where they wait for each other for ever.
    std::optional<Simulated> simulate(const std::vector<coll::Groups>& groups) const;

private:
    std::size_t block_bytes() const;
    double bytes_through(std::size_t tier) const;
    std::unique_ptr<coll::Segments> make_segments(const coll::Groups& groups) const;

    const coll::SimulatedMachine& machine_;
    const coll::Shape& shape_;
    Collective collective_;
    std::size_t bytes_;
    coll::Choice choice_;
};

}  // namespace hitopo::bench

#endif
