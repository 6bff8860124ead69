// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Runs Graphviz as a child process.
#ifndef OMPI_TOOLS_HITOPO_SHOW_GRAPHVIZ_H
#define OMPI_TOOLS_HITOPO_SHOW_GRAPHVIZ_H

#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo::tool {

struct Graphviz {
    std::string program = "dot";  // searched for in PATH
    int limit_ms = 60000;         // the child is killed after that
};

// `dot` (Graphviz's language) as SVG. Errors: the program is missing, fails or takes too long. No
// shell; the child does not inherit what would make it an MPI process of this job.
Result<std::string> draw_svg(const std::string& dot, const Graphviz& graphviz);

// `environment` (NAME=VALUE strings) without LD_PRELOAD, OMPI_*, PMIX_*.
std::vector<std::string> child_environment(const char* const* environment);

}  // namespace hitopo::tool

#endif
