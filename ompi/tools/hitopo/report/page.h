// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The page of a report: page_head.html, page.html, page.css and the page's scripts, as the makefile
// turns them into C++, and what they are given: pieces of JSON that are harmless inside <script
// type="application/json">, being ASCII without '<'. All names in them are safe (safe_text.h).
#ifndef OMPI_TOOLS_HITOPO_REPORT_PAGE_H
#define OMPI_TOOLS_HITOPO_REPORT_PAGE_H

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/tools/hitopo/report/profile_sums.h"

namespace hitopo::tool {

extern const char* const kPageHead;
extern const char* const kPageBody;
extern const char* const kPageStyle;
extern const char* const kPageScript;

// `text` with each {{name}} replaced by the piece of that name; pieces are not looked into.
using Pieces = std::map<std::string_view, std::string>;
std::string filled(std::string_view text, const Pieces& pieces);

// For a page around `content`: only its own styles and scripts are used. A name in the content that knew
// the nonce would have to hold a hash of itself.
std::string nonce_of(std::string_view content);

// All before <body>. style: the page's, after kPageStyle.
std::string page_head(const std::string& title, const std::string& nonce, bool has_scripts,
                      const std::string& style = "");

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
