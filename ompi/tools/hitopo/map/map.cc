// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/map/map.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <ctime>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "ompi/mca/hitopo/core/network/topology_conf.h"
#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/core/text/version.h"
#include "ompi/mca/hitopo/file/file_kind.h"
#include "ompi/mca/hitopo/support/regular_file.h"
#include "ompi/tools/hitopo/document.h"
#include "ompi/tools/hitopo/map/map_text.h"
#include "ompi/tools/hitopo/output.h"

namespace hitopo::map {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

Result<std::string> read_file(const std::string& path, std::size_t max_bytes) {
    if (path == "-") {
        return std::string(std::istreambuf_iterator<char>(std::cin), {});
    }
    return read_regular_file(path, max_bytes,
                             "name a regular file that you may read, or - for standard input", "");
}

FileKind kind_of(const std::string& text, const std::string& from) {
    return from == "lldp"         ? FileKind::kLldp
           : from == "infiniband" ? FileKind::kIbnetdiscover
                                  : file_kind(text);
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
        places.leave_out(tree.error());
    }
}

void read_text(const std::string& path, const std::string& text, const MapReader& read, Places& places) {
    switch (kind_of(text, places.settings().from)) {
        case FileKind::kEmpty:
            places.leave_out("no switch is in the file; name another one");
            break;
        case FileKind::kMap:
            places.leave_out(
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

bool read_files(const tool::MapOptions& options, const MapReader& read, Places& places) {
    bool are_readable = true;
    for (const std::string& path : options.files) {
        places.begin_file(path);
        const Result<std::string> text = plain_text(read(path, kMaxBytes), path);
        if (text) {
            read_text(path, *text, read, places);
        } else {
            places.leave_out(text.error());
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
    if (hosts.empty() && places.nowhere().empty() && places.left_out().is_empty()) {
        places.leave_out("no node or switch is in the file; name another one");
    }
    for (const std::string& line : places.left_out().lines()) {
        result.messages.push_back(safe(line, Charset::kUtf8));
    }
    if (!places.nowhere().empty()) {
        result.messages.push_back("without a place, and so not in the map: " +
                                  compress_hosts(places.nowhere()));
    }
    if (!are_readable || hosts.empty()) {
        result.status = tool::kExitUsage;
    } else {
        result.status = places.left_out().is_empty() ? tool::kExitDone : tool::kExitFailed;
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
                messages.add(error.where, error.message, error.value);
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
