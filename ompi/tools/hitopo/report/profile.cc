// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/report/profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>

#include "ompi/mca/hitopo/support/regular_file.h"
#include "ompi/tools/hitopo/place.h"
#include "ompi/tools/hitopo/report/byte_source.h"
#include "ompi/tools/hitopo/report/profile_members.h"
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

// The parser counts the end as one byte more.
bool is_cut_off(const ByteSource& source, const Json::exception& error) {
    const auto* wrong = dynamic_cast<const Json::parse_error*>(&error);
    return wrong != nullptr && source.is_end() && wrong->byte > source.num_bytes();
}

bool is_folder(const std::string& path) {
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

// What was wrong with the JSON itself.
std::string syntax(const ByteSource& source, const Json::exception& error) {
    return is_cut_off(source, error)
               ? fmt::format("it is cut off: it ends after {} bytes, in the middle", source.num_bytes())
               : "no JSON at " + position_and_reason(error.what());
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
    ByteSource source(file);
    ProfileParser parser(use);
    const auto failed = [&](const std::string& what) {
        return source.error() != 0 ? unreadable(name, std::strerror(source.error()))
                                   : malformed(name, what);
    };
    if (source.is_end()) {
        return failed("it is empty");
    }
    Json document;
    try {
        document = Json::parse(source.begin(), ByteSource::end(), std::ref(parser));
    } catch (const Json::exception& error) {
        return failed(syntax(source, error));
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
