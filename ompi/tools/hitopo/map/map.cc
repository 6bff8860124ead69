// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/map/map.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <iostream>
#include <iterator>
#include <set>

#include "ompi/mca/hitopo/core/network/topology_conf.h"
#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/core/text/version.h"
#include "ompi/mca/hitopo/file/file_input.h"
#include "ompi/mca/hitopo/support/regular_file.h"
#include "ompi/tools/hitopo/document.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::map {
namespace {

// ---- files ----

constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

Result<std::string> read_file(const std::string& path, std::size_t max_bytes) {
    if (path == "-") {
        return std::string(std::istreambuf_iterator<char>(std::cin), {});
    }
    return read_regular_file(path, max_bytes,
                             "name a regular file that you may read, or - for standard input", "");
}

void read_topology_conf_of(const std::string& path, const std::string& text, const MapReader& read,
                           Places& places) {
    const MapReader plain = [&](const std::string& name, std::size_t max_bytes) {
        return name == path ? Result<std::string>(text) : plain_text(read(name, max_bytes), name);
    };
    const Result<SwitchTree> tree = read_topology_conf(path, plain);
    if (tree) {
        read_tree(*tree, "", places);
    } else {
        places.left_out.add(tree.error());
    }
}

void read_text(const std::string& path, const std::string& text, const MapReader& read, Places& places) {
    const std::string& from = places.settings.from;
    switch (from == "lldp"         ? FileKind::kLldp
            : from == "infiniband" ? FileKind::kIbnetdiscover
                                   : file_kind(text)) {
        case FileKind::kEmpty:
            places.left_out.add("no switch is in the file; name another one");
            break;
        case FileKind::kMap:
            places.left_out.add(
                "this is a map, which hitopo_file_path takes as it is, or of no kind that HiTopo knows; "
                "name what a cluster, a cloud or a fabric wrote (docs/levels.md)");
            break;
        case FileKind::kTopologyConf:
            if (places.is_wanted("slurm")) {
                read_topology_conf_of(path, text, read, places);
            }
            break;
        case FileKind::kIbnetdiscover:
            if (places.is_wanted("infiniband")) {
                read_ibnetdiscover(text, places);
            }
            break;
        case FileKind::kLldp:
            if (places.is_wanted("lldp")) {
                read_lldp(text, places);
            }
            break;
        case FileKind::kDocuments:
            read_documents(text, places);
    }
}

// ---- the map's text ----

// " island=core1 island+=spine2"
std::string assigned(const std::string& what, const Names& path) {
    std::string words;
    for (std::size_t i = 0; i < path.size(); ++i) {
        words += ' ' + what + (i == 0 ? "=" : "+=") + tool::map_word(path[i]);
    }
    return words;
}

// Names that the paths of all hosts begin with distinguish nothing; each path keeps its last one.
void drop_common(std::vector<HostPlace>& hosts, Names Place::*path) {
    const Names* first = nullptr;
    std::ptrdiff_t num = 0;
    for (const HostPlace& each : hosts) {
        const Names& own = each.place.*path;
        if (!own.empty()) {
            const Names& start = first == nullptr ? own : *first;
            const std::ptrdiff_t most = first == nullptr ? own.end() - own.begin() - 1 : num;
            num = std::mismatch(own.begin(), own.end() - 1, start.begin(), start.begin() + most).first -
                  own.begin();
            first = &start;
        }
    }
    for (HostPlace& each : hosts) {
        Names& own = each.place.*path;
        own.erase(own.begin(), own.begin() + (own.empty() ? 0 : num));
    }
}

using Words = std::vector<std::string>;  // of one host, a level each

Words words_of(const Place& place) {
    return {assigned("island", place.island), assigned("switch", place.leaf),
            place.domain.empty() ? "" : assigned("nvlink://Domain", {place.domain}),
            // " nvlink://Clique=UUID nvlink://Clique+=3": as component nvml has them.
            place.clique.empty()
                ? ""
                : assigned("nvlink://Clique", {place.domain}) + " nvlink://Clique+=" + place.clique};
}

struct NaturalLess {
    bool operator()(const std::string& a, const std::string& b) const {
        return compare_natural(a, b) < 0;
    }
};
using Lines = std::map<std::string, std::string, NaturalLess>;  // the words of a list of hosts

// Hosts with the same words are in one list.
void add_lines(const std::vector<HostPlace>& hosts, const Words& words, Lines& lines) {
    std::map<std::string, Names> lists;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        if (!words[i].empty()) {
            lists[words[i]].push_back(hosts[i].host);
        }
    }
    for (auto& [line, list] : lists) {
        lines[compress_hosts(std::move(list))] += line;
    }
}

std::string to_text(const Lines& lines) {
    std::string text;
    for (const auto& [list, words] : lines) {
        text.append("host ").append(list).append(words).append("\n");
    }
    return text;
}

