// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// From the document "profile" to values. The processes are taken out while it is parsed, one after the
// other: as JSON values, those of a large job would take ten times the memory.
#include "profiler/tool/profile/profile.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>

#include "ompi/mca/hitopo/support/regular_file.h"
#include "ompi/tools/hitopo/document.h"

namespace hitopo::tool {
namespace {

void require(bool holds, std::string_view what) {
    if (!holds) {
        throw std::invalid_argument(std::string(what));
    }
}

// Adds that place of the document to the faults that body() finds.
template <class Body>
void within(const std::string& place, Body&& body) {
    try {
        body();
    } catch (const std::exception& wrong) {
        throw std::invalid_argument(fmt::format("{}: {}", place, wrong.what()));
    }
}

// ---- the processes ----

constexpr int kMaxDepth = 32;  // the schema needs 7

// `row`, if it has so many entries or more; `what` is for the message.
const Json& row_of(const Json& row, std::size_t num_entries, const char* what) {
    if (!row.is_array() || row.size() < num_entries) {
        throw std::invalid_argument(fmt::format("{} is not an array of {} entries", what, num_entries));
    }
    return row;
}

// ["MPI_Send", count, bytes, ns]
CallCount read_call(const Json& json) {
    const Json& call = row_of(json, 4, "a call");
    require(call[0].is_string(), "a call has no name");
    return {call[0].get<std::string>(), to_count(call[1], "count"), to_count(call[2], "bytes"),
            to_count(call[3], "ns")};
}

// [lane, messages, bytes, collective bytes]
LaneCount read_lane(const Json& json) {
    const Json& lane = row_of(json, 4, "a lane");
    return {to_int(lane[0], "lane", 0), to_count(lane[1], "messages"), to_count(lane[2], "bytes"),
            to_count(lane[3], "collective bytes")};
}

// [bits, messages, bytes]
SizeCount read_size(const Json& json) {
    const Json& size = row_of(json, 3, "a size");
    return {to_int(size[0], "bits", 0), to_count(size[1], "messages"), to_count(size[2], "bytes")};
}

std::vector<std::uint64_t> counts_at(const Json& object, const char* name) {
    std::vector<std::uint64_t> counts;
    for (const Json& value : array_at(object, name)) {
        counts.push_back(to_count(value, name));
    }
    return counts;
}

ServedCount read_served(const Json& served) {
    return {text_at(served, "call"), count_at(served, "count"), counts_at(served, "messages"),
            counts_at(served, "bytes"), counts_at(served, "flat_bytes")};
}

OrderCount read_order(const Json& order) {
    OrderCount read = {
        text_at(order, "call"),      int_at(order, "size", 1),      count_at(order, "count"),
        text_at(order, "candidate"), bool_at(order, "is_weighted"), bool_at(order, "is_applied"),
        texts_at(order, "levels"),   counts_at(order, "before"),    counts_at(order, "after")};
    require(read.before.size() == read.levels.size() && read.after.size() == read.levels.size(),
            "\"orders\" has not one number for each level");
    return read;
}

// [rank, messages, bytes]
PeerCount read_pair(const Json& json) {
    const Json& pair = row_of(json, 3, "a pair");
    return {to_int(pair[0], "rank", 0), to_count(pair[1], "messages"), to_count(pair[2], "bytes")};
}

TrafficRecord read_traffic(const Json& json) {
    return {int_at(json, "id", 0),
            count_at(json, "made"),
            list_at(json, "calls", read_call),
            list_at(json, "lanes", read_lane),
            list_at(json, "sizes", read_size),
            json.contains("served") ? list_at(json, "served", read_served) : std::vector<ServedCount>()};
}

class ProcessReader {
public:
    // nlohmann's callback: whether the value is kept. Throws std::invalid_argument.
    bool operator()(int depth, Json::parse_event_t event, Json& value) {
        require(depth <= kMaxDepth, "JSON of too many levels");
        if (event == Json::parse_event_t::key && depth == 1) {
            member_ = value.get<std::string>();
        }
        if (event == Json::parse_event_t::value && depth == 1 && member_ == "schema") {
            is_other_schema_ = value != kProfileSchema;
        }
        const bool is_end =
            event == Json::parse_event_t::object_end || event == Json::parse_event_t::array_end;
        if (!is_end || depth != 2 || member_ != "processes") {
            return true;
        }
        if (!is_other_schema_) {
            take_process(value, fmt::format("processes[{}]", processes.size()));
        }
        return false;
    }

