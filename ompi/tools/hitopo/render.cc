// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ompi/mca/coll/hitopo/core/links.h"
#include "ompi/mca/coll/hitopo/core/serve.h"
#include "ompi/tools/hitopo/check/check.h"
#include "ompi/tools/hitopo/check/own_process.h"
#include "ompi/tools/hitopo/formats.h"

namespace hitopo::tool {
namespace {

constexpr std::string_view kNoTableRemedy =
    "Run the same hitopo with the same settings in all processes. `hitopo info` lists the settings, and "
    "`hitopo show --why` lists the results of each process.";

std::string no_table(const std::string& reason) {
    return fmt::format("MPI_COMM_WORLD has no address table: {}.\n{}",
                       reason.empty() ? "the library gives no reason" : safe(reason, Charset::kAscii),
                       kNoTableRemedy);
}

template <class Document>
std::optional<Document> read(const std::string& text, Result<Document> (*parse)(const Json&)) {
    const Result<Json> json = parse_json(text);
    if (!json) {
        return std::nullopt;
    }
    Result<Document> document = parse(*json);
    return document ? std::optional<Document>(std::move(*document)) : std::nullopt;
}

std::string why_text(const Documents& documents, Charset charset) {
    std::vector<std::optional<ProcessDocument>> processes;
    for (const std::string& text : documents.processes) {
        processes.push_back(read(text, parse_process));
    }
    return format_why(processes, charset);
}

// Adds the CPUs of each rank's cpuset, where that lacks some of its machine.
void add_allowed(const TableDocument& table, const std::vector<std::string>& limits, Json& json) {
    for (std::size_t rank = 0; rank < std::min(limits.size(), table.ranks.size()); ++rank) {
        const RankRow& row = table.ranks[rank];
        const int machine = row.node < 0 || table.nodes.empty()
                                ? -1
                                : table.nodes[static_cast<std::size_t>(row.node)].machine;
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

// The table's document with a further member "processes"; null for those without a document.
std::string json_text(Json table, const Documents& documents, bool has_why) {
    if (has_why) {
        Json processes = Json::array();
        for (const std::string& text : documents.processes) {
            Result<Json> process = parse_json(text);
            processes.push_back(process ? std::move(*process) : Json());
        }
        table["processes"] = std::move(processes);
    }
    return pretty_json(table);
}

std::string picture(const TableDocument& table, Format format, Charset charset) {
    switch (format) {
        case Format::kTree:
            return format_tree(table, charset);
        case Format::kSvg:
            return format_svg(table);
        default:
            return format_table(table, charset);
    }
}

FrameworkDocument read_framework(const Documents& documents) {
    return read(documents.framework.value_or(""), parse_framework).value_or(FrameworkDocument{});
}

Rendered render_collectives(const TableDocument& table, const Documents& documents, std::size_t bytes) {
    const Result<std::string> text = format_collectives(table, read_framework(documents), bytes);
    return text ? Rendered{*text, ""} : Rendered{"", error_line(text.error())};
}

Rendered render_table(const Documents& documents, const Options& options, Charset charset) {
    Result<Json> json = parse_json(*documents.table);
    if (!json) {
        return {"", error_line(json.error())};
    }
    const Result<TableDocument> table = parse_table(*json);
    if (!table) {
        return {"", error_line(table.error())};
    }
    if (options.collectives_bytes) {
        return render_collectives(*table, documents, *options.collectives_bytes);
    }
    if (options.format == Format::kJson) {
        add_allowed(*table, documents.limits, *json);
        return {json_text(std::move(*json), documents, options.has_why), ""};
    }
    const std::string why = options.has_why ? "\n" + why_text(documents, charset) : "";
    return {picture(*table, options.format, charset) + why, ""};
}

}  // namespace

Rendered render_show(const Documents& documents, const Options& options, Charset charset) {
    if (documents.table) {
        return render_table(documents, options, charset);
    }
    const bool has_text = options.has_why && options.format != Format::kJson;
    return {has_text ? why_text(documents, charset) : "", no_table(documents.reason)};
}

Rendered render_info(const std::optional<std::string>& framework, const Options& options,
                     Charset charset) {
    if (!framework) {
        return {
            "",
            "the library returned no data: memory ran out, or the framework hitopo could not be opened"};
    }
    const Result<Json> json = parse_json(*framework);
    if (!json) {
        return {"", error_line(json.error())};
    }
    const Result<FrameworkDocument> document = parse_framework(*json);
    if (!document) {
        return {"", error_line(document.error())};
    }
    return {options.format == Format::kJson ? pretty_json(*json) : format_info(*document, charset), ""};
}

CollSettings settings_in(const Documents& documents) { return coll_settings(read_framework(documents)); }

std::vector<std::int32_t> addresses_in(const Documents& documents) {
    const std::optional<TableDocument> table = read(documents.table.value_or(""), parse_table);
    return table ? addresses_in(*table) : std::vector<std::int32_t>();
}

Rendered render_tune(const Documents& documents, bool is_check) {
    if (!documents.tuning) {
        return {"", no_table(documents.reason)};
    }
    if (!is_check) {
        return {format_tuning(*documents.tuning), ""};
    }
    const CollSettings settings = settings_in(documents);
    const Result<coll::Links> links = coll::parse_links(settings.links);
    const Result<coll::Served> served = coll::parse_serve(settings.serve, documents.tuning->shape);
    if (!links || !served) {
        return {"", error_line(links ? served.error() : links.error())};
    }
    bool has_changed = false;
    std::string text = format_changes(*documents.tuning, *links, *served, has_changed);
    return {std::move(text), "", has_changed};
}

Rendered render_check(const Documents& documents, const Options& options, Charset charset) {
    if (!documents.table) {
        return {"", no_table(documents.reason)};
    }
    const Result<Json> json = parse_json(*documents.table);
    if (!json) {
        return {"", error_line(json.error())};
    }
    const Result<Placement> placement = read_placement(*json, documents.threads, documents.limits);
    if (!placement) {
        return {"", error_line(placement.error())};
    }
    const Checked checked = check_placement(*placement, options.uses_openmp);
    return {options.format == Format::kJson
                ? pretty_json(check_document(checked, *placement, (*json)["hitopo"]))
                : format_check(checked, *placement, charset),
            "", has_faults(checked)};
}

}  // namespace hitopo::tool
