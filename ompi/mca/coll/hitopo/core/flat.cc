// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/flat.h"

#include <algorithm>
#include <cmath>

namespace hitopo::coll {
namespace {

int rounds_of(int n) {
    int rounds = 0;
    for (long reached = 1; reached < n; reached *= 2) {
        ++rounds;
    }
    return rounds;
}

class Flat {
public:
    Flat(const Shape& shape, const Links& links)
        : shape_(shape), links_(links), num_steps_(shape.num_processes - 1) {
        for (std::size_t level = 0; level < kNumDivisions; ++level) {
            if (shape.max_children[level] > 1) {
                start_us_ = std::max(start_us_, links[level].latency_us + links[level].message_us);
            }
        }
    }

    // Each process's part of the message goes round once.
    double ring_us(double bytes) const {
        const double part = bytes / shape_.num_processes;
        return num_steps_ * (start_us_ + most([&](std::size_t level) {
                                 return shape_.max_leaving[level] * part / links_[level].bytes_per_us;
                             }));
    }

    // Until one message of so many bytes has come to all, or from all: the distance doubles from round
    // to round, and each round is through before the next.
    double rounds_us(double bytes) const {
        return sum_of_rounds([&](std::size_t level, int) { return bytes / links_[level].bytes_per_us; });
    }

    // All processes send in each of those rounds, `first` bytes in the farthest, and `factor` times as
    // many in the next.
    double all_rounds_us(double first, double factor) const {
        return sum_of_rounds([&](std::size_t level, int round) {
            const double members = static_cast<double>(shape_.num_processes) / shape_.num_groups[level];
            return members * first * std::pow(factor, round) / links_[level].bytes_per_us;
        });
    }

    // Through the slowest link once.
    double once_us(double bytes) const {
        return most([&](std::size_t level) { return bytes / links_[level].bytes_per_us; });
    }

private:
    // Over the levels that divide the processes.
    template <class ToUs>
    double most(ToUs to_us) const {
        double us = 0;
        for (std::size_t level = 0; level < kNumDivisions; ++level) {
            us = shape_.max_children[level] > 1 ? std::max(us, to_us(level)) : us;
        }
        return us;
    }

    // Over the rounds, the farthest first: of each the outermost level that it leaves a group of.
    template <class ToUs>
    double sum_of_rounds(ToUs to_us) const {
        double us = rounds_of(shape_.num_processes) * start_us_;
        int round = 0;
        for (std::size_t level = 0; level < kNumDivisions; ++level) {
            for (; shape_.max_children[level] > 1 && round < rounds_of(shape_.num_groups[level]);
                 ++round) {
                us += to_us(level, round);
            }
        }
        return us;
    }

    const Shape& shape_;
    const Links& links_;
    int num_steps_;
    double start_us_ = 0;  // of a message between processes that are far from each other
};

}  // namespace

double flat_us(const Shape& shape, const Links& links, Pattern pattern, std::size_t num_bytes) {
    const Flat flat(shape, links);
    const auto bytes = static_cast<double>(num_bytes);
    switch (pattern) {
        case Pattern::kThereAndBack:
            return std::min(2 * flat.ring_us(bytes), flat.all_rounds_us(bytes, 1));
        case Pattern::kFromEach:
        case Pattern::kToEach:
            return std::min(flat.ring_us(bytes), flat.all_rounds_us(bytes / 2, 0.5));
        case Pattern::kExchange:
            return flat.all_rounds_us(std::floor(bytes / shape.num_processes) * shape.num_processes / 2,
                                      1);
        case Pattern::kFromRoot:
        case Pattern::kToRoot:
            break;
    }
    // Whole; or in parts to all, which then go round.
    return std::min(flat.rounds_us(bytes),
                    flat.rounds_us(0) + flat.once_us(bytes) + flat.ring_us(bytes));
}

}  // namespace hitopo::coll
