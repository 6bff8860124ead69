// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Two profiles side by side: what `hitopo report --compare A.json B.json` shows.
#ifndef OMPI_TOOLS_HITOPO_REPORT_COMPARISON_H
#define OMPI_TOOLS_HITOPO_REPORT_COMPARISON_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/report/profile_sums.h"

namespace hitopo::tool {

struct NamedProfile {
    std::string name;  // of its file
    Profile profile;
};

// The same in both: [0] is A's, [1] is B's.
template <class T>
using Both = std::array<T, 2>;

struct ComparedLane {
    std::string name;
    Both<LaneSum> sums;
};

// A communicator that both have, equal ones as one, or all of them.
struct ComparedTraffic {
    std::string name;  // as the documents have it
    std::string size;  // "4 processes", "8 and 6 communicators of 4 processes"
    Both<std::uint64_t> calls{};
    Both<std::uint64_t> ns{};
    std::vector<ComparedLane> lanes;  // A's, then those that B alone has
};

struct Comparison {
    std::vector<std::string>
        differences;      // of the jobs: sentences, with names as the documents have them
    ComparedTraffic all;  // of all communicators, those that one alone has too
    std::vector<ComparedTraffic> of_both;  // the most bytes of A and B first
    Both<std::vector<std::string>>
        of_one{};  // "name (4 processes)": communicators that the other has not
};

// Communicators are the same if name and sizes are. Both profiles are as join_equal_communicators()
// gives them.
Comparison compare(const Profile& a, const Profile& b);

// "+1.50 MiB", "-3 B", "0 B".
std::string difference_text(const Both<std::uint64_t>& bytes);

// B's part of A's: "0.50", "<0.01", ">999"; "-" where A has none.
std::string ratio_text(const Both<std::uint64_t>& values);

// What a table shows: messages (may be empty) and bytes of each lane.
struct ComparedColumns {
    const char* title;
    std::uint64_t LaneSum::*messages;
    std::uint64_t LaneSum::*bytes;
};
inline constexpr std::array<ComparedColumns, 3> kComparedTables = {
    {{"To and from single peers", &LaneSum::messages, &LaneSum::bytes},
     {"Collective bytes (estimated)", nullptr, &LaneSum::collective_bytes},
     {"Sent by coll/hitopo for the calls that it served", &LaneSum::served_messages,
      &LaneSum::served_bytes}}};

// A row of such a table: a lane, or the sum of all ("all").
struct ComparedRow {
    std::string name;
    Both<std::uint64_t> messages{};
    Both<std::uint64_t> bytes{};
};

// Lanes in which one of both has something, and their sum; empty where there are none.
std::vector<ComparedRow> rows_of(const ComparedTraffic& traffic, const ComparedColumns& columns);

// At most 80 columns but for long names.
std::string format_comparison(const NamedProfile& a, const NamedProfile& b, Charset charset);

// One page of HTML (UTF-8) that needs nothing else and has no script.
std::string format_comparison_page(const NamedProfile& a, const NamedProfile& b);

// "4 processes, 2 nodes; 1.5 s, written at MPI_Finalize": a line about one side.
std::string side_phrase(const Profile& profile);

}  // namespace hitopo::tool

#endif
