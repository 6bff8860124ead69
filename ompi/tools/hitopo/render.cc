// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/render.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ompi/mca/coll/hitopo/core/settings.h"
#include "ompi/tools/hitopo/check/check.h"
#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/select/select.h"

namespace hitopo::tool {
namespace {

std::string no_table(const std::string& reason) {
    return fmt::format(
        "MPI_COMM_WORLD has no address table: {}.\nRun the same hitopo with the same settings in all "
        "processes. `hitopo info` lists the settings, and `hitopo show --why` lists the results of each "
        "process.",
        reason.empty() ? "the library gives no reason" : safe(reason, Charset::kAscii));
}

template <class Document>
Result<Document> read(const std::string& text, Result<Document> (*parse)(const Json&)) {
    const Result<Json> json = parse_json(text);
    return json ? parse(*json) : Result<Document>(json.error());
}

// The result of `render` for the table and its JSON; else the obstacle.
template <class Render>
Rendered with_table(const Documents& documents, Render render) {
    if (!documents.table) {
        return {"", no_table(documents.reason)};
    }
    Result<Json> json = parse_json(*documents.table);
    Result<TableDocument> table = json ? parse_table(*json) : Result<TableDocument>(json.error());
    return table ? render(*table, *json) : Rendered{"", error_line(table.error())};
}

std::string why_text(const Documents& documents, Charset charset) {
    std::vector<std::optional<ProcessDocument>> processes;
    for (const std::string& text : documents.processes) {
        Result<ProcessDocument> process = read(text, parse_process);
        processes.push_back(process ? std::optional(std::move(*process)) : std::nullopt);
    }
    return format_why(processes, charset);
}

// Adds the CPUs of each rank's cpuset, where that lacks some of its machine.
void add_allowed(const TableDocument& table, const std::vector<std::string>& limits, Json& json) {
    for (std::size_t rank = 0; rank < std::min(limits.size(), table.ranks.size()); ++rank) {
        const RankRow& row = table.ranks[rank];
        const int machine = table.machine_of(row);
        if (machine < 0) {
            continue;
        }
        const CpuSet all =
            CpuSet::parse_or_empty(table.machines[static_cast<std::size_t>(machine)].cpus);
        const CpuLimits own = cpu_limits_in(limits[rank]);
        if (!own.allowed.is_empty() && !all.is_subset_of(own.allowed) &&
            are_limits_of(own, CpuSet::parse_or_empty(row.cpus.value_or("")), all)) {
            json["ranks"][rank]["allowed"] = own.allowed.to_string();
        }
    }
}

Rendered render_table(TableDocument& table, Json& json, const Documents& documents,
                      const Options& options, Charset charset) {
    const DeviceJob devices = options.has_devices
                                  ? read_device_job(table, documents.devices, documents.own_devices)
                                  : DeviceJob();
    if (options.collectives_bytes) {
        const Result<std::string> text =
            format_collectives(table, framework_in(documents), *options.collectives_bytes);
        return text ? Rendered{*text, ""} : Rendered{"", error_line(text.error())};
    }
    if (options.format == Format::kJson) {
        if (options.has_devices) {
            json["devices"] = devices_json(devices);
        }
        add_allowed(table, documents.limits, json);
        if (options.has_why) {
            json["processes"] = Json::array();
            for (const std::string& text : documents.processes) {
                Result<Json> process = parse_json(text);  // null for those without a document
                json["processes"].push_back(process ? std::move(*process) : Json());
            }
        }
        return {pretty_json(json), ""};
    }
    if (options.format == Format::kSvg) {
        const std::vector<SideResource> resources = device_resources(devices);
        table.side.insert(table.side.end(), resources.begin(), resources.end());
        return {format_svg(table), ""};
    }
    return {(options.format == Format::kTree ? format_tree(table, charset)
             : options.has_devices           ? format_devices(table, devices, charset)
                                             : format_table(table, charset)) +
                (options.has_why ? "\n" + why_text(documents, charset) : ""),
            ""};
}

}  // namespace

TableDocument table_in(const Documents& documents) {
    Result<TableDocument> table = read(documents.table.value_or(""), parse_table);
    return table ? std::move(*table) : TableDocument();
}

FrameworkDocument framework_in(const Documents& documents) {
    Result<FrameworkDocument> framework = read(documents.framework.value_or(""), parse_framework);
    return framework ? std::move(*framework) : FrameworkDocument();
}

Rendered render_show(const Documents& documents, const Options& options, Charset charset) {
    Rendered rendered = with_table(documents, [&](TableDocument& table, Json& json) {
        return render_table(table, json, documents, options, charset);
    });
    if (!documents.table && options.has_why && options.format != Format::kJson) {
        rendered.text = why_text(documents, charset);
    }
    return rendered;
}

namespace {

// All that a report of a bug needs, in ASCII.
std::string bug_report(const Documents& documents, const FrameworkDocument& framework) {
    std::vector<VariableInfo> set = framework.variables;
    set.erase(std::remove_if(set.begin(), set.end(),
                             [](const VariableInfo& variable) { return variable.source == "default"; }),
              set.end());
    return fmt::format("HiTopo {} in Open MPI {}\n", framework.version, framework.open_mpi) +
           bug_facts() + "\n## Variables that are set\n" +
           format_variables(set, false, Charset::kAscii) + "\n## Reasons (hitopo show --why)\n" +
           why_text(documents, Charset::kAscii) + "\n## Table (hitopo show --format json)\n" +
           (documents.table ? *documents.table : "none: " + documents.reason) + '\n';
}

// Drops the variables whose names begin with none of these.
void keep_named(const std::vector<std::string>& names, Json& variables) {
    Json kept = Json::array();
    for (Json& variable : variables) {
        const std::string own = text_at(variable, "name");
        if (std::any_of(names.begin(), names.end(),
                        [&](const std::string& name) { return own.rfind(name, 0) == 0; })) {
            kept.push_back(std::move(variable));
        }
    }
    variables = std::move(kept);
}

}  // namespace

Rendered render_info(const Documents& documents, const Options& options, Charset charset) {
    const std::optional<std::string>& framework = documents.framework;
    if (!framework) {
        return {
            "",
            "the library returned no data: memory ran out, or the framework hitopo could not be opened"};
    }
    Result<FrameworkDocument> document = read(*framework, parse_framework);
    if (!document) {
        return {"", error_line(document.error())};
    }
    if (options.is_bug_report) {
        return {bug_report(documents, *document), ""};
    }
    Result<Json> json = parse_json(*framework);
    if (!options.names.empty()) {
        keep_named(options.names, (*json)["variables"]);
        document = parse_framework(*json);
    }
    if (document->variables.empty() && !options.names.empty()) {
        return {"", fmt::format("no variable begins with {}. `hitopo info` lists all.",
                                safe(fmt::format("{}", fmt::join(options.names, " or ")), charset))};
    }
    return {options.format == Format::kJson ? pretty_json(*json)
            : options.names.empty()         ? format_info(*document, charset)
                                            : format_variables(document->variables, true, charset),
            ""};
}

Rendered with_state(Rendered info, const Documents& documents, const Options& options) {
    if (!info.error.empty() || options.format != Format::kText || options.is_bug_report ||
        !options.names.empty()) {
        return info;
    }
    std::string state = "HiTopo is off here: " + safe(documents.reason, Charset::kAscii);
    if (documents.table) {
        std::string levels, reorder = "off";
        for (const LevelSummary& level : table_in(documents).levels) {
            levels += level.known == Known::kNone ? "" : (levels.empty() ? "" : ", ") + level.name;
        }
        const FrameworkDocument framework = framework_in(documents);
        for (const VariableInfo& variable : framework.variables) {
            reorder = variable.name == "topo_hitopo_reorder" ? variable.value.value_or("off") : reorder;
        }
        state = fmt::format("HiTopo is on here; levels: {}; collectives: {}; reorder: {}",
                            levels.empty() ? "none" : safe(levels, Charset::kAscii),
                            coll_settings(framework).priority >= 0 ? "on" : "off",
                            safe(reorder, Charset::kAscii));
    }
    info.text = state + "\n\n" + info.text;
    return info;
}

Rendered render_tune(const Documents& documents, bool is_check) {
    if (!documents.tuning) {
        return {"", no_table(documents.reason)};
    }
    if (!is_check) {
        return {format_tuning(*documents.tuning), ""};
    }
    const CollSettings settings = coll_settings(framework_in(documents));
    const Result<coll::Links> links = coll::parse_links(settings.links);
    const Result<coll::Served> served = coll::parse_serve(settings.serve, documents.tuning->shape);
    if (!links || !served) {
        return {"", error_line(links ? served.error() : links.error())};
    }
    bool has_changed = false;
    std::string text = format_changes(*documents.tuning, *links, *served, has_changed);
    return {std::move(text), "", has_changed};
}

Rendered render_select(const Documents& documents, const Options& options, Launcher launcher,
                       Charset charset) {
    return with_table(documents, [&](const TableDocument& table, const Json&) {
        const DeviceJob job = read_device_job(table, documents.devices, documents.own_devices);
        return render_selection(table, job, options, launcher, charset);
    });
}

Rendered render_check(const Documents& documents, const Options& options, Charset charset) {
    return with_table(documents, [&](const TableDocument& table, const Json&) -> Rendered {
        const Result<CheckedJob> job = read_checked_job(table, documents.threads, documents.limits);
        if (!job) {
            return {"", error_line(job.error())};
        }
        const DeviceJob devices = read_device_job(table, documents.devices, documents.own_devices);
        Checked more;
        if (!options.required.empty()) {
            find_required(table, *job, *parse_required(options.required), more.findings);
        }
        if (options.link_seconds > 0) {
            find_slow_links(documents.links, table, *job, devices, more);
        }
        const Checked checked =
            check_job(*job, options.uses_openmp, devices, {options.uses_gpus, options.gpu_by_local_rank},
                      std::move(more));
        return {options.format == Format::kJson
                    ? pretty_json(check_document(checked, *job, table.version))
                    : format_check(checked, *job, charset),
                "", has_faults(checked)};
    });
}

}  // namespace hitopo::tool
