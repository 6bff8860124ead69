// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Two profiles side by side: what `hitopo report --compare A.json B.json` shows.
#ifndef PROFILER_TOOL_REPORT_COMPARISON_H
#define PROFILER_TOOL_REPORT_COMPARISON_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "profiler/tool/profile/profile_sums.h"

namespace hitopo::tool {

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

// "4 processes, 2 nodes, written at MPI_Finalize": a line about one side.
std::string side_phrase(const Profile& profile);

}  // namespace hitopo::tool

#endif
