// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/rank_coding.h"

#include <algorithm>
#include <iterator>

namespace hitopo {
namespace {

// Both forms begin with a number whose lowest bit tells which it is.
enum Form : std::uint8_t { kRuns = 0, kDifferences = 1 };

struct Run {
    std::int64_t first;
    std::uint64_t stride, count;
};

std::vector<Run> runs_of(const std::vector<std::uint32_t>& ranks) {
    std::vector<Run> runs;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t end = i + 1;
        const std::uint64_t stride = end < ranks.size() ? ranks[end] - ranks[i] : 1;
        while (end < ranks.size() && ranks[end] - ranks[end - 1] == stride) {
            ++end;
        }
        runs.push_back({ranks[i], stride, end - i});
        i = end;
    }
    return runs;
}

std::string as_runs(const std::vector<std::uint32_t>& ranks, std::int64_t near) {
    ByteWriter writer;
    const std::vector<Run> runs = runs_of(ranks);
    writer.put_varint(runs.size() << 1 | kRuns);
    for (const Run& run : runs) {
        writer.put_signed(run.first - near);
        writer.put_varint(run.count);
        if (run.count > 1) {
            writer.put_varint(run.stride);
        }
        near = run.first + static_cast<std::int64_t>((run.count - 1) * run.stride);
    }
    return writer.take();
}

std::string as_differences(const std::vector<std::uint32_t>& ranks, std::int64_t near) {
    ByteWriter writer;
    writer.put_varint(ranks.size() << 1 | kDifferences);
    for (const std::uint32_t rank : ranks) {
        writer.put_signed(rank - near);
        near = rank + std::int64_t{1};
    }
    return writer.take();
}

// Takes ranks one by one; more than there can be, or in another order, are an error.
class Taker {
public:
    explicit Taker(std::uint32_t limit) : limit_(limit) {}

    bool take(std::int64_t rank) {
        const std::int64_t lowest = ranks_.empty() ? 0 : ranks_.back() + std::int64_t{1};
        if (rank < lowest || rank >= limit_) {
            return false;
        }
        ranks_.push_back(static_cast<std::uint32_t>(rank));
        return true;
    }

    bool take(const Run& run) {
        const auto limit = static_cast<std::uint64_t>(limit_);
        if (run.stride > limit || run.count > limit) {
            return false;
        }
        for (std::uint64_t i = 0; i < run.count; ++i) {
            if (!take(run.first + static_cast<std::int64_t>(i * run.stride))) {
                return false;
            }
        }
        return true;
    }

    std::vector<std::uint32_t> ranks() { return std::move(ranks_); }

private:
    const std::int64_t limit_;
    std::vector<std::uint32_t> ranks_;
};

// A rank far below 0 or above all others, so that sums do not overflow.
std::int64_t near_by(std::int64_t near, std::int64_t difference) {
    constexpr std::int64_t kFar = std::int64_t{1} << 40;
    return near + std::clamp(difference, -kFar, kFar);
}

bool take_runs(std::uint64_t count, std::int64_t near, ByteReader& reader, Taker& taker) {
    for (; count > 0; --count) {
        Run run = {near_by(near, reader.get_signed()), 1, reader.get_varint()};
        if (run.count > 1) {
            run.stride = reader.get_varint();
        }
        if (reader.has_failed() || run.count == 0 || !taker.take(run)) {
            return false;
        }
        near = run.first + static_cast<std::int64_t>((run.count - 1) * run.stride);
    }
    return true;
}

bool take_differences(std::uint64_t count, std::int64_t near, ByteReader& reader, Taker& taker) {
    for (; count > 0; --count) {
        const std::int64_t rank = near_by(near, reader.get_signed());
        if (reader.has_failed() || !taker.take(rank)) {
            return false;
        }
        near = rank + 1;
    }
    return true;
}

}  // namespace

void put_ranks(const std::vector<std::uint32_t>& ranks, std::uint32_t near, ByteWriter& writer) {
    const std::string runs = as_runs(ranks, near);
    const std::string differences = as_differences(ranks, near);
    writer.put_bytes(runs.size() <= differences.size() ? runs : differences);
}

std::vector<std::uint32_t> get_ranks(std::uint32_t near, std::uint32_t limit, ByteReader& reader) {
    Taker taker(limit);
    const std::uint64_t head = reader.get_varint();
    const bool is_well = (head & 1) == kRuns ? take_runs(head >> 1, near, reader, taker)
                                             : take_differences(head >> 1, near, reader, taker);
    if (!is_well) {
        reader.fail();
    }
    return reader.has_failed() ? std::vector<std::uint32_t>() : taker.ranks();
}

std::vector<std::uint32_t> merged(const std::vector<std::uint32_t>& a,
                                  const std::vector<std::uint32_t>& b) {
    std::vector<std::uint32_t> both;
    both.reserve(a.size() + b.size());
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
}

}  // namespace hitopo
