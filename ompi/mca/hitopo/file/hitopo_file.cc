// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/hitopo_file.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/network/topology_conf.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/file/file_input.h"
#include "ompi/mca/hitopo/support/regular_file.h"

namespace hitopo {
namespace {

constexpr const char* kVariable = "hitopo_file_path";

std::string names_of(const Question& question) {
    std::string names;
    for (const std::string& name : question.node_names) {
        add_item(names, " or ", name);
    }
    return names;
}

// A type of a longer path is further in; types of equal length are in the order of their names.
void answer_side(const MapAnswer& found, bool is_for_node, Answer& answer) {
    for (const auto& [type, value] : found.side) {
        answer.side.push_back({type, static_cast<int>(value.path.size()) - 1, value, is_for_node});
    }
}

MapAnswer to_answer(const std::optional<SwitchAddress>& place, const SwitchTree& tree) {
    MapAnswer answer;
    answer.skipped = tree.skipped().as_one();
    answer.first_hosts = tree.first_nodes();
    answer.names_host = place.has_value();
    if (place) {
        answer.levels = place->levels;
        answer.source.fill(place->source);
    }
    return answer;
}

Result<FileAnswers> open_topology_conf(const std::string& path, const MapReader& reader) {
    Result<SwitchTree> tree = read_topology_conf(path, reader);
    if (!tree) {
        return tree.error();
    }
    return FileAnswers([tree = std::move(*tree)](const MapProcess& process) -> Result<MapAnswer> {
        return to_answer(tree.find(process.host), tree);
    });
}

// A job reads no file of which `hitopo map` makes a map once.
Error wants_map(const std::string& path, std::string_view begin) {
    return {Errc::kMalformed, path,
            "this file " + described_kind(begin) + ". Write a map of it, and name that: hitopo map " +
                path + " > hitopo.map"};
}

// The begin of the file, as text, which shows its kind.
Result<std::string> begin_of(const std::string& path, const FileAccess& files) {
    return plain_text(files.begin ? files.begin(path) : files.read(path, std::string::npos), path);
}

bool is_map(std::string_view begin) {
    const FileKind kind = file_kind(begin);
    return kind == FileKind::kMap || kind == FileKind::kEmpty;
}

Result<FileAnswers> open_as(const std::string& begin, const std::string& path, const FileAccess& files) {
    const MapReader plain = [read = files.read](const std::string& name, std::size_t max_bytes) {
        return plain_text(read(name, max_bytes), name);
    };
    if (file_kind(begin) == FileKind::kTopologyConf) {
        return open_topology_conf(path, plain);
    }
    if (!is_map(begin)) {
        return wants_map(path, begin);
    }
    return FileAnswers(
        [path, plain](const MapProcess& process) { return read_map(path, process, plain); });
}

// Asks by the first of the names that the file has, else by none of them.
Result<MapAnswer> ask(const FileAnswers& file, const std::vector<std::string>& names, int rank) {
    Result<MapAnswer> first = file({names.empty() ? "" : names.front(), rank});
    for (std::size_t i = 1; first && !first->names_host && i < names.size(); ++i) {
        Result<MapAnswer> other = file({names[i], rank});
        if (!other || other->names_host) {
            return other;
        }
    }
    return first;
}

bool has_no_value(const MapAnswer& answer) {
    return answer.side.empty() &&
           std::none_of(answer.levels.begin(), answer.levels.end(),
                        [](const std::optional<RawValue>& level) { return level.has_value(); });
}

// names: of this node, as they were looked up. first_hosts: of the file; "": it has no hosts, or this
// process did not read it.
Error absent(const std::string& path, const std::string& names, const std::string& first_hosts) {
    constexpr std::size_t kMaxBytes = 60;
    const std::string begin =
        first_hosts.size() > kMaxBytes ? first_hosts.substr(0, kMaxBytes) + ".." : first_hosts;
    return {Errc::kAbsent, path,
            "this node is " + names + (begin.empty() ? "" : ", the file begins with " + begin) +
                "; correct the names or the path",
            kVariable};
}

void report_error(Error error, Answer& answer) {
    (error.where.empty() ? error.where : error.variable) = kVariable;
    answer.fail(std::move(error));
}

void answer_levels(const MapAnswer& found, const std::string& none, bool is_for_node, Answer& answer) {
    answer.values = found.levels;
    // A simulated node stands for a machine of its own, whatever host the process runs on.
    answer.replaces_node = found.levels[kNode].has_value();
    for (std::size_t level = 0; level < kNumLevels; ++level) {
        answer.reasons[level] = found.levels[level] ? found.source[level] : none;
    }
    answer_side(found, is_for_node, answer);
}

void leave_to_reporter(const std::string& path, const std::string& names, Answer& answer) {
    answer.reason = "not read: local rank 0 reads " + path + " for the node";
    answer.fail(absent(path, names, ""));
}

void answer_from(const std::string& begin, const std::string& path, const FileAccess& files,
                 const Question& question, Answer& answer) {
    const Result<FileAnswers> file = open_as(begin, path, files);
    const Result<MapAnswer> found = file ? ask(*file, question.node_names, question.rank) : file.error();
    if (!found) {
        report_error(found.error(), answer);
        return;
    }
    answer_levels(*found, path + " has no value", !is_map(begin), answer);
    if (found->skipped) {
        report_error(*found->skipped, answer);
    } else if (!found->names_host && has_no_value(*found)) {
        answer.fail(absent(path, names_of(question), found->first_hosts));
    }
}

}  // namespace

FileAccess regular_files(const std::string& remedy, const std::string& where) {
    return {[=](const std::string& path, std::size_t max_bytes) {
                return read_regular_file(path, max_bytes, remedy, where);
            },
            [=](const std::string& path) -> Result<std::string> {
                const RegularFile file(path);
                if (!file.why_not().empty()) {
                    return with_remedy(file.unreadable(file.why_not()), remedy, where);
                }
                // Reads on to the piece in which the first line begins that is no comment.
                std::string begin;
                for (bool is_enough = false; !is_enough && begin.size() <= kMaxMapBytes;) {
                    const Result<std::string> piece = file.read_piece();
                    if (!piece) {
                        return with_remedy(piece.error(), remedy, where);
                    }
                    is_enough = piece->empty() || file_kind(begin) != FileKind::kEmpty;
                    begin += *piece;
                }
                return begin;
            }};
}

Result<FileAnswers> open_file(const std::string& path, const FileAccess& files) {
    const Result<std::string> begin = begin_of(path, files);
    return begin ? open_as(*begin, path, files) : begin.error();
}

void answer_file(const std::string& path, const FileAccess& files, const Question& question,
                 Answer& answer) {
    if (path.empty()) {
        answer.reason = "hitopo_file_path is not set";
        return;
    }
    const Result<std::string> begin = begin_of(path, files);
    if (!begin) {
        report_error(begin.error(), answer);
    } else if (!is_map(*begin) && !question.asks_for_node) {
        leave_to_reporter(path, names_of(question), answer);
    } else {
        answer_from(*begin, path, files, question, answer);
    }
}

}  // namespace hitopo

extern "C" int hitopo_file_query(const hitopo_file_settings_t* settings,
                                 const hitopo_question_t* question, hitopo_answer_t* answer) {
    return hitopo::guarded([=] {
        hitopo::answer_file(
            hitopo::text_or_empty(settings->path),
            hitopo::regular_files("give the full path of a file that every node can read", ""),
            *question, *answer);
    });
}
