// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Collectives of random communicators over a network that completes messages in any order.
// Tests engine.cc and segments.cc.
#include "ompi/mca/coll/hitopo/core/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

#include "ompi/mca/coll/hitopo/core/segments.h"
#include "test/coll/random_case.h"

namespace hitopo::coll {
namespace {

// Segments for each rank, as `make(rank)` says.
template <class Make>
std::vector<std::unique_ptr<Segments>> segments_of(const Case& one, Make make) {
    std::vector<std::unique_ptr<Segments>> segments;
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(one.size()); ++rank) {
        segments.push_back(make(rank));
    }
    return segments;
}

MessageSegments::Roots one_root(Case& one) {
    return one.size() > 2 && one.below(2) == 0 ? MessageSegments::Roots::kByProxies
                                               : MessageSegments::Roots::kOne;
}

TEST(Engine, bcasts_from_any_root) {
    for_cases([](Case& one) {
        std::vector<Array> buffers = contributions(one, one.count);
        const MessageSegments::Roots roots = one_root(one);
        const auto segments = segments_of(one, [&](std::size_t rank) {
            auto segments = std::make_unique<MessageSegments>(
                one.groups[rank], one.shape, roots, one.groups[rank].position_of(one.root), one.count,
                one.element.extent, one.num_segments);
            segments->output = buffers[rank].base();
            segments->comes_down = true;
            return segments;
        });
        one.between = [&] {
            for (std::size_t rank = 0; rank < buffers.size(); ++rank) {
                for (std::size_t i = 0; static_cast<int>(rank) != one.root && i < one.count; ++i) {
                    buffers[rank].set(i, -1);
                }
            }
        };
        ASSERT_TRUE(one.run(segments));
        for (Array& buffer : buffers) {
            for (std::size_t i = 0; i < one.count; ++i) {
                ASSERT_EQ(buffer.get(i), number(one.root, i));
            }
            ASSERT_TRUE(buffer.has_its_gaps());
        }
    });
}

// An array whose gaps are not sent.
class PackedArray : public Packing {
public:
    explicit PackedArray(Array& array) : array_(array) {}
    int pack(std::size_t at, std::size_t count, char* to) override {
        for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t value = array_.get(at + i);
            std::memcpy(to + i * sizeof value, &value, sizeof value);
        }
        return 0;
    }
    int unpack(const char* from, std::size_t at, std::size_t count) override {
        for (std::size_t i = 0; i < count; ++i) {
            std::int64_t value;
            std::memcpy(&value, from + i * sizeof value, sizeof value);
            array_.set(at + i, value);
        }
        return 0;
    }

private:
    Array& array_;
};

// The segments name no memory. Segments begin at whole units.
TEST(Engine, bcasts_packed_segments) {
    for_cases([](Case& one) {
        const Element gapped = one.element;
        std::vector<Array> buffers(static_cast<std::size_t>(one.size()), Array(gapped, one.count));
        for (std::size_t i = 0; i < one.count; ++i) {
            buffers[static_cast<std::size_t>(one.root)].set(i, number(one.root, i));
        }
        std::vector<PackedArray> packed(buffers.begin(), buffers.end());
        std::vector<Packing*> packings;
        for (PackedArray& each : packed) {
            packings.push_back(&each);
        }
        one.element = {8, 8, 0, 8};
        const MessageSegments::Roots roots = one_root(one);
        const auto unit = static_cast<std::size_t>(1 + one.below(7));
        const auto segments = segments_of(one, [&](std::size_t rank) {
            auto segments = std::make_unique<MessageSegments>(
                one.groups[rank], one.shape, roots, one.groups[rank].position_of(one.root), one.count,
                one.element.extent, one.num_segments, unit);
            segments->comes_down = true;
            for (int i = 0; i < one.num_segments; ++i) {
                const Segment segment = segments->segment(i);
                EXPECT_LE(segment.count, segments->max_count);
                EXPECT_TRUE(segment.at % unit == 0 || segment.at == one.count);
            }
            return segments;
        });
        ASSERT_TRUE(one.run(segments, packings));
        for (Array& buffer : buffers) {
            for (std::size_t i = 0; i < one.count; ++i) {
                ASSERT_EQ(buffer.get(i), number(one.root, i));
            }
            ASSERT_TRUE(buffer.has_its_gaps());
        }
    });
}

