// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Collectives of random communicators over a network that completes messages in any order.
#include "ompi/mca/coll/hitopo/core/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>

#include "ompi/mca/coll/hitopo/core/jobs.h"
#include "test/coll/fake_network.h"
#include "test/coll/random_rows.h"
#include "test/core/exchange/random_job.h"

namespace hitopo::coll {
namespace {

constexpr char kGap = 'g';  // between elements

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

// What a process contributes at a place.
std::int64_t number(int rank, std::size_t i) {
    return (rank + 1) * 1000003 + static_cast<std::int64_t>(i) * 7;
}
std::int64_t sum_of_all(int num_ranks, std::size_t i) {
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
            radix = 1 + below(5);
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

    // Runs the jobs of all ranks; false if they do not end.
    bool run(const std::vector<std::unique_ptr<Job>>& jobs) {
        FakeNetwork network(size(), element, 1 + below(32), random);
        std::vector<std::unique_ptr<Engine>> engines;
        for (std::size_t rank = 0; rank < jobs.size(); ++rank) {
            engines.push_back(std::make_unique<Engine>(network.wire(static_cast<int>(rank)),
                                                       groups[rank], shape, *jobs[rank], window));
        }
        return network.run(engines);
    }

    std::mt19937_64 random;
    Rows rows;
    std::vector<Groups> groups;
    TreeShape shape;
    Element element;
    std::size_t count;
    int num_segments, window, root;
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

std::vector<Array> arrays_of(const Case& one, std::size_t count) {
    return std::vector<Array>(static_cast<std::size_t>(one.size()), Array(one.element, count));
}

// Its own numbers at each process.
std::vector<Array> contributions(const Case& one, std::size_t count) {
    std::vector<Array> all = arrays_of(one, count);
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        for (std::size_t i = 0; i < count; ++i) {
            all[rank].set(i, number(static_cast<int>(rank), i));
        }
    }
    return all;
}

// A job for each rank, as `make(rank)` says.
template <class Make>
std::vector<std::unique_ptr<Job>> jobs_of(const Case& one, Make make) {
    std::vector<std::unique_ptr<Job>> jobs;
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(one.size()); ++rank) {
        jobs.push_back(make(rank));
    }
    return jobs;
}

CutMessage::Roots one_root(Case& one) {
    return one.size() > 2 && one.below(2) == 0 ? CutMessage::Roots::kByProxies : CutMessage::Roots::kOne;
}

TEST(Engine, bcasts_from_any_root) {
    for_cases([](Case& one) {
        std::vector<Array> buffers = contributions(one, one.count);
        const CutMessage::Roots roots = one_root(one);
        const auto jobs = jobs_of(one, [&](std::size_t rank) {
            auto job = std::make_unique<CutMessage>(one.groups[rank], one.shape, roots,
                                                    one.groups[rank].position_of(one.root), one.count,
                                                    one.element.extent, one.num_segments);
            job->output = buffers[rank].base();
            job->comes_down = true;
            return job;
        });
        ASSERT_TRUE(one.run(jobs));
        for (Array& buffer : buffers) {
            for (std::size_t i = 0; i < one.count; ++i) {
                ASSERT_EQ(buffer.get(i), number(one.root, i));
            }
            ASSERT_TRUE(buffer.has_its_gaps());
        }
    });
}

// is_in_place: at the root. Nobody else has a result.
TEST(Engine, reduces_to_any_root) {
    for_cases([](Case& one) {
        std::vector<Array> inputs = contributions(one, one.count);
        std::vector<Array> outputs = arrays_of(one, one.count);
        const CutMessage::Roots roots = one_root(one);
        const bool is_in_place = one.below(2) == 0;
        const auto root = static_cast<std::size_t>(one.root);
        const auto jobs = jobs_of(one, [&](std::size_t rank) {
            auto job = std::make_unique<CutMessage>(one.groups[rank], one.shape, roots,
                                                    one.groups[rank].position_of(one.root), one.count,
                                                    one.element.extent, one.num_segments);
            job->input = inputs[rank].base();
            job->output = rank != root ? nullptr : (is_in_place ? inputs : outputs)[rank].base();
            job->goes_up = true;
            return job;
        });
        ASSERT_TRUE(one.run(jobs));
        for (std::size_t rank = 0; rank < inputs.size(); ++rank) {
            for (std::size_t i = 0; i < one.count; ++i) {
                if (rank == root) {
                    ASSERT_EQ((is_in_place ? inputs : outputs)[rank].get(i), sum_of_all(one.size(), i));
                } else {
                    ASSERT_EQ(inputs[rank].get(i), number(static_cast<int>(rank), i));
                }
            }
            ASSERT_TRUE(inputs[rank].has_its_gaps() && outputs[rank].has_its_gaps());
        }
    });
}

TEST(Engine, allreduces) {
    for_cases([](Case& one) {
        std::vector<Array> inputs = contributions(one, one.count);
        std::vector<Array> outputs = arrays_of(one, one.count);
        const bool is_in_place = one.below(2) == 0;
        std::vector<Array>& results = is_in_place ? inputs : outputs;
        const auto jobs = jobs_of(one, [&](std::size_t rank) {
            auto job =
                std::make_unique<CutMessage>(one.groups[rank], one.shape, CutMessage::Roots::kAll,
                                             kNobody, one.count, one.element.extent, one.num_segments);
            job->input = inputs[rank].base();
            job->output = results[rank].base();
            job->goes_up = job->comes_down = true;
            return job;
        });
        ASSERT_TRUE(one.run(jobs));
        for (std::size_t rank = 0; rank < inputs.size(); ++rank) {
            for (std::size_t i = 0; i < one.count; ++i) {
                ASSERT_EQ(results[rank].get(i), sum_of_all(one.size(), i));
            }
            ASSERT_TRUE(results[rank].has_its_gaps());
        }
    });
}

TEST(Engine, allgathers) {
    for_cases([](Case& one) {
        const std::size_t block = one.count % 7, all = block * static_cast<std::size_t>(one.size());
        std::vector<Array> results = contributions(one, all);
        const auto jobs = jobs_of(one, [&](std::size_t rank) {
            auto job = std::make_unique<RootedBlocks>(one.groups[rank], block, one.element.extent,
                                                      one.num_segments % 3 + 1);
            job->output = results[rank].base();
            job->comes_down = true;
            return job;
        });
        ASSERT_TRUE(one.run(jobs));
        for (Array& result : results) {
            for (std::size_t i = 0; i < all; ++i) {
                ASSERT_EQ(result.get(i), number(static_cast<int>(i / block), i));
            }
        }
    });
}

TEST(Engine, reduces_and_scatters) {
    for_cases([](Case& one) {
        const std::size_t block = one.count % 7, all = block * static_cast<std::size_t>(one.size());
        std::vector<Array> inputs = contributions(one, all);
        std::vector<Array> results = arrays_of(one, block);
        const auto jobs = jobs_of(one, [&](std::size_t rank) {
            auto job = std::make_unique<RootedBlocks>(one.groups[rank], block, one.element.extent,
                                                      one.num_segments % 3 + 1);
            job->input = inputs[rank].base();
            job->own_output = results[rank].base();
            job->goes_up = true;
            return job;
        });
        ASSERT_TRUE(one.run(jobs));
        for (std::size_t rank = 0; rank < results.size(); ++rank) {
            for (std::size_t i = 0; i < block; ++i) {
                ASSERT_EQ(results[rank].get(i), sum_of_all(one.size(), rank * block + i));
            }
        }
    });
}

// A chain of three, of which the last never receives: the first gets no further than a window.
TEST(Engine, does_not_flood_those_behind) {
    std::mt19937_64 random(1);
    const Rows rows(std::vector<std::array<std::int32_t, kNumLevels>>(3));
    const std::vector<Groups> groups = rows.groups(0);
    TreeShape chain;
    chain.radix.fill(1);
    FakeNetwork network(3, {}, 32, random);
    std::vector<char> buffer(1000);
    std::vector<std::unique_ptr<CutMessage>> jobs;
    std::vector<std::unique_ptr<Engine>> engines;
    for (std::size_t rank = 0; rank < 3; ++rank) {
        jobs.push_back(std::make_unique<CutMessage>(groups[rank], chain, CutMessage::Roots::kOne, 0,
                                                    buffer.size(), 1, 1000));
        jobs.back()->output = buffer.data();
        jobs.back()->comes_down = true;
        engines.push_back(std::make_unique<Engine>(network.wire(static_cast<int>(rank)), groups[rank],
                                                   chain, *jobs.back(), 8));
    }
    engines.pop_back();
    EXPECT_FALSE(network.run(engines));
    EXPECT_LE(network.most_unmatched(), 8);
}

}  // namespace
}  // namespace hitopo::coll
