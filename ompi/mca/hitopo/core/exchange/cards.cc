// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/cards.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/machine/binding.h"

namespace hitopo {
namespace {

Candidate read_candidate(std::string_view bytes, Names& names) {
    if (bytes.empty()) {
        return {};
    }
    Candidate candidate;
    ByteReader reader(bytes);
    const std::string_view component = reader.get_short();
    candidate.priority = static_cast<std::int32_t>(reader.get_signed());
    const std::uint8_t flags = reader.get_u8();
    const std::string_view value = reader.get_rest();
    if (!reader.has_failed()) {
        candidate.component = names.component(component);
        candidate.value = names.value(value);
        candidate.is_named = (flags & kIsNamed) != 0;
        candidate.is_for_node = (flags & kIsForNode) != 0;
    }
    return candidate;
}

Candidates read_candidates(ByteReader& reader, Names& names) {
    Candidates candidates;
    for (Candidate& candidate : candidates) {
        candidate = read_candidate(reader.get_short(), names);
    }
    return candidates;
}

Place read_place(std::string_view bytes, Names& names) {
    ByteReader reader(bytes);
    Place place;
    place.rule = reader.get_short().substr(0, kMaxRuleLength);
    if (place.rule.empty()) {
        place.cpus = get_cpus(reader);
    }
    for (const Level level : {kL2Numa, kSocket, kCore, kHwThread}) {
        place.inner[level] = read_candidates(reader, names);
        place.has_values = place.has_values || place.inner[level][0].component != 0;
    }
    return place;
}

ComponentError read_error(ByteReader& reader) {
    ComponentError told;
    told.component = reader.get_short();
    told.error.code = static_cast<Errc>(reader.get_signed());
    told.error.value = reader.get_short();
    told.error.message = reader.get_short();
    told.error.where = reader.get_short();
    told.error.line = static_cast<int>(reader.get_signed());
    told.error.column = static_cast<int>(reader.get_signed());
    return told;
}

}  // namespace

std::uint32_t Names::add_component(std::string_view name) {
    constexpr std::size_t kMaxLength = 64;
    const std::uint32_t number = components_.number_of(name);
    if (name.size() < kMaxLength) {
        few_.resize(std::max(few_.size(), name.size() + 1), kNone);
        few_[name.size()] = number;
    }
    return number;
}

std::uint32_t Names::side(std::string_view field) {
    const std::uint32_t number = side_fields_.number_of(field);
    if (number == side_claims_.size()) {
        side_claims_.push_back(decode_side_claims(field, *this));
    }
    return number;
}

// Components often agree.
std::uint32_t Names::value(std::string_view encoded) {
    if (latest_ >= values_.size() || values_[latest_] != encoded) {
        latest_ = values_.number_of(encoded);
    }
    return latest_;
}

RawValue Names::value_of(std::uint32_t number) const { return ByteReader(values_[number]).get_value(); }

// The last name of ByteReader::get_value.
std::optional<std::string_view> Names::visible_text(std::uint32_t number) const {
    ByteReader reader(values_[number]);
    std::optional<std::string_view> text = std::string_view();
    for (int left = reader.get_u16(); left > 0 && !reader.has_failed(); --left) {
        text = std::nullopt;
        if (reader.get_u8() != 0) {
            (void)reader.get_u64();
        } else {
            text = reader.get_text();
        }
    }
    return text;
}

std::string Names::visible(std::uint32_t number) const {
    const std::optional<std::string_view> text = visible_text(number);
    return text ? std::string(*text) : value_of(number).visible().to_string();
}

NodeCard read_node_card(std::string_view bytes, Names& names) {
    NodeCards cards;
    cards.add(bytes);
    return NodeCardReader(cards, names).next();
}

void NodeCardReader::read_identity() {
    ByteReader identity(reader_.fields()[kIdentityField]);
    card_.host_id = identity.get_u64();
    card_.node_id = identity.num_left() > 0 ? identity.get_u64() : card_.host_id;
    ByteReader shared(reader_.fields()[kSharedField]);
    const std::uint64_t shared_by[] = {card_.host_id, shared.get_varint(), shared.get_varint()};
    card_.shared_id = hash_bytes({reinterpret_cast<const char*>(shared_by), sizeof shared_by});
}

const NodeCard& NodeCardReader::next() {
    changed_ = reader_.next();
    if ((changed_ & (1U << kIdentityField | 1U << kSharedField)) != 0 || card_.shared_id == 0) {
        read_identity();
    }
    if ((changed_ & 1U << kUplinksField) != 0) {
        card_.uplinks_component = names_.component(reader_.fields()[kUplinksField]);
    }
    if ((changed_ & 1U << kSideField) != 0) {
        card_.side = names_.side(reader_.fields()[kSideField]);
    }
    for (std::size_t field = kFirstCandidateField; field < kSideField; ++field) {
        if ((changed_ >> field & 1) != 0) {
            const std::size_t number = field - kFirstCandidateField;
            card_.network[number / kNumCandidates][number % kNumCandidates] =
                read_candidate(reader_.fields()[field], names_);
        }
    }
    return card_;
}

bool NodeCardReader::has_changed(Level level) const {
    constexpr std::uint32_t kCandidateFields = (1U << kNumCandidates) - 1;
    const auto first = kFirstCandidateField + kNumCandidates * static_cast<std::size_t>(level);
    return (changed_ & (1U << kUplinksField | kCandidateFields << first)) != 0;
}

void ProcessCards::add(std::string_view bytes, Names& names) {
    ByteReader reader(bytes);
    ProcessCard& card = cards_.emplace_back();
    const std::string_view place = reader.get_short();
    card.place = encoded_places_.number_of(place);
    if (card.place == places_.size()) {
        places_.push_back(read_place(place, names));
        has_values_ = has_values_ || places_.back().has_values;
    }
    card.flags = reader.get_u8();
    card.settings_hash = reader.get_u64();
    card.layers = names.component(reader.get_short());
    if ((card.flags & kHasMachine) != 0) {
        card.machine_hash = reader.get_u64();
        card.machine_component = names.component(reader.get_short());
        card.machine_priority = static_cast<std::int32_t>(reader.get_signed());
    }
    for (std::size_t level = 0; (card.flags & kHasForced) != 0 && level < kNumLevels; ++level) {
        card.forced[level] = names.component(reader.get_short());
    }
    if ((card.flags & kHasError) != 0) {
        card.error = read_error(reader);
    }
}

}  // namespace hitopo
