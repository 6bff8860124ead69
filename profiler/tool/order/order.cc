// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/order/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/skipped.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/file/hitopo_file_input.h"
#include "ompi/mca/hitopo/support/regular_file.h"
#include "ompi/tools/hitopo/grid.h"
#include "ompi/tools/hitopo/words.h"
#include "profiler/tool/order/check_file.h"
#include "profiler/tool/order/hostfile.h"
#include "profiler/tool/order/launch_file.h"
#include "profiler/tool/order/order_text.h"
#include "profiler/tool/order/plan.h"
#include "profiler/tool/order/slots.h"
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

Result<Hostfile> read_hostfile(const std::string& path) {
    const Result<std::string> text = read_file(path);
    return text ? parse_hostfile(*text, path) : Result<Hostfile>(text.error());
}

// With the cores of this host as its slots where the file leaves them open, as mpirun counts.
std::vector<ListedHost> with_own_cores(std::vector<ListedHost> hosts,
                                       const OrderEnvironment& environment) {
    for (ListedHost& host : hosts) {
        const std::size_t num_cores = host.num_slots ? 0 : environment.cores_of(host.name);
        host.num_slots = num_cores == 0 ? host.num_slots : num_cores;
    }
    return hosts;
}

Result<std::vector<Host>> with_slots(const std::vector<ListedHost>& hosts, const std::string& where) {
    std::vector<std::string> open;
    for (const ListedHost& host : hosts) {
        if (!host.num_slots) {
            open.push_back(host.name);
        }
    }
    if (open.empty()) {
        return as_ranks(hosts);
    }
    const std::size_t count = open.size();
    return unusable(
        where,
        fmt::format("has no slots for {}: {}.", counted(count, "host"), compress_hosts(std::move(open))),
        "mpirun uses the number of cores of a host, which is known on that host only: write slots=N "
        "after each name");
}

// Lines are a profile's ranks in their order, if they are as many; else a launch fills host after host.
Result<std::vector<Host>> hosts_of(const Hostfile& file, const std::string& where,
                                   const OrderEnvironment& environment, const Profile* profile) {
    if (profile != nullptr) {
        std::vector<Host> ranks = as_ranks(file.lines);
        std::size_t num_ranks = 0;
        for (const Host& host : ranks) {
            num_ranks += host.num_slots;
        }
        const bool is_open = std::any_of(file.hosts.begin(), file.hosts.end(),
                                         [](const ListedHost& host) { return !host.num_slots; });
        if (!is_open || num_ranks == static_cast<std::size_t>(profile->size)) {
            return ranks;
        }
    }
    return with_slots(with_own_cores(file.hosts, environment), where);
}

// What the options name; of a profile its own, unless they do.
Result<std::vector<Host>> read_hosts(const OrderOptions& options, const OrderEnvironment& environment,
                                     const Profile* profile) {
    if (options.hostfile.empty()) {
        return slurm_hosts(environment.variable);
    }
    const Result<Hostfile> file = read_hostfile(options.hostfile);
    return file ? hosts_of(*file, options.hostfile, environment, profile)
                : Result<std::vector<Host>>(file.error());
}

Result<Slots> slots_without_network(const Options& options, const OrderEnvironment& environment,
                                    const Profile* profile) {
    if (!options.order.table.empty()) {
        return slots_of_table_file(options.order.table);
    }
    if (profile == nullptr || !options.order.hostfile.empty()) {
        const Result<std::vector<Host>> hosts = read_hosts(options.order, environment, profile);
        return hosts ? Result<Slots>(slots_of(*hosts)) : Result<Slots>(hosts.error());
    }
    return profile->table
               ? slots_of(*profile->table, options.profile)
               : Result<Slots>(unusable(options.profile, "has no address table.",
                                        "Run the job with HiTopo in all processes, or name its hosts "
                                        "with --hostfile or --table, in rank order"));
}

// `skipped`: what was left out of the file of --topology.
Result<Slots> read_slots(const Options& options, const OrderEnvironment& environment,
                         const Profile* profile, Skipped& skipped) {
    Result<Slots> slots = slots_without_network(options, environment, profile);
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
        if (answer && answer->skipped) {
            skipped.add(*answer->skipped);  // mostly the same for all hosts
        }
        return answer ? Result<RawAddress>(answer->levels) : unreadable(answer.error());
    };
    return in_network(std::move(*slots), find, options.order.topology);
}

