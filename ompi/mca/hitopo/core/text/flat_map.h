// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Values to dense numbers: in their order, or 64-bit hashes and sequences in that of first sight. Open
// addressing: one look-up for each of a million processes has to cost one cache line, which
// std::unordered_map does not.
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_FLAT_MAP_H
#define OMPI_MCA_HITOPO_CORE_TEXT_FLAT_MAP_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hitopo {

// Values each once, in their order.
template <class T>
std::vector<T> distinct(std::vector<T> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

template <class T>
bool are_equal(const std::vector<T>& values) {
    return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<T>()) == values.end();
}

// The index of `value` in distinct() ones, of which it is one.
template <class T>
std::int32_t index_in(const std::vector<T>& distinct, T value) {
    return static_cast<std::int32_t>(std::lower_bound(distinct.begin(), distinct.end(), value) -
                                     distinct.begin());
}

class FlatMap {
public:
    // The number of `key`, size() before the call if it is new.
    std::uint32_t number_of(std::uint64_t key) {
        if (2 * (keys_.size() + 1) > slots_.size()) {
            grow();
        }
        std::uint32_t& slot = slots_[find(key)];
        if (slot == kAbsent) {
            slot = static_cast<std::uint32_t>(keys_.size());
            keys_.push_back(key);
        }
        return slot;
    }

    std::size_t size() const { return keys_.size(); }

private:
    static constexpr std::uint32_t kAbsent = UINT32_MAX;

    // The product's highest bits depend on all bits of the key.
    std::size_t find(std::uint64_t key) const {
        auto i = static_cast<std::size_t>(key * 0x9e3779b97f4a7c15u >> shift_);
        while (slots_[i] != kAbsent && keys_[slots_[i]] != key) {
            i = (i + 1) & (slots_.size() - 1);
        }
        return i;
    }

    void grow() {
        slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), kAbsent);
        --shift_;
        for (std::uint32_t i = 0; i < keys_.size(); ++i) {
            slots_[find(keys_[i])] = i;
        }
    }

    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> slots_;  // 2 to the power of 64 - shift_
    int shift_ = 61;
};

// The number of `item` among distinct ones, of which it becomes one. numbers: by keys that distinguish
// items.
template <class Item, class Map, class Like = Item>
std::uint32_t number_among(std::vector<Item>& items, Map& numbers, const typename Map::key_type& key,
                           const Like& item) {
    const auto [known, is_new] = numbers.emplace(key, static_cast<std::uint32_t>(items.size()));
    if (is_new) {
        items.emplace_back(item);
    }
    return known->second;
}

// A value for each key, in the order of first sight.
template <class Value>
class Keyed {
public:
    // Value() where the key is new. Until the next call.
    Value& operator[](std::uint64_t key) {
        const std::uint32_t number = numbers_.number_of(key);
        values_.resize(numbers_.size());
        return values_[number];
    }
    std::vector<Value> take() { return std::move(values_); }

private:
    FlatMap numbers_;
    std::vector<Value> values_;
};

// Spreads a difference in few bits over all bits; different numbers stay different.
inline std::uint64_t mix(std::uint64_t number) {
    number = (number ^ (number >> 32)) * 0xd6e8feb86659fd93u;
    number = (number ^ (number >> 32)) * 0xd6e8feb86659fd93u;
    return number ^ (number >> 32);
}

// A key from two, of which one may be small numbers.
inline std::uint64_t combine(std::uint64_t a, std::uint64_t b) { return mix(mix(a + 1) + b); }

// Distinct sequences of numbers, each kept once, numbered densely in the order of first sight.
class Sequences {
public:
    // size() before the call if the sequence is new.
    std::uint32_t number_of(const std::vector<std::uint32_t>& sequence) {
        std::uint64_t hash = 0;
        for (const std::uint32_t member : sequence) {
            hash = combine(hash, member);
        }
        for (;; hash = combine(hash, 1)) {
            const std::uint32_t number = hashes_.number_of(hash);
            if (number == size()) {
                members_.insert(members_.end(), sequence.begin(), sequence.end());
                ends_.push_back(static_cast<std::uint32_t>(members_.size()));
            }
            if (std::equal(sequence.begin(), sequence.end(), begin(number), end(number))) {
                return number;
            }
        }
    }

    std::size_t size() const { return ends_.size(); }
    std::size_t length(std::uint32_t number) const { return ends_[number] - start(number); }
    const std::uint32_t* begin(std::uint32_t number) const { return members_.data() + start(number); }
    const std::uint32_t* end(std::uint32_t number) const { return members_.data() + ends_[number]; }

    // Its begin in take_all(), which has all sequences one behind the other.
    std::uint32_t start(std::uint32_t number) const { return number == 0 ? 0 : ends_[number - 1]; }
    std::vector<std::uint32_t> take_all() { return std::move(members_); }

private:
    FlatMap hashes_;
    std::vector<std::uint32_t> members_;
    std::vector<std::uint32_t> ends_;
};

}  // namespace hitopo

#endif
