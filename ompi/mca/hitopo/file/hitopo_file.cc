// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/hitopo_file.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/network/topology_conf.h"
#include "ompi/mca/hitopo/core/text/plain_text.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/file/hitopo_file_input.h"
#include "ompi/mca/hitopo/file/hitopo_file_yaml.h"
#include "ompi/mca/hitopo/file/topology_yaml.h"
#include "ompi/mca/hitopo/support/regular_file.h"

namespace hitopo {
namespace {

void answer_level(Level level, const MapAnswer& answer, const std::string& none, Reporter& reporter) {
    const std::size_t index = static_cast<std::size_t>(level);
    if (!answer.levels[index]) {
        reporter.reason(level, none);
        return;
    }
    // A simulated node stands for a machine of its own, whatever host the process runs on.
    reporter.value(level, *answer.levels[index], level == kNode ? HITOPO_VALUE_REPLACES_NODE : 0);
    reporter.reason(level, answer.source[index]);
}

// Their order is that of the types' names.
void answer_side(const MapAnswer& answer, Reporter& reporter) {
    for (const auto& [type, value] : answer.side) {
        reporter.side(type, 0, value);
    }
}

MapAnswer to_answer(const std::optional<SwitchPlace>& place, const Skipped& skipped) {
    MapAnswer answer;
    answer.skipped = skipped.as_one();
    answer.names_host = place.has_value();
    if (place) {
        answer.levels = place->levels;
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

Result<FileAnswers> open_yaml(const std::string& text, const FileSettings& settings) {
    Result<YamlDocuments> parsed = parse_yaml(text);
    if (!parsed) {
        Error error = parsed.error();
        error.where = settings.path;
        return error;
    }
    const auto documents = std::make_shared<const YamlDocuments>(std::move(*parsed));
    return FileAnswers([documents, settings](const MapProcess& process) -> Result<MapAnswer> {
        Skipped skipped;
        const auto place =
            find_in_topology_yaml(*documents,
                                  {settings.path, std::string(process.host), settings.topology,
                                   keys_of(settings.labels), placeholders_of(settings)},
                                  parse_yaml, skipped);
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
    return {
        Errc::kAbsent,
        path,
        "nodes are looked up by host name, by SLURMD_NODENAME and by the variable that "
        "hitopo_hostname_variable names, short or fully qualified: hitopo show --why has those of this "
        "job; correct the names, or the path",
        "hitopo_file_path",
        0,
        0};
}

}  // namespace

Result<FileAnswers> open_file(const FileSettings& settings, const MapReader& reader) {
    const Result<std::string> text = plain_text(reader(settings.path, kMaxMapBytes), settings.path);
    if (!text) {
        return text.error();
    }
    const MapReader rest = [=](const std::string& path, std::size_t max_bytes) {
        return path == settings.path ? text : plain_text(reader(path, max_bytes), path);
    };
    if (is_topology_conf(*text)) {
        return open_topology_conf(settings, rest);
    }
    if (is_yaml(*text)) {
        return open_yaml(*text, settings);
    }
    return FileAnswers(
        [=](const MapProcess& process) { return read_map(settings.path, process, rest); });
}

Result<std::string> read_map_file(const std::string& path, std::size_t max_bytes) {
    return read_regular_file(
        path, max_bytes,
        "give a map that every node can read, of at most 16 MiB with all that it includes", "");
}

void answer_file(const FileSettings& settings, const MapReader& reader, Reporter& reporter) {
    if (settings.path.empty()) {
        reporter.reason("hitopo_file_path is not set");
        return;
    }
    const std::vector<std::string> names = reporter.node_names();
    const Result<FileAnswers> file = open_file(settings, reader);
    const Result<MapAnswer> answer = file ? ask(*file, names, reporter.rank()) : file.error();
    if (!answer) {
        Error error = answer.error();
        if (error.where.empty()) {
            error.where = "hitopo_file_path";
        }
        reporter.error(error);
        return;
    }
    std::string host;
    for (const std::string& name : names) {
        add_item(host, " or ", name);
    }
    const std::string none =
        settings.path + " tells nothing for host " + host + ", rank " + std::to_string(reporter.rank());
    for (int level = 0; level < kNumLevels; ++level) {
        answer_level(static_cast<Level>(level), *answer, none, reporter);
    }
    answer_side(*answer, reporter);
    if (answer->skipped) {
        reporter.error(*answer->skipped);
    } else if (!answer->names_host && tells_nothing(*answer)) {
        reporter.error(absent(settings.path));
    }
}

}  // namespace hitopo

extern "C" int hitopo_file_query(const hitopo_file_settings_t* settings, const hitopo_report_t* report) {
    return hitopo::report_by(report, [settings](hitopo::Reporter& reporter) {
        hitopo::answer_file(
            {hitopo::text_or_empty(settings->path), hitopo::text_or_empty(settings->topology),
             hitopo::text_or_empty(settings->labels), hitopo::text_or_empty(settings->unknown)},
            hitopo::read_map_file, reporter);
    });
}
