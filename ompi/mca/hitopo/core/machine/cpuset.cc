// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/machine/cpuset.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "ompi/mca/hitopo/core/text/rank_list.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

constexpr int kBits = 64;

std::size_t word_of(int cpu) { return static_cast<std::size_t>(cpu) / kBits; }
std::uint64_t bit_of(int cpu) { return std::uint64_t{1} << (cpu % kBits); }
int lowest_bit(std::uint64_t word) { return __builtin_ctzll(word); }
int highest_bit(std::uint64_t word) { return kBits - 1 - __builtin_clzll(word); }

bool is_in_range(int cpu) { return cpu >= 0 && cpu < CpuSet::kMaxCpus; }

}  // namespace

Result<CpuSet> CpuSet::parse(std::string_view text) {
    CpuSet set;
    if (hitopo::trim(text).empty()) {
        return set;
    }
    const Result<NumberRanges> ranges = parse_ranges(text, kMaxCpus - 1);
    if (!ranges) {
        return ranges.error();
    }
    for (const NumberRange& range : *ranges) {
        if (range.stride == 1) {
            set |= CpuSet::range(range.first, range.last);
        }
        for (int cpu = range.first; range.stride > 1 && cpu <= range.last; cpu += range.stride) {
            set.add(cpu);
        }
    }
    return set;
}

CpuSet CpuSet::parse_or_empty(std::string_view text) {
    Result<CpuSet> cpus = parse(text);
    return cpus ? std::move(*cpus) : CpuSet();
}

// ---- the set ----

CpuSet CpuSet::range(int first, int last) {
    CpuSet set;
    first = std::max(first, 0);
    last = std::min(last, kMaxCpus - 1);
    if (first > last) {
        return set;
    }
    set.words_.assign(word_of(last) + 1, ~std::uint64_t{0});
    std::fill_n(set.words_.begin(), word_of(first), 0);
    set.words_[word_of(first)] &= ~(bit_of(first) - 1);
    set.words_[word_of(last)] &= bit_of(last) | (bit_of(last) - 1);
    return set;
}

CpuSet CpuSet::from_words(std::vector<std::uint64_t> words) {
    CpuSet set;
    words.resize(std::min<std::size_t>(words.size(), kMaxCpus / kBits));
    set.words_ = std::move(words);
    set.trim();
    return set;
}

void CpuSet::trim() {
    while (!words_.empty() && words_.back() == 0) {
        words_.pop_back();
    }
}

void CpuSet::add(int cpu) {
    if (!is_in_range(cpu)) {
        return;
    }
    if (words_.size() <= word_of(cpu)) {
        words_.resize(word_of(cpu) + 1);
    }
    words_[word_of(cpu)] |= bit_of(cpu);
}

bool CpuSet::contains(int cpu) const {
    return cpu >= 0 && word_of(cpu) < words_.size() && (words_[word_of(cpu)] & bit_of(cpu)) != 0;
}

int CpuSet::count() const {
    int count = 0;
    for (const std::uint64_t word : words_) {
        count += __builtin_popcountll(word);
    }
    return count;
}

int CpuSet::first() const { return next(-1); }

int CpuSet::last() const {
    return is_empty() ? -1 : static_cast<int>(words_.size() - 1) * kBits + highest_bit(words_.back());
}

int CpuSet::next(int previous) const {
    const int start = std::clamp(previous, -1, kMaxCpus - 1) + 1;
    std::uint64_t mask = ~(bit_of(start) - 1);
    for (std::size_t i = word_of(start); i < words_.size(); ++i) {
        if ((words_[i] & mask) != 0) {
            return static_cast<int>(i) * kBits + lowest_bit(words_[i] & mask);
        }
        mask = ~std::uint64_t{0};
    }
    return -1;
}

bool CpuSet::is_subset_of(const CpuSet& other) const {
    return words_.size() <= other.words_.size() &&
           std::equal(words_.begin(), words_.end(), other.words_.begin(),
                      [](std::uint64_t mine, std::uint64_t theirs) { return (mine & ~theirs) == 0; });
}

CpuSet& CpuSet::operator|=(const CpuSet& other) {
    words_.resize(std::max(words_.size(), other.words_.size()));
    for (std::size_t i = 0; i < other.words_.size(); ++i) {
        words_[i] |= other.words_[i];
    }
    return *this;
}