    // The processes as in the document, before their indices are checked.
    std::vector<ProcessRecord> processes;

private:
    void take_process(const Json& json, const std::string& place) {
        ProcessRecord process;
        std::size_t num_kinds = 0;
        within(place, [&] {
            process.rank = int_at(json, "rank", 0);
            process.allowed = optional_text_at(json, "allowed");
            num_kinds = array_at(json, "kinds").size();
        });
        for (std::size_t i = 0; i < num_kinds; ++i) {
            within(fmt::format("{}.kinds[{}]", place, i),
                   [&] { process.kinds.push_back(read_traffic(json["kinds"][i])); });
        }
        within(place, [&] {
            process.collective_bytes = count_at(json, "collective_bytes");
            process.has_pairs = json.contains("pairs");
            if (process.has_pairs) {
                process.pairs = list_at(json, "pairs", read_pair);
                const Json& unknown = row_of(member(json, "unknown_pairs"), 2, "\"unknown_pairs\"");
                process.unknown = {to_count(unknown[0], "messages"), to_count(unknown[1], "bytes")};
            }
            if (json.contains("orders")) {
                process.orders = list_at(json, "orders", read_order);
            }
            if (json.contains("other_orders")) {
                process.other_orders = count_at(json, "other_orders");
            }
            require(processes.empty() || process.rank > processes.back().rank,
                    "the processes are not in the order of their ranks");
        });
        processes.push_back(std::move(process));
    }

