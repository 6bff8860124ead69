// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/rank_coding.h"

#include <algorithm>
#include <string>

namespace hitopo {
namespace {

std::string as_runs(const RankRuns& ranks, std::int64_t near) {
    ByteWriter writer;
    writer.put_varint(ranks.num_runs() << 1 | CodedRanks::kRuns);
    for (std::size_t number = 0; number < ranks.num_runs(); ++number) {
        const RankRun& run = ranks.run(number);
        writer.put_signed(run.first - near);
        writer.put_varint(run.count);
        if (run.count > 1) {
            writer.put_varint(run.stride);
        }
        near = run.last();
    }
    return writer.take();
}

std::string as_differences(const RankRuns& ranks, std::int64_t near) {
    ByteWriter writer;
    writer.put_varint(ranks.size() << 1 | CodedRanks::kDifferences);
    ranks.for_each([&](std::uint32_t rank) {
        writer.put_signed(rank - near);
        near = rank + std::int64_t{1};
    });
    return writer.take();
}

// Counts what ascends and is below the limit.
class Taker {
public:
    explicit Taker(std::uint32_t limit) : limit_(limit) {}

    bool take(std::int64_t first, std::uint64_t stride, std::uint64_t count) {
        const auto limit = static_cast<std::uint64_t>(limit_);
        if (first < lowest_ || first >= limit_ || stride == 0 || stride > limit || count > limit) {
            return false;
        }
        const std::int64_t last = first + static_cast<std::int64_t>((count - 1) * stride);
        lowest_ = last + 1;
        size_ += count;
        return last < limit_;
    }
    std::uint64_t size() const { return size_; }

private:
    const std::int64_t limit_;
    std::int64_t lowest_ = 0;  // that the next one can be
    std::uint64_t size_ = 0;
};

// A rank far below 0 or above all others, so that sums do not overflow.
std::int64_t near_by(std::int64_t near, std::int64_t difference) {
    constexpr std::int64_t kFar = std::int64_t{1} << 40;
    return near + std::clamp(difference, -kFar, kFar);
}

bool take_runs(std::uint64_t num_runs, std::int64_t first, ByteReader& reader, Taker& taker) {
    for (;; --num_runs) {
        const std::uint64_t count = reader.get_varint();
        const std::uint64_t stride = count > 1 ? reader.get_varint() : 1;
        if (reader.has_failed() || count == 0 || !taker.take(first, stride, count)) {
            return false;
        }
        if (num_runs == 1) {
            return true;
        }
        first = near_by(first + static_cast<std::int64_t>((count - 1) * stride), reader.get_signed());
    }
}

bool take_differences(std::uint64_t count, std::int64_t rank, ByteReader& reader, Taker& taker) {
    while (taker.take(rank, 1, 1)) {
        if (--count == 0) {
            return true;
        }
        rank = near_by(rank + 1, reader.get_signed());
        if (reader.has_failed()) {
            return false;
        }
    }
    return false;
}

}  // namespace

std::uint32_t CodedRanks::operator[](std::size_t index) const {
    std::uint32_t found = first_;
    if (index == 0) {
        return found;
    }
    for_each_run([&](const RankRun& run) {
        if (index < run.count) {
            found = run.first + static_cast<std::uint32_t>(index) * run.stride;
        }
        index -= run.count;  // beyond all counts from there on
    });
    return found;
}

RankRuns CodedRanks::to_runs() const {
    RankRuns runs;
    if ((head_ & 1) == kDifferences) {
        runs.reserve(size_ / 2);  // two of them always are a run
        for_each([&](std::uint32_t rank) { runs.add(rank); });
        return runs;
    }
    for_each_run([&](const RankRun& run) { runs.add(run); });
    return runs;
}

void put_ranks(const RankRuns& ranks, std::uint32_t near, ByteWriter& writer) {
    const std::string runs = as_runs(ranks, near);
    if (ranks.num_runs() == 1 && ranks.size() > 4) {  // shorter than a number for each
        writer.put_bytes(runs);
        return;
    }
    const std::string differences = as_differences(ranks, near);
    writer.put_bytes(runs.size() <= differences.size() ? runs : differences);
}

void put_ranks(const CodedRanks& ranks, std::uint32_t near, ByteWriter& writer) {
    writer.put_varint(ranks.head());
    writer.put_signed(std::int64_t{ranks.front()} - near);
    writer.put_bytes(ranks.rest());
}

CodedRanks get_ranks(std::uint32_t near, std::uint32_t limit, ByteReader& reader) {
    const std::uint64_t head = reader.get_varint();
    const std::uint64_t count = head >> 1;
    if (count == 0) {
        return {};
    }
    const std::int64_t first = near_by(near, reader.get_signed());
    const std::string_view from = reader.rest();
    Taker taker(limit);
    const bool is_well =
        head <= UINT32_MAX && !reader.has_failed() &&
        ((head & 1) == CodedRanks::kRuns ? take_runs(count, first, reader, taker)
                                         : take_differences(count, first, reader, taker));
    if (!is_well) {
        reader.fail();
        return {};
    }
    return {static_cast<std::uint32_t>(head), static_cast<std::uint32_t>(first),
            static_cast<std::uint32_t>(taker.size()), from.substr(0, from.size() - reader.num_left())};
}

}  // namespace hitopo
