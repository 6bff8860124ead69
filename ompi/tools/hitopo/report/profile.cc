// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/report/profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <stdexcept>

#include "ompi/mca/hitopo/support/regular_file.h"
#include "ompi/tools/hitopo/json_member.h"
#include "ompi/tools/hitopo/place.h"
#include "ompi/tools/hitopo/report/profile_parser.h"
#include "ompi/tools/hitopo/report/profile_parts.h"
#include "ompi/tools/hitopo/words.h"

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
                    kSchema),
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

// "communicators[3].ranks", for messages.
std::string nth(const char* list, std::size_t index, const char* member) {
    return fmt::format("{}[{}].{}", list, index, member);
}

int lane_index(const std::vector<std::string>& lanes, const std::string& lane) {
    const auto found = std::find(lanes.begin(), lanes.end(), lane);
    require(found != lanes.end(), "\"spans\" names a lane that \"lanes\" has not");
    return static_cast<int>(found - lanes.begin());
}

std::vector<int> read_ranks(const Json& communicator, int job_size) {
    std::vector<int> ranks;
    for (const Json& rank : array_at(communicator, "ranks")) {
        ranks.push_back(rank.is_null() ? -1 : to_int(rank, "ranks", 0));
        require(ranks.back() < job_size, "\"ranks\" holds a rank that the job has not");
    }
    return ranks;
}

ProfiledCommunicator read_communicator(const Json& json, const Profile& profile) {
    ProfiledCommunicator communicator;
    communicator.ids = {static_cast<int>(profile.communicators.size())};
    communicator.key = text_at(json, "key");
    communicator.name = text_at(json, "name");
    communicator.size = int_at(json, "size", 1);
    communicator.remote_size = int_at(json, "remote_size", 0);
    communicator.ranks = read_ranks(json, profile.size);
    require(communicator.ranks.size() == static_cast<std::size_t>(communicator.size),
            "\"ranks\" has not \"size\" entries");
    for (const std::string& lane : texts_at(json, "spans")) {
        communicator.spans.push_back(lane_index(profile.lanes, lane));
    }
    const bool is_registered = bool_at(json, "is_registered");
    communicator.num_freed = bool_at(json, "is_freed") ? 1 : 0;
    communicator.num_registered = is_registered && communicator.num_freed == 0 ? 1 : 0;
    return communicator;
}

