// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The profiler's document (docs/json.md, "profile") as values.
#ifndef PROFILER_TOOL_PROFILE_PROFILE_H
#define PROFILER_TOOL_PROFILE_PROFILE_H

#include <cstdint>
#include <cstdio>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/tools/hitopo/document.h"

namespace hitopo::tool {

// The versions of the documents "profile", which this command reads, and "report".
inline constexpr int kProfileSchema = 2;

// All strings are as the document has them: use safe() before printing.

struct Call {
    std::string name;  // "MPI_Send"
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    std::uint64_t ns = 0;
};

// The traffic of one lane.
struct LaneTraffic {
    int lane = 0;  // index into Profile::lanes
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;             // of these, to and from single peers
    std::uint64_t collective_bytes = 0;  // that flat collectives would send
};

// Messages whose length has so many bits.
struct SizeTraffic {
    int bits = 0;
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
};

// What one process sent for the calls of one function that coll/hitopo served.
struct ServedCalls {
    std::string name;  // "MPI_Bcast"
    std::uint64_t count = 0;
    std::vector<std::uint64_t> messages, bytes;  // for each lane
    std::vector<std::uint64_t> flat_bytes;       // of these calls, as collective_bytes
};

// One process's counters for the communicators of one kind.
struct Traffic {
    int kind = 0;            // index into Profile::kinds
    std::uint64_t made = 0;  // number of these communicators that it is or was in
    std::vector<Call> calls;
    std::vector<LaneTraffic> lanes;
    std::vector<SizeTraffic> sizes;
    std::vector<ServedCalls> served;
};

// Communicators that were made in the same way, or have one name.
struct Kind {
    std::string key;   // equal in all parts that processes wrote by themselves
    std::string name;  // "Cart_create of WORLD"
    int size = 0;      // of each; 0: of no communicator, or of several sizes
    int remote_size = 0;
};

// The messages between one process and another one of MPI_COMM_WORLD.
struct PairTraffic {
    int rank = 0;
    std::uint64_t messages = 0, bytes = 0;
};

// An order of the processes of grids or graphs, which one process told.
struct ReportedOrder {
    std::string call;  // "MPI_Cart_create"
    int size = 0;      // number of processes that are ordered
    std::uint64_t count = 0;
    std::string candidate;  // "k-d tree"
    bool is_weighted = false;
    bool is_applied = false;
    std::vector<std::string> levels;           // outermost first
    std::vector<std::uint64_t> before, after;  // what crosses each of them
};

struct ProfiledProcess {
    int rank = 0;
    OptionalText allowed;        // the CPUs of its cpuset
    std::vector<Traffic> kinds;  // one for each kind at most
    std::vector<PairTraffic> pairs;
    PairTraffic unknown;                 // with processes outside MPI_COMM_WORLD
    std::uint64_t collective_bytes = 0;  // of flat collectives but those of neighbourhoods
};

struct Profile {
    std::string version;
    int size = 0;
    int snapshot = 0;     // 0: at MPI_Finalize
    std::string part_of;  // of parts that processes wrote by themselves, the job; else ""
    double seconds = 0;
    std::vector<std::string> lanes;  // innermost first
    std::optional<int> max_peers;    // where there are no pairs, since the job has more processes
    std::optional<TableDocument> table;
    std::vector<ProfiledProcess> processes;  // that took part, by rank; all indices are in range
    bool has_pairs = false;
    std::vector<ReportedOrder> orders;  // of all processes
    std::uint64_t other_orders = 0;     // of kinds that a process had too many of
    std::vector<Kind> kinds;
    std::vector<std::string> warnings;
};

// Moves values behind those of `all`.
template <class T>
void append(std::vector<T>& all, std::vector<T>&& more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// "32 processes, 8 nodes, 4 switches", as far as the table knows.
std::string job_phrase(const Profile& profile);

// How it was written: "at MPI_Finalize", "as snapshot 2", "as 3 of 4 parts".
std::string moment_phrase(const Profile& profile);

// Gives ranks of the table the CPUs that processes told of.
void mark_allowed(Profile& profile);

// A sentence: the profile has no pairs, since the job has more than so many processes, and the remedy.
std::string no_pairs_phrase(int max_peers);

// Reads to the file's end, any bytes; memory is a few times the numbers in it and not the text. The
// error names `name`, the position or the member, and the remedy.
Result<Profile> read_profile(std::FILE* file, const std::string& name);

// The file `path`, standard input for "-", or the parts in the folder `path`.
Result<Profile> open_profile(const std::string& path);

// The files RANK.json of a folder, parts that processes wrote by themselves, as one profile.
// kUnreadable, kMalformed: as open_profile.
Result<Profile> open_parts(const std::string& folder);

}  // namespace hitopo::tool

#endif
