// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What processes say of their parts before these are asked for: one process's, or a node's, joined by
// its leader. Keys, and lists of keys, are in it once, however many processes have them.
#ifndef PROFILER_GATHER_HEADS_H
#define PROFILER_GATHER_HEADS_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {

class ByteReader;

inline constexpr int kEnd = 0;  // the number of the part of the end; snapshots count from 1

struct PartHead {
    std::uint64_t elapsed_ns = 0;  // since MPI_Init
    std::uint64_t remarks = 0;
    std::uint64_t num_bytes = 0;  // of its texts, about
    std::uint32_t num_keys = 0;   // of its communicators: so many of its process's, from the first on
};

class Heads {
public:
    // A process and its parts: its snapshots', in their order, and last the end's.
    struct Process {
        int rank;
        std::uint32_t list;  // of its keys
        std::uint32_t first_part, num_parts;
    };

    Heads() = default;
    Heads(Heads&&) = default;
    Heads& operator=(Heads&&) = default;

    // Both in the ascending order of ranks. parts: one at least, of no more than all keys.
    void add(int rank, const std::vector<std::uint64_t>& keys, const std::vector<PartHead>& parts);
    void join(const Heads& others);

    const std::vector<std::uint64_t>& keys() const { return keys_; }
    const std::vector<Process>& processes() const { return processes_; }
    // The process's keys: indices into keys().
    const std::vector<std::uint32_t>& keys_of(const Process& process) const {
        return lists_[process.list]->first;
    }
    // Null where the process has no part of that number.
    const PartHead* part_of(const Process& process, int number) const;
    static int num_snapshots(const Process& process) { return static_cast<int>(process.num_parts) - 1; }

    std::string encode() const;
    // None where the bytes are not what encode() gives.
    static std::optional<Heads> decode(std::string_view bytes);

private:
    using Lists = std::map<std::vector<std::uint32_t>, std::uint32_t>;

    bool read_keys(ByteReader& reader);
    bool read_process(ByteReader& reader);
    std::uint32_t key_number(std::uint64_t key);
    std::uint32_t list_number(std::vector<std::uint32_t> list);

    std::vector<std::uint64_t> keys_;
    FlatMap numbers_;     // of keys
    Lists list_numbers_;  // their places stay when a Heads is moved
    std::vector<const Lists::value_type*> lists_;
    std::vector<Process> processes_;
    std::vector<PartHead> parts_;
};

}  // namespace hitopo

#endif
