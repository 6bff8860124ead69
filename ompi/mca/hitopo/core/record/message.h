// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Messages become one by appending: records one behind the other, what they refer to each once.
#ifndef OMPI_MCA_HITOPO_CORE_RECORD_MESSAGE_H
#define OMPI_MCA_HITOPO_CORE_RECORD_MESSAGE_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/record/node_record.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {

// Whatever throws leaves it unusable.
class MessageMaker {
public:
    MessageMaker();

    // Adds another message, or the records of its first groups and what they refer to, uplinks and
    // error; in time O(other).
    void append(const RecordMessage& other, std::size_t num_groups = SIZE_MAX);

    // The index of what a record is to refer to.
    std::uint32_t name(std::string_view text);
    std::uint32_t machine(std::string_view encoded);
    std::uint32_t place(const SeatPlace& place);
    std::uint32_t layout(const std::vector<std::uint32_t>& places);
    std::uint32_t settings(const AgreedSettings& settings);
    void add_uplinks(std::string_view encoded);
    void add_error(const ReportedError& error);
    void add(NodeRecord record) { all_.records.push_back(std::move(record)); }

    const RecordMessage& message() const { return all_; }
    RecordMessage take() { return std::move(all_); }

private:
    RecordMessage all_;
    std::unordered_map<std::string, std::uint32_t> names_, machines_, uplinks_;
    std::unordered_map<std::string, std::uint32_t> places_;  // by bytes_of()
    std::map<std::vector<std::uint32_t>, std::uint32_t> layouts_;
    std::map<AgreedSettings, std::uint32_t> settings_;
};

// The lowest rank that two records have, or else that none has; empty if each of the processes is there
// once.
std::optional<std::uint32_t> first_not_once(const std::vector<NodeRecord>& records,
                                            std::size_t num_processes);

// The members of a group, each in a record of its own, by ascending rank: records that are alike,
// machines apart, become one.
RecordMessage join_group(RecordMessage members);

}  // namespace hitopo

#endif
