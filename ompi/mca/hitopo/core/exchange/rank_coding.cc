// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/rank_coding.h"

#include <algorithm>
#include <string>
#include <utility>

namespace hitopo {
namespace {

// Both forms begin with a number whose lowest bit tells which it is.
enum Form : std::uint8_t { kRuns = 0, kDifferences = 1 };

std::string as_runs(const RankRuns& ranks, std::int64_t near) {
    ByteWriter writer;
    writer.put_varint(ranks.num_runs() << 1 | kRuns);
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
    writer.put_varint(ranks.size() << 1 | kDifferences);
    ranks.for_each([&](std::uint32_t rank) {
        writer.put_signed(rank - near);
        near = rank + std::int64_t{1};
    });
    return writer.take();
}

// Takes what ascends and is below the limit.
class Taker {
public:
    explicit Taker(std::uint32_t limit) : limit_(limit) {}

    bool take(std::int64_t first, std::uint64_t stride, std::uint64_t count) {
        const auto limit = static_cast<std::uint64_t>(limit_);
        if (first < lowest_ || first >= limit_ || stride == 0 || stride > limit || count > limit) {
            return false;
        }
        const std::int64_t last = first + static_cast<std::int64_t>((count - 1) * stride);
        if (last >= limit_) {
            return false;
        }
        ranks_.add({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(stride),
                    static_cast<std::uint32_t>(count)});
        lowest_ = last + 1;
        return true;
    }

    RankRuns ranks() { return std::move(ranks_); }

private:
    const std::int64_t limit_;
    std::int64_t lowest_ = 0;  // that the next one can be
    RankRuns ranks_;
};

// A rank far below 0 or above all others, so that sums do not overflow.
std::int64_t near_by(std::int64_t near, std::int64_t difference) {
    constexpr std::int64_t kFar = std::int64_t{1} << 40;
    return near + std::clamp(difference, -kFar, kFar);
}

bool take_runs(std::uint64_t num_runs, std::int64_t near, ByteReader& reader, Taker& taker) {
    for (; num_runs > 0; --num_runs) {
        const std::int64_t first = near_by(near, reader.get_signed());
        const std::uint64_t count = reader.get_varint();
        const std::uint64_t stride = count > 1 ? reader.get_varint() : 1;
        if (reader.has_failed() || count == 0 || !taker.take(first, stride, count)) {
            return false;
        }
        near = first + static_cast<std::int64_t>((count - 1) * stride);
    }
    return true;
}

bool take_differences(std::uint64_t count, std::int64_t near, ByteReader& reader, Taker& taker) {
    for (; count > 0; --count) {
        const std::int64_t rank = near_by(near, reader.get_signed());
        if (reader.has_failed() || !taker.take(rank, 1, 1)) {
            return false;
        }
        near = rank + 1;
    }
    return true;
}

}  // namespace

void put_ranks(const RankRuns& ranks, std::uint32_t near, ByteWriter& writer) {
    const std::string runs = as_runs(ranks, near);
    if (ranks.num_runs() == 1 && ranks.size() > 4) {  // shorter than a number for each
        writer.put_bytes(runs);
        return;
    }
    const std::string differences = as_differences(ranks, near);
    writer.put_bytes(runs.size() <= differences.size() ? runs : differences);
}

RankRuns get_ranks(std::uint32_t near, std::uint32_t limit, ByteReader& reader) {
    Taker taker(limit);
    const std::uint64_t head = reader.get_varint();
    const bool is_well = (head & 1) == kRuns ? take_runs(head >> 1, near, reader, taker)
                                             : take_differences(head >> 1, near, reader, taker);
    if (!is_well) {
        reader.fail();
    }
    return reader.has_failed() ? RankRuns() : taker.ranks();
}

}  // namespace hitopo