CpuSet& CpuSet::operator&=(const CpuSet& other) {
    words_.resize(std::min(words_.size(), other.words_.size()));
    for (std::size_t i = 0; i < words_.size(); ++i) {
        words_[i] &= other.words_[i];
    }
    trim();
    return *this;
}

std::string CpuSet::to_string() const {
    std::string text;
    for (int first = this->first(); first >= 0;) {
        int last = first;
        int following = next(last);
        while (following == last + 1) {
            last = following;
            following = next(last);
        }
        add_item(text, ",", std::to_string(first));
        if (last > first) {
            text += '-' + std::to_string(last);
        }
        first = following;
    }
    return text;
}

std::vector<CpuSet> parts_within(const CpuSet& whole, const std::vector<CpuSet>& sets) {
    std::vector<CpuSet> parts;
    for (CpuSet set : sets) {
        set &= whole;
        if (!set.is_empty()) {
            parts.push_back(std::move(set));
        }
    }
    return parts;
}

bool operator<(const CpuSet& a, const CpuSet& b) {
    const std::vector<std::uint64_t>& x = a.words();
    const std::vector<std::uint64_t>& y = b.words();
    const std::size_t common = std::min(x.size(), y.size());
    const std::size_t i = static_cast<std::size_t>(
        std::mismatch(x.begin(), x.begin() + static_cast<long>(common), y.begin()).first - x.begin());
    if (i == common) {
        return x.size() < y.size();  // the same members, then more of one
    }
    // The lowest differing CPU stands before the other's next CPU, but after the other's end.
    const int cpu = static_cast<int>(i) * kBits + lowest_bit(x[i] ^ y[i]);
    return a.contains(cpu) ? b.next(cpu) >= 0 : a.next(cpu) < 0;
}

// ---- runs ----

namespace {

// The longest run that starts with the members `first` and the next. Cutting off the longest run each
// time yields the fewest runs of consecutive members, since each part of a run is a run.
CpuRun longest_run(const CpuSet& set, int first, int& following) {
    following = set.next(first);
    const int stride = following < 0 ? 1 : following - first;
    int count = 1;
    for (int last = first; following == last + stride && count < UINT16_MAX; ++count) {
        last = following;
        following = set.next(last);
    }
    return {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(count),
            static_cast<std::uint16_t>(count == 1 ? 1 : stride)};
}

}  // namespace

std::vector<CpuRun> runs_of(const CpuSet& set) {
    std::vector<CpuRun> runs;
    for (int cpu = set.first(); cpu >= 0;) {
        int following = -1;
        runs.push_back(longest_run(set, cpu, following));
        cpu = following;
    }
    return runs;
}

void add_run(CpuSet& set, CpuRun run) {
    for (int i = 0; i < run.count && run.first + i * std::int64_t{run.stride} < CpuSet::kMaxCpus; ++i) {
        set.add(run.first + i * run.stride);
    }
}

void put_cpus(const CpuSet& set, ByteWriter& writer) {
    const std::vector<CpuRun> runs = runs_of(set);
    writer.put_varint(runs.size());
    for (const CpuRun& run : runs) {
        writer.put_varint(run.first);
        writer.put_varint(run.count);
        writer.put_varint(run.stride);
    }
}

CpuSet get_cpus(ByteReader& reader) {
    constexpr std::size_t kMinRunBytes = 3;
    CpuSet set;
    std::uint64_t num_members = 0;  // of a set's runs each once
    for (std::size_t left = reader.get_count(kMinRunBytes); left > 0; --left) {
        const std::uint64_t numbers[] = {reader.get_varint(), reader.get_varint(), reader.get_varint()};
        num_members += std::min<std::uint64_t>(numbers[1], UINT32_MAX);
        if (std::any_of(std::begin(numbers), std::end(numbers),
                        [](std::uint64_t number) { return number > UINT16_MAX; }) ||
            num_members > CpuSet::kMaxCpus) {
            reader.fail();
            return {};
        }
        add_run(set, {static_cast<std::uint16_t>(numbers[0]), static_cast<std::uint16_t>(numbers[1]),
                      static_cast<std::uint16_t>(numbers[2])});
    }
    return set;
}

}  // namespace hitopo
