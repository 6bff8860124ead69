// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/profile/profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
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
#include "ompi/tools/hitopo/json_member.h"
#include "ompi/tools/hitopo/place.h"
#include "ompi/tools/hitopo/words.h"
#include "profiler/tool/profile/profile_parser.h"
#include "profiler/tool/profile/profile_parts.h"

namespace hitopo::tool {
namespace {

constexpr std::size_t kMaxReasonChars = 120;

Error unreadable(const std::string& name, const std::string& why) {
    return {Errc::kUnreadable,
            fmt::format("cannot be read: {}.", why),
            "Name a file that the profiler wrote, or - for standard input",
            name,
            0,
            0};
}

Error malformed(const std::string& name, const std::string& what) {
    return {
        Errc::kMalformed,
        what + '.',
        fmt::format("Give a file that HiTopo's profiler has written to its end, and use the hitopo of "
                    "the same version: this one reads schema {}",
                    kProfileSchema),
        name,
        0,
        0};
}

// "line 1, column 9: syntax error while parsing value - invalid literal", of
// "[json.exception.parse_error.101] parse error at line 1, column 9: syntax error while parsing value -
// invalid literal; last read: 'nulx'".
std::string position_and_reason(std::string text) {
    text.erase(std::min(text.find("; last read"), text.size()));
    const std::size_t line = text.find("line ");
    return text.substr(line == std::string::npos ? 0 : line, kMaxReasonChars);
}

bool is_folder(const std::string& path) {
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

// What was wrong with the JSON itself. The parser counts the file's end as a byte.
std::string syntax(std::FILE* file, const Json::exception& error) {
    const auto* wrong = dynamic_cast<const Json::parse_error*>(&error);
    return wrong != nullptr && std::feof(file) != 0
               ? fmt::format("it is cut off: it ends after {} bytes, in the middle", wrong->byte - 1)
               : "no JSON at " + position_and_reason(error.what());
}

// ---- the members that stay when the processes are taken out, and what all must agree in ----

constexpr std::size_t kMaxLanes = 32;

void require(bool holds, const std::string& what) {
    if (!holds) {
        throw std::invalid_argument(what);
    }
}

void read_kinds(const Json& document, Profile& profile) {
    for (const Json& json : array_at(document, "kinds")) {
        const std::size_t index = profile.kinds.size();
        try {
            require(int_at(json, "id", 0) == static_cast<int>(index), "\"id\" is not the entry's index");
            profile.kinds.push_back({text_at(json, "key"), text_at(json, "name"),
                                     int_at(json, "size", 0), int_at(json, "remote_size", 0)});
        } catch (const std::exception& wrong) {
            throw std::invalid_argument(fmt::format("kinds[{}]: {}", index, wrong.what()));
        }
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

double read_seconds(const Json& document) {
    const Json& seconds = member(document, "seconds");
    require(seconds.is_number() && std::isfinite(seconds.get<double>()) && seconds.get<double>() >= 0,
            "\"seconds\" is no number or negative");
    return seconds.get<double>();
}

std::vector<std::string> read_lanes(const Json& document) {
    std::vector<std::string> lanes = texts_at(document, "lanes");
    require(!lanes.empty() && lanes.size() <= kMaxLanes, "\"lanes\" is empty or too long");
    return lanes;
}

void check_traffic(const Traffic& traffic, const Profile& profile) {
    require(static_cast<std::size_t>(traffic.kind) < profile.kinds.size(),
            "\"id\" is none of \"kinds\"");
    for (const LaneTraffic& lane : traffic.lanes) {
        require(static_cast<std::size_t>(lane.lane) < profile.lanes.size(),
                "\"lanes\" has one that the document has not");
    }
    for (const ServedCalls& served : traffic.served) {
        for (const auto* numbers : {&served.messages, &served.bytes, &served.flat_bytes}) {
            require(numbers->size() == profile.lanes.size(),
                    "\"served\" has not one number for each lane");
        }
    }
}

void check_process(const ProfiledProcess& process, const Profile& profile) {
    require(process.rank < profile.size, "\"rank\" is not in the job");
    std::vector<bool> is_here(profile.kinds.size());
    for (const Traffic& traffic : process.kinds) {
        check_traffic(traffic, profile);
        auto here = is_here.begin() + traffic.kind;
        require(!*here, "it has a kind twice");
        *here = true;
    }
    for (const PairTraffic& pair : process.pairs) {
        require(pair.rank < profile.size, "\"pairs\" has a rank that the job has not");
    }
}

void check_processes(const Profile& profile) {
    for (std::size_t i = 0; i < profile.processes.size(); ++i) {
        try {
            check_process(profile.processes[i], profile);
        } catch (const std::exception& wrong) {
            throw std::invalid_argument(fmt::format("processes[{}]: {}", i, wrong.what()));
        }
    }
}

void require_profile(const Json& document) {
    require(document.is_object() && document.contains("document") && document["document"] == "profile",
            "it is no profile: it lacks \"document\": \"profile\"");
    const int schema = int_at(document, "schema");
    require(schema == kProfileSchema,
            fmt::format("it is of schema {}{}", schema,
                        schema == 1 ? ", which the hitopo of HiTopo 0.2.0 reads" : ""));
}

// `document` is what `parser` left. Throws std::invalid_argument with the member and what is wrong with
// it.
Profile to_profile(const Json& document, ProfileParser&& parser) {
    require_profile(document);
    Profile profile;
    profile.version = text_at(document, "hitopo");
    profile.size = int_at(document, "size", 1);
    profile.snapshot = int_at(document, "snapshot", 0);
    if (document.contains("part_of")) {
        profile.part_of = text_at(document, "part_of");
    }
    profile.seconds = read_seconds(document);
    profile.lanes = read_lanes(document);
    if (document.contains("max_peers")) {
        profile.max_peers = int_at(document, "max_peers", 0);
    }
    profile.table = read_table(document, profile.size);
    read_kinds(document, profile);
    require(array_at(document, "processes").empty(), "\"processes\" holds something of another type");
    profile.processes = std::move(parser.processes);
    profile.has_pairs = parser.num_with_pairs > 0;
    require(!profile.has_pairs || parser.num_with_pairs == profile.processes.size(),
            "some processes have \"pairs\" and others have not");
    profile.orders = std::move(parser.orders);
    profile.other_orders = parser.other_orders;
    check_processes(profile);
    mark_allowed(profile);
    profile.warnings = texts_at(document, "warnings");
    return profile;
}

}  // namespace

std::string job_phrase(const Profile& profile) {
    return profile.table ? fmt::format("{}", fmt::join(job_counts(*profile.table), ", "))
                         : counted(static_cast<std::size_t>(profile.size), "process");
}

std::string moment_phrase(const Profile& profile) {
    return !profile.part_of.empty()
               ? fmt::format("as {} of {} parts", profile.processes.size(), profile.size)
           : profile.snapshot > 0 ? fmt::format("as snapshot {}", profile.snapshot)
                                  : "at MPI_Finalize";
}

void mark_allowed(Profile& profile) {
    for (const ProfiledProcess& process : profile.processes) {
        if (profile.table && process.allowed) {
            profile.table->ranks[static_cast<std::size_t>(process.rank)].allowed = process.allowed;
        }
    }
}

std::string no_pairs_phrase(int max_peers) {
    return fmt::format(
        "not in this profile, since the job has more than {} processes: MCA variable "
        "hitopo_prof_max_peers, where -1 keeps them in any job",
        max_peers);
}

Result<Profile> read_profile(std::FILE* file, const std::string& name) {
    ProfileParser parser;
    const auto failed = [&](const std::string& what) {
        return std::ferror(file) != 0 ? unreadable(name, std::strerror(errno)) : malformed(name, what);
    };
    const int first = std::getc(file);
    if (first == EOF) {
        return failed("it is empty");
    }
    (void)std::ungetc(first, file);
    Json document;
    try {
        document = Json::parse(file, std::ref(parser));
    } catch (const Json::exception& error) {
        return failed(syntax(file, error));
    } catch (const std::invalid_argument& error) {
        return failed(parser.place() + error.what());
    }
    try {
        return to_profile(document, std::move(parser));
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
