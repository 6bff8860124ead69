// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/node_layout.h"

#include <gtest/gtest.h>

namespace hitopo {
namespace {

Pattern pattern_on(int socket, int core, int hwthread) {
    Pattern pattern;
    pattern.placement[kSocket] = socket;
    pattern.placement[kCore] = core;
    pattern.placement[kHwThread] = hwthread;
    return pattern;
}

// Two cores of one socket, the first one's two threads, and no core at all.
const std::vector<Pattern> kPatterns = {pattern_on(0, 0, -1), pattern_on(0, 1, -1), pattern_on(0, 0, 0),
                                        pattern_on(0, 0, 1), pattern_on(0, -1, -1)};

class Hall {
public:
    // The next node's seats.
    std::vector<std::uint32_t> seat(const std::vector<std::uint32_t>& patterns) {
        const auto node = static_cast<std::uint32_t>(of_node_.size());
        const std::vector<std::uint32_t> seats =
            layout_maker_.lay_out(patterns.data(), patterns.size(), node);
        of_node_.push_back(layout_maker_.layout());
        return seats;
    }

    // hwthread by process.
    std::vector<std::int32_t> numbers(const std::vector<std::uint32_t>& patterns) {
        std::vector<std::int32_t> numbers;
        const std::vector<std::uint32_t> seats = seat(patterns);
        for (const std::uint32_t seat : seats) {
            numbers.push_back(layouts().seats()[seat].hwthread);
        }
        return numbers;
    }

    // At the end.
    const NodeLayouts& layouts() {
        if (!of_node_.empty()) {
            layouts_ = layout_maker_.take(std::move(of_node_));
            of_node_.clear();
        }
        return layouts_;
    }

private:
    std::vector<std::uint32_t> of_node_;
    NodeLayouts layouts_;
    LayoutMaker layout_maker_{kPatterns};
};

using Seats = std::vector<std::uint32_t>;
using Numbers = std::vector<std::int32_t>;

TEST(NodeLayout, nodes_alike_share_one_layout) {
    Hall hall;
    EXPECT_EQ(hall.seat({0, 1}), hall.seat({0, 1}));
    EXPECT_EQ(hall.layouts().layouts().size(), 1u);
    EXPECT_EQ(hall.layouts().of_node(1), 0u);
}

TEST(NodeLayout, order_of_ranks_does_not_matter) {
    Hall hall;
    const Seats forth = hall.seat({0, 1, 4});
    const Seats back = hall.seat({4, 1, 0});
    EXPECT_EQ(Seats(forth.rbegin(), forth.rend()), back);
    EXPECT_EQ(hall.layouts().layouts().size(), 1u);
}

TEST(NodeLayout, other_sets_of_seats_are_other_layouts) {
    Hall hall;
    hall.seat({0});
    hall.seat({0, 0});
    hall.seat({0, 1});
    hall.seat({0});
    ASSERT_EQ(hall.layouts().layouts().size(), 3u);
    EXPECT_EQ(hall.layouts().of_node(3), 0u);
    EXPECT_EQ(hall.layouts().layouts()[2].first_node, 2u);
    EXPECT_EQ(hall.layouts().seats().size(), 1u + 2u + 2u);
}

TEST(NodeLayout, processes_of_one_core_are_numbered_by_thread_then_rank) {
    EXPECT_EQ(Hall().numbers({0, 3, 2, 0}), Numbers({2, 1, 0, 3}));
}

TEST(NodeLayout, each_core_is_numbered_from_zero) {
    EXPECT_EQ(Hall().numbers({1, 0, 1}), Numbers({0, 0, 1}));
}

TEST(NodeLayout, processes_without_a_core_share_a_seat) {
    Hall hall;
    const Seats seats = hall.seat({4, 0, 4});
    EXPECT_EQ(seats[0], seats[2]);
    EXPECT_NE(seats[0], seats[1]);
    EXPECT_EQ(hall.layouts().seats()[seats[0]].hwthread, -1);
}

}  // namespace
}  // namespace hitopo