// One rank of a wrong program has an element more in each segment: nobody waits for ever, and all know
// but a root that receives nothing.
TEST(Engine, messages_of_another_length_are_known_to_all) {
    for_cases([](Case& one) {
        const bool is_bcast = one.below(2) == 0;
        const auto more = static_cast<std::size_t>(one.num_segments);
        one.count += more;  // an empty segment would be as long as what is sent after an error
        std::vector<Array> buffers = contributions(one, one.count + more);
        const auto roots = is_bcast ? one_root(one) : MessageSegments::Roots::kAll;
        const auto segments = segments_of(one, [&](std::size_t rank) {
            const bool is_odd = static_cast<int>(rank) == one.root;
            auto segments = std::make_unique<MessageSegments>(
                one.groups[rank], one.shape, roots, one.groups[rank].position_of(one.root),
                one.count + (is_odd ? more : 0), one.element.extent, one.num_segments);
            segments->input = segments->output = buffers[rank].base();
            segments->comes_down = true;
            segments->goes_up = !is_bcast;
            return segments;
        });
        ASSERT_TRUE(one.run(segments));
        ASSERT_EQ(one.num_failed, is_bcast ? one.size() - 1 : one.size());
    });
}

// is_in_place: at the root. Nobody else has a result.
TEST(Engine, reduces_to_any_root) {
    for_cases([](Case& one) {
        std::vector<Array> inputs = contributions(one, one.count);
        std::vector<Array> outputs = arrays_of(one, one.count);
        const MessageSegments::Roots roots = one_root(one);
        const bool is_in_place = one.below(2) == 0;
        const auto root = static_cast<std::size_t>(one.root);
        const auto segments = segments_of(one, [&](std::size_t rank) {
            auto segments = std::make_unique<MessageSegments>(
                one.groups[rank], one.shape, roots, one.groups[rank].position_of(one.root), one.count,
                one.element.extent, one.num_segments);
            segments->input = inputs[rank].base();
            segments->output = (is_in_place ? inputs : outputs)[rank].base();
            segments->has_output = rank == root;
            segments->goes_up = true;
            return segments;
        });
        ASSERT_TRUE(one.run(segments));
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
        const auto segments = segments_of(one, [&](std::size_t rank) {
            auto segments = std::make_unique<MessageSegments>(
                one.groups[rank], one.shape, MessageSegments::Roots::kAll, kNobody, one.count,
                one.element.extent, one.num_segments);
            segments->input = inputs[rank].base();
            segments->output = results[rank].base();
            segments->goes_up = segments->comes_down = true;
            return segments;
        });
        ASSERT_TRUE(one.run(segments));
        for (std::size_t rank = 0; rank < inputs.size(); ++rank) {
            for (std::size_t i = 0; i < one.count; ++i) {
                ASSERT_EQ(results[rank].get(i), sum_of_all(one.size(), i));
            }
            ASSERT_TRUE(results[rank].has_its_gaps());
        }
    });
}

// Leaders of a level exchange; each process is in place or not. Results are equal where the order of
// operands matters, too.
TEST(Engine, allreduces_by_exchanges_with_equal_bits) {
    int num_cases = 0;
    for_cases([&](Case& one) {
        std::vector<int> levels;
        for (int level = 0; level < kNumLevels; ++level) {
            if (one.groups[0].shape().num_groups[static_cast<std::size_t>(level)] > 1) {
                levels.push_back(level);
            }
        }
        if (levels.empty()) {
            return;
        }
        ++num_cases;
        one.shape.exchanging =
            levels[static_cast<std::size_t>(one.below(static_cast<int>(levels.size())))];
        one.shape.rounds = std::make_shared<Rounds>(
            one.groups[0].shape().num_groups[static_cast<std::size_t>(one.shape.exchanging)],
            2 + one.below(7));
        one.is_sum = one.below(2) == 0;
        std::vector<Array> inputs = contributions(one, one.count);
        std::vector<Array> outputs = arrays_of(one, one.count);
        std::vector<Array*> results;
        const auto segments = segments_of(one, [&](std::size_t rank) {
            results.push_back(one.below(2) == 0 ? &inputs[rank] : &outputs[rank]);
            auto segments = std::make_unique<MessageSegments>(one.groups[rank], one.shape,
                                                              MessageSegments::Roots::kAll, kNobody,
                                                              one.count, one.element.extent, 1);
            segments->input = inputs[rank].base();
            segments->output = results.back()->base();
            segments->goes_up = segments->comes_down = true;
            return segments;
        });
        ASSERT_TRUE(one.run(segments));
        for (std::size_t i = 0; i < one.count; ++i) {
            const std::int64_t expected = one.is_sum ? sum_of_all(one.size(), i) : results[0]->get(i);
            for (Array* result : results) {
                ASSERT_EQ(result->get(i), expected);
            }
        }
        ASSERT_TRUE(std::all_of(results.begin(), results.end(),
                                [](Array* result) { return result->has_its_gaps(); }));
    });
    EXPECT_GT(num_cases, 100);
}

