// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/order/order.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <nlohmann/json.hpp>

#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/file/file_input.h"
#include "ompi/mca/hitopo/support/environment.h"
#include "ompi/mca/hitopo/support/regular_file.h"
#include "ompi/tools/hitopo/launch/launch.h"
#include "ompi/tools/hitopo/options.h"
#include "ompi/tools/hitopo/words.h"
#include "profiler/tool/profile/profile.h"

namespace hitopo::tool {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;
constexpr std::size_t kMaxQuickPairs = 4000000;              // some seconds
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 62;  // of all pairs together

Error unusable(const std::string& where, std::string what, std::string remedy) {
    return {Errc::kMalformed, std::move(what), std::move(remedy), where, 0, 0};
}

Result<std::string> read_file(const std::string& path) {
    const Result<std::string> text = RegularFile(path).read(kMaxFileBytes);
    return text ? text
                : Result<std::string>(Error{text.error().code,
                                            fmt::format("cannot be read: {}.", text.error().message),
                                            "Name a regular file", path, 0, 0});
}

// ---- hosts ----

Result<Slots> slots_of_table_file(const std::string& path) {
    const Result<std::string> text = read_file(path);
    if (!text) {
        return text.error();
    }
    const Result<Json> json = parse_json(*text);
    const Result<TableDocument> table = json ? parse_table(*json) : Result<TableDocument>(json.error());
    if (!table || table->ranks.empty()) {
        return unusable(
            path, fmt::format("is not a table: {}.", table ? "it has no ranks" : table.error().value),
            "Name a file with the output of hitopo show --format json");
    }
    return slots_of(*table, path);
}

// The place of this host among those that a list or a hostfile names, from 0 on, and a newline.
Result<std::string> node_rank_in(const std::string& path) {
    const Result<std::string> text = read_file(path);
    const Result<Hostfile> file = text ? parse_hostfile(*text, path) : Result<Hostfile>(text.error());
    if (!file) {
        return file.error();
    }
    char host_name[HOST_NAME_MAX + 1] = "";
    (void)::gethostname(host_name, sizeof host_name - 1);
    const std::vector<std::string> own = read_node_names(host_name, nullptr);
    for (std::size_t i = 0; i < file->hosts.size(); ++i) {
        if (std::any_of(own.begin(), own.end(), [&](const std::string& name) {
                return is_same_host(name, file->hosts[i].name);
            })) {
            return std::to_string(i) + '\n';
        }
    }
    return unusable(path,
                    fmt::format("lacks this host, {}; its first is {}.", fmt::join(own, " or "),
                                file->hosts.front().name),
                    "Name a list that hitopo order --hosts --format list wrote for this job");
}

// Lines are a profile's ranks in their order, if they are as many; else a launch fills host after host.
Result<std::vector<Host>> hosts_of_file(const std::string& path, const Profile* profile, bool is_list) {
    const Result<std::string> text = read_file(path);
    Result<Hostfile> file = text ? parse_hostfile(*text, path) : Result<Hostfile>(text.error());
    if (!file) {
        return file.error();
    }
    std::vector<std::string> open;
    for (const Host& host : file->hosts) {
        if (host.is_open) {
            open.push_back(host.name);
        }
    }
    std::size_t num_slots = 0;
    for (const Host& line : file->lines) {
        num_slots += line.num_slots;
    }
    if (profile != nullptr && (open.empty() || num_slots == static_cast<std::size_t>(profile->size))) {
        return std::move(file->lines);
    }
    if (open.empty() || is_list) {  // which has each host once, whatever its slots
        return std::move(file->hosts);
    }
    const std::string count = counted(open.size(), "host");
    return unusable(path,
                    fmt::format("has no slots for {}: {}.", count, compress_hosts(std::move(open))),
                    "mpirun uses the number of cores of a host, which is known on that host only: write "
                    "slots=N after each name");
}

// The slots that the options name; else those of the profile.
Result<Slots> slots_without_network(const Options& options, const Profile* profile) {
    const OrderOptions& order = options.order;
    if (!order.table.empty()) {
        return slots_of_table_file(order.table);
    }
    if (profile == nullptr || !order.hostfile.empty()) {
        const Result<std::vector<Host>> hosts =
            order.hostfile.empty()
                ? slurm_hosts(environment_variable)
                : hosts_of_file(order.hostfile, profile, options.format == Format::kList);
        return hosts ? Result<Slots>(slots_of(*hosts)) : Result<Slots>(hosts.error());
    }
    return profile->table
               ? slots_of(*profile->table, options.profile)
               : Result<Slots>(unusable(options.profile, "has no address table.",
                                        "Run the job with HiTopo in all processes, or name its hosts "
                                        "with --hostfile or --table, in rank order"));
}

// `skipped`: gets the entries left out of the file of --topology.
Result<Slots> read_slots(const Options& options, const Profile* profile, std::optional<Error>& skipped) {
    Result<Slots> slots = slots_without_network(options, profile);
    if (!slots || options.order.topology.empty()) {
        return slots;
    }
    const Result<FileAnswers> file =
        open_file(options.order.topology, regular_files("name a map or a topology.conf", "--topology"));
    const auto unreadable = [](const Error& error) {
        return unusable(error.position(), '"' + error.value + "\":", error.message);
    };
    if (!file) {
        return unreadable(file.error());
    }
    const FindLevels find = [&](const std::string& host, int rank) {
        const Result<MapAnswer> answer = (*file)({host, rank});
        if (answer && !skipped) {
            skipped = answer->skipped;  // mostly the same for all hosts
        }
        return answer ? Result<RawAddress>(answer->levels) : unreadable(answer.error());
    };
    return in_network(std::move(*slots), find, options.order.topology);
}

// ---- the graph of messages ----

constexpr const char* kProfileRemedy = "Profile the job again with --mca hitopo_prof_max_peers -1";

Result<topo::Graph> graph_of(const Profile& profile, const std::string& where) {
    if (!profile.has_pairs) {
        return unusable(where, "does not contain the traffic between pairs of processes.",
                        kProfileRemedy);
    }
    if (static_cast<int>(profile.processes.size()) != profile.size) {
        return unusable(
            where, fmt::format("has only {} of {} processes.", profile.processes.size(), profile.size),
            "Use a profile of a run in which all processes reached MPI_Finalize");
    }
    topo::Graph graph{static_cast<std::uint32_t>(profile.size), {}};
    std::uint64_t sum = 0;
    for (const ProcessRecord& process : profile.processes) {
        if (process.unknown.bytes > 0) {
            return unusable(
                where,
                fmt::format("has traffic between rank {} and processes of another job.", process.rank),
                "Their hosts are unknown: hitopo order supports only jobs that neither start nor "
                "connect to other jobs");
        }
        for (const PeerCount& pair : process.pairs) {
            if (pair.bytes > kMaxBytes - sum) {
                return unusable(where, "has an impossible number of bytes.", kProfileRemedy);
            }
            sum += pair.bytes;
            graph.edges.push_back({static_cast<std::uint32_t>(process.rank),
                                   static_cast<std::uint32_t>(pair.rank), pair.bytes});
        }
    }
    return graph;
}

std::uint64_t collective_bytes_of(const Profile& profile) {
    std::uint64_t sum = 0;
    for (const ProcessRecord& process : profile.processes) {
        sum += std::min(process.collective_bytes, kMaxBytes - std::min(sum, kMaxBytes));
    }
    return sum;
}

// The plan by the traffic of a profile, whose graph this is, or of a grid, or by none.
Result<Plan> plan_of(const Options& options, const topo::Graph& graph, const Slots& slots) {
    const OrderOptions& order = options.order;
    const bool is_of_profile = !options.profile.empty(), is_of_grid = !order.grid.empty();
    // The command line has looked at both texts.
    const topo::Capacities capacities = *topo::parse_capacities(order.capacities);
    const topo::Grid grid = is_of_grid ? *parse_grid(order.grid) : topo::Grid();
    const std::size_t num_slots = slots.slots.size();
    const std::size_t num_ranks = is_of_profile ? graph.num_vertices
                                  : is_of_grid  ? grid.num_cells()
                                                : num_slots;
    if (num_ranks != num_slots) {
        return unusable(is_of_profile ? options.profile : "--grid " + order.grid,
                        fmt::format("has {}, but there are {}.", counted(num_ranks, "rank"),
                                    counted(num_slots, "slot")),
                        "Name hosts with as many slots as ranks");
    }
    return is_of_profile ? plan_graph(graph, slots, capacities)
           : is_of_grid  ? plan_grid(grid, slots, capacities)
                         : plan_hosts(slots);
}

}  // namespace

