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
#include "ompi/mca/hitopo/file/hitopo_file_published.h"
#include "ompi/mca/hitopo/file/hitopo_file_yaml.h"
#include "ompi/mca/hitopo/file/yaml/topology_yaml.h"
#include "ompi/mca/hitopo/file/yaml/wanted_fields.h"
#include "ompi/mca/hitopo/support/published_text.h"
#include "ompi/mca/hitopo/support/regular_file.h"

namespace hitopo {
namespace {

// What has a longer path is further in; else their order is that of the types' names.
void answer_side(const MapAnswer& found, bool is_for_node, Answer& answer) {
    for (const auto& [type, value] : found.side) {
        answer.side.push_back({type, static_cast<int>(value.path.size()) - 1, value, is_for_node});
        if (!found.side_source.empty()) {
            answer.side_reasons.push_back({type, found.side_source});
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

Placeholders placeholders_of(const FileSettings& settings) {
    return settings.unknown.empty() ? Placeholders() : Placeholders(settings.unknown);
}

Result<FileAnswers> open_topology_conf(const FileSettings& settings, const MapReader& reader) {
    Result<SwitchTree> tree = read_topology_conf(settings.path, reader);
    if (!tree) {
        return tree.error();
    }
    return FileAnswers([tree = std::move(*tree), unknown = placeholders_of(settings)](
                           const MapProcess& process) -> Result<MapAnswer> {
        return to_answer(tree.find(process.host, unknown), tree.skipped());
    });
}

Result<FileAnswers> open_yaml(const FileSettings& settings, const FileAccess& files) {
    const std::vector<std::string> labels = keys_of(settings.labels);
    Result<YamlDocuments> parsed = parse_yaml([&] { return files.open(settings.path); },
                                              [&](std::string_view parent, std::string_view key) {
                                                  return is_wanted_field(parent, key, labels);
                                              });
    if (!parsed) {
        Error error = parsed.error();
        if (error.code != Errc::kUnreadable || error.line > 0) {
            error.where = settings.path;
        }
        return error;
    }
    const auto documents = std::make_shared<const YamlDocuments>(std::move(*parsed));
    return FileAnswers([documents, settings, labels](const MapProcess& process) -> Result<MapAnswer> {
        Skipped skipped;
        const auto place = find_in_topology_yaml(*documents,
                                                 {settings.path, std::string(process.host),
                                                  settings.topology, labels, placeholders_of(settings)},
                                                 parse_text, skipped);
        return place ? Result<MapAnswer>(to_answer(*place, skipped)) : place.error();
    });
}

enum class FileKind { kMap, kConf, kYaml };

// The file's begin, to behind the piece in which its first line that tells begins.
Result<std::string> begin_of(const std::string& path, const FileAccess& files) {
    const Result<TextSource> source = files.open(path);
    if (!source) {
        return source.error();
    }
    std::string begin;
    for (bool is_enough = false; !is_enough && begin.size() <= kMaxMapBytes;) {
        const Result<std::string> piece = (*source)();
        if (!piece) {
            return piece.error();
        }
        is_enough = piece->empty() || has_line(begin);
        begin += *piece;
    }
    return plain_text(std::move(begin), path);
}

Result<FileKind> kind_of(const std::string& path, const FileAccess& files) {
    const Result<std::string> begin = begin_of(path, files);
    if (!begin) {
        return begin.error();
    }
    return is_topology_conf(*begin) ? FileKind::kConf
           : is_yaml(*begin)        ? FileKind::kYaml
                                    : FileKind::kMap;
}

Result<FileAnswers> open_as(FileKind kind, const FileSettings& settings, const FileAccess& files) {
    const MapReader plain = [read = files.read](const std::string& path, std::size_t max_bytes) {
        return plain_text(read(path, max_bytes), path);
    };
    if (kind == FileKind::kConf) {
        return open_topology_conf(settings, plain);
    }
    if (kind == FileKind::kYaml) {
        return open_yaml(settings, files);
    }
    return FileAnswers([path = settings.path, plain](const MapProcess& process) {
        return read_map(path, process, plain);
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

void report_error(Error error, Answer& answer) {
    if (error.where.empty()) {
        error.where = "hitopo_file_path";
    }
    answer.fail(error);
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

void leave_to_speaker(const std::string& path, Answer& answer) {
    answer.reason = "not read: local rank 0 reads " + path + " for the node";
    answer.fail(absent(path));
}

bool answer_published(const std::string& published, const Question& question, Answer& answer) {
    const std::optional<MapAnswer> found = find_published(published, question.node_names);
    if (found) {
        answer_levels(*found, "rank 0 read the file, which has no value", true, answer);
    }
    return found.has_value();
}

void answer_from(FileKind kind, const FileSettings& settings, const FileAccess& files,
                 const Question& question, Answer& answer) {
    const Result<FileAnswers> file = open_as(kind, settings, files);
    const Result<MapAnswer> found = file ? ask(*file, question.node_names, question.rank) : file.error();
    if (!found) {
        report_error(found.error(), answer);
        return;
    }
    std::string host;
    for (const std::string& name : question.node_names) {
        add_item(host, " or ", name);
    }
    answer_levels(
        *found,
        settings.path + " has no value for host " + host + ", rank " + std::to_string(question.rank),
        kind != FileKind::kMap, answer);
    if (found->skipped) {
        answer.fail(*found->skipped);
    } else if (!found->names_host && tells_nothing(*found)) {
        answer.fail(absent(settings.path));
    }
}

}  // namespace

FileAccess::FileAccess(MapReader whole)
    : read(std::move(whole)), open([read = read](const std::string& path) -> Result<TextSource> {
          Result<std::string> text = read(path, std::string::npos);
          if (!text) {
              return text.error();
          }
          return TextSource([rest = std::move(*text)]() mutable {
              return Result<std::string>(std::exchange(rest, ""));
          });
      }) {}

FileAccess regular_files(const std::string& remedy, const std::string& where) {
    return {[=](const std::string& path, std::size_t max_bytes) {
                return read_regular_file(path, max_bytes, remedy, where);
            },
            [=](const std::string& path) -> Result<TextSource> {
                const auto file = std::make_shared<const RegularFile>(path);
                if (!file->why_not().empty()) {
                    return with_remedy(file->unreadable(file->why_not()), remedy, where);
                }
                return TextSource([=]() -> Result<std::string> {
                    Result<std::string> piece = file->read_piece();
                    return piece ? piece : with_remedy(piece.error(), remedy, where);
                });
            }};
}

Result<FileAnswers> open_file(const FileSettings& settings, const FileAccess& files) {
    const Result<FileKind> kind = kind_of(settings.path, files);
    return kind ? open_as(*kind, settings, files) : kind.error();
}

void answer_file(const FileSettings& settings, const FileAccess& files, const Question& question,
                 Answer& answer, const std::string& published) {
    if (settings.path.empty()) {
        answer.reason = "hitopo_file_path is not set";
        return;
    }
    // What is published is of no map.
    if (!published.empty() && !question.asks_for_node) {
        leave_to_speaker(settings.path, answer);
        return;
    }
    // Rank 0 tells what is wrong with the file.
    if (!published.empty() && question.rank != 0 && answer_published(published, question, answer)) {
        return;
    }
    const Result<FileKind> kind = kind_of(settings.path, files);
    if (!kind) {
        report_error(kind.error(), answer);
    } else if (*kind != FileKind::kMap && !question.asks_for_node) {
        leave_to_speaker(settings.path, answer);
    } else {
        answer_from(*kind, settings, files, question, answer);
    }
}

namespace {

FileSettings to_settings(const hitopo_file_settings_t& settings) {
    return {text_or_empty(settings.path), text_or_empty(settings.topology),
            text_or_empty(settings.labels), text_or_empty(settings.unknown)};
}

FileAccess files_of_all_nodes() {
    return regular_files(
        "name a file that every node can read; a map and its included files have at most 16 MiB", "");
}

std::vector<std::string> names_in(const char* list) {
    std::vector<std::string> names;
    for (const std::string_view name : split(list, ',')) {
        names.emplace_back(name);
    }
    return names;
}

std::optional<std::string> publish(const FileSettings& settings, const FileAccess& files,
                                   const char* nodes) {
    constexpr std::size_t kMaxPublishedBytes = 64 << 10;  // of ompi_hitopo_base_publish
    const Result<FileKind> kind = kind_of(settings.path, files);
    if (!kind || *kind == FileKind::kMap) {
        return std::nullopt;
    }
    const Result<FileAnswers> file = open_as(*kind, settings, files);
    std::string text = file ? publish_places(*file, names_in(nodes), kMaxPublishedBytes) : "";
    return text.empty() ? std::nullopt : std::optional(std::move(text));
}

}  // namespace
}  // namespace hitopo

extern "C" char* hitopo_file_publish(const hitopo_file_settings_t* settings, const char* nodes) {
    return hitopo::text_to_publish([&] {
        return hitopo::publish(hitopo::to_settings(*settings), hitopo::files_of_all_nodes(), nodes);
    });
}

extern "C" int hitopo_file_query(const hitopo_file_settings_t* settings,
                                 hitopo_file_published_fn_t published, const hitopo_question_t* question,
                                 hitopo_answer_t* answer) {
    return hitopo::guarded([=] {
        hitopo::answer_file(hitopo::to_settings(*settings), hitopo::files_of_all_nodes(), *question,
                            *answer, hitopo::take_published(published).value_or(""));
    });
}
