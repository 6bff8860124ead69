// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange/leader_list.h"

#include <algorithm>
#include <iterator>

#include "ompi/mca/hitopo/core/address/bytes.h"

namespace hitopo {
namespace {

bool comes_first(const LeaderList::Leader& a, const LeaderList::Leader& b) { return a.rank < b.rank; }

void append_varint(std::uint32_t value, std::string& bytes) {
    for (; value >= 0x80; value >>= 7) {
        bytes += static_cast<char>(value | 0x80);
    }
    bytes += static_cast<char>(value);
}

}  // namespace

LeaderList::LeaderList(std::size_t num_processes) : num_processes_(num_processes) {
    for (std::vector<Leader>* list : {&leaders_, &others_, &both_}) {
        list->reserve(num_processes);
    }
    bytes_.reserve(max_bytes());
}

void LeaderList::add(Leader leader) {
    leaders_.insert(std::lower_bound(leaders_.begin(), leaders_.end(), leader, comes_first), leader);
}

// Runs: how far the first is from the last one before, how many more, the distance of two, the members
// of each.
std::string_view LeaderList::encode() {
    bytes_.clear();
    std::uint32_t last = 0;
    for (std::size_t i = 0; i < leaders_.size();) {
        std::size_t end = i + 1;
        const std::uint32_t stride = end < leaders_.size() ? leaders_[end].rank - leaders_[i].rank : 0;
        while (end < leaders_.size() && leaders_[end].rank - leaders_[end - 1].rank == stride &&
               leaders_[end].num_members == leaders_[i].num_members) {
            ++end;
        }
        const auto num_more = static_cast<std::uint32_t>(end - i - 1);
        for (const std::uint32_t number :
             {leaders_[i].rank - last, num_more, stride, leaders_[i].num_members}) {
            append_varint(number, bytes_);
        }
        last = leaders_[end - 1].rank;
        i = end;
    }
    return bytes_;
}

bool LeaderList::decode(std::string_view bytes) {
    others_.clear();
    ByteReader reader(bytes);
    std::uint64_t rank = 0;
    while (reader.num_left() > 0) {
        const std::uint64_t first = reader.get_varint(), num_more = reader.get_varint(),
                            stride = reader.get_varint(), num_members = reader.get_varint();
        const std::uint64_t limit = num_processes_;
        if (reader.has_failed() || first >= limit || num_more >= limit || stride > limit ||
            num_members == 0 || num_members > limit) {
            return false;
        }
        rank += first;
        for (std::uint64_t i = 0; i <= num_more; ++i, rank += stride) {
            const bool is_ascending = others_.empty() || others_.back().rank < rank;
            if (rank >= limit || !is_ascending) {
                return false;
            }
            others_.push_back(
                {static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(num_members)});
        }
        rank = others_.back().rank;
    }
    return true;
}

bool LeaderList::merge(std::string_view bytes) {
    if (!decode(bytes)) {
        return false;
    }
    both_.clear();
    std::set_union(leaders_.begin(), leaders_.end(), others_.begin(), others_.end(),
                   std::back_inserter(both_), comes_first);
    leaders_.swap(both_);
    return true;
}

bool LeaderList::is_whole() const {
    std::uint64_t num_members = 0;
    for (const Leader& leader : leaders_) {
        num_members += leader.num_members;
    }
    return num_members == num_processes_;
}

}  // namespace hitopo