// ---- who talks to whom ----

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
    for (const ProfiledProcess& process : profile.processes) {
        if (process.unknown.bytes > 0) {
            return unusable(
                where,
                fmt::format("has traffic between rank {} and processes of another job.", process.rank),
                "Their hosts are unknown: hitopo order supports only jobs that neither start nor "
                "connect to other jobs");
        }
        for (const PairTraffic& pair : process.pairs) {
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
    for (const ProfiledProcess& process : profile.processes) {
        sum += std::min(process.collective_bytes, kMaxBytes - std::min(sum, kMaxBytes));
    }
    return sum;
}

// `counted`: the slots as the format fixes them.
Result<Ordered> write_up(const Options& options, const Slots& slots, const Slots& counted,
                         const Plan& plan, const std::optional<Profile>& profile) {
    const std::optional<LaunchFormat> format = options.order.format;
    OrderText text{plan, counted, profile ? "bytes" : "pairs",
                   profile ? collective_bytes_of(*profile) : 0, format && !fixes_inside(*format)};
    if (profile && profile->table && !share_nodes_as(slots, *profile->table)) {
        text.note =
            "On these hosts the ranks share nodes in another way than in the job of the profile: "
            "\"now\" is a launch that fills the hosts in the given order.";
    }
    Ordered ordered;
    if (format) {
        Result<LaunchFile> file = launch_file(slots, plan.slot_of, *format, options.order.launcher);
        if (!file) {
            return file.error();
        }
        text.usage = fmt::format(file->usage, options.output.empty() ? "FILE" : options.output);
        ordered.file = std::move(file->text);
    }
    ordered.report = order_text(text);
    return ordered;
}

constexpr const char* kOutsideJob =
    "Inside an allocation of these hosts, srun places tasks by this file. For a new allocation it is "
    "the list\n"
    "of nodes, and cannot be combined with Slurm's --switches.\n";

Result<std::vector<ListedHost>> allocation_of(const Options& options,
                                              const OrderEnvironment& environment) {
    if (!options.order.hostfile.empty()) {
        Result<Hostfile> file = read_hostfile(options.order.hostfile);
        return file ? with_own_cores(std::move(file->hosts), environment)
                    : Result<std::vector<ListedHost>>(file.error());
    }
    Skipped skipped;  // a check has no --topology
    const Result<Slots> slots = read_slots(options, environment, nullptr, skipped);
    if (!slots) {
        return slots.error();
    }
    std::vector<Host> hosts;
    for (const Slot& slot : slots->slots) {
        hosts.push_back({slot.host, 1});
    }
    std::vector<ListedHost> allocation;
    for (const Host& host : merged(hosts)) {
        allocation.push_back({host.name, host.num_slots});
    }
    return allocation;
}

Result<Ordered> check(const Options& options, const OrderEnvironment& environment) {
    const Result<std::string> text = read_file(options.order.check);
    if (!text) {
        return text.error();
    }
    const Result<std::vector<ListedHost>> allocation = allocation_of(options, environment);
    if (!allocation) {
        return allocation.error();
    }
    const LaunchFormat format = options.order.format.value_or(LaunchFormat::kHostfile);
    const Result<std::string> verdict = check_file(*text, format, options.order.check, *allocation);
    if (!verdict) {
        return verdict.error();
    }
    const bool is_outside_job =
        format == LaunchFormat::kSlurm && slurm_job_nodes(environment.variable).empty();
    return Ordered{*verdict + '\n' + (is_outside_job ? kOutsideJob : ""), {}, {}};
}

}  // namespace

Result<Ordered> find_order(const Options& options, const OrderEnvironment& environment) {
    const OrderOptions& order = options.order;
    if (!order.check.empty()) {
        return check(options, environment);
    }
    // The traffic: of a profile or of a grid, or none.
    std::optional<Profile> profile;
    topo::Graph graph;
    topo::Grid grid;
    if (!options.profile.empty()) {
        Result<Profile> read = open_profile(options.profile);
        Result<topo::Graph> pairs =
            read ? graph_of(*read, options.profile) : Result<topo::Graph>(read.error());
        if (!pairs) {
            return pairs.error();
        }
        profile = std::move(*read);
        graph = std::move(*pairs);
    } else if (!order.grid.empty()) {
        const Result<topo::Grid> read = parse_grid(order.grid);
        if (!read) {
            return read.error();
        }
        grid = *read;
    }
    Skipped skipped;
    const Result<Slots> slots = read_slots(options, environment, profile ? &*profile : nullptr, skipped);
    if (!slots) {
        return slots.error();
    }
    const Result<topo::Capacities> capacities = topo::parse_capacities(order.capacities);
    if (!capacities) {
        const Error& error = capacities.error();
        return unusable("--capacities", '"' + error.value + "\":", error.message);
    }
    const std::size_t num_slots = slots->slots.size();
    const std::size_t num_ranks = profile               ? graph.num_vertices
                                  : !order.grid.empty() ? grid.num_cells()
                                                        : num_slots;
    if (num_ranks != num_slots) {
        return unusable(profile ? options.profile : "--grid " + order.grid,
                        fmt::format("has {}, but there are {}.", counted(num_ranks, "rank"),
                                    counted(num_slots, "slot")),
                        "Name hosts with as many slots as ranks");
    }
    const bool is_outside_only = order.format && !fixes_inside(*order.format);
    const Slots counted_slots = is_outside_only ? without_inside(*slots) : *slots;
    const Plan plan = profile               ? plan_graph(graph, counted_slots, *capacities)
                      : !order.grid.empty() ? plan_grid(grid, counted_slots, *capacities)
                                            : plan_hosts(counted_slots);
    Result<Ordered> ordered = write_up(options, *slots, counted_slots, plan, profile);
    const std::optional<Error> error = skipped.as_one();
    if (ordered && error) {
        ordered->skipped =
            unusable(error->position(), '"' + error->value + "\" is ignored:", error->message);
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
