// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A dictionary as a part of a block, and back: every index is checked here, so that no question has to.
#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/exchange/dictionary.h"

namespace hitopo {
namespace {

// Covered or not, no instances, a number for each inner level, no CPUs, cohort, a name for each level.
constexpr std::size_t kMinPatternBytes = 1 + 1 + (kNumLevels - kL2Numa) + 1 + 1 + kNumLevels;

bool is_index_or_none(std::int32_t index, std::size_t size) {
    return index == -1 || (index >= 0 && static_cast<std::size_t>(index) < size);
}

void put_texts(const std::vector<std::string>& texts, ByteWriter& writer) {
    writer.put_varint(texts.size());
    for (const std::string& text : texts) {
        writer.put_short(text);
    }
}

std::vector<std::string> get_texts(ByteReader& reader) {
    std::vector<std::string> texts;
    for (std::size_t left = reader.get_count(); left > 0; --left) {
        texts.emplace_back(reader.get_short());
    }
    return texts;
}

void put_pattern(const Pattern& pattern, ByteWriter& writer) {
    writer.put_u8(pattern.placement.is_covered ? 1 : 0);
    writer.put_varint(pattern.placement.instances.size());
    for (const int instance : pattern.placement.instances) {
        writer.put_signed(instance);
    }
    for (const int number : pattern.placement.numbers) {
        writer.put_signed(number);
    }
    put_cpus(pattern.cpus, writer);
    writer.put_varint(pattern.cohort);
    for (const std::string& name : pattern.names) {
        writer.put_short(name);
    }
}

Pattern get_pattern(ByteReader& reader) {
    Pattern pattern;
    pattern.placement.is_covered = reader.get_u8() != 0;
    for (std::size_t left = reader.get_count(); left > 0; --left) {
        pattern.placement.instances.push_back(static_cast<int>(reader.get_signed()));
    }
    for (int& number : pattern.placement.numbers) {
        const std::int64_t told = reader.get_signed();
        if (told < -1 || told >= kMaxSiblings) {
            reader.fail();
        }
        number = static_cast<int>(told);
    }
    pattern.cpus = get_cpus(reader);
    pattern.cohort = static_cast<std::uint32_t>(reader.get_varint());
    for (std::string& name : pattern.names) {
        name = reader.get_short();
    }
    return pattern;
}

}  // namespace

void Dictionary::write(BlockWriter& block) const {
    block.put(rows_);
    block.put(identities_);
    block.put(places_);
    block.put(kinds_);
    block.put(shared_);
    block.put(sides_);
    block.put(side_numbers_);
    block.put(side_values_);
    block.put(names_);
    for (const Array<ValueRow>& rows : values_) {
        block.put(rows);
    }
    block.put(coded_values_);
    block.put_bytes(write_few());
}

std::optional<Dictionary> Dictionary::read(BlockReader& block) {
    Dictionary dictionary;
    dictionary.rows_ = block.get<NodeRow>();
    dictionary.identities_ = block.get<std::uint64_t>();
    dictionary.places_ = block.get<NodePlace>();
    dictionary.kinds_ = block.get<NodeKind>();
    dictionary.shared_ = block.get<std::uint32_t>();
    dictionary.sides_ = block.get<std::uint32_t>();
    dictionary.side_numbers_ = block.get<std::int32_t>();
    dictionary.side_values_ = block.get<ValueRow>();
    dictionary.names_ = block.get<char>();
    for (Array<ValueRow>& rows : dictionary.values_) {
        rows = block.get<ValueRow>();
    }
    dictionary.coded_values_ = block.get<char>();
    const bool is_whole =
        dictionary.read_few(block.get_bytes()) && !block.has_failed() && dictionary.is_sound();
    return is_whole ? std::optional(std::move(dictionary)) : std::nullopt;
}

std::string Dictionary::write_few() const {
    ByteWriter writer;
    put_texts(components_, writer);
    writer.put_varint(machines_.size());
    for (const Machine& machine : machines_) {
        writer.put_short(machine.encode());
    }
    put_texts(machine_components_, writer);
    writer.put_varint(patterns_.size());
    for (const Pattern& pattern : patterns_) {
        put_pattern(pattern, writer);
    }
    writer.put_varint(layers_.size());
    for (const LayerClass& layer : layers_) {
        writer.put_short(layer.layers);
        writer.put_varint(layer.first_rank);
    }
    put_texts(warnings_, writer);
    put_texts(side_types_, writer);
    for (const std::uint32_t first : first_side_value_) {
        writer.put_varint(first);
    }
    return writer.take();
}

bool Dictionary::read_few(std::string_view bytes) {
    ByteReader reader(bytes);
    components_ = get_texts(reader);
    for (std::size_t left = reader.get_count(); left > 0; --left) {
        Result<Machine> machine = Machine::decode(reader.get_short());
        if (!machine) {
            return false;
        }
        machines_.push_back(std::move(*machine));
    }
    machine_components_ = get_texts(reader);
    const std::size_t num_patterns = reader.get_count(kMinPatternBytes);
    patterns_.reserve(num_patterns);
    while (patterns_.size() < num_patterns && !reader.has_failed()) {
        patterns_.push_back(get_pattern(reader));
    }
    for (std::size_t left = reader.get_count(); left > 0; --left) {
        std::string layers(reader.get_short());
        layers_.push_back({std::move(layers), static_cast<std::uint32_t>(reader.get_varint())});
    }
    warnings_ = get_texts(reader);
    side_types_ = get_texts(reader);
    while (first_side_value_.size() <= side_types_.size()) {
        first_side_value_.push_back(static_cast<std::uint32_t>(reader.get_varint()));
    }
    return !reader.has_failed();
}

bool Dictionary::is_sound() const {
    return identities_.size() == rows_.size() && machine_components_.size() == machines_.size() &&
           are_nodes_sound() && are_values_sound() && are_sides_sound();
}

bool Dictionary::are_nodes_sound() const {
    const auto is_row = [this, begin = std::uint32_t{0}](const NodeRow& row) mutable {
        const bool ascends = row.name >= std::exchange(begin, row.name);
        return ascends && row.name <= names_.size() && row.place < places_.size() &&
               row.kind < kinds_.size();
    };
    const auto is_kind = [this](const NodeKind& kind) {
        return is_index_or_none(kind.machine, machines_.size()) && kind.component < components_.size() &&
               kind.l2numa_component < components_.size() && kind.inner_component < components_.size();
    };
    const auto is_place = [this](const NodePlace& place) {
        return is_index_or_none(place.values[kCluster], num_values(kCluster)) &&
               is_index_or_none(place.values[kIsland], num_values(kIsland)) &&
               is_index_or_none(place.values[kSwitch], num_values(kSwitch));
    };
    return std::all_of(rows_.begin(), rows_.end(), is_row) &&
           std::all_of(kinds_.begin(), kinds_.end(), is_kind) &&
           std::all_of(places_.begin(), places_.end(), is_place);
}

// What a value is coded as may be any bytes.
bool Dictionary::are_values_sound() const {
    const auto are_sound = [this](const Array<ValueRow>& rows) {
        return std::all_of(rows.begin(), rows.end(), [this](const ValueRow& row) {
            return row.component < components_.size() && row.begin <= coded_values_.size();
        });
    };
    return std::all_of(values_.begin(), values_.end(), are_sound) && are_sound(side_values_);
}

bool Dictionary::are_sides_sound() const {
    const std::size_t num_types = side_types_.size();
    if (num_types == 0) {
        return true;
    }
    if (first_side_value_.back() > side_values_.size() ||
        !std::is_sorted(first_side_value_.begin(), first_side_value_.end())) {
        return false;
    }
    for (std::size_t i = 0; i < side_numbers_.size(); ++i) {
        if (!is_index_or_none(side_numbers_[i], num_side_values(i % num_types))) {
            return false;
        }
    }
    const std::size_t num_sets = side_numbers_.size() / num_types;
    return num_sets > 0 &&
           std::all_of(sides_.begin(), sides_.end(), [=](std::uint32_t set) { return set < num_sets; });
}

bool Dictionary::has_cohort(std::size_t node, std::uint32_t cohort) const {
    const std::uint64_t index = std::uint64_t{rows_[node].first_cohort} + cohort;
    return (shared_.empty() || index < shared_.size()) && (sides_.empty() || index < sides_.size());
}

}  // namespace hitopo
