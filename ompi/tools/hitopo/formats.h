// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Documents as text: pure functions, one a file. Each result ends in a newline; all names in it are
// safe (safe_text.h), but for JSON, which is ASCII.
#ifndef OMPI_TOOLS_HITOPO_FORMATS_H
#define OMPI_TOOLS_HITOPO_FORMATS_H

#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/devices/job.h"
#include "ompi/tools/hitopo/document.h"

namespace hitopo::tool {

// One line for each rank: each level's number and name.
std::string format_table(const TableDocument& table, Charset charset);

// Which GPUs and network interfaces each rank uses, and those of each kind of node.
std::string format_devices(const TableDocument& table, const DeviceJob& job, Charset charset);
Json devices_json(const DeviceJob& job);  // the member `devices` of the table's document

// For pictures: the GPUs and network interfaces of the first node of each kind, with the ranks that the
// environment gives them.
std::vector<SideResource> device_resources(const DeviceJob& job);

// The places as an indented tree.
std::string format_tree(const TableDocument& table, Charset charset);

// The places as nested boxes, a picture (UTF-8).
std::string format_svg(const TableDocument& table);

// By level the components' answers and their processes; element r is rank r's document, empty if it has
// none.
std::string format_why(const std::vector<std::optional<ProcessDocument>>& processes, Charset charset);

// The algorithms for collectives of messages of so many bytes by the table, with the variables of the
// framework's document. An error: coll_hitopo_links cannot be read.
Result<std::string> format_collectives(const TableDocument& table, const FrameworkDocument& framework,
                                       std::size_t bytes);

// Components and MCA variables.
std::string format_info(const FrameworkDocument& framework, Charset charset);

// Variables alone, with their help. has_help: else a line each.
std::string format_variables(const std::vector<VariableInfo>& variables, bool has_help, Charset charset);

// The system, Open MPI's configuration, the libraries of this process, and the variables of its
// environment that are HiTopo's or Open MPI's; in sections.
std::string bug_facts();

}  // namespace hitopo::tool

#endif
