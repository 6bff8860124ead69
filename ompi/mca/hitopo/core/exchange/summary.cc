// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/summary.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "ompi/mca/hitopo/core/exchange/rank_coding.h"

namespace hitopo {
namespace {

constexpr std::uint32_t kNoNumber = UINT32_MAX;

using Fields = std::array<std::string_view, kNumNodeFields>;

Fields fields_of(std::string_view node_card) {
    Fields fields;
    ByteReader reader(node_card);
    for (std::string_view& field : fields) {
        field = reader.get_short();
    }
    return fields;
}

std::size_t common_prefix(std::string_view a, std::string_view b) {
    const std::size_t length = std::min(a.size(), b.size());
    return static_cast<std::size_t>(
        std::mismatch(a.begin(), a.begin() + static_cast<long>(length), b.begin()).first - a.begin());
}

// The card as it differs from the one before. The lowest bit of the first number is the caller's.
void put_card(std::string_view card, std::string_view before, bool flag, ByteWriter& writer) {
    const Fields own = fields_of(card), old = fields_of(before);
    std::uint64_t changed = flag ? 1 : 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
        changed |= own[i] != old[i] ? std::uint64_t{2} << i : 0;
    }
    writer.put_varint(changed);
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (own[i] != old[i]) {
            const std::size_t prefix = common_prefix(own[i], old[i]);
            writer.put_varint(prefix);
            writer.put_short(own[i].substr(prefix));
        }
    }
}

// Reads card after card, each as it differs from the one before.
class CardReader {
public:
    std::string read(bool& flag, ByteReader& reader) {
        const std::uint64_t changed = reader.get_varint();
        flag = (changed & 1) != 0;
        std::size_t num_bytes = 0;
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            if ((changed & std::uint64_t{2} << i) != 0) {
                fields_[i].resize(std::min<std::uint64_t>(reader.get_varint(), fields_[i].size()));
                fields_[i] += reader.get_short();
            }
            num_bytes += fields_[i].size() + 3;
        }
        ByteWriter card;
        card.reserve(num_bytes);
        for (const std::string& field : fields_) {
            card.put_short(field);
        }
        return card.take();
    }

private:
    std::array<std::string, kNumNodeFields> fields_;
};

std::string encode_seating(const std::vector<std::uint32_t>& cards) {
    ByteWriter writer;
    std::int64_t next = 0;
    for (const std::uint32_t card : cards) {
        writer.put_signed(card - next);
        next = card + std::int64_t{1};
    }
    return writer.take();
}

void put_texts(const Distinct& texts, ByteWriter& writer) {
    writer.put_varint(texts.size());
    for (const std::string& text : texts) {
        writer.put_short(text);
    }
}

// False where one stands there twice.
bool get_texts(ByteReader& reader, Distinct& texts) {
    for (std::size_t left = reader.get_count(); left > 0; --left) {
        const std::size_t before = texts.size();
        if (texts.number_of(reader.get_short()) != before) {
            return false;
        }
    }
    return true;
}

Error damaged() {
    return {Errc::kDisagree,
            "a summary of processes",
            "it arrived damaged or is of another version of HiTopo; start all processes with one "
            "installation",
            "",
            0,
            0};
}

}  // namespace

Summary Summary::of_group(const std::vector<std::pair<std::uint32_t, Contribution>>& members) {
    Summary summary;
    summary.group_begins_ = {0};
    std::map<std::string_view, std::size_t> part_of;  // by node card
    std::vector<std::vector<std::uint32_t>> cards;    // by part
    for (const auto& [rank, said] : members) {
        const auto [known, is_new] = part_of.emplace(said.node_card, cards.size());
        if (is_new) {
            summary.parts_.push_back({said.node_card, {}, 0});
            cards.emplace_back();
        }
        summary.parts_[known->second].ranks.add(rank);
        cards[known->second].push_back(summary.process_cards_.number_of(said.process_card));
        if (!said.machine.empty()) {
            (void)summary.machines_.number_of(said.machine);
        }
    }
    for (std::size_t part = 0; part < cards.size(); ++part) {
        summary.parts_[part].seating = summary.number_of_seating(cards[part]);
    }
    return summary;
}

std::uint32_t Summary::number_of_seating(const std::vector<std::uint32_t>& cards) {
    const std::uint32_t number = seating_keys_.number_of(encode_seating(cards));
    if (number == seatings_.size()) {
        seatings_.push_back(cards);
    }
    return number;
}

// numbers: here of the seatings there, kNoNumber for one not yet seen.
void Summary::take_part(const Summary& from, const Part& part, std::vector<std::uint32_t>& numbers) {
    std::uint32_t& number = numbers[part.seating];
    if (number == kNoNumber) {
        std::vector<std::uint32_t> cards;
        for (const std::uint32_t card : from.seatings_[part.seating]) {
            cards.push_back(process_cards_.number_of(from.process_cards_[card]));
        }
        number = number_of_seating(cards);
    }
    parts_.push_back({part.node_card, part.ranks, number});
}

