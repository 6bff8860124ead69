// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/topology_conf.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"
#include "ompi/mca/hitopo/core/text/include_stack.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

using MaybeError = std::optional<Error>;

struct Setting {
    std::string_view key;
    std::string_view value;
    int column = 0;  // of the key
};
using Settings = std::vector<Setting>;

Error unknown_kind(const Setting& first) {
    return {Errc::kSkipped,
            std::string(first.key),
            "HiTopo does not know this kind of line; it knows SwitchName=, BlockName=, RingName=, "
            "TorusName= and BlockSizes=",
            "",
            0,
            first.column};
}

constexpr bool is_blank(char c) { return is_space(c) || c == '\n'; }

std::size_t skip_blanks(std::string_view line, std::size_t at) {
    while (at < line.size() && is_blank(line[at])) {
        ++at;
    }
    return at;
}

// The length of "=" or "+=", which sets a text in Slurm, too; 0 where neither stands.
std::size_t assignment_at(std::string_view line, std::size_t at) {
    const std::string_view rest = line.substr(at, 2);
    return rest.substr(0, 1) == "=" ? 1 : rest == "+=" ? 2 : 0;
}

// A word ends at a blank, a key also at '='.
std::size_t end_of_word(std::string_view line, std::size_t at, bool is_key) {
    while (at < line.size() && !is_blank(line[at]) && !(is_key && assignment_at(line, at) > 0)) {
        ++at;
    }
    return at;
}

// setting = KEY ( "=" | "+=" ) ( VALUE | '"' VALUE '"' )      blanks may stand around '='
Result<Setting> take_setting(std::string_view line, std::size_t& at) {
    Setting setting;
    setting.column = static_cast<int>(at) + 1;
    const std::size_t begin = at;
    at = end_of_word(line, at, true);
    setting.key = line.substr(begin, at - begin);
    at = skip_blanks(line, at);
    const std::size_t assignment = assignment_at(line, at);
    if (assignment == 0 || setting.key.empty()) {
        return malformed_at(line.substr(begin, end_of_word(line, begin, false) - begin), begin,
                            "this is not KEY=VALUE; write it as SwitchName=leaf1 or Nodes=n[1-4]");
    }
    at = skip_blanks(line, at + assignment);
    const bool is_quoted = at < line.size() && line[at] == '"';
    const std::size_t value = is_quoted ? at + 1 : at;
    const std::size_t end = is_quoted ? line.find('"', value) : end_of_word(line, value, false);
    if (end == std::string_view::npos) {
        return malformed_at(line.substr(at), at, "this quote is not closed; write '\"' after the value");
    }
    setting.value = line.substr(value, end - value);
    at = is_quoted ? end + 1 : end;
    return setting;
}

Result<Settings> split_settings(std::string_view line) {
    Settings settings;
    for (std::size_t at = skip_blanks(line, 0); at < line.size(); at = skip_blanks(line, at)) {
        Result<Setting> setting = take_setting(line, at);
        if (!setting) {
            return setting.error();
        }
        settings.push_back(*setting);
    }
    return settings;
}

// Slurm takes the last of several settings with one key.
std::string_view value_of(const Settings& settings, std::string_view key) {
    const auto found = std::find_if(settings.rbegin(), settings.rend(), [key](const Setting& setting) {
        return equals_ignoring_case(setting.key, key);
    });
    return found == settings.rend() ? std::string_view() : found->value;
}

bool is_one_of(std::string_view key, std::initializer_list<std::string_view> keys) {
    return std::any_of(keys.begin(), keys.end(),
                       [key](std::string_view each) { return equals_ignoring_case(key, each); });
}

bool begins_group(std::string_view key) {
    return is_one_of(key, {"BlockName", "RingName", "TorusName"});
}

// Lines that place no node.
bool is_aside(std::string_view key) { return is_one_of(key, {"BlockSizes", "AggregatedBlock"}); }

bool begins_line(std::string_view key) {
    return equals_ignoring_case(key, "SwitchName") || begins_group(key) || is_aside(key);
}

std::string_view without_comment(std::string_view line) {
    for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
        if (at == 0 || line[at - 1] != '\\') {
            return line.substr(0, at);
        }
    }
    return line;
}

// A backslash at a line's end, before blanks or not, joins the next one to it; '#' begins a comment
// unless a backslash stands before it.
std::string take_logical_line(std::string_view& rest) {
    std::string line;
    bool is_joined = true;
    do {
        const std::string_view next = without_comment(take_line(rest));
        const std::string_view before_blanks = next.substr(0, next.find_last_not_of(" \t\r") + 1);
        is_joined = !before_blanks.empty() && before_blanks.back() == '\\';
        line += is_joined ? before_blanks.substr(0, before_blanks.size() - 1) : next;
    } while (is_joined && !rest.empty());
    return line;
}

