// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Ascending ranks as runs with a stride: those of a node are one run where ranks go by slot or by node.
#ifndef OMPI_MCA_HITOPO_CORE_RECORD_RANK_RUNS_H
#define OMPI_MCA_HITOPO_CORE_RECORD_RANK_RUNS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hitopo {

struct RankRun {
    std::uint32_t first, stride, count;  // a run of one has stride 1

    std::uint32_t last() const { return first + (count - 1) * stride; }
};

class RankRuns {
public:
    RankRuns() = default;
    explicit RankRuns(const std::vector<std::uint32_t>& ascending) {
        std::for_each(ascending.begin(), ascending.end(), [this](std::uint32_t rank) { add(rank); });
    }

    // rank: above all others.
    void add(std::uint32_t rank) {
        RankRun& own = latest();
        if (own.count < 2) {  // which any continues
            own = {own.count == 0 ? rank : own.first, own.count == 0 ? 1 : rank - own.first,
                   own.count + 1};
        } else if (rank - own.last() == own.stride) {
            ++own.count;
        } else {
            more_.push_back({rank, 1, 1});
        }
        ++size_;
    }
    // All of them above all others. The runs of a list depend on its ranks alone.
    void add(const RankRun& run);

    void reserve(std::size_t num_runs) { more_.reserve(num_runs); }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::uint32_t front() const { return first_.first; }
    std::uint32_t back() const { return more_.empty() ? first_.last() : more_.back().last(); }
    std::uint32_t operator[](std::size_t index) const;  // time O(runs)

    std::size_t num_runs() const { return empty() ? 0 : 1 + more_.size(); }
    const RankRun& run(std::size_t number) const { return number == 0 ? first_ : more_[number - 1]; }

    // visit(rank) for all, ascending.
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::size_t number = 0; number < num_runs(); ++number) {
            const RankRun own = run(number);
            for (std::uint32_t i = 0; i < own.count; ++i) {
                visit(own.first + i * own.stride);
            }
        }
    }
    std::vector<std::uint32_t> to_vector() const;

private:
    RankRun& latest() { return more_.empty() ? first_ : more_.back(); }

    RankRun first_ = {0, 1, 0};  // mostly the only one
    std::vector<RankRun> more_;
    std::size_t size_ = 0;
};

}  // namespace hitopo

#endif
