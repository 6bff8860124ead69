// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo report`: the numbers of a profile, and its forms; and two profiles side by side. Names in
// these are safe (safe_text.h) but for JSON, which is ASCII.
#ifndef PROFILER_TOOL_REPORT_REPORT_H
#define PROFILER_TOOL_REPORT_REPORT_H

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/options.h"
#include "ompi/tools/hitopo/program.h"
#include "profiler/tool/report/next.h"

namespace hitopo::tool {

// Valid as long as the profile.
struct Report {
    // file: the name that the user gave.
    Report(const Profile& of, const std::string& file)
        : profile(of),
          sums(sum_up(of)),
          waits(who_waits(of, sums)),
          next(what_next(of, sums, waits, file)) {}

    const Profile& profile;
    ProfileSums sums;
    Waits waits;
    Next next;
};

// At most 80 columns, but for words of a command.
std::string format_report(const Report& report, Charset charset);

// One page of HTML (UTF-8) that needs nothing else.
std::string format_report_page(const Report& report);

// docs/json.md, "report".
Json report_document(const Report& report);

// The same as text; and a line for each kind of communicators and lane (UTF-8).
std::string format_report_json(const Report& report);
std::string format_report_csv(const Report& report);

// ---- `hitopo report --compare A.json B.json` ----

struct NamedProfile {
    std::string name;  // of its file
    Profile profile;
};

// The same in both: [0] is A's, [1] is B's.
template <class T>
using Both = std::array<T, 2>;

// Names are as the documents have them; all other cells are numbers.
struct ComparedTable {
    std::vector<std::string> heads;
    std::vector<std::vector<std::string>> rows;
    std::size_t num_left_out = 0;  // rows that are too small to show
};

struct Comparison {
    std::vector<std::string> differences;  // of the jobs: sentences, with names as in the documents
    Both<std::string> run_time, in_mpi;
    std::string run_time_ratio;
    std::vector<ComparedTable> tables;        // of functions, lanes and kinds; none is empty
    Both<std::vector<std::string>> of_one{};  // names of the kinds that the other has not
};

// Kinds of communicators are the same if their keys are, and of the others those of one name. Functions
// and kinds come by the larger time; has_all: else those below 1 % of both run times are left out.
Comparison compare(const Profile& a, const Profile& b, bool has_all);

// B's part of A's: "0.50", "<0.01", ">999"; "-" where A has none.
std::string ratio_text(const Both<std::uint64_t>& values);

// At most 80 columns. has_all: else long tables are cut.
std::string format_comparison(const NamedProfile& a, const NamedProfile& b, bool has_all,
                              Charset charset);

// The whole text as a page of HTML (UTF-8) that needs nothing else and has no script.
std::string format_comparison_page(const NamedProfile& a, const NamedProfile& b);

// ---- the command ----

// All that `hitopo report` writes.
Rendered render_report(Result<Profile> profile, const Options& options, Charset charset);

// `hitopo report --compare`, of options.profile and the one of options.other_profiles.
Rendered render_comparison(Result<Profile> a, Result<Profile> b, const Options& options,
                           Charset charset);

// ---- page/page.cc ----

// page_head.html, page.html, page.css and the page's scripts, as the makefile turns them into C++. Their
// data are JSON that is harmless inside <script type="application/json">, being ASCII without '<'.
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
