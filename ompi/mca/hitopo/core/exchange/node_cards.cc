// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/node_cards.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hitopo {
namespace {

constexpr std::uint32_t kAllFields = (std::uint32_t{1} << kNumNodeFields) - 1;

std::size_t common_prefix(std::string_view a, std::string_view b) {
    const std::size_t length = std::min(a.size(), b.size());
    return static_cast<std::size_t>(
        std::mismatch(a.begin(), a.begin() + static_cast<long>(length), b.begin()).first - a.begin());
}

}  // namespace

NodeCards::Views NodeCards::views_of(const Fields& fields) {
    Views views;
    std::copy(fields.begin(), fields.end(), views.begin());
    return views;
}

NodeCards::Views NodeCards::views_of(std::string_view card) {
    ByteReader reader(card);
    Views views;
    std::generate(views.begin(), views.end(), [&] { return reader.get_short(); });
    return views;
}

void NodeCards::add(const Views& card, const Views& before) {
    ByteWriter changes;
    std::uint32_t changed = 0;
    for (std::size_t i = 0; i < card.size(); ++i) {
        if (card[i] != before[i]) {
            changed |= std::uint32_t{1} << i;
            const std::size_t prefix = common_prefix(card[i], before[i]);
            changes.put_varint(prefix);
            changes.put_short(card[i].substr(prefix));
        }
    }
    rows_.push_back({changed, static_cast<std::uint32_t>(changes.bytes().size())});
    changes_ += changes.bytes();
}

void NodeCards::add(std::string_view card) {
    const Views own = views_of(card);
    add(own, views_of(last_));
    std::copy(own.begin(), own.end(), last_.begin());
}

// What its first card is like depends on the last one here.
void NodeCards::append(const NodeCards& other) {
    if (other.size() == 0) {
        return;
    }
    Reader first(other);
    (void)first.next();
    add(views_of(first.fields()), views_of(last_));
    rows_.insert(rows_.end(), other.rows_.begin() + 1, other.rows_.end());
    changes_.append(other.changes_, other.rows_[0].num_bytes);
    last_ = other.last_;
}

void NodeCards::update(std::uint32_t changed, ByteReader& reader, Fields& fields) {
    for (std::size_t i = 0; changed >> i != 0; ++i) {
        if ((changed >> i & 1) != 0) {
            fields[i].resize(std::min<std::uint64_t>(reader.get_varint(), fields[i].size()));
            fields[i] += reader.get_short();
        }
    }
}

void NodeCards::get(bool& flag, ByteReader& reader) {
    const std::uint64_t head = reader.get_varint();
    flag = (head & 1) != 0;
    const auto changed = static_cast<std::uint32_t>(head >> 1 & kAllFields);
    const std::string_view from = reader.rest();
    update(changed, reader, last_);
    const std::string_view changes = from.substr(0, from.size() - reader.num_left());
    rows_.push_back({changed, static_cast<std::uint32_t>(changes.size())});
    changes_ += changes;
}

// Cards that stay behind each other are copied; of others the whole is needed.
NodeCards NodeCards::in_order(const std::vector<std::uint32_t>& order) const {
    const auto follows = [&](std::size_t i) { return order[i] == (i == 0 ? 0 : order[i - 1] + 1); };
    std::vector<bool> is_needed(size(), false);
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (!follows(i)) {
            is_needed[order[i]] = true;
            is_needed[order[i == 0 ? 0 : i - 1]] = true;
        }
    }
    std::vector<std::size_t> begins, wholes;
    std::string whole;
    Reader reader(*this);
    for (std::size_t i = 0; i < order.size(); ++i) {
        begins.push_back(reader.begin_);
        wholes.push_back(whole.size());
        (void)reader.next();
        whole += is_needed[i] || i == order.back() ? reader.card() : std::string();
    }
    const auto views_at = [&](std::uint32_t index) {
        return views_of(std::string_view(whole).substr(wholes[index]));
    };
    NodeCards ordered;
    ordered.reserve(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (follows(i)) {
            ordered.rows_.push_back(rows_[order[i]]);
            ordered.changes_.append(changes_, begins[order[i]], rows_[order[i]].num_bytes);
        } else {
            ordered.add(views_at(order[i]), i == 0 ? Views() : views_at(order[i - 1]));
        }
    }
    if (!order.empty()) {
        const Views last = views_at(order.back());
        std::copy(last.begin(), last.end(), ordered.last_.begin());
    }
    return ordered;
}

std::size_t NodeCards::last_bytes() const {
    return std::accumulate(last_.begin(), last_.end(), std::size_t{0},
                           [](std::size_t sum, const std::string& field) { return sum + field.size(); });
}

std::string_view NodeCards::Reader::take_changes() {
    const std::size_t begin = std::exchange(begin_, begin_ + cards_->rows_[index_].num_bytes);
    ++index_;
    return std::string_view(cards_->changes_).substr(begin, begin_ - begin);
}

void NodeCards::Reader::put(bool flag, ByteWriter& writer) {
    writer.put_varint(std::uint64_t{cards_->rows_[index_].changed} << 1 | (flag ? 1 : 0));
    writer.put_bytes(take_changes());
}

std::uint32_t NodeCards::Reader::next() {
    const std::uint32_t changed = cards_->rows_[index_].changed;
    ByteReader reader(take_changes());
    update(changed, reader, fields_);
    return changed;
}

std::string NodeCards::Reader::card() const {
    ByteWriter card;
    for (const std::string& field : fields_) {
        card.put_short(field);
    }
    return card.take();
}

}  // namespace hitopo
