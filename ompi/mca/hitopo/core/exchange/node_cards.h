// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Node cards (core/exchange/contribution.h) one behind the other, each as it differs from the one
// before: kept as they travel, so that passing them on is copying, and who reads them in turn sees
// what is new in each.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_NODE_CARDS_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_NODE_CARDS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/exchange/contribution.h"

namespace hitopo {

class NodeCards {
public:
    using Fields = std::array<std::string, kNumNodeFields>;

    std::size_t size() const { return rows_.size(); }
    void reserve(std::size_t num_cards) { rows_.reserve(num_cards); }

    void add(std::string_view card);  // any bytes
    void append(const NodeCards& other);
    // order: of all cards, by index.
    NodeCards in_order(const std::vector<std::uint32_t>& order) const;

    // Adds one as `Reader::put` gives it. Any bytes.
    void get(bool& flag, ByteReader& reader);

    std::size_t last_bytes() const;  // of the last card's fields

    // Goes through the cards, first to last.
    class Reader {
    public:
        explicit Reader(const NodeCards& cards) : cards_(&cards) {}

        // The next card as it differs from the one before, with a bit of the caller's.
        void put(bool flag, ByteWriter& writer);
        // Reads the next card: a bit for each field that the one before had not alike.
        std::uint32_t next();
        const Fields& fields() const { return fields_; }
        std::string card() const;  // the bytes that were added

    private:
        friend class NodeCards;

        std::string_view take_changes();

        const NodeCards* cards_;
        std::size_t index_ = 0, begin_ = 0;  // of the next
        Fields fields_;
    };

private:
    using Views = std::array<std::string_view, kNumNodeFields>;
    struct Row {
        std::uint32_t changed;    // fields, a bit each
        std::uint32_t num_bytes;  // of changes_: for each of them the length of the prefix, and the rest
    };

    void add(const Views& card, const Views& before);
    static Views views_of(const Fields& fields);
    static Views views_of(std::string_view card);
    static void update(std::uint32_t changed, ByteReader& reader, Fields& fields);

    std::vector<Row> rows_;
    std::string changes_;
    Fields last_;  // of the last card
};

}  // namespace hitopo

#endif