// "include PATH", in any case; the path.
std::optional<std::string_view> included_path(std::string_view line) {
    const std::string_view trimmed = trim(line);
    const std::size_t end = end_of_word(trimmed, 0, true);
    const std::string_view path = trim(trimmed.substr(end));
    if (!equals_ignoring_case(trimmed.substr(0, end), "include") || path.substr(0, 1) == "=") {
        return std::nullopt;
    }
    return path;
}

class Walk {
public:
    explicit Walk(const MapReader& reader)
        : open_(reader, [this](std::string_view& rest, int number) {
              return walk_line(take_logical_line(rest), number);
          }) {}

    MaybeError walk_file(const std::string& path) { return open_.walk_file(path); }

    // The errors if there are lines, and none could be read.
    Result<SwitchTree> take_tree() {
        for (const Error& error : open_.skipped().kept()) {
            if (records_.empty() && error.code != Errc::kSkipped) {
                return *open_.skipped().as_one(error.code);
            }
        }
        return SwitchTree::make(std::move(records_), std::move(open_.skipped()));
    }

private:
    // line = ( "SwitchName" | "BlockName" | "RingName" | "TorusName" ) "=" NAME { setting }
    //      | "BlockSizes" "=" SIZES | "include" PATH
    //
    //   SwitchName=leaf1 Nodes=n[1-18] LinkSpeed=100
    //   SwitchName=spine Switches=leaf[1-4]
    //   BlockName=b1 Nodes=n[1-18]
    //   TorusName=pod1 Dims=4x4x4 Nodes=n[1-64]
    MaybeError walk_line(const std::string& line, int number) {
        if (const auto included = included_path(line)) {
            return include(*included, line);
        }
        const Result<Settings> settings = split_settings(line);
        if (!settings || settings->empty()) {
            return settings ? MaybeError() : settings.error();
        }
        const Setting& first = settings->front();
        if (!begins_line(first.key)) {
            return unknown_kind(first);
        }
        return is_aside(first.key) ? MaybeError() : add_record(*settings, number);
    }

    MaybeError add_record(const Settings& settings, int number) {
        const Setting& first = settings.front();
        if (first.value.empty()) {
            return malformed_at(
                first.key, static_cast<std::size_t>(first.column - 1),
                "the name of the switch, block, ring or torus is missing; write it after '='");
        }
        // slurmctld prints the level of a switch, and all nodes below one that is no leaf.
        const std::string_view level = value_of(settings, "Level");
        const bool has_nodes = level.empty() || level == "0";
        records_.push_back(
            {std::string(first.value), std::string(has_nodes ? value_of(settings, "Nodes") : ""),
             std::string(value_of(settings, "Switches")), begins_group(first.key), open_.top(), number});
        return std::nullopt;
    }

    MaybeError include(std::string_view path, const std::string& line) {
        const std::size_t offset =
            path.empty() ? 0 : static_cast<std::size_t>(path.data() - line.data());
        if (path.empty()) {
            return malformed_at(trim(line), offset, "the file name after include is missing; write it");
        }
        return open_.include(path, static_cast<int>(offset) + 1);
    }

    IncludeStack open_;
    std::vector<SwitchRecord> records_;
};

}  // namespace

bool is_topology_conf(std::string_view text, bool wants_known_kind) {
    bool has_other_key = false;
    while (!text.empty()) {
        const std::string line = take_logical_line(text);
        const std::size_t begin = skip_blanks(line, 0);
        if (begin == line.size() || included_path(line)) {
            continue;
        }
        const std::size_t end = end_of_word(line, begin, true);
        const std::string_view key = std::string_view(line).substr(begin, end - begin);
        const bool has_key = assignment_at(line, skip_blanks(line, end)) > 0;
        if (begins_line(key)) {
            return true;  // even if it is malformed: then the error names it
        }
        // A map's author may have forgotten the beginning of a line: switch=leaf1.
        if (!has_key || key.empty() || parse_level(key)) {
            return false;
        }
        has_other_key = true;
    }
    return has_other_key && !wants_known_kind;
}

Result<SwitchTree> read_topology_conf(const std::string& path, const MapReader& reader) {
    Walk walk(reader);
    if (const MaybeError error = walk.walk_file(path)) {
        return *error;
    }
    return walk.take_tree();
}

Result<SwitchTree> parse_topology_conf(const std::string& text, const std::string& where) {
    return read_topology_conf(where, [&](const std::string& path, std::size_t) -> Result<std::string> {
        if (path == where) {
            return text;
        }
        return Error{Errc::kMalformed, path, "a file cannot be included here; insert its lines instead"};
    });
}

}  // namespace hitopo