std::string head_of(const std::vector<std::string>& paths, const std::string& date,
                    std::size_t num_hosts, const std::vector<std::string>& messages) {
    std::string head = fmt::format("# Written by `hitopo map` of HiTopo {} on {}: {} host{} from {}\n",
                                   kHitopoVersion, date, num_hosts, num_hosts == 1 ? "" : "s",
                                   safe(fmt::format("{}", fmt::join(paths, " ")), Charset::kUtf8));
    for (const std::string& message : messages) {
        head += "# " + message + '\n';
    }
    return head;
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm parts = {};
    char text[32];
    ::gmtime_r(&now, &parts);
    return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts));
}

}  // namespace

std::string to_map(std::vector<HostPlace> hosts) {
    drop_common(hosts, &Place::island);
    drop_common(hosts, &Place::leaf);
    std::vector<Words> words(hosts.size());
    std::transform(hosts.begin(), hosts.end(), words.begin(),
                   [](const HostPlace& each) { return words_of(each.place); });
    Lines by_place, by_value;
    Words all(hosts.size());
    for (std::size_t level = 0; level < words_of({}).size(); ++level) {
        Words own(hosts.size());
        for (std::size_t i = 0; i < hosts.size(); ++i) {
            own[i] = words[i][level];
            all[i] += own[i];
        }
        add_lines(hosts, own, by_value);
    }
    add_lines(hosts, all, by_place);
    const std::string short_lines = to_text(by_place), few_values = to_text(by_value);
    return "unique switch\n" + (few_values.size() < short_lines.size() ? few_values : short_lines);
}

bool read_files(const tool::MapOptions& options, const MapReader& read, Places& places) {
    bool are_readable = true;
    for (const std::string& path : options.files) {
        places.left_out.begin_file(path);
        const Result<std::string> text = plain_text(read(path, kMaxBytes), path);
        if (text) {
            read_text(path, *text, read, places);
        } else {
            places.left_out.add(text.error());
            are_readable = false;
        }
    }
    return are_readable;
}

Conversion convert(const tool::MapOptions& options, const MapReader& read, const std::string& date) {
    Places places(options);
    Conversion result;
    const bool are_readable = read_files(options, read, places);
    const std::vector<HostPlace> hosts = places.take();
    if (hosts.empty() && places.nowhere().empty() && places.left_out.is_empty()) {
        places.left_out.add("no node or switch is in the file; name another one");
    }
    for (const std::string& line : places.left_out.lines()) {
        result.messages.push_back(safe(line, Charset::kUtf8));
    }
    if (!places.nowhere().empty()) {
        result.messages.push_back("without a place, and so not in the map: " +
                                  compress_hosts(places.nowhere()));
    }
    if (!are_readable || hosts.empty()) {
        result.status = tool::kExitUsage;
    } else {
        result.status = places.left_out.is_empty() ? tool::kExitDone : tool::kExitFailed;
        result.map = head_of(options.files, date, hosts.size(), result.messages) + to_map(hosts);
    }
    return result;
}

int run(const tool::Options& options) {
    const Conversion result = convert(options.map, read_file, today());
    for (const std::string& message : result.messages) {
        (void)tool::report(message);
    }
    if (result.map.empty()) {
        (void)tool::report("there is no map: a file cannot be read, or places no host");
        return result.status;
    }
    const int status = tool::write({result.map, ""}, options);
    return status == tool::kExitDone ? result.status : tool::kExitUsage;
}

tool::Rendered render_check(const std::string& path, const std::vector<std::string>& processes) {
    std::set<std::string> hosts;
    Names absent;
    Messages messages;
    for (const std::string& text : processes) {
        const Result<tool::Json> json = tool::parse_json(text);
        const Result<tool::ProcessDocument> process = json ? tool::parse_process(*json) : json.error();
        if (!process) {
            return {"", "a process has no HiTopo; run hitopo with the same settings in all processes"};
        }
        bool is_placed = false;
        for (const tool::LevelAnswers& level : process->levels) {
            for (const tool::Answer& answer : level.answers) {
                is_placed = is_placed || (answer.component == "file" && answer.value);
            }
        }
        for (const tool::BadInput& error : process->errors) {
            if (error.component == "file" && error.code != "absent") {
                messages.begin_file(error.where);
                messages.add(error.message, error.value);
            }
        }
        if (hosts.insert(process->host).second && !is_placed) {
            absent.push_back(process->host);
        }
    }
    if (!messages.is_empty()) {
        return {"", safe(fmt::format("{}", fmt::join(messages.lines(), "\nhitopo: ")), Charset::kAscii)};
    }
    if (!absent.empty()) {
        return {"", fmt::format("{} has nothing of {} of {} hosts: {}; write the map anew, or look at "
                                "the names of a node with `hitopo show --why`",
                                path, absent.size(), hosts.size(),
                                safe(compress_hosts(absent), Charset::kAscii))};
    }
    return {fmt::format("{} has all {} hosts of this job\n", path, hosts.size()), ""};
}

}  // namespace hitopo::map
