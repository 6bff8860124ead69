// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo report --hang`: where the processes of a job are that stands still, and what it waits for.
#ifndef PROFILER_TOOL_HANG_HANG_H
#define PROFILER_TOOL_HANG_HANG_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/document.h"
#include "ompi/tools/hitopo/options.h"
#include "ompi/tools/hitopo/program.h"
#include "profiler/record/watched.h"

namespace hitopo::tool {

using profile::WatchedComm;
using profile::WatchedProcess;
using profile::WatchedThread;
using profile::WatchedWait;

// The members of records that are in use.
template <class Value>
struct Used {
    const Value* begin() const { return first; }
    const Value* end() const { return first + num; }

    const Value* first;
    std::int32_t num;
};
inline Used<WatchedThread> threads_of(const WatchedProcess& process) {
    return {process.threads, process.num_threads};
}
inline Used<WatchedComm> comms_of(const WatchedProcess& process) {
    return {process.comms, process.num_comms};
}
inline Used<WatchedWait> waits_of(const WatchedThread& thread) {
    return {thread.waits, std::clamp(thread.num_waits, 0, profile::kMaxWaits)};
}
// Null: it is unknown.
inline const WatchedComm* comm_of(const WatchedWait& wait, const WatchedProcess& process) {
    return wait.comm < 0 ? nullptr : process.comms + wait.comm;
}
inline bool is_outside(const WatchedThread& thread) {
    return thread.function[0] == '\0' || thread.polls;
}

// ---- hang_read.cc ----

struct Hang {
    std::string job;
    int size = 0;
    std::int64_t written = 0;  // the last file
    std::optional<TableDocument> table = std::nullopt;
    std::map<int, WatchedProcess> processes = {};  // by rank; others wrote nothing
};

// The files hang* that profiler/watch writes, or folders with such. Of several jobs the one that began
// last counts. Strings are as the program gave them: use safe() before printing. kUnreadable: a file
// cannot be read, or there is no process in them.
Result<Hang> open_hang(const std::vector<std::string>& paths);

// Adds a file's bytes; whether they are whole. Indices, ranks and the ends of strings are in range then.
bool add_records(std::string_view bytes, Hang& hang);

// ---- hang_find.cc: who waits for whom ----

// Why a process does not go on that waits for no other: those that are sure first.
enum class Cause { kGone, kStopped, kSilent, kBlocked, kOutside, kEnded, kPolling, kThread, kUnknown };

// Members of a communicator that are in different collectives, by number and function.
struct Mismatch {
    WatchedComm comm;
    std::map<std::pair<std::uint64_t, std::string>, std::vector<int>> groups;
};

struct HangFindings {
    std::vector<Mismatch> mismatches;
    std::vector<std::vector<int>> cycles;      // each waits for the next one, and the last for the first
    std::map<Cause, std::vector<int>> causes;  // processes on which others wait
};

// A pure function of the records.
HangFindings find_in(const Hang& hang);

// ---- hang_text.cc ----

std::string format_hang(const Hang& hang, Charset charset);

// All that `hitopo report --hang` writes.
Rendered render_hang(const Options& options, Charset charset);

}  // namespace hitopo::tool

#endif
