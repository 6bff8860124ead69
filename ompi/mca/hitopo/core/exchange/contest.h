// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Which component fills a level of a node, where several know it.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_CONTEST_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_CONTEST_H

#include <cstdint>
#include <optional>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/cards.h"

namespace hitopo {

// By priority, then by name.
bool has_precedence(const Candidate& a, const Candidate& b, const Names& names);

// One component that competes for a level of a node.
struct Contender {
    Candidate candidate;  // of its first process
    std::uint32_t witness;
    std::uint32_t num_processes;              // for which it answered
    std::optional<std::uint32_t> other_rank;  // the first that gives another value
    bool is_apart = false;                    // as of Contest::add_apart
};

class Contest {
public:
    // A contest on a node of that many processes. forced: the component that the administrator named for
    // the level, or 0. names: must outlive this.
    Contest(std::uint32_t num_processes, std::uint32_t forced, const Names& names)
        : num_processes_(num_processes), forced_(forced), names_(&names) {}

    // In the order of ranks: `rank` answered for `num_processes` processes.
    void add(const Candidate& candidate, std::uint32_t rank, std::uint32_t num_processes);

    // What its component says of the node in another way than by values of processes.
    void add_apart(const Candidate& candidate, std::uint32_t num_processes);

    // Named by the administrator, then answered for most processes, then priority, then name; a
    // component that answered for few still beats none. NULL where nobody answered.
    const Contender* winner() const;

private:
    bool is_better(const Contender& a, const Contender& b) const;

    std::vector<Contender> contenders_;
    std::uint32_t num_processes_, forced_;
    const Names* names_;
};

}  // namespace hitopo

#endif
