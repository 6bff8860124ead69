// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/hitopo_file.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/network/topology_conf.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/file/hitopo_file_input.h"
#include "ompi/mca/hitopo/file/hitopo_file_yaml.h"
#include "ompi/mca/hitopo/file/yaml/topology_yaml.h"
#include "ompi/mca/hitopo/support/regular_file.h"

namespace hitopo {
namespace {

constexpr unsigned kForNode = HITOPO_VALUE_FOR_NODE;
constexpr unsigned kReplacesNode = HITOPO_VALUE_REPLACES_NODE;

void answer_level(Level level, const MapAnswer& answer, const std::string& none, Reporter& reporter) {
    const std::size_t index = static_cast<std::size_t>(level);
    if (!answer.levels[index]) {
        reporter.reason(level, none);
        return;
    }
    // A simulated node stands for a machine of its own, whatever host the process runs on.
    reporter.value(level, *answer.levels[index], level == kNode ? kReplacesNode : 0);
    reporter.reason(level, answer.source[index]);
}

// What has a longer path is further in; else their order is that of the types' names.
void answer_side(const MapAnswer& answer, unsigned flags, Reporter& reporter) {
    for (const auto& [type, value] : answer.side) {
        reporter.side(type, static_cast<int>(value.path.size()) - 1, value, flags);
        if (!answer.side_source.empty()) {
            reporter.side_reason(type, answer.side_source);
        }
    }
}

MapAnswer to_answer(const std::optional<SwitchPlace>& place, const Skipped& skipped) {
    MapAnswer answer;
    answer.skipped = skipped.as_one();
    answer.names_host = place.has_value();
    if (place) {
        answer.levels = place->levels;
        answer.side = place->side;
        answer.side_source = place->side_source;
        answer.source.fill(place->source);
        if (!place->island_source.empty()) {
            answer.source[kIsland] = place->island_source;
        }
    }
    return answer;
}

std::vector<std::string> keys_of(const std::string& list) {
    std::vector<std::string> keys;
    for (const std::string_view key : split(list, ',')) {
        if (!trim(key).empty()) {
            keys.emplace_back(trim(key));
        }
    }
    return keys;
}

enum class FileKind { kMap, kConf, kYaml };

Result<FileKind> kind_of(const std::string& path, const FileAccess& files) {
    const Result<std::string> begin = plain_text(files.begin(path), path);
    if (!begin) {
        return begin.error();
    }
    return is_topology_conf(*begin) ? FileKind::kConf
           : is_yaml(*begin)        ? FileKind::kYaml
                                    : FileKind::kMap;
}

Result<std::string> read_file(FileKind kind, const std::string& path, const FileAccess& files) {
    const bool is_yaml = kind == FileKind::kYaml;
    Result<std::string> text =
        plain_text(files.read(path, is_yaml ? std::size_t{256} << 20 : std::size_t{16} << 20), path);
    if (!text && text.error().code == Errc::kTooLarge) {
        Error error = text.error();
        error.message = is_yaml ? "it is larger than 256 MiB; " + std::string(kWriteLess)
                                : "it is larger than 16 MiB; write lists of hosts, such as node[1-64]";
        return error;
    }
    return text;
}

Result<FileAnswers> open_as(FileKind kind, const FileSettings& settings, const FileAccess& files) {
    const Result<std::string> text = read_file(kind, settings.path, files);
    if (!text) {
        return text.error();
    }
    if (kind == FileKind::kMap) {
        return FileAnswers([text = *text, path = settings.path](const MapProcess& process) {
            return parse_map(text, path, process);
        });
    }
    if (kind == FileKind::kConf) {
        Result<SwitchTree> tree = parse_topology_conf(*text, settings.path);
        if (!tree) {
            return tree.error();
        }
        return FileAnswers([tree = std::move(*tree)](const MapProcess& process) -> Result<MapAnswer> {
            return to_answer(tree.find(process.host), tree.skipped());
        });
    }
    Result<YamlDocuments> parsed = parse_yaml(*text);
    if (!parsed) {
        Error error = parsed.error();
        error.where = settings.path;
        return error;
    }
    const auto documents = std::make_shared<const YamlDocuments>(std::move(*parsed));
    return FileAnswers([documents, settings](const MapProcess& process) -> Result<MapAnswer> {
        Skipped skipped;
        const auto place = find_in_topology_yaml(
            *documents,
            {settings.path, std::string(process.host), settings.topology, keys_of(settings.labels)},
            skipped);
        return place ? Result<MapAnswer>(to_answer(*place, skipped)) : place.error();
    });
}

// By the first of the names that the file has, else by none of them.
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

bool tells_nothing(const MapAnswer& answer) {
    return answer.side.empty() &&
           std::none_of(answer.levels.begin(), answer.levels.end(),
                        [](const std::optional<RawValue>& level) { return level.has_value(); });
}

// Equal at all processes, so that it travels once: it has no host's name.
Error absent(const std::string& path) {
    return {Errc::kAbsent,
            path,
            "HiTopo looks up nodes by host name, by SLURMD_NODENAME and by the variable that "
            "hitopo_hostname_variable names, short or fully qualified; compare them with `hitopo show "
            "--why`, and correct the names or the path",
            "hitopo_file_path",
            0,
            0};
}

void report_error(Error error, Reporter& reporter) {
    if (error.where.empty()) {
        error.where = "hitopo_file_path";
    }
    reporter.error(error);
}

void answer_levels(const MapAnswer& answer, const std::string& none, unsigned flags,
                   Reporter& reporter) {
    for (int level = 0; level < kNumLevels; ++level) {
        answer_level(static_cast<Level>(level), answer, none, reporter);
    }
    answer_side(answer, flags, reporter);
}

void answer_from(FileKind kind, const FileSettings& settings, const FileAccess& files,
                 Reporter& reporter) {
    const std::vector<std::string> names = reporter.node_names();
    const Result<FileAnswers> file = open_as(kind, settings, files);
    const Result<MapAnswer> answer = file ? ask(*file, names, reporter.rank()) : file.error();
    if (!answer) {
        report_error(answer.error(), reporter);
        return;
    }
    std::string host;
    for (const std::string& name : names) {
        add_item(host, " or ", name);
    }
    answer_levels(
        *answer,
        settings.path + " has no value for host " + host + ", rank " + std::to_string(reporter.rank()),
        kind == FileKind::kMap ? 0 : kForNode, reporter);
    if (answer->skipped) {
        reporter.error(*answer->skipped);
    } else if (!answer->names_host && tells_nothing(*answer)) {
        reporter.error(absent(settings.path));
    }
}

}  // namespace

FileAccess regular_files(const std::string& remedy, const std::string& where) {
    const auto explained = [remedy, where](Error error) {
        error.message += "; " + remedy;
        error.where = where;
        return error;
    };
    return {[=](const std::string& path, std::size_t max_bytes) {
                return read_regular_file(path, max_bytes, remedy, where);
            },
            [=](const std::string& path) -> Result<std::string> {
                Result<std::string> begin = RegularFile(path).read_begin();
                return begin ? begin : explained(begin.error());
            }};
}

Result<FileAnswers> open_file(const FileSettings& settings, const FileAccess& files) {
    const Result<FileKind> kind = kind_of(settings.path, files);
    return kind ? open_as(*kind, settings, files) : kind.error();
}

void answer_file(const FileSettings& settings, const FileAccess& files, Reporter& reporter) {
    if (settings.path.empty()) {
        reporter.reason("hitopo_file_path is not set");
        return;
    }
    const Result<FileKind> kind = kind_of(settings.path, files);
    if (!kind) {
        report_error(kind.error(), reporter);
    } else if (*kind != FileKind::kMap && !reporter.asks_for_node()) {
        reporter.reason("not read: local rank 0 reads " + settings.path + " for the node");
        reporter.error(absent(settings.path));
    } else {
        answer_from(*kind, settings, files, reporter);
    }
}

}  // namespace hitopo

extern "C" int hitopo_file_query(const hitopo_file_settings_t* settings, const hitopo_report_t* report) {
    using hitopo::text_or_empty;
    return hitopo::report_by(report, [&](hitopo::Reporter& reporter) {
        hitopo::answer_file({text_or_empty(settings->path), text_or_empty(settings->topology),
                             text_or_empty(settings->labels)},
                            hitopo::regular_files("name a file that every node can read", ""), reporter);
    });
}
