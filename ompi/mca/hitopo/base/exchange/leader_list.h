// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The leaders of local groups, and how many processes each stands for, while all processes of a job
// learn of all of them (base/exchange/roll_call.h).
#ifndef OMPI_MCA_HITOPO_BASE_EXCHANGE_LEADER_LIST_H
#define OMPI_MCA_HITOPO_BASE_EXCHANGE_LEADER_LIST_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hitopo {

class LeaderList {
public:
    struct Leader {
        std::uint32_t rank;
        std::uint32_t num_members;
    };

    // Takes the memory for any list of a job of that size, which is not touched before it is needed:
    // what follows takes none, since a process that failed between two rounds would leave others
    // waiting.
    explicit LeaderList(std::size_t num_processes);

    void add(Leader leader);  // of a rank that is not yet listed
    void clear() { leaders_.clear(); }

    // As bytes, valid until the next call: equal groups at equal distances take some bytes in all.
    std::string_view encode();
    // Adds those that are not yet listed. False where the bytes make no sense.
    bool merge(std::string_view bytes);

    std::size_t max_bytes() const { return kMaxLeaderBytes * num_processes_; }

    const std::vector<Leader>& leaders() const { return leaders_; }  // ascending
    // Whether each process is in one group, if each process is in the group that its leader tells.
    bool is_whole() const;

private:
    static constexpr std::size_t kMaxLeaderBytes = 20;  // four numbers of 32 bits

    bool decode(std::string_view bytes);

    std::size_t num_processes_;
    std::vector<Leader> leaders_, others_, both_;
    std::string bytes_;
};

}  // namespace hitopo

#endif
