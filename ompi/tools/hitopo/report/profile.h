// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The profiler's document (docs/json.md, "profile") as values.
#ifndef OMPI_TOOLS_HITOPO_REPORT_PROFILE_H
#define OMPI_TOOLS_HITOPO_REPORT_PROFILE_H

#include <cstdint>
#include <cstdio>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/tools/hitopo/document.h"

namespace hitopo::tool {

// All strings are as the document has them: use safe() before printing.

// What one process sent to, or fetched from, one peer.
struct Peer {
    int rank = 0;         // in the communicator; of an intercommunicator in the remote group
    int world_rank = -1;  // in MPI_COMM_WORLD, -1: unknown
    int lane = 0;         // index into Profile::lanes
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    std::uint64_t ns = 0;
    std::uint64_t fetches = 0;
    std::uint64_t fetched_bytes = 0;
};

struct Call {
    std::string name;  // "MPI_Send"
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    std::uint64_t ns = 0;
};

// What one process sent for the calls of one function that coll/hitopo served.
struct ServedCalls {
    std::string name;  // "MPI_Bcast"
    std::uint64_t count = 0;
    std::vector<std::uint64_t> messages, bytes;  // for each lane
    std::vector<std::uint64_t> flat_bytes;       // of these calls, as collective_bytes
};

// Sums over all peers that a lane leads to: a number for each lane.
struct PeerSums {
    std::vector<std::uint64_t> messages, bytes, ns, fetches, fetched_bytes;
};

// What one process counted for one communicator.
struct Traffic {
    int communicator = 0;  // index into Profile::communicators
    int rank = 0;          // in that communicator
    std::vector<Call> calls;
    std::vector<Peer> peers;
    std::optional<PeerSums> peer_sums;            // where the profile has no peers
    std::vector<std::uint64_t> collective_bytes;  // for each lane
    std::vector<ServedCalls> served;
};

// One, or several equal ones as one (equal_communicators.h).
struct ProfiledCommunicator {
    std::string key;  // equal in all parts that processes wrote by themselves
    std::string name;
    int size = 0;            // of each
    int remote_size = 0;     // of an intercommunicator, else 0
    std::vector<int> ids;    // in the document
    std::vector<int> ranks;  // in MPI_COMM_WORLD, -1: unknown; of one `size` entries
    std::vector<int> spans;  // indices into Profile::lanes
    int num_registered = 0;
    int num_freed = 0;

    std::size_t count() const { return ids.size(); }
    // That one process of one of them can have.
    int num_peers() const { return remote_size > 0 ? remote_size : size; }
};

// What one process sent to, or fetched from, another one of MPI_COMM_WORLD over all communicators.
struct PairTraffic {
    int rank = 0;
    std::uint64_t messages = 0, bytes = 0;
};

// The pairs of one process, where they were counted.
struct ProcessPairs {
    int rank = 0;
    std::vector<PairTraffic> pairs;
    std::uint64_t unknown_bytes = 0;     // with processes outside MPI_COMM_WORLD
    std::uint64_t collective_bytes = 0;  // of flat collectives but those of neighbourhoods
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
    OptionalText allowed = {};  // the CPUs of its cpuset
};

struct Profile {
    std::string version;
    int size = 0;
    int snapshot = 0;     // 0: at MPI_Finalize
    std::string part_of;  // of parts that processes wrote by themselves, the job; else ""
    double seconds = 0;
    std::vector<std::string> lanes;  // innermost first
    std::optional<int> max_peers;    // where there are sums: for so many processes there are peers
    std::optional<TableDocument> table;
    std::vector<ProfiledProcess> processes;  // that took part, by rank
    std::vector<Traffic> traffic;            // every index and rank in it is in range
    std::vector<ProcessPairs>
        pairs;  // by rank, of each that took part; empty where they were not counted
    std::vector<ReportedOrder> orders;  // of all processes
    std::uint64_t other_orders = 0;     // of kinds that a process had too many of
    std::vector<ProfiledCommunicator> communicators;
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

// That a profile has no peers, since the job has more than so many processes, and how to get them.
std::string no_peers_phrase(int max_peers);

// What a profile is read for: with kPairs, no peers are read.
enum class ProfileUse { kReport, kPairs };

// Reads to the file's end, any bytes; memory is a few times the numbers in it and not the text. The
// error names `name`, the position or the member, and the remedy.
Result<Profile> read_profile(std::FILE* file, const std::string& name,
                             ProfileUse use = ProfileUse::kReport);

// The file `path`, standard input for "-", or the parts in the folder `path`.
Result<Profile> open_profile(const std::string& path, ProfileUse use = ProfileUse::kReport);

}  // namespace hitopo::tool

#endif
