// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Sets of operating system CPU numbers.
#ifndef OMPI_MCA_HITOPO_CORE_MACHINE_CPUSET_H
#define OMPI_MCA_HITOPO_CORE_MACHINE_CPUSET_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// A finite set of CPU numbers in [0, kMaxCpus). Regular: equal sets compare equal however built.
class CpuSet {
public:
    static constexpr int kMaxCpus = 65536;

    CpuSet() = default;
    static CpuSet range(int first, int last);  // both included

    // "0-3,8,10-14:2", as parse_ranges() has it (Linux's list format); "" is the empty set.
    static Result<CpuSet> parse(std::string_view text);
    static CpuSet parse_or_empty(std::string_view text);  // empty if parse refuses it

    void add(int cpu);  // out of range: ignored
    bool contains(int cpu) const;
    bool is_empty() const { return words_.empty(); }
    int count() const;
    int first() const;             // -1 if empty
    int last() const;              // -1 if empty
    int next(int previous) const;  // the smallest member above `previous`, -1 if none

    bool is_subset_of(const CpuSet& other) const;  // the empty set is a subset of all
    CpuSet& operator|=(const CpuSet& other);
    CpuSet& operator&=(const CpuSet& other);

    // "0-3,8": Linux list format, ascending.
    std::string to_string() const;

    // 64 CPUs a word, least significant bit first, no trailing zero word.
    const std::vector<std::uint64_t>& words() const { return words_; }
    static CpuSet from_words(std::vector<std::uint64_t> words);

    friend bool operator==(const CpuSet& a, const CpuSet& b) { return a.words_ == b.words_; }
    friend bool operator!=(const CpuSet& a, const CpuSet& b) { return a.words_ != b.words_; }

private:
    void trim();

    std::vector<std::uint64_t> words_;
};

// The part of each set within `whole`, without the empty ones.
std::vector<CpuSet> parts_within(const CpuSet& whole, const std::vector<CpuSet>& sets);

// Order by first CPU, then lexicographically by members: the order in which siblings are numbered.
bool operator<(const CpuSet& a, const CpuSet& b);

// CPUs with a stride: bindings are regular (a core's threads i and i+N, the even CPUs of a board).
struct CpuRun {
    std::uint16_t first;
    std::uint16_t count;
    std::uint16_t stride;  // 1 where count is 1
};

// All runs of a set, by their first CPU, and back; CPUs outside [0, kMaxCpus) are ignored. Equal sets
// have equal runs.
std::vector<CpuRun> runs_of(const CpuSet& set);
void add_run(CpuSet& set, CpuRun run);

// A set as its runs, a few bytes, and back: any bytes.
void put_cpus(const CpuSet& set, ByteWriter& writer);
CpuSet get_cpus(ByteReader& reader);

}  // namespace hitopo

#endif
