// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The page of a report: page_head.html, page.html, page.css and the page's scripts, as the makefile
// turns them into C++, and their data: pieces of JSON that are harmless inside <script
// type="application/json">, being ASCII without '<'. All names in them are safe (safe_text.h).
#ifndef PROFILER_TOOL_PAGE_PAGE_H
#define PROFILER_TOOL_PAGE_PAGE_H

#include <string>
#include <string_view>

#include "profiler/tool/report/report.h"

namespace hitopo::tool {

extern const char* const kPageHead;
extern const char* const kPageBody;
extern const char* const kPageStyle;
extern const char* const kPageScript;

// For a page around `content`: only its own styles and scripts are used. A name in the content that knew
// the nonce would have to hold a hash of itself.
std::string nonce_of(std::string_view content);

// All before <body>.
std::string page_head(const std::string& title, const std::string& nonce, bool has_scripts);

// The document "report", and beside it
//   moment, run_ns  its moment, and the run time of all processes
//   ranks, ranks_ns those that took part, and by function the time of each of them
//   places          the name of the place of each rank of MPI_COMM_WORLD; empty without a table
//   order, levels   ranks by place, and [level, begin, end, name] of that order, outer ones first
//   order_rows      [call, count, processes, outcome, unit, crossings] of each of its orders
//   without_pairs   absent where pairs are there
std::string page_data(const Report& report);

// [[rank, [peer..], [lane..], [messages..], [bytes..]]..], lanes as text.
std::string page_pairs(const Profile& profile);

}  // namespace hitopo::tool

#endif