Result<Ordered> find_order(const Options& options) {
    if (!options.order.node_rank.empty()) {
        Result<std::string> number = node_rank_in(options.order.node_rank);
        return number ? Result<Ordered>(Ordered{std::move(*number), {}, {}})
                      : Result<Ordered>(number.error());
    }
    std::optional<Profile> profile;
    topo::Graph graph;
    if (!options.profile.empty()) {
        Result<Profile> read = open_profile(options.profile);
        Result<topo::Graph> pairs =
            read ? graph_of(*read, options.profile) : Result<topo::Graph>(read.error());
        if (!pairs) {
            return pairs.error();
        }
        profile = std::move(*read);
        graph = std::move(*pairs);
    }
    std::optional<Error> skipped;
    const Result<Slots> slots = read_slots(options, profile ? &*profile : nullptr, skipped);
    if (!slots) {
        return slots.error();
    }
    // Where a format names hosts alone, launchers choose the CPUs.
    const bool has_file = options.format != Format::kText;
    const bool is_outside_only = has_file && options.format != Format::kRankfile;
    const Slots counted_slots = is_outside_only ? without_inside(*slots) : *slots;
    const Result<Plan> plan = plan_of(options, graph, counted_slots);
    if (!plan) {
        return plan.error();
    }
    OrderText text{*plan, counted_slots, profile ? "bytes" : "pairs",
                   profile ? collective_bytes_of(*profile) : 0, is_outside_only};
    if (profile && profile->table && !share_nodes_as(*slots, *profile->table)) {
        text.note =
            "On these hosts the ranks share nodes in another way than in the job of the profile: "
            "\"now\" is a launch that fills the hosts in the given order.";
    }
    if (options.order.is_hosts) {
        text.note = "Pairs are consecutive ranks.";
    }
    Ordered ordered;
    if (has_file) {
        Result<LaunchFile> file =
            launch_file(*slots, plan->slot_of, options.format, options.order.launcher);
        if (!file) {
            return file.error();
        }
        text.usage = fmt::format(file->usage, options.output.empty() ? "FILE" : options.output);
        ordered.file = std::move(file->text);
    }
    ordered.report = order_text(text);
    const auto add = [&](const Error& error) {
        ordered.skipped.push_back(
            unusable(error.position(), '"' + error.value + "\" is ignored:", error.message));
    };
    if (skipped) {
        add(*skipped);
        std::for_each(skipped->others.begin(), skipped->others.end(), add);
    }
    return ordered;
}

Result<Plan> plan_nodes(const Profile& profile, const std::string& where) {
    const Result<topo::Graph> graph = graph_of(profile, where);
    const Result<Slots> slots = profile.table
                                    ? slots_of(*profile.table, where)
                                    : Result<Slots>(unusable(where, "has no address table.", ""));
    if (!graph || !slots) {
        return graph ? slots.error() : graph.error();
    }
    if (graph->edges.size() > kMaxQuickPairs) {
        return Error{
            Errc::kTooLarge, fmt::format("has more than {} pairs.", kMaxQuickPairs), "", where, 0, 0};
    }
    return plan_graph(*graph, without_inside(*slots), *topo::parse_capacities(""));
}

}  // namespace hitopo::tool