void read_communicators(const Json& document, Profile& profile) {
    for (const Json& json : array_at(document, "communicators")) {
        const std::size_t index = profile.communicators.size();
        try {
            require(int_at(json, "id", 0) == static_cast<int>(index), "\"id\" is not the entry's index");
            profile.communicators.push_back(read_communicator(json, profile));
        } catch (const std::exception& wrong) {
            throw std::invalid_argument(fmt::format("communicators[{}]: {}", index, wrong.what()));
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

// What is wrong with it, or null.
const char* wrong_peer(const Peer& peer, const ProfiledCommunicator& communicator,
                       const Profile& profile) {
    return peer.rank >= communicator.num_peers() ? "peer is not in the communicator"
           : peer.world_rank >= profile.size     ? "rank is not in the job"
           : static_cast<std::size_t>(peer.lane) >= profile.lanes.size() ? "lane is none of \"lanes\""
                                                                         : nullptr;
}

// Each lane is of `lanes`, and each peer one that the communicator has.
void check_traffic(const Traffic& traffic, const Profile& profile) {
    const auto& communicators = profile.communicators;
    require(static_cast<std::size_t>(traffic.communicator) < communicators.size(),
            "\"id\" is none of \"communicators\"");
    const ProfiledCommunicator& communicator =
        communicators[static_cast<std::size_t>(traffic.communicator)];
    require(traffic.rank < communicator.size, "\"rank\" is not below the communicator's size");
    require(traffic.collective_bytes.size() == profile.lanes.size(),
            "\"collective_bytes\" has not one entry for each lane");
    const auto require_lanes = [&](const std::string& name,
                                   std::initializer_list<const std::vector<std::uint64_t>*> lists) {
        for (const auto* numbers : lists) {
            require(numbers->size() == profile.lanes.size(), name + " has not one number for each lane");
        }
    };
    for (std::size_t i = 0; i < traffic.served.size(); ++i) {
        const ServedCalls& served = traffic.served[i];
        require_lanes(fmt::format("served[{}]", i),
                      {&served.messages, &served.bytes, &served.flat_bytes});
    }
    if (const auto& sums = traffic.peer_sums) {
        require_lanes("\"peer_sums\"",
                      {&sums->messages, &sums->bytes, &sums->ns, &sums->fetches, &sums->fetched_bytes});
    }
    for (std::size_t i = 0; i < traffic.peers.size(); ++i) {
        const char* const wrong = wrong_peer(traffic.peers[i], communicator, profile);
        if (wrong != nullptr) {  // a job has a million peers: no text for each
            throw std::invalid_argument(nth("peers", i, wrong));
        }
    }
}

void check_processes(const ProfileParser& parser, const Profile& profile) {
    std::vector<std::vector<bool>> is_here;  // the ranks of each communicator that have been met
    for (const ProfiledCommunicator& communicator : profile.communicators) {
        is_here.emplace_back(communicator.ranks.size());
    }
    std::size_t entry = 0;
    for (std::size_t i = 0; i < parser.processes.size(); ++i) {
        require(parser.processes[i].rank < profile.size, nth("processes", i, "rank is not in the job"));
        for (std::size_t j = 0; entry < parser.processes[i].traffic_end; ++entry, ++j) {
            const Traffic& traffic = profile.traffic[entry];
            try {
                check_traffic(traffic, profile);
                auto here =
                    is_here[static_cast<std::size_t>(traffic.communicator)].begin() + traffic.rank;
                require(!*here, fmt::format("a second rank {} of communicator {}", traffic.rank,
                                            traffic.communicator));
                *here = true;
            } catch (const std::exception& wrong) {
                throw std::invalid_argument(
                    fmt::format("processes[{}].communicators[{}]: {}", i, j, wrong.what()));
            }
        }
    }
}

// All processes have them or none.
void check_pairs(const Profile& profile) {
    require(profile.pairs.empty() || profile.pairs.size() == profile.processes.size(),
            "some processes have \"pairs\" and others have not");
    for (const ProcessPairs& process : profile.pairs) {
        for (const PairTraffic& pair : process.pairs) {
            require(
                pair.rank < profile.size,
                fmt::format("process {}: \"pairs\" holds a rank that the job has not", process.rank));
        }
    }
}

void require_profile(const Json& document) {
    require(document.is_object() && document.contains("document") && document["document"] == "profile",
            "it is no profile: it lacks \"document\": \"profile\"");
    const int schema = int_at(document, "schema");
    require(schema == kSchema, fmt::format("it is of schema {}", schema));
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
    read_communicators(document, profile);
    require(array_at(document, "processes").empty(), "\"processes\" holds something of another type");
    profile.processes.assign(parser.processes.begin(), parser.processes.end());
    profile.traffic = std::move(parser.traffic);
    profile.pairs = std::move(parser.pairs);
    profile.orders = std::move(parser.orders);
    profile.other_orders = parser.other_orders;
    check_pairs(profile);
    check_processes(parser, profile);
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

// Profiles of 0.2.0 do not tell.
void mark_allowed(Profile& profile) {
    for (const ProfiledProcess& process : profile.processes) {
        if (profile.table && process.allowed) {
            profile.table->ranks[static_cast<std::size_t>(process.rank)].allowed = process.allowed;
        }
    }
}

std::string no_peers_phrase(int max_peers) {
    return fmt::format(
        "What went to each peer is not in this profile but summed up by lane, since the job has more "
        "than {} "
        "processes: MCA variable hitopo_prof_max_peers, where -1 keeps peers in any job.",
        max_peers);
}

Result<Profile> read_profile(std::FILE* file, const std::string& name, ProfileUse use) {
    ProfileParser parser(use);
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

Result<Profile> open_profile(const std::string& path, ProfileUse use) {
    if (path == "-") {
        return read_profile(stdin, "standard input", use);
    }
    if (is_folder(path)) {
        return open_parts(path, use);
    }
    RegularFile regular(path);
    if (!regular.why_not().empty()) {
        return unreadable(path, regular.why_not());
    }
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(::fdopen(regular.release(), "r"),
                                                               std::fclose);
    return file ? read_profile(file.get(), path, use) : unreadable(path, std::strerror(errno));
}

}  // namespace hitopo::tool
