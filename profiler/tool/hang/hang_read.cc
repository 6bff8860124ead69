// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "ompi/mca/hitopo/support/regular_file.h"
#include "profiler/tool/hang/hang.h"

namespace hitopo::tool {
namespace {

using namespace profile;  // of watched.h

template <std::size_t kBytes>
bool is_string(const char (&text)[kBytes]) {
    return text[kBytes - 1] == '\0';
}

bool is_within(std::int32_t value, std::int32_t least, std::int32_t most) {
    return value >= least && value <= most;
}

bool is_whole(const WatchedProcess& process, int size) {
    bool is_good = is_within(process.rank, 0, size - 1) && is_string(process.host) &&
                   is_within(process.num_threads, 0, kMaxThreads) &&
                   is_within(process.num_comms, 0, kMaxComms);
    for (int i = 0; is_good && i < process.num_threads; ++i) {
        const WatchedThread& thread = process.threads[i];
        is_good = is_string(thread.function) && thread.num_waits >= 0;
        for (const WatchedWait& wait : waits_of(thread)) {
            is_good = is_good && is_within(wait.comm, -1, process.num_comms - 1) &&
                      is_within(wait.peer, kUnknownPeer, size - 1);
        }
    }
    for (int i = 0; is_good && i < process.num_comms; ++i) {
        is_good = is_string(process.comms[i].kind) && is_string(process.comms[i].name);
    }
    return is_good;
}

// Takes the first one out of `bytes`, if it is there.
template <class Value>
bool take(std::string_view& bytes, Value& value) {
    const bool is_there = bytes.size() >= sizeof value;
    if (is_there) {
        std::memcpy(&value, bytes.data(), sizeof value);
        bytes.remove_prefix(sizeof value);
    }
    return is_there;
}

// The files hang* of a folder; or the path itself.
std::vector<std::string> files_of(const std::string& path) {
    const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(path.c_str()), ::closedir);
    std::vector<std::string> files;
    while (const dirent* entry = open ? ::readdir(open.get()) : nullptr) {
        const std::string name = entry->d_name;
        if (name.rfind("hang.", 0) == 0 && name.find(".part") == std::string::npos) {
            files.push_back(fmt::format("{}/{}", path, name));
        }
    }
    std::sort(files.begin(), files.end());
    return open ? files : std::vector{path};
}

bool add_table(const std::string& text, Hang& hang) {
    const Result<Json> document = parse_json(text);
    Result<TableDocument> table = document ? parse_table(*document) : document.error();
    if (table) {
        hang.table = std::move(*table);
    }
    return table.is_ok() || (document && document->is_null());
}

}  // namespace

bool add_records(std::string_view bytes, Hang& hang) {
    WatchedHead head;
    constexpr std::int32_t kMostRanks = 10000000;
    if (!take(bytes, head) || std::memcmp(head.magic, kWatchedMagic, sizeof head.magic) != 0 ||
        head.record_bytes != sizeof(WatchedProcess) || !is_string(head.job) ||
        !is_within(head.size, 1, kMostRanks)) {
        return false;
    }
    if (head.job > hang.job) {
        hang = {head.job, head.size, 0, std::move(hang.table)};
    }
    WatchedProcess process;
    while (head.job == hang.job && !bytes.empty()) {
        if (head.size != hang.size || !take(bytes, process) || !is_whole(process, hang.size)) {
            return false;
        }
        hang.processes[process.rank] = process;
        hang.written = std::max(hang.written, head.written);
    }
    return true;
}

Result<Hang> open_hang(const std::vector<std::string>& paths) {
    constexpr std::size_t kMaxFileBytes = std::size_t{1} << 28;
    Hang hang;
    for (const std::string& path : paths) {
        for (const std::string& file : files_of(path)) {
            const Result<std::string> text = RegularFile(file).read(kMaxFileBytes);
            if (!text) {
                return with_remedy(text.error(),
                                   "name the folder .parts of a job with MCA variable hitopo_prof_watch",
                                   "");
            }
            const bool is_table = text->substr(0, 1) == "{" || *text == "null";
            if (is_table ? !add_table(*text, hang) : !add_records(*text, hang)) {
                return Error{Errc::kUnreadable, "is no file of hitopo_prof_watch.",
                             "Read it with the `hitopo` of the job's own version", file};
            }
        }
    }
    if (hang.processes.empty()) {
        return Error{
            Errc::kUnreadable, "has nothing of a job that stands still.",
            "Name the folder .parts beside the report of a job with MCA variable hitopo_prof_watch, "
            "whose processes write once they stand still for so many seconds, or on SIGUSR1",
            paths.front()};
    }
    if (hang.table && hang.table->ranks.size() != static_cast<std::size_t>(hang.size)) {
        hang.table.reset();  // of another job
    }
    return hang;
}

}  // namespace hitopo::tool