void Summary::append(const Summary& other) {
    for (const std::string& machine : other.machines_) {
        (void)machines_.number_of(machine);
    }
    for (const std::size_t begin : other.group_begins_) {
        group_begins_.push_back(parts_.size() + begin);
    }
    std::vector<std::uint32_t> numbers(other.seatings_.size(), kNoNumber);
    for (const Part& part : other.parts_) {
        take_part(other, part, numbers);
    }
}

Summary Summary::in_order() const {
    std::vector<const Part*> parts;
    for (const Part& part : parts_) {
        parts.push_back(&part);
    }
    std::sort(parts.begin(), parts.end(), [](const Part* a, const Part* b) {
        return a->ranks.front() != b->ranks.front() ? a->ranks.front() < b->ranks.front()
                                                    : a->node_card < b->node_card;
    });
    std::vector<std::string> machines(machines_.begin(), machines_.end());
    std::sort(machines.begin(), machines.end());
    Summary ordered;
    for (const std::string& machine : machines) {
        (void)ordered.machines_.number_of(machine);
    }
    ordered.group_begins_ = {0};
    std::vector<std::uint32_t> numbers(seatings_.size(), kNoNumber);
    for (const Part* part : parts) {
        ordered.take_part(*this, *part, numbers);
    }
    return ordered;
}

std::string Summary::encode(std::size_t num_groups) const {
    if (num_groups < group_begins_.size()) {
        Summary first;
        std::vector<std::uint32_t> numbers(seatings_.size(), kNoNumber);
        first.group_begins_.assign(group_begins_.begin(),
                                   group_begins_.begin() + static_cast<long>(num_groups));
        for (const std::string& machine : machines_) {
            (void)first.machines_.number_of(machine);
        }
        for (std::size_t i = 0; i < group_begins_[num_groups]; ++i) {
            first.take_part(*this, parts_[i], numbers);
        }
        return first.encode(num_groups);
    }
    ByteWriter writer;
    writer.put_u16(kExchangeVersion);
    put_texts(machines_, writer);
    put_texts(process_cards_, writer);
    put_texts(seating_keys_, writer);
    writer.put_varint(parts_.size());
    std::string_view before;
    std::uint32_t near = 0;
    std::size_t group = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const bool begins_group = group < group_begins_.size() && group_begins_[group] == i;
        group += begins_group ? 1 : 0;
        put_card(parts_[i].node_card, before, begins_group, writer);
        writer.put_varint(parts_[i].seating);
        put_ranks(parts_[i].ranks, near, writer);
        before = parts_[i].node_card;
        near = parts_[i].ranks.front();
    }
    return writer.take();
}

Result<Summary> Summary::decode(std::string_view bytes, std::size_t num_processes) {
    ByteReader reader(bytes);
    Summary summary;
    if (reader.get_u16() != kExchangeVersion || !get_texts(reader, summary.machines_) ||
        !get_texts(reader, summary.process_cards_) || !summary.read_seatings(reader)) {
        return damaged();
    }
    summary.read_parts(num_processes, reader);
    if (reader.has_failed() || reader.num_left() > 0 || summary.group_begins_.empty() ||
        summary.group_begins_[0] != 0) {
        return damaged();
    }
    return summary;
}

bool Summary::read_seatings(ByteReader& reader) {
    if (!get_texts(reader, seating_keys_)) {
        return false;
    }
    for (const std::string& key : seating_keys_) {
        ByteReader cards(key);
        std::vector<std::uint32_t>& seating = seatings_.emplace_back();
        std::int64_t next = 0;
        while (cards.num_left() > 0) {
            const std::int64_t card =
                next + std::clamp<std::int64_t>(cards.get_signed(), INT32_MIN, INT32_MAX);
            if (card < 0 || card >= static_cast<std::int64_t>(process_cards_.size())) {
                return false;
            }
            seating.push_back(static_cast<std::uint32_t>(card));
            next = card + 1;
        }
    }
    return true;
}

void Summary::read_parts(std::size_t num_processes, ByteReader& reader) {
    CardReader cards;
    std::uint32_t near = 0;
    std::size_t left = reader.get_count();
    parts_.reserve(left);
    for (; left > 0 && !reader.has_failed(); --left) {
        bool begins_group = false;
        Part part;
        part.node_card = cards.read(begins_group, reader);
        part.seating =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(reader.get_varint(), kNoNumber));
        part.ranks = get_ranks(near, static_cast<std::uint32_t>(num_processes), reader);
        if (part.seating >= seatings_.size() || part.ranks.empty() ||
            part.ranks.size() != seatings_[part.seating].size()) {
            reader.fail();
            return;
        }
        if (begins_group) {
            group_begins_.push_back(parts_.size());
        }
        near = part.ranks.front();
        parts_.push_back(std::move(part));
    }
}

}  // namespace hitopo
