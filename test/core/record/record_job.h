// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the processes of a job without MPI say as records, and how those come together.
#ifndef TEST_CORE_RECORD_RECORD_JOB_H
#define TEST_CORE_RECORD_RECORD_JOB_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/record/node_record.h"
#include "test/core/record/fake_job.h"

namespace hitopo {

RecordMessage record_of(const FakeJob& job, std::uint32_t rank);

// The message of a group of processes, given ascending, through the wire.
RecordMessage group_of(const FakeJob& job, const std::vector<std::uint32_t>& members);

// The messages of all groups (of ranks), joined in this order, each through the wire.
RecordMessage records_of(const FakeJob& job, const std::vector<std::vector<std::uint32_t>>& groups);
// One group for each host, by their lowest ranks.
std::vector<std::vector<std::uint32_t>> hosts_of(const FakeJob& job);

// What each rank says, as text with names in place of numbers; machines apart. "" for a rank that is not
// there; twice if it is there twice.
std::vector<std::string> contents_by_rank(const RecordMessage& message, std::size_t num_processes);

}  // namespace hitopo

#endif
