// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Messages as bytes: numbers as varints, texts behind their lengths. They become one by appending:
// records one behind the other, their items each once.
#ifndef OMPI_MCA_HITOPO_CORE_RECORD_WIRE_FORM_H
#define OMPI_MCA_HITOPO_CORE_RECORD_WIRE_FORM_H

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
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// The version of these bytes and of all that processes send each other: others cannot read them.
inline constexpr std::uint16_t kRecordVersion = 12;

// All of a message, or what MessageMaker::append takes of it.
std::string encode(const RecordMessage& message);
std::string encode_groups(const RecordMessage& message, std::size_t num_groups);

// From any bytes an error, or a message whose indices and levels are in range, whose layouts are as long
// as their records' ranks, and whose ranks are at most num_processes, each below it. In time and memory
// O(bytes + num_processes).
Result<RecordMessage> decode(std::string_view bytes, std::size_t num_processes);

// Equal for equal arguments. Those of a record leave out its machine, layout and ranks, and whether it
// begins a group or its host was asked: many processes of a node have the others in common.
std::string bytes_of(const ProcessBinding& place);
std::string bytes_of(const NodeRecord& record);

// ---- messages that become one ----

// An exception leaves it unusable.
class MessageMaker {
public:
    MessageMaker();

    // Adds another message, or the records of its first groups and their items, uplinks and error; in
    // time O(other).
    void append(const RecordMessage& other, std::size_t num_groups = SIZE_MAX);

    // The index of an item to which a record is to refer.
    std::uint32_t name(std::string_view text);
    std::uint32_t machine(std::string_view encoded);
    std::uint32_t place(const ProcessBinding& place);
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