// Blocks of random lengths, each with a gap behind it.
std::vector<Block> random_blocks(Case& one) {
    std::vector<Block> blocks;
    std::size_t end = 0;
    for (int rank = 0; rank < one.size(); ++rank) {
        blocks.push_back({end, static_cast<std::size_t>(one.below(7))});
        end += blocks.back().count + static_cast<std::size_t>(one.below(3));
    }
    return one.below(2) == 0 ? blocks : equal_blocks(one.size(), static_cast<std::size_t>(one.below(7)));
}

std::size_t end_of(const std::vector<Block>& blocks) { return blocks.back().at + blocks.back().count; }

// Gaps keep what their own process has there.
TEST(Engine, allgathers) {
    for_cases([](Case& one) {
        const std::vector<Block> blocks = random_blocks(one);
        const auto max_piece = static_cast<std::size_t>(1 + one.below(4));
        std::vector<Array> results = contributions(one, end_of(blocks));
        const auto segments = segments_of(one, [&](std::size_t rank) {
            auto segments =
                std::make_unique<BlockSegments>(one.groups[rank], blocks, one.element.extent, max_piece);
            segments->output = results[rank].base();
            segments->comes_down = true;
            return segments;
        });
        ASSERT_TRUE(one.run(segments));
        for (std::size_t rank = 0; rank < results.size(); ++rank) {
            std::vector<int> owner(end_of(blocks), static_cast<int>(rank));
            for (std::size_t i = 0; i < blocks.size(); ++i) {
                std::fill_n(owner.begin() + static_cast<std::ptrdiff_t>(blocks[i].at), blocks[i].count,
                            static_cast<int>(i));
            }
            for (std::size_t i = 0; i < owner.size(); ++i) {
                ASSERT_EQ(results[rank].get(i), number(owner[i], i));
            }
        }
    });
}

TEST(Engine, reduces_and_scatters) {
    for_cases([](Case& one) {
        const std::vector<Block> blocks = random_blocks(one);
        const auto max_piece = static_cast<std::size_t>(1 + one.below(4));
        std::vector<Array> inputs = contributions(one, end_of(blocks));
        std::vector<Array> results = arrays_of(one, 7);
        const auto segments = segments_of(one, [&](std::size_t rank) {
            auto segments =
                std::make_unique<BlockSegments>(one.groups[rank], blocks, one.element.extent, max_piece);
            segments->input = inputs[rank].base();
            segments->own_output = results[rank].base();
            segments->goes_up = true;
            return segments;
        });
        ASSERT_TRUE(one.run(segments));
        for (std::size_t rank = 0; rank < results.size(); ++rank) {
            for (std::size_t i = 0; i < blocks[rank].count; ++i) {
                ASSERT_EQ(results[rank].get(i), sum_of_all(one.size(), blocks[rank].at + i));
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
    std::vector<std::unique_ptr<MessageSegments>> segments;
    std::vector<std::unique_ptr<Algorithm>> engines;
    for (std::size_t rank = 0; rank < 3; ++rank) {
        segments.push_back(std::make_unique<MessageSegments>(
            groups[rank], chain, MessageSegments::Roots::kOne, 0, buffer.size(), 1, 1000));
        segments.back()->output = buffer.data();
        segments.back()->comes_down = true;
        engines.push_back(std::make_unique<Engine>(network.messages(static_cast<int>(rank)),
                                                   groups[rank], chain, *segments.back(), 8));
    }
    engines.pop_back();
    EXPECT_FALSE(network.run(engines));
    EXPECT_LE(network.most_unmatched(), 8);
}

}  // namespace
}  // namespace hitopo::coll
