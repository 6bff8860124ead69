// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <dirent.h>
#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <stdexcept>

#include "ompi/mca/hitopo/core/text/rank_list.h"
#include "ompi/mca/hitopo/support/regular_file.h"
#include "profiler/tool/hang/hang.h"

namespace hitopo::tool {
namespace {

constexpr int kHangSchema = 1;
constexpr int kMaxSize = 10000000;  // processes of a job
constexpr std::size_t kMaxFileBytes = std::size_t{1} << 28;

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

std::string text_or_none(const Json& object, const char* name) {
    return optional_text_at(object, name).value_or("");
}

// In the order of the list.
std::vector<int> read_ranks(const std::string& list, int size) {
    const Result<NumberRanges> ranges = parse_ranges(list, size - 1);
    if (!ranges) {
        refuse(fmt::format("\"ranks\" has \"{}\": {}.", ranges.error().value, ranges.error().message));
    }
    std::vector<int> ranks;
    for (const NumberRange& range : *ranges) {
        for (std::int64_t rank = range.first; rank <= range.last; rank += range.stride) {
            ranks.push_back(static_cast<int>(rank));
        }
        if (ranks.size() > static_cast<std::size_t>(size)) {
            refuse("\"ranks\" has a rank twice.");
        }
    }
    return ranks;
}

HangPlace read_place(const Json& json, int size) {
    HangPlace place;
    place.awaits = text_or_none(json, "awaits");
    place.function = text_or_none(json, "function");
    place.polls = text_or_none(json, "polls");
    if (json.contains("since")) {
        place.since = static_cast<std::int64_t>(count_at(json, "since"));
    }
    if (json.contains("comm")) {
        const Json& comm = member(json, "comm");
        const std::string ranks = text_or_none(comm, "ranks");
        place.comm = {text_at(comm, "id"), text_at(comm, "kind"), text_or_none(comm, "name"),
                      ranks.empty() ? std::vector<int>() : read_ranks(ranks, size)};
    }
    if (json.contains("number")) {
        place.number = count_at(json, "number");
    }
    if (json.contains("peer")) {
        place.peer = int_at(json, "peer", kUnknownPeer);
    }
    if (json.contains("tag")) {
        place.tag = int_at(json, "tag");
    }
    if (json.contains("requests")) {
        place.requests =
            list_at(json, "requests", [&](const Json& each) { return read_place(each, size); });
        place.num_pending = int_at(json, "num_pending", 0);
    }
    if (place.peer >= size) {
        refuse("\"peer\" is not below \"size\".");
    }
    return place;
}

HangProcess read_process(const Json& json, int size) {
    HangProcess process;
    process.rank = int_at(json, "rank", 0);
    process.pid = static_cast<std::int64_t>(count_at(json, "pid"));
    process.host = text_or_none(json, "host");
    const std::string state = text_at(json, "state");
    if (process.rank >= size || state.size() != 1) {
        refuse("\"rank\" is not below \"size\", or \"state\" is no letter.");
    }
    process.state = state.front();
    if (json.contains("threads")) {
        process.threads =
            list_at(json, "threads", [&](const Json& each) { return read_place(each, size); });
        process.has_all_counts = bool_at(json, "has_all_counts");
        for (const auto& [id, count] : member(json, "counts").items()) {
            process.counts.emplace(id, to_count(count, "counts"));
        }
    }
    return process;
}

// The file of rank 0 has the table, those of nodes have processes.
void read_document(const Json& document, Hang& hang) {
    if (text_at(document, "document") != "hang" || int_at(document, "schema") != kHangSchema) {
        refuse("it is no document \"hang\" of schema 1.");
    }
    Hang all = text_at(document, "job") == hang.job ? hang : Hang{text_at(document, "job")};
    const int size = int_at(document, "size", 1);
    if (all.job < hang.job || size > kMaxSize || (all.size != 0 && size != all.size)) {
        refuse("it is of another job than the other files, which began later.");
    }
    all.size = size;
    all.left_out = hang.left_out;
    if (document.contains("table") && !document["table"].is_null()) {
        Result<TableDocument> table = parse_table(document["table"]);
        if (table && table->ranks.size() == static_cast<std::size_t>(size)) {
            all.table = std::move(*table);
        }
    }
    if (document.contains("processes")) {
        all.written = std::max(all.written, static_cast<std::int64_t>(count_at(document, "written")));
        for (const Json& process : array_at(document, "processes")) {
            all.processes.push_back(read_process(process, size));
        }
    }
    hang = std::move(all);
}

// The files hang*.json of a folder; or the path itself.
std::vector<std::string> files_of(const std::string& path) {
    const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(path.c_str()), ::closedir);
    std::vector<std::string> files;
    while (const dirent* entry = open ? ::readdir(open.get()) : nullptr) {
        const std::string name = entry->d_name;
        if (name.rfind("hang.", 0) == 0 && name.substr(name.rfind('.')) == ".json") {
            files.push_back(fmt::format("{}/{}", path, name));
        }
    }
    std::sort(files.begin(), files.end());
    return open ? files : std::vector{path};
}

}  // namespace

std::string add_file(std::string_view text, Hang& hang) {
    const Result<Json> document = parse_json(text);
    if (!document) {
        return document.error().value;
    }
    try {
        read_document(*document, hang);
        return "";
    } catch (const std::invalid_argument& wrong) {
        return wrong.what();
    }
}

Result<Hang> open_hang(const std::vector<std::string>& paths) {
    Hang hang;
    for (const std::string& path : paths) {
        for (const std::string& file : files_of(path)) {
            const Result<std::string> text = RegularFile(file).read(kMaxFileBytes);
            const std::string reason = text ? add_file(*text, hang) : text.error().message;
            if (!reason.empty()) {
                hang.left_out.push_back(fmt::format("{}: {}", file, reason));
            }
        }
    }
    if (hang.processes.empty()) {
        return Error{
            Errc::kUnreadable,
            hang.left_out.empty() ? "has nothing of a job that stands still." : hang.left_out.front(),
            "Name the folder .parts beside the report of a job with MCA variable hitopo_prof_watch, "
            "whose processes write once they stand still for so many seconds, or on SIGUSR1",
            paths.front()};
    }
    const auto by_rank = [](const HangProcess& a, const HangProcess& b) { return a.rank < b.rank; };
    const auto is_same = [](const HangProcess& a, const HangProcess& b) { return a.rank == b.rank; };
    std::stable_sort(hang.processes.begin(), hang.processes.end(), by_rank);
    hang.processes.erase(std::unique(hang.processes.begin(), hang.processes.end(), is_same),
                         hang.processes.end());
    return hang;
}

}  // namespace hitopo::tool
