// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Local groups: the leader that gathers each process of an exchange, the way in which all learn of all
// leaders, and the rounds in which leaders exchange their items.
#ifndef OMPI_MCA_HITOPO_BASE_EXCHANGE_LOCAL_GROUPS_H
#define OMPI_MCA_HITOPO_BASE_EXCHANGE_LOCAL_GROUPS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hitopo {

// The groups as one process sees them. All have the same leaders, members of one group the same members.
struct LocalGroups {
    std::vector<std::uint32_t> members;  // of its own, itself included, ascending; the first leads
    std::vector<std::uint32_t> leaders;  // of all groups, ascending

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

// The leaders of local groups, and the number of members of each, as far as a process knows them.
class LeaderList {
public:
    explicit LeaderList(std::size_t num_processes) : num_members_(num_processes) {}

    void add(std::uint32_t leader, std::uint32_t num_members) { num_members_[leader] = num_members; }

    // Those among `num` processes from `first` on, which go on with 0 behind the last. Equal groups at
    // equal distances take some bytes in all.
    std::string encode(std::uint32_t first, std::size_t num) const;
    // Adds the result of encode(first, ..). False where the bytes make no sense.
    bool decode(std::uint32_t first, std::string_view bytes);

    // Whether the groups have as many members as there are processes.
    bool is_whole() const;
    const std::vector<std::uint32_t>& num_members() const { return num_members_; }  // 0: it leads none

private:
    std::vector<std::uint32_t> num_members_;  // by process
};

// One participant's part in a dissemination: in each round until is_over() it sends its first num_sent()
// items, its own and those it has received, to to(), and adds those of from() behind them.
class DisseminationRounds {
public:
    DisseminationRounds(std::size_t own, std::size_t num_participants)
        : own_(own), num_participants_(num_participants) {}

    bool is_over() const { return distance_ >= num_participants_; }
    std::size_t to() const { return (own_ + num_participants_ - distance_) % num_participants_; }
    std::size_t from() const { return (own_ + distance_) % num_participants_; }
    std::size_t num_sent() const { return std::min(distance_, num_participants_ - distance_); }
    void end_round() { distance_ *= 2; }

private:
    std::size_t own_, num_participants_, distance_ = 1;
};

}  // namespace hitopo

#endif
