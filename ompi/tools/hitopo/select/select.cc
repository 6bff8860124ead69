// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/select/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "ompi/mca/hitopo/core/machine/plan.h"
#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/launch/launch.h"

namespace hitopo::tool {
namespace {

using Ranks = std::vector<int>;  // of one node, by local rank

std::optional<Error> complaint_about_devices(const DeviceJob& job, const SelectOptions& options) {
    std::set<unsigned> vendors;
    for (const NodeKind& kind : job.kinds) {
        if (kind.devices.gpus.empty() && kind.devices.nics.empty()) {
            return refused(fmt::format("{}: neither a GPU nor a NIC is there.", kind.names.front()),
                           "`hitopo show --devices` lists the devices of each node");
        }
        for (const Device& gpu : kind.devices.gpus) {
            vendors.insert(gpu.vendor);
        }
    }
    if (vendors.size() > 1) {
        return refused("The job has GPUs of two vendors, each with variables of its own.",
                       "Select on the nodes of one vendor at a time");
    }
    if (options.sees_all && vendors.count(kIntel) > 0) {
        return refused("--visible all puts a rank's own GPU first, but ZE_AFFINITY_MASK has no order.",
                       "Use --visible own");
    }
    return std::nullopt;
}

// The GPUs of the job are those that the variables choose now.
std::optional<Error> complaint_about_views(const DeviceJob& job) {
    for (std::size_t rank = 0; rank < job.ranks.size(); ++rank) {
        const GpuView& view = job.ranks[rank].gpus;
        if (!view.is_known) {
            return refused(fmt::format("rank {}: which GPUs {} leaves it is unknown.", rank,
                                       view.source.empty() ? "its environment" : view.source),
                           "Unset it; instances of a divided GPU (MIG) are for you to choose");
        }
    }
    return std::nullopt;
}

// Local rank i of the node is to have what local rank i of the other has.
std::optional<Error> complaint_about_ranks(const DeviceJob& job, const Ranks& node, const Ranks& other) {
    if (std::equal(node.begin(), node.end(), other.begin(),
                   [&](int a, int b) { return job.rank(a).cpus == job.rank(b).cpus; }) &&
        job_gpus(job, node) == job_gpus(job, other)) {
        return std::nullopt;
    }
    return refused(
        fmt::format("Nodes {} and {} have equal devices, but their ranks have other CPUs or GPUs.",
                    job.rank(node.front()).node, job.rank(other.front()).node),
        "Start them alike, with --bind-to none for example, or select for each node alone");
}

std::optional<Error> complaint_about_hidden(const DeviceJob& job, int rank) {
    const DeviceRank& own = job.rank(rank);
    const std::vector<int> open = open_gpus(job.devices_of(own), own.own);
    for (const int gpu : own.gpus.gpus) {
        if (std::find(open.begin(), open.end(), gpu) == open.end()) {
            return refused(
                fmt::format("rank {} may not open GPU {} of {}, which should be its own: a "
                            "control group hides it.",
                            rank, gpu, own.node),
                "Let each rank see all GPUs of the job, with srun --gpu-bind=none for example");
        }
    }
    return std::nullopt;
}

// nodes: those of a kind. Adds to `selection` what their ranks should have.
std::optional<Error> select_on(const std::vector<Ranks>& nodes, const SelectOptions& options,
                               const DeviceJob& job, Selection& selection) {
    const Ranks& largest = *std::max_element(
        nodes.begin(), nodes.end(), [](const Ranks& a, const Ranks& b) { return a.size() < b.size(); });
    std::vector<CpuSet> bound;
    for (const int rank : largest) {
        bound.push_back(job.rank(rank).cpus);
    }
    const std::vector<int> gpus = job_gpus(job, largest);
    const std::vector<RankPlan> plans =
        plan(job.devices_of(job.rank(largest.front())), bound, gpus,
             {options.gpus_per_rank, options.by_gpu, options.keeps_cpus});
    for (const Ranks& node : nodes) {
        std::optional<Error> complaint = complaint_about_ranks(job, node, largest);
        for (std::size_t i = 0; !complaint && i < node.size(); ++i) {
            const auto rank = static_cast<std::size_t>(node[i]);
            DeviceRank& own = selection.job.ranks[rank];
            selection.is_rebound[rank] = own.cpus != plans[i].cpus;
            own.cpus = plans[i].cpus;
            own.gpus = {true, plans[i].gpus, "select", {}};
            own.nics = {plans[i].nics, "select", {}};
            complaint = complaint_about_hidden(selection.job, node[i]);
        }
        if (complaint) {
            return complaint;
        }
    }
    selection.kinds.push_back({largest, gpus});
    return std::nullopt;
}

// ---- what it writes ----

// A rankfile of the job as it runs, with the CPUs of the plan.
Result<LaunchFile> to_rankfile(const TableDocument& planned, const Selection& selection,
                               Launcher launcher) {
    const auto not_possible = [](std::string what, std::string remedy = "Use --format script") {
        return Error{Errc::kMalformed, std::move(what), std::move(remedy), ""};
    };
    for (std::size_t rank = 0; rank < selection.job.ranks.size(); ++rank) {
        if (selection.job.ranks[rank].cpus.is_empty()) {
            return not_possible(
                fmt::format("A rankfile binds ranks, but rank {} would have no CPUs of its own.", rank),
                "Use --format script, or --bind auto and no more ranks than cores");
        }
    }
    const Result<Slots> slots = slots_of(planned, "");
    if (!slots) {
        return not_possible("The table " + slots.error().value);
    }
    topo::PerProcess same(slots->slots.size());
    std::iota(same.begin(), same.end(), 0u);
    Result<LaunchFile> file = launch_file(*slots, same, Format::kRankfile, launcher);
    return file ? file : not_possible(file.error().value);
}

Result<LaunchFile> to_file(const TableDocument& planned, const Selection& selection,
                           const Options& options, Launcher launcher) {
    if (options.format == Format::kRankfile) {
        return to_rankfile(planned, selection, launcher);
    }
    if (options.format == Format::kJson) {
        Json document = {{"hitopo", planned.version}, {"schema", kSchema}, {"document", "select"}};
        document.update(devices_json(selection.job));
        return LaunchFile{pretty_json(document), ""};
    }
    const Result<std::string> script =
        select_script(selection, options.select.sees_all, planned.version);
    return script ? LaunchFile{*script, "mpirun OPTIONS {} ./program ARGUMENTS"}
                  : Result<LaunchFile>(script.error());
}

}  // namespace

Result<Selection> select_devices(const DeviceJob& job, const SelectOptions& options) {
    Selection selection{job, std::vector<bool>(job.ranks.size()), {}};
    std::map<int, std::map<std::string, Ranks>> kinds;  // the nodes of each by name
    for (int rank = 0; rank < static_cast<int>(job.ranks.size()); ++rank) {
        kinds[job.rank(rank).kind][job.rank(rank).node].push_back(rank);
    }
    std::optional<Error> complaint = complaint_about_devices(job, options);
    complaint = complaint ? complaint : complaint_about_views(job);
    for (auto kind = kinds.begin(); !complaint && kind != kinds.end(); ++kind) {
        std::vector<Ranks> nodes;
        for (const auto& [name, ranks] : kind->second) {
            nodes.push_back(ranks);
        }
        complaint = select_on(nodes, options, job, selection);
    }
    if (complaint) {
        return *complaint;
    }
    return selection;
}

Rendered render_selection(TableDocument table, const DeviceJob& job, const Options& options,
                          Launcher launcher, Charset charset) {
    const Result<Selection> selection = select_devices(job, options.select);
    if (!selection) {
        return {"", error_line(selection.error())};
    }
    for (std::size_t rank = 0; rank < job.ranks.size(); ++rank) {
        if (selection->is_rebound[rank]) {
            table.ranks[rank].cpus = selection->job.ranks[rank].cpus.to_string();
        }
    }
    const Result<LaunchFile> file = to_file(table, *selection, options, launcher);
    if (!file) {
        return {"", error_line(file.error())};
    }
    const bool is_script = options.format == Format::kScript;
    std::string path = !options.output.empty() ? options.output : is_script ? "select" : "FILE";
    if (is_script && path.find('/') == std::string::npos) {
        path.insert(0, "./");  // as a shell finds a program there
    }
    const std::string usage = fmt::format(file->usage, path);
    return {file->text, "", false,
            format_devices(table, selection->job, charset) +
                (usage.empty() ? "" : "\nTo launch:\n  " + usage + '\n')};
}

}  // namespace hitopo::tool
