// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
//   heads   = u32 number of keys, u64 keys, u32 number of lists, lists, u32 number of processes,
//   processes list    = u32 number of its keys, u32 indices of keys process = u32 rank, u32 index of its
//   list, u32 number of parts, parts part    = u64 elapsed_ns, u64 remarks, u64 num_bytes, u32 num_keys
#include "profiler/gather/heads.h"

#include <limits>

#include "ompi/mca/hitopo/core/address/bytes.h"

namespace hitopo {
namespace {

constexpr std::size_t kPartBytes = 28;
constexpr std::size_t kProcessBytes = 12 + kPartBytes;

// A number of things of at least so many bytes each, which cannot be more than the bytes that are left.
std::optional<std::uint32_t> get_count(ByteReader& reader, std::size_t bytes_each) {
    const std::uint32_t count = reader.get_u32();
    const bool is_possible = !reader.has_failed() && count <= reader.num_left() / bytes_each;
    return is_possible ? std::optional<std::uint32_t>(count) : std::nullopt;
}

// Indices below `limit`.
std::optional<std::vector<std::uint32_t>> get_list(ByteReader& reader, std::size_t limit) {
    const auto count = get_count(reader, sizeof(std::uint32_t));
    std::vector<std::uint32_t> list;
    for (std::uint32_t i = 0; count && i < *count; ++i) {
        list.push_back(reader.get_u32());
        if (list.back() >= limit) {
            return std::nullopt;
        }
    }
    return count ? std::optional(std::move(list)) : std::nullopt;
}

PartHead get_part(ByteReader& reader) {
    PartHead part;
    part.elapsed_ns = reader.get_u64();
    part.remarks = reader.get_u64();
    part.num_bytes = reader.get_u64();
    part.num_keys = reader.get_u32();
    return part;
}

void put_part(ByteWriter& writer, const PartHead& part) {
    writer.put_u64(part.elapsed_ns);
    writer.put_u64(part.remarks);
    writer.put_u64(part.num_bytes);
    writer.put_u32(part.num_keys);
}

}  // namespace

std::uint32_t Heads::key_number(std::uint64_t key) {
    const std::uint32_t number = numbers_.number_of(key);
    if (number == keys_.size()) {
        keys_.push_back(key);
    }
    return number;
}

std::uint32_t Heads::list_number(std::vector<std::uint32_t> list) {
    const auto [entry, is_first] =
        list_numbers_.emplace(std::move(list), static_cast<std::uint32_t>(lists_.size()));
    if (is_first) {
        lists_.push_back(&*entry);
    }
    return entry->second;
}

void Heads::add(int rank, const std::vector<std::uint64_t>& keys, const std::vector<PartHead>& parts) {
    std::vector<std::uint32_t> list;
    list.reserve(keys.size());
    for (const std::uint64_t key : keys) {
        list.push_back(key_number(key));
    }
    processes_.push_back({rank, list_number(std::move(list)), static_cast<std::uint32_t>(parts_.size()),
                          static_cast<std::uint32_t>(parts.size())});
    parts_.insert(parts_.end(), parts.begin(), parts.end());
}

void Heads::join(const Heads& others) {
    std::vector<std::uint32_t> numbers;  // here, of the others' lists
    for (const Lists::value_type* list : others.lists_) {
        std::vector<std::uint32_t> keys;
        keys.reserve(list->first.size());
        for (const std::uint32_t key : list->first) {
            keys.push_back(key_number(others.keys_[key]));
        }
        numbers.push_back(list_number(std::move(keys)));
    }
    const auto first_part = static_cast<std::uint32_t>(parts_.size());
    parts_.insert(parts_.end(), others.parts_.begin(), others.parts_.end());
    for (Process process : others.processes_) {
        process.list = numbers[process.list];
        process.first_part += first_part;
        processes_.push_back(process);
    }
}

const PartHead* Heads::part_of(const Process& process, int number) const {
    const std::uint32_t part =
        number == kEnd ? process.num_parts - 1 : static_cast<std::uint32_t>(number) - 1;
    const bool is_there = number == kEnd || (number > 0 && part + 1 < process.num_parts);
    return is_there ? &parts_[process.first_part + part] : nullptr;
}

std::string Heads::encode() const {
    ByteWriter writer;
    writer.put_u32(static_cast<std::uint32_t>(keys_.size()));
    for (const std::uint64_t key : keys_) {
        writer.put_u64(key);
    }
    writer.put_u32(static_cast<std::uint32_t>(lists_.size()));
    for (const Lists::value_type* list : lists_) {
        writer.put_u32(static_cast<std::uint32_t>(list->first.size()));
        for (const std::uint32_t key : list->first) {
            writer.put_u32(key);
        }
    }
    writer.put_u32(static_cast<std::uint32_t>(processes_.size()));
    for (const Process& process : processes_) {
        writer.put_u32(static_cast<std::uint32_t>(process.rank));
        writer.put_u32(process.list);
        writer.put_u32(process.num_parts);
        for (std::uint32_t i = 0; i < process.num_parts; ++i) {
            put_part(writer, parts_[process.first_part + i]);
        }
    }
    return writer.take();
}

// Keys and lists are refused that come twice.
bool Heads::read_keys(ByteReader& reader) {
    const auto num_keys = get_count(reader, sizeof(std::uint64_t));
    for (std::uint32_t i = 0; num_keys && i < *num_keys; ++i) {
        if (key_number(reader.get_u64()) != i) {
            return false;
        }
    }
    const auto num_lists = num_keys ? get_count(reader, sizeof(std::uint32_t)) : std::nullopt;
    for (std::uint32_t i = 0; num_lists && i < *num_lists; ++i) {
        auto list = get_list(reader, keys_.size());
        if (!list || list_number(std::move(*list)) != i) {
            return false;
        }
    }
    return num_lists.has_value();
}

bool Heads::read_process(ByteReader& reader) {
    const std::uint32_t rank = reader.get_u32();
    const std::uint32_t list = reader.get_u32();
    const auto num_parts = get_count(reader, kPartBytes);
    const bool is_next = rank <= static_cast<std::uint32_t>(std::numeric_limits<int>::max()) &&
                         (processes_.empty() || static_cast<int>(rank) > processes_.back().rank);
    if (!is_next || list >= lists_.size() || !num_parts || *num_parts == 0) {
        return false;
    }
    processes_.push_back(
        {static_cast<int>(rank), list, static_cast<std::uint32_t>(parts_.size()), *num_parts});
    for (std::uint32_t i = 0; i < *num_parts; ++i) {
        parts_.push_back(get_part(reader));
        if (parts_.back().num_keys > keys_of(processes_.back()).size()) {
            return false;
        }
    }
    return true;
}

std::optional<Heads> Heads::decode(std::string_view bytes) {
    ByteReader reader(bytes);
    Heads heads;
    if (!heads.read_keys(reader)) {
        return std::nullopt;
    }
    const auto num_processes = get_count(reader, kProcessBytes);
    for (std::uint32_t i = 0; num_processes && i < *num_processes; ++i) {
        if (!heads.read_process(reader)) {
            return std::nullopt;
        }
    }
    return num_processes && reader.num_left() == 0 ? std::optional(std::move(heads)) : std::nullopt;
}

}  // namespace hitopo
