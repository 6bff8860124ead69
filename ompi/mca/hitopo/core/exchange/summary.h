// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What many processes say, each thing once: a leader's summary of its local group, and the sum of all
// leaders' summaries, which is all that a job's table is made of.
//
// Processes of one node that have the same node card are a part. Their process cards, in the order of
// ranks, are a seating, and most nodes of a job have the same one. So a node costs its node card, as it
// differs from that of the node before, its ranks as runs, and the number of its seating: some 25 bytes.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_SUMMARY_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_SUMMARY_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/exchange/contribution.h"
#include "ompi/mca/hitopo/core/exchange/distinct.h"
#include "ompi/mca/hitopo/core/exchange/node_cards.h"
#include "ompi/mca/hitopo/core/exchange/rank_coding.h"

namespace hitopo {

class Summary {
public:
    // Without its node card; those of all stand behind each other.
    struct Part {
        std::uint32_t head = 0, first_rank = 0, num_ranks = 0;  // as of CodedRanks
        std::uint32_t seating = 0;                              // number of; has num_ranks process cards
        std::size_t begin = 0;                                  // of its other ranks, in ranks_
    };

    // members: processes that know each other, (rank, its contribution), by ascending rank.
    static Summary of_group(const std::vector<std::pair<std::uint32_t, Contribution>>& members);

    // Adds the groups of `other` behind its own.
    void append(const Summary& other);
    std::size_t num_groups() const { return group_begins_.size(); }

    // The first `num_groups` groups as bytes, and back; what else they would use is left out. Any bytes
    // are refused by an error or give a summary in which all ranks are below num_processes, and whose
    // node cards are 1024 times as long as the bytes at most.
    std::string encode(std::size_t num_groups) const;
    static Result<Summary> decode(std::string_view bytes, std::size_t num_processes);

    // As one group, by ascending lowest rank, and everything in the order of its first use: equal bytes
    // in all processes, in whatever order they appended.
    Summary in_order() const;

    const std::vector<Part>& parts() const { return parts_; }
    CodedRanks ranks(const Part& part) const;
    const NodeCards& node_cards() const { return node_cards_; }  // part after part
    // Process cards of a seating, by number.
    const std::vector<std::uint32_t>& seating(std::uint32_t number) const { return seatings_[number]; }
    const Distinct& process_cards() const { return process_cards_; }
    const Distinct& machines() const { return machines_; }  // as of Contribution

private:
    std::uint32_t number_of_seating(const std::vector<std::uint32_t>& cards);
    void take_machines(const Summary& from);
    std::uint32_t take_seating(const Summary& from, std::uint32_t seating);
    void add_part(const CodedRanks& ranks, std::uint32_t seating);
    void read_parts(std::size_t num_processes, ByteReader& reader);
    bool read_seatings(ByteReader& reader);

    Distinct machines_;
    Distinct process_cards_;
    Distinct seating_keys_;
    std::vector<std::vector<std::uint32_t>> seatings_;
    std::vector<Part> parts_;
    NodeCards node_cards_;                   // of the parts
    std::string ranks_;                      // of the parts, all but the first of each
    std::vector<std::size_t> group_begins_;  // indices into parts_
};

}  // namespace hitopo

#endif
