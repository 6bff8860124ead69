// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Ascending ranks in few bytes: as runs with a stride where they follow a rule, else as differences.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_RANK_CODING_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_RANK_CODING_H

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/exchange/rank_runs.h"

namespace hitopo {

// Ascending ranks within the bytes that hold them. Only how the first is told depends on what stands
// before them; the rest is copied as it is.
class CodedRanks {
public:
    enum Form : std::uint8_t { kRuns = 0, kDifferences = 1 };

    CodedRanks() = default;
    // head: number of runs, or of ranks, and the form as the lowest bit. rest: what follows the first
    // rank, well-formed.
    CodedRanks(std::uint32_t head, std::uint32_t first, std::uint32_t size, std::string_view rest)
        : head_(head), first_(first), size_(size), rest_(rest) {}

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::uint32_t front() const { return first_; }
    std::uint32_t head() const { return head_; }
    std::string_view rest() const { return rest_; }
    std::uint32_t operator[](std::size_t index) const;  // time O(bytes)

    // visit(RankRun) for all, ascending; some may continue the one before.
    template <class Visit>
    void for_each_run(Visit visit) const {
        ByteReader reader(rest_);
        RankRun run = {first_, 1, 1};
        for (std::uint32_t left = head_ >> 1; left > 0; --left) {
            if ((head_ & 1) == kRuns) {
                run.count = static_cast<std::uint32_t>(reader.get_varint());
                run.stride = run.count > 1 ? static_cast<std::uint32_t>(reader.get_varint()) : 1;
            }
            visit(run);
            if (left > 1) {
                run.first = run.last() + static_cast<std::uint32_t>(reader.get_signed()) + (head_ & 1);
            }
        }
    }
    // visit(rank) for all, ascending.
    template <class Visit>
    void for_each(Visit visit) const {
        for_each_run([&](const RankRun& run) {
            for (std::uint32_t i = 0; i < run.count; ++i) {
                visit(run.first + i * run.stride);
            }
        });
    }
    RankRuns to_runs() const;
    std::vector<std::uint32_t> to_vector() const { return to_runs().to_vector(); }

private:
    std::uint32_t head_ = 0, first_ = 0, size_ = 0;
    std::string_view rest_;
};

// near: a number to which the first rank is expected to be near; the reader has to give the same.
void put_ranks(const RankRuns& ranks, std::uint32_t near, ByteWriter& writer);
void put_ranks(const CodedRanks& ranks, std::uint32_t near, ByteWriter& writer);
// Any bytes: what comes is ascending, below `limit`, and empty where the reader has failed. Within the
// bytes that are read.
CodedRanks get_ranks(std::uint32_t near, std::uint32_t limit, ByteReader& reader);

}  // namespace hitopo

#endif