    std::string member_;            // the document's member that is being parsed
    bool is_other_schema_ = false;  // whose processes are dropped
};

// ---- the members that stay, and the rules between them ----

constexpr std::size_t kMaxLanes = 32;

void read_kinds(const Json& document, Profile& profile) {
    for (const Json& json : array_at(document, "kinds")) {
        const std::size_t index = profile.kinds.size();
        within(fmt::format("kinds[{}]", index), [&] {
            require(int_at(json, "id", 0) == static_cast<int>(index), "\"id\" is not the entry's index");
            profile.kinds.push_back({text_at(json, "key"), text_at(json, "name"),
                                     int_at(json, "size", 0), int_at(json, "remote_size", 0)});
        });
    }
}

std::optional<TableDocument> read_table(const Json& document, int size) {
    const auto json = document.find("table");
    if (json == document.end() || json->is_null()) {
        return std::nullopt;
    }
    Result<TableDocument> table = parse_table(*json);
    require(table.is_ok(), "table: " + (table ? "" : table.error().value));
    require(table->ranks.size() == static_cast<std::size_t>(size), "\"table\" has not \"size\" ranks");
    return std::move(*table);
}

void check_traffic(const TrafficRecord& traffic, const Profile& profile) {
    require(static_cast<std::size_t>(traffic.kind) < profile.kinds.size(),
            "\"id\" is none of \"kinds\"");
    for (const LaneCount& lane : traffic.lanes) {
        require(static_cast<std::size_t>(lane.lane) < profile.lanes.size(),
                "\"lanes\" has one that the document has not");
    }
    for (const ServedCount& served : traffic.served) {
        for (const auto* numbers : {&served.messages, &served.bytes, &served.flat_bytes}) {
            require(numbers->size() == profile.lanes.size(),
                    "\"served\" has not one number for each lane");
        }
    }
}

void check_process(const ProcessRecord& process, const Profile& profile) {
    require(process.rank < profile.size, "\"rank\" is not in the job");
    std::vector<bool> is_here(profile.kinds.size());
    for (const TrafficRecord& traffic : process.kinds) {
        check_traffic(traffic, profile);
        auto here = is_here.begin() + traffic.kind;
        require(!*here, "it has a kind twice");
        *here = true;
    }
    for (const PeerCount& pair : process.pairs) {
        require(pair.rank < profile.size, "\"pairs\" has a rank that the job has not");
    }
}

void require_profile(const Json& document) {
    require(document.is_object() && document.contains("document") && document["document"] == "profile",
            "it is no profile, which a profiled job writes (hitopo order has --table for tables)");
    const int schema = int_at(document, "schema");
    require(schema == kProfileSchema,
            fmt::format("it is of schema {}{}", schema,
                        schema == 1 ? ", which the hitopo of HiTopo 0.2.0 reads" : ""));
}

// `document` is the part that `reader` left. Throws std::invalid_argument with the member and its fault.
Profile to_profile(const Json& document, ProcessReader&& reader) {
    require_profile(document);
    Profile profile;
    profile.version = text_at(document, "hitopo");
    profile.size = int_at(document, "size", 1);
    profile.snapshot = int_at(document, "snapshot", 0);
    if (document.contains("part_of")) {
        profile.part_of = text_at(document, "part_of");
    }
    const Json& seconds = member(document, "seconds");
    profile.seconds = seconds.is_number() ? seconds.get<double>() : -1;
    require(std::isfinite(profile.seconds) && profile.seconds >= 0,
            "\"seconds\" is no number or negative");
    profile.lanes = texts_at(document, "lanes");
    require(!profile.lanes.empty() && profile.lanes.size() <= kMaxLanes,
            "\"lanes\" is empty or too long");
    if (document.contains("max_peers")) {
        profile.max_peers = int_at(document, "max_peers", 0);
    }
    profile.table = read_table(document, profile.size);
    read_kinds(document, profile);
    require(array_at(document, "processes").empty(), "\"processes\" holds something of another type");
    profile.processes = std::move(reader.processes);
    profile.has_pairs = !profile.processes.empty() && profile.processes.front().has_pairs;
    require(std::all_of(
                profile.processes.begin(), profile.processes.end(),
                [&](const ProcessRecord& process) { return process.has_pairs == profile.has_pairs; }),
            "some processes have \"pairs\" and others have not");
    for (std::size_t i = 0; i < profile.processes.size(); ++i) {
        within(fmt::format("processes[{}]", i), [&] { check_process(profile.processes[i], profile); });
    }
    mark_allowed(profile);
    profile.warnings = texts_at(document, "warnings");
    return profile;
}

// ---- the fault of a file ----

constexpr std::size_t kMaxReasonChars = 120;

Error unreadable(const std::string& name, const std::string& why) {
    return {Errc::kUnreadable, fmt::format("cannot be read: {}.", why),
            "Name a file that the profiler wrote, or - for standard input", name};
}

Error malformed(const std::string& name, const std::string& what) {
    return {
        Errc::kMalformed, what + '.',
        fmt::format("Give a file that HiTopo's profiler has written to its end, and use the hitopo of "
                    "the same version: this one reads schema {}",
                    kProfileSchema),
        name};
}

// "line 1, column 9: syntax error while parsing value - invalid literal", of
// "[json.exception.parse_error.101] parse error at line 1, column 9: syntax error while parsing value -
// invalid literal; last read: 'nulx'".
std::string position_and_reason(std::string text) {
    text.erase(std::min(text.find("; last read"), text.size()));
    const std::size_t line = text.find("line ");
    return text.substr(line == std::string::npos ? 0 : line, kMaxReasonChars);
}

// The fault of the JSON itself. The parser counts the file's end as a byte.
std::string syntax(std::FILE* file, const Json::exception& error) {
    const auto* wrong = dynamic_cast<const Json::parse_error*>(&error);
    if (wrong == nullptr || std::feof(file) == 0) {
        return "no JSON at " + position_and_reason(error.what());
    }
    return wrong->byte <= 1
               ? "it is empty"
               : fmt::format("it is cut off: it ends after {} bytes, in the middle", wrong->byte - 1);
}

bool is_folder(const std::string& path) {
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

}  // namespace

void mark_allowed(Profile& profile) {
    for (const ProcessRecord& process : profile.processes) {
        if (profile.table && process.allowed) {
            profile.table->ranks[static_cast<std::size_t>(process.rank)].allowed = process.allowed;
        }
    }
}

Result<Profile> read_profile(std::FILE* file, const std::string& name) {
    ProcessReader reader;
    const auto failed = [&](const std::string& what) {
        return std::ferror(file) != 0 ? unreadable(name, std::strerror(errno)) : malformed(name, what);
    };
    try {
        const Json document = Json::parse(file, std::ref(reader));
        return to_profile(document, std::move(reader));
    } catch (const Json::exception& error) {
        return failed(syntax(file, error));
    } catch (const std::invalid_argument& error) {
        return failed(error.what());
    }
}

Result<Profile> open_profile(const std::string& path) {
    if (path == "-") {
        return read_profile(stdin, "standard input");
    }
    if (is_folder(path)) {
        return open_parts(path);
    }
    RegularFile regular(path);
    if (!regular.why_not().empty()) {
        return unreadable(path, regular.why_not());
    }
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(::fdopen(regular.release(), "r"),
                                                               std::fclose);
    return file ? read_profile(file.get(), path) : unreadable(path, std::strerror(errno));
}

}  // namespace hitopo::tool
