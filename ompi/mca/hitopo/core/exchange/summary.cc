// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/summary.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace hitopo {
namespace {

constexpr std::uint32_t kNoNumber = UINT32_MAX;
constexpr std::size_t kMinPartBytes = 4;  // changes of the card, seating, ranks
constexpr std::size_t kMaxGrowth = 1024;  // of node cards, told as they differ from those before

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
            "it arrived damaged, or is from another version of HiTopo; start all processes with one "
            "installation",
            "",
            0,
            0};
}

// Numbers here of the seatings there, given when they are first asked for.
template <class Take>
class Renumbering {
public:
    Renumbering(std::size_t count, Take take) : numbers_(count, kNoNumber), take_(take) {}

    std::uint32_t operator[](std::uint32_t seating) {
        std::uint32_t& number = numbers_[seating];
        return number = number == kNoNumber ? take_(seating) : number;
    }

private:
    std::vector<std::uint32_t> numbers_;
    Take take_;
};

}  // namespace

Summary Summary::of_group(const std::vector<std::pair<std::uint32_t, Contribution>>& members) {
    struct Own {
        RankRuns ranks;
        std::vector<std::uint32_t> cards;
    };
    Summary summary;
    summary.group_begins_ = {0};
    std::map<std::string_view, std::size_t> part_of;  // by node card
    std::vector<Own> parts;
    for (const auto& [rank, said] : members) {
        const auto [known, is_new] = part_of.emplace(said.node_card, parts.size());
        if (is_new) {
            summary.node_cards_.add(said.node_card);
            parts.emplace_back();
        }
        parts[known->second].ranks.add(rank);
        parts[known->second].cards.push_back(summary.process_cards_.number_of(said.process_card));
        if (!said.machine.empty()) {
            (void)summary.machines_.number_of(said.machine);
        }
    }
    for (const Own& part : parts) {
        ByteWriter ranks;
        put_ranks(part.ranks, 0, ranks);
        ByteReader reader(ranks.bytes());
        summary.add_part(get_ranks(0, UINT32_MAX, reader), summary.number_of_seating(part.cards));
    }
    return summary;
}

CodedRanks Summary::ranks(const Part& part) const {
    const std::size_t index = static_cast<std::size_t>(&part - parts_.data()) + 1;
    const std::size_t end = index < parts_.size() ? parts_[index].begin : ranks_.size();
    return {part.head, part.first_rank, part.num_ranks,
            std::string_view(ranks_).substr(part.begin, end - part.begin)};
}

void Summary::add_part(const CodedRanks& ranks, std::uint32_t seating) {
    parts_.push_back(
        {ranks.head(), ranks.front(), static_cast<std::uint32_t>(ranks.size()), seating, ranks_.size()});
    ranks_ += ranks.rest();
}

std::uint32_t Summary::number_of_seating(const std::vector<std::uint32_t>& cards) {
    const std::uint32_t number = seating_keys_.number_of(encode_seating(cards));
    if (number == seatings_.size()) {
        seatings_.push_back(cards);
    }
    return number;
}

std::uint32_t Summary::take_seating(const Summary& from, std::uint32_t seating) {
    std::vector<std::uint32_t> cards;
    for (const std::uint32_t card : from.seatings_[seating]) {
        cards.push_back(process_cards_.number_of(from.process_cards_[card]));
    }
    return number_of_seating(cards);
}

void Summary::take_machines(const Summary& from) {
    for (const std::string& machine : from.machines_) {
        (void)machines_.number_of(machine);
    }
}

void Summary::append(const Summary& other) {
    take_machines(other);
    for (const std::size_t begin : other.group_begins_) {
        group_begins_.push_back(parts_.size() + begin);
    }
    Renumbering number(other.seatings_.size(),
                       [&](std::uint32_t seating) { return take_seating(other, seating); });
    for (Part part : other.parts_) {
        part.seating = number[part.seating];
        part.begin += ranks_.size();
        parts_.push_back(part);
    }
    ranks_ += other.ranks_;
    node_cards_.append(other.node_cards_);
}

Summary Summary::in_order() const {
    std::vector<std::uint32_t> order(parts_.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto is_before = [this](std::uint32_t a, std::uint32_t b) {
        return parts_[a].first_rank < parts_[b].first_rank;
    };
    const bool is_ordered = std::is_sorted(order.begin(), order.end(), is_before);
    if (!is_ordered) {
        std::sort(order.begin(), order.end(), is_before);
    }
    std::vector<std::string> machines(machines_.begin(), machines_.end());
    std::sort(machines.begin(), machines.end());
    Summary ordered;
    for (const std::string& machine : machines) {
        (void)ordered.machines_.number_of(machine);
    }
    ordered.group_begins_ = {0};
    ordered.node_cards_ = is_ordered ? node_cards_ : node_cards_.in_order(order);
    ordered.parts_.reserve(parts_.size());
    ordered.ranks_.reserve(ranks_.size());
    Renumbering number(seatings_.size(),
                       [&](std::uint32_t seating) { return ordered.take_seating(*this, seating); });
    for (const std::uint32_t index : order) {
        ordered.add_part(ranks(parts_[index]), number[parts_[index].seating]);
    }
    return ordered;
}

std::string Summary::encode(std::size_t num_groups) const {
    const std::size_t num_parts =
        num_groups < group_begins_.size() ? group_begins_[num_groups] : parts_.size();
    const bool is_all = num_parts == parts_.size();
    Summary used;
    Renumbering number(seatings_.size(), [&](std::uint32_t seating) {
        return is_all ? seating : used.take_seating(*this, seating);
    });
    ByteWriter parts;
    NodeCards::Reader cards(node_cards_);
    std::uint32_t near = 0;
    std::size_t group = 0;
    for (std::size_t i = 0; i < num_parts; ++i) {
        const bool begins_group = group < group_begins_.size() && group_begins_[group] == i;
        group += begins_group ? 1 : 0;
        cards.put(begins_group, parts);
        parts.put_varint(number[parts_[i].seating]);
        put_ranks(ranks(parts_[i]), near, parts);
        near = parts_[i].first_rank;
    }
    ByteWriter writer;
    writer.put_u16(kExchangeVersion);
    put_texts(machines_, writer);
    put_texts((is_all ? *this : used).process_cards_, writer);
    put_texts((is_all ? *this : used).seating_keys_, writer);
    writer.put_varint(num_parts);
    writer.put_bytes(parts.bytes());
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
    std::uint32_t near = 0;
    std::size_t num_card_bytes = 0;
    const std::size_t max_card_bytes = kMaxGrowth * reader.num_left();
    std::size_t left = reader.get_count(kMinPartBytes);
    parts_.reserve(left);
    node_cards_.reserve(left);
    for (; left > 0 && !reader.has_failed(); --left) {
        bool begins_group = false;
        node_cards_.get(begins_group, reader);
        num_card_bytes += node_cards_.last_bytes();
        const std::uint64_t seating = reader.get_varint();
        const CodedRanks ranks = get_ranks(near, static_cast<std::uint32_t>(num_processes), reader);
        if (seating >= seatings_.size() || ranks.empty() || ranks.size() != seatings_[seating].size() ||
            num_card_bytes > max_card_bytes) {
            reader.fail();
            return;
        }
        if (begins_group) {
            group_begins_.push_back(parts_.size());
        }
        near = ranks.front();
        add_part(ranks, static_cast<std::uint32_t>(seating));
    }
}

}  // namespace hitopo
