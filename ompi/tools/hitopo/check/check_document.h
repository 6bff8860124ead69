// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What `hitopo check` found, as text and as JSON.
#ifndef OMPI_TOOLS_HITOPO_CHECK_CHECK_DOCUMENT_H
#define OMPI_TOOLS_HITOPO_CHECK_CHECK_DOCUMENT_H

#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/check/rules.h"

namespace hitopo::tool {

bool has_faults(const Checked& checked);

// A line with the counts, one for each finding, one for each thing that could not be checked.
std::string format_check(const Checked& checked, const Placement& placement, Charset charset);

// The document `check` of docs/json.md. `version` is the table's.
Json check_document(const Checked& checked, const Placement& placement, const std::string& version);

}  // namespace hitopo::tool

#endif
