// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/order/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/skipped.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/support/regular_file.h"
#include "ompi/tools/hitopo/order/hosts.h"
#include "ompi/tools/hitopo/order/launch_file.h"
#include "ompi/tools/hitopo/order/order_text.h"
#include "ompi/tools/hitopo/order/plan.h"
#include "ompi/tools/hitopo/order/slots.h"
#include "ompi/tools/hitopo/report/profile.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 62;  // of all pairs together

Error unusable(const std::string& where, std::string what, std::string remedy) {
    return {Errc::kMalformed, std::move(what), std::move(remedy), where, 0, 0};
}

Result<std::string> read_file(const std::string& path) {
    const Result<std::string> text = RegularFile(path).read(kMaxFileBytes);
    return text ? text
                : Result<std::string>(Error{text.error().code,
                                            fmt::format("cannot be read: {}.", text.error().message),
                                            "Check the name", path, 0, 0});
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

// Of a profile's job, lines are its ranks in their order, if they are as many; else a launch fills host
// after host, and a host that is named on several lines has a slot for each that gives none.
Result<std::vector<Host>> hosts_of_file(const std::string& path, const Profile* profile) {
    const Result<std::string> text = read_file(path);
    if (!text) {
        return text.error();
    }
    Result<std::vector<Host>> hosts = parse_hostfile(*text, path);
    if (!hosts) {
        return hosts.error();
    }
    std::size_t num_ranks = 0;
    std::unordered_map<std::string, std::size_t> num_lines;
    for (const Host& host : *hosts) {
        num_ranks += std::max<std::size_t>(host.num_slots, 1);
        ++num_lines[host.name];
    }
    const bool are_ranks = profile != nullptr && num_ranks == static_cast<std::size_t>(profile->size);
    std::vector<std::string> open;
    for (Host& host : *hosts) {
        if (host.num_slots == 0 && num_lines[host.name] == 1 && !are_ranks) {
            open.push_back(host.name);
        }
        host.num_slots = std::max<std::size_t>(host.num_slots, 1);
    }
    if (!open.empty()) {
        const std::string count = counted(open.size(), "host");
        return unusable(path,
                        fmt::format("has no slots for {}: {}.", count, compress_hosts(std::move(open))),
                        "mpirun uses the number of cores of a host, which is not known here: write "
                        "slots=N after each name");
    }
    return profile != nullptr ? hosts : merged(*hosts);
}

Result<Slots> slots_without_network(const Options& options, const OrderEnvironment& environment,
                                    const Profile* profile) {
    if (!options.order.table.empty()) {
        return slots_of_table_file(options.order.table);
    }
    const std::string& hostfile = options.order.hostfile;
    if (profile == nullptr || !hostfile.empty()) {
        const Result<std::vector<Host>> hosts =
            hostfile.empty() ? slurm_hosts(environment.variable) : hosts_of_file(hostfile, profile);
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
    FileSettings settings = environment.file;
    settings.path = options.order.topology;
    const Result<FileAnswers> file =
        open_file(settings, regular_files("name a file in a format of hitopo_file_path", "--topology"));
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

constexpr const char* kProfileRemedy = "Run the job again with --mca hitopo_prof_pairs 1";

Result<topo::Graph> graph_of(const Profile& profile, const std::string& where) {
    if (profile.pairs.empty()) {
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
    for (const ProcessPairs& process : profile.pairs) {
        if (process.unknown_bytes > 0) {
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
    for (const ProcessPairs& process : profile.pairs) {
        sum += std::min(process.collective_bytes, kMaxBytes - std::min(sum, kMaxBytes));
    }
    return sum;
}

// ---- the order ----

struct Request {
    const Options& options;
    Slots slots;
    topo::Capacities capacities;
    Skipped skipped;
    std::string note = {};  // for the report

    bool is_outside_only() const { return options.order.format && !fixes_inside(*options.order.format); }
};

Result<Request> make_request(const Options& options, const OrderEnvironment& environment,
                             const Profile* profile) {
    Skipped skipped;
    Result<Slots> slots = read_slots(options, environment, profile, skipped);
    if (!slots) {
        return slots.error();
    }
    const Result<topo::Capacities> capacities = topo::parse_capacities(options.order.capacities);
    if (!capacities) {
        const Error& error = capacities.error();
        return unusable("--capacities", '"' + error.value + "\":", error.message);
    }
    return Request{options, std::move(*slots), *capacities, std::move(skipped)};
}

// What the format does not fix counts nowhere.
Slots counted_slots(const Request& request) {
    return request.is_outside_only() ? without_inside(request.slots) : request.slots;
}

Result<Ordered> finish(const Request& request, const Plan& plan, const Slots& slots, const char* unit,
                       std::uint64_t collective_bytes) {
    const OrderOptions& options = request.options.order;
    OrderText text{plan, slots, unit, collective_bytes, request.is_outside_only(), "", request.note};
    Ordered ordered;
    if (options.format) {
        Result<LaunchFile> file =
            launch_file(request.slots, plan.slot_of, *options.format, options.launcher);
        if (!file) {
            return file.error();
        }
        const std::string& output = request.options.output;
        text.usage = fmt::format(file->usage, output.empty() ? "FILE" : output);
        ordered.file = std::move(file->text);
    }
    ordered.report = order_text(text);
    if (const std::optional<Error> skipped = request.skipped.as_one()) {
        ordered.skipped =
            unusable(skipped->position(), '"' + skipped->value + "\" is ignored:", skipped->message);
    }
    return ordered;
}

std::optional<Error> size_error(const std::string& what, std::size_t size, const Slots& slots) {
    return size == slots.slots.size()
               ? std::nullopt
               : std::optional<Error>(
                     unusable(what,
                              fmt::format("has {}, but there are {}.", counted(size, "rank"),
                                          counted(slots.slots.size(), "slot")),
                              "Name hosts with as many slots as ranks"));
}

Result<Ordered> order_profile(const Options& options, const OrderEnvironment& environment) {
    const Result<Profile> profile = open_profile(options.profile, ProfileUse::kPairs);
    if (!profile) {
        return profile.error();
    }
    const Result<topo::Graph> graph = graph_of(*profile, options.profile);
    if (!graph) {
        return graph.error();
    }
    Result<Request> request = make_request(options, environment, &*profile);
    if (!request) {
        return request.error();
    }
    if (std::optional<Error> error = size_error(options.profile, graph->num_vertices, request->slots)) {
        return std::move(*error);
    }
    if (profile->table && !share_nodes_as(request->slots, *profile->table)) {
        request->note =
            "On these hosts the ranks share nodes in another way than in the job of the profile: "
            "\"now\" is a launch that fills the hosts in the given order.";
    }
    const Slots slots = counted_slots(*request);
    return finish(*request, plan_graph(*graph, slots, request->capacities), slots, "bytes",
                  collective_bytes_of(*profile));
}

Result<Ordered> order_grid(const Options& options, const OrderEnvironment& environment) {
    const Result<topo::Grid> grid = parse_grid(options.order.grid);
    if (!grid) {
        return grid.error();
    }
    const Result<Request> request = make_request(options, environment, nullptr);
    if (!request) {
        return request.error();
    }
    if (std::optional<Error> error =
            size_error("--grid " + grid_words(*grid), grid->num_cells(), request->slots)) {
        return std::move(*error);
    }
    const Slots slots = counted_slots(*request);
    return finish(*request, plan_grid(*grid, slots, request->capacities), slots, "pairs", 0);
}

Result<Ordered> order_hosts(const Options& options, const OrderEnvironment& environment) {
    const Result<Request> request = make_request(options, environment, nullptr);
    if (!request) {
        return request.error();
    }
    const Slots slots = counted_slots(*request);
    return finish(*request, plan_hosts(slots), slots, "pairs", 0);
}

}  // namespace

Result<Ordered> find_order(const Options& options, const OrderEnvironment& environment) {
    const OrderOptions& order = options.order;
    return !options.profile.empty() ? order_profile(options, environment)
           : !order.grid.empty()    ? order_grid(options, environment)
                                    : order_hosts(options, environment);
}

// grid: dimension {"x" dimension}; dimension: number ["p"]
//
//     64x48p
Result<topo::Grid> parse_grid(std::string_view text) {
    topo::Grid grid;
    std::size_t num_cells = 1;
    for (std::string_view piece : split(text, 'x')) {
        const std::string_view whole = piece;
        const bool is_periodic = !piece.empty() && piece.back() == 'p';
        piece.remove_suffix(is_periodic ? 1 : 0);
        const std::optional<std::uint64_t> dim = parse_number(piece);
        if (!dim || *dim == 0) {
            return unusable("--grid", fmt::format("is not a grid: \"{}\".", whole),
                            "Write dimensions separated by x, with p after periodic dimensions: 64x48p");
        }
        if (*dim > kMaxSlots / num_cells) {
            return Error{Errc::kTooLarge,
                         fmt::format("is too large: \"{}\".", text),
                         fmt::format("A grid has at most {} cells", kMaxSlots),
                         "--grid",
                         0,
                         0};
        }
        num_cells *= *dim;
        grid.dims.push_back(static_cast<int>(*dim));
        grid.is_periodic.push_back(is_periodic);
    }
    return grid;
}

std::string grid_words(const topo::Grid& grid) {
    std::string text;
    for (std::size_t i = 0; i < grid.num_dims(); ++i) {
        text += fmt::format("{}{}{}", i > 0 ? "x" : "", grid.dims[i], grid.is_periodic[i] ? "p" : "");
    }
    return text;
}

}  // namespace hitopo::tool
