// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Where a process is, as it stands in the memory that the processes of a node share, and in their file
// hang.RANK (RANK: the node's lowest), which has one WatchedHead and the records behind it. Only
// `hitopo report --hang` of the same version reads it, on machines of the same kind.
#ifndef PROFILER_RECORD_WATCHED_H
#define PROFILER_RECORD_WATCHED_H

#include <cstdint>

namespace hitopo::profile {

inline constexpr int kMaxWaits = 4;    // of a thread
inline constexpr int kMaxThreads = 8;  // of a process
inline constexpr int kMaxComms = 24;   // likewise

inline constexpr std::int32_t kAnyPeer = -1;
inline constexpr std::int32_t kUnknownPeer = -2;  // of another job, or Open MPI does not tell
inline constexpr std::int32_t kAnyTag = -1;

struct WatchedComm {
    std::uint64_t id;         // equal at its members, and differs from others that live
    std::uint64_t num_begun;  // collectives that this process began
    std::int32_t size;
    char kind[60];
    char name[32];  // "": none
};

// A message or a collective that a thread waits for.
struct WatchedWait {
    std::uint64_t number;  // a collective's; of 'i' that of the last one that was started
    std::int32_t peer;     // in MPI_COMM_WORLD
    std::int32_t tag;
    std::int32_t comm;  // an index; -1: unknown
    // 's' a send, 'r' a receive, 'm' one of these; 'c' a collective; of requests also 'i', a nonblocking
    // collective, and 'o', others.
    char what;
};

struct WatchedThread {
    std::int64_t since;      // seconds since 1970
    std::int32_t num_waits;  // of which the first kMaxWaits are here
    bool polls;              // outside MPI, by calls of `function`
    char function[43];       // "": outside
    WatchedWait waits[kMaxWaits];
};

struct WatchedProcess {
    std::int64_t pid;
    std::int32_t rank;  // in MPI_COMM_WORLD
    std::int32_t num_threads, num_comms;
    char state;  // as proc(5) has it: R, S, D, T, ..; '-': it is gone; 'F': it has left MPI_Finalize
    char host[43];
    WatchedThread threads[kMaxThreads];  // that of MPI_Init first
    WatchedComm comms[kMaxComms];        // that live, those first which threads wait for
};

struct WatchedHead {
    char magic[16];
    std::int64_t written;  // seconds since 1970
    std::int32_t record_bytes;
    std::int32_t size;  // of MPI_COMM_WORLD
    char job[256];      // sorts behind jobs that began before
};
inline constexpr char kWatchedMagic[16] = "HiTopo hang 1";

}  // namespace hitopo::profile

#endif
