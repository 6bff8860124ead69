// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Which processes of an exchange go together: a local group's leader speaks to other leaders for all
// its members. Where nobody can tell, each process is a group of one.
#ifndef OMPI_MCA_HITOPO_BASE_EXCHANGE_LOCAL_GROUPS_H
#define OMPI_MCA_HITOPO_BASE_EXCHANGE_LOCAL_GROUPS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hitopo {

// As one process sees them. All have the same leaders, and members of one group the same members.
struct LocalGroups {
    std::vector<std::uint32_t> members;  // of its own, itself included, ascending; the first leads
    std::vector<std::uint32_t> leaders;  // of all groups, ascending

    static LocalGroups of_one(std::uint32_t own, std::size_t num_processes) {
        LocalGroups groups;
        groups.members = {own};
        groups.leaders.reserve(num_processes);
        for (std::uint32_t rank = 0; rank < num_processes; ++rank) {
            groups.leaders.push_back(rank);
        }
        return groups;
    }

    // group_of(rank): below num_groups.
    template <class GroupOf>
    static LocalGroups of(std::uint32_t own, std::size_t num_processes, std::size_t num_groups,
                          GroupOf group_of) {
        LocalGroups groups;
        std::vector<bool> is_led(num_groups, false);
        const std::size_t own_group = group_of(own);
        for (std::uint32_t rank = 0; rank < num_processes; ++rank) {
            const std::size_t group = group_of(rank);
            if (!is_led[group]) {
                is_led[group] = true;
                groups.leaders.push_back(rank);
            }
            if (group == own_group) {
                groups.members.push_back(rank);
            }
        }
        return groups;
    }
};

// One leader's part in passing on what all leaders have: in each round until is_over() it sends its
// first num_sent() groups, its own and those it has received, to to(), and adds what from() sends it
// behind them. Positions: among the leaders.
class LeaderRounds {
public:
    LeaderRounds(std::size_t position, std::size_t num_leaders)
        : position_(position), num_leaders_(num_leaders) {}

    bool is_over() const { return distance_ >= num_leaders_; }
    std::size_t to() const { return (position_ + num_leaders_ - distance_) % num_leaders_; }
    std::size_t from() const { return (position_ + distance_) % num_leaders_; }
    std::size_t num_sent() const {
        return distance_ < num_leaders_ - distance_ ? distance_ : num_leaders_ - distance_;
    }
    void end_round() { distance_ *= 2; }

private:
    std::size_t position_, num_leaders_, distance_ = 1;
};

}  // namespace hitopo

#endif
