// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the page of a report is given: pieces of JSON that are harmless inside <script
// type="application/json">, being ASCII without '<'. All names in them are safe (safe_text.h).
#ifndef OMPI_TOOLS_HITOPO_REPORT_PAGE_DATA_H
#define OMPI_TOOLS_HITOPO_REPORT_PAGE_DATA_H

#include <string>
#include <vector>

#include "ompi/tools/hitopo/report/profile.h"
#include "ompi/tools/hitopo/report/profile_sums.h"

namespace hitopo::tool {

// The job and its communicators:
//   job, hitopo, moment, lanes, warnings
//   whole           run_time, in_mpi; spans and lanes, as below, of all communicators together
//   places          what people call the place of each rank of MPI_COMM_WORLD; empty without a table
//   communicators   name, count, size, remote_size, sizes (a phrase), state; calls, messages,
//   call_bytes,
//                   bytes, collective_bytes, ns;
//                   spans (indices into lanes); lanes: [messages, bytes, collective_bytes] for each;
//                   by_call: [name, count, bytes, ns]; ranks: of MPI_COMM_WORLD, -1 unknown
//                   order: its ranks by place; groups: [level, begin, end, name] of that order, outer
//                   ones first
std::string page_data(const Profile& profile, const std::vector<CommunicatorSums>& sums);

// The peers of a communicator's processes: [[rank, [peer..], [lane..], [messages..], [bytes..], [ns..],
// [fetches..], [fetched_bytes..]]..]; the last two are empty where all of them are 0.
std::string page_peers(const CommunicatorSums& sums);

}  // namespace hitopo::tool

#endif
