// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Messages as bytes: numbers as varints, texts behind their lengths.
#ifndef OMPI_MCA_HITOPO_CORE_RECORD_WIRE_FORM_H
#define OMPI_MCA_HITOPO_CORE_RECORD_WIRE_FORM_H

#include <cstddef>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/record/node_record.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// The version of these bytes and of all that processes send each other: others cannot read them.
inline constexpr std::uint16_t kRecordVersion = 10;

// All of a message, or the records of its first groups and what they refer to, and uplinks and error.
std::string encode(const RecordMessage& message);
std::string encode_groups(const RecordMessage& message, std::size_t num_groups);

// From any bytes an error, or a message whose indices and levels are in range, whose layouts are as long
// as their records' ranks, and whose ranks are at most num_processes, each below it. In time and memory
// O(bytes + num_processes).
Result<RecordMessage> decode(std::string_view bytes, std::size_t num_processes);

// Equal for equal ones: of a record what many processes of a node have in common, all but its machine,
// layout and ranks, and whether it begins a group or its host was asked.
std::string bytes_of(const SeatPlace& place);
std::string bytes_of(const NodeRecord& record);

}  // namespace hitopo

#endif
