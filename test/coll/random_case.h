// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Random communicators, trees and arrays, and what each process has in them.
#ifndef TEST_COLL_RANDOM_CASE_H
#define TEST_COLL_RANDOM_CASE_H

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "ompi/mca/coll/hitopo/core/engine.h"
#include "test/coll/fake_network.h"
#include "test/coll/random_rows.h"
#include "test/core/record/random_job.h"

namespace hitopo::coll {

inline constexpr char kGap = 'g';  // between elements

// An array of elements, each a 64-bit integer with gaps around.
class Array {
public:
    Array(const Element& element, std::size_t count)
        : element_(element),
          count_(count),
          bytes_(std::max<std::size_t>(1, element.covered_bytes(count)), kGap) {}

    char* base() { return bytes_.data() - element_.true_lb; }
    void set(std::size_t i, std::int64_t value) { std::memcpy(place(i), &value, sizeof value); }
    std::int64_t get(std::size_t i) {
        std::int64_t value;
        std::memcpy(&value, place(i), sizeof value);
        return value;
    }
    bool has_its_gaps() {
        for (std::size_t i = 0; i < count_; ++i) {
            set(i, 0x6767676767676767);  // as the gaps
        }
        return bytes_ == std::vector<char>(bytes_.size(), kGap);
    }

private:
    char* place(std::size_t i) {
        return bytes_.data() + static_cast<std::ptrdiff_t>(i) * element_.extent;
    }
    const Element& element_;
    std::size_t count_;
    std::vector<char> bytes_;
};

// A process's contribution at a place.
inline std::int64_t number(int rank, std::size_t i) {
    return (rank + 1) * 1000003 + static_cast<std::int64_t>(i) * 7;
}
inline std::int64_t sum_of_all(int num_ranks, std::size_t i) {
    std::int64_t sum = 0;
    for (int rank = 0; rank < num_ranks; ++rank) {
        sum += number(rank, i);
    }
    return sum;
}

// One collective of one random communicator.
struct Case {
    explicit Case(std::uint64_t seed) : random(seed), rows(random_rows(random)) {
        groups = rows.groups(static_cast<unsigned>(random() % 256));
        for (int& radix : shape.radix) {
            radix = below(6);
        }
        shape.num_leaders = 1 + below(5);
        const std::ptrdiff_t before = below(3) * 8;
        element = {8, 8 + below(3) * 8, before - 8 * below(3), 8};
        count = static_cast<std::size_t>(below(60));
        num_segments = 1 + below(20);
        window = 1 + below(8);
        root = below(size());
    }

    int below(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
    int size() const { return rows.size(); }

    // Runs the segments of all ranks, and again after `between`, if there is one; false if they do not
    // end. packings: of each rank, or none.
    bool run(const std::vector<std::unique_ptr<Segments>>& segments,
             const std::vector<Packing*>& packings = {}) {
        FakeNetwork network(size(), element, 1 + below(32), random);
        network.is_sum = is_sum;
        std::vector<std::unique_ptr<Algorithm>> engines;
        for (std::size_t rank = 0; rank < segments.size(); ++rank) {
            Messages& messages = network.messages(static_cast<int>(rank));
            messages.packing = packings.empty() ? nullptr : packings[rank];
            engines.push_back(
                std::make_unique<Engine>(messages, groups[rank], shape, *segments[rank], window));
        }
        bool ends = network.run(engines);
        if (ends && between) {
            between();
            for (const auto& engine : engines) {
                engine->restart();
            }
            ends = network.run(engines);
        }
        num_failed = 0;
        for (int rank = 0; rank < size(); ++rank) {
            num_failed += network.has_failed(rank) ? 1 : 0;
        }
        return ends;
    }

    std::mt19937_64 random;
    Rows rows;
    std::vector<Groups> groups;
    TreeShape shape;
    Element element;
    std::size_t count;
    int num_segments, window, root;
    bool is_sum = true;  // of the network
    std::function<void()> between;
    int num_failed = 0;  // ranks to which a message of another length came in the last run
};

template <class Body>
void for_cases(Body body) {
    for (int i = 0; i < 200 && !testing::Test::HasFatalFailure(); ++i) {
        const std::uint64_t seed = test_seed() + static_cast<std::uint64_t>(i);
        SCOPED_TRACE("HITOPO_TEST_SEED=" + std::to_string(seed));
        Case one(seed);
        if (one.size() > 1) {
            body(one);
        }
    }
}

inline std::vector<Array> arrays_of(const Case& one, std::size_t count) {
    return std::vector<Array>(static_cast<std::size_t>(one.size()), Array(one.element, count));
}

// Its own numbers at each process.
inline std::vector<Array> contributions(const Case& one, std::size_t count) {
    std::vector<Array> all = arrays_of(one, count);
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        for (std::size_t i = 0; i < count; ++i) {
            all[rank].set(i, number(static_cast<int>(rank), i));
        }
    }
    return all;
}

}  // namespace hitopo::coll

#endif
