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

namespace hitopo::tool {

// ---- hang_read.cc: the files that profiler/watch writes (docs/json.md, "hang"), as values ----
//
// All strings are as the documents have them: use safe() before printing. Ranks are of MPI_COMM_WORLD.

inline constexpr int kAnyPeer = -1;
inline constexpr int kUnknownPeer = -2;  // of another job, or not told
inline constexpr int kNoPeer = -3;

struct HangCommunicator {
    std::string id;  // equal at its members
    std::string kind, name;
    std::vector<int> ranks;  // its members; empty: unknown
};

// A thread; or a request that it waits for, which has `awaits` in place of what only a thread has.
struct HangPlace {
    std::string awaits = {};    // "send", "receive", "message", "collective", "other"
    std::int64_t since = 0;     // seconds since 1970
    std::string function = {};  // "": outside of MPI
    std::string polls = {};     // the function by which it polls there
    HangCommunicator comm = {};
    std::uint64_t number = 0;  // of the collective, or the last one that was started; 0: there is none
    int peer = kNoPeer;
    std::optional<int> tag = std::nullopt;
    std::vector<HangPlace> requests = {};  // the first ones
    int num_pending = 0;                   // of all of them
};

struct HangProcess {
    int rank = 0;
    std::int64_t pid = 0;
    std::string host = {};
    char state = 'R';  // as proc(5) has it; '-': it is gone; 'F': it left MPI_Finalize; '?': unknown
    std::vector<HangPlace> threads = {};
    std::map<std::string, std::uint64_t> counts = {};  // collectives that it began, by communicator
    bool has_all_counts = false;

    bool is_gone() const { return state == '-'; }
    bool is_stopped() const { return state == 'T' || state == 't'; }
    bool has_ended() const { return state == 'F'; }
    bool can_run() const { return !is_gone() && !is_stopped() && !has_ended(); }
    bool is_in(std::string_view function) const {
        return std::any_of(threads.begin(), threads.end(),
                           [&](const HangPlace& thread) { return thread.function == function; });
    }
};

struct Hang {
    std::string job;
    int size = 0;
    std::int64_t written = 0;  // the last file
    std::optional<TableDocument> table = std::nullopt;
    std::vector<HangProcess> processes = {};  // by rank, each once; others wrote nothing
    std::vector<std::string> left_out = {};   // files, with the reason
};

// Files, or folders with such. Of several jobs the one that began last counts. kUnreadable: there is no
// process in them.
Result<Hang> open_hang(const std::vector<std::string>& paths);

// Adds a file's text. Returns the reason why it is left out; "": it is in.
std::string add_file(std::string_view text, Hang& hang);

// ---- hang_find.cc: who waits for whom ----

// Why a process does not go on that waits for no other: those that are sure first.
enum class Cause { kGone, kStopped, kSilent, kBlocked, kOutside, kEnded, kPolling, kThread, kUnknown };

// Members of a communicator that are in different collectives, by number and function.
struct Mismatch {
    HangCommunicator comm;
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
