// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Ascending ranks as runs with a stride: those of a node are one run where ranks go by slot or by node.
#ifndef OMPI_MCA_HITOPO_CORE_RECORD_RANK_RUNS_H
#define OMPI_MCA_HITOPO_CORE_RECORD_RANK_RUNS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hitopo {

struct RankRun {
    std::uint32_t first, stride, count;

    std::uint32_t last() const { return first + (count - 1) * stride; }
};

class RankRuns {
public:
    // rank: above all others.
    void add(std::uint32_t rank) {
        if (runs_.empty() ||
            (runs_.back().count > 1 && rank != runs_.back().last() + runs_.back().stride)) {
            runs_.push_back({rank, 1, 1});
        } else {
            RankRun& own = runs_.back();
            own.stride = own.count == 1 ? rank - own.first : own.stride;
            ++own.count;
        }
        ++size_;
    }
    // All of its ranks: above all others.
    void add(const RankRun& run) {
        runs_.push_back(run);
        size_ += run.count;
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::uint32_t front() const { return runs_.front().first; }
    std::uint32_t back() const { return runs_.back().last(); }
    const std::vector<RankRun>& runs() const { return runs_; }

    // visit(rank) for all, ascending.
    template <class Visit>
    void for_each(Visit visit) const {
        for (const RankRun& run : runs_) {
            for (std::uint32_t i = 0; i < run.count; ++i) {
                visit(run.first + i * run.stride);
            }
        }
    }

private:
    std::vector<RankRun> runs_;
    std::size_t size_ = 0;
};

}  // namespace hitopo

#endif
