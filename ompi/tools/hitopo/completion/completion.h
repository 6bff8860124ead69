// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo complete WORD..`: what a shell offers at the cursor. The files for bash and zsh beside this
// one call it.
#ifndef OMPI_TOOLS_HITOPO_COMPLETION_COMPLETION_H
#define OMPI_TOOLS_HITOPO_COMPLETION_COMPLETION_H

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hitopo::tool {

inline constexpr const char* kCompleteCommand = "complete";  // no subcommand: help does not list it

// The words that can stand at the cursor, a line each; "" where it can be a file. words: what is typed
// behind "hitopo", of which the last one ends at the cursor and may be empty.
std::string completions(const CLI::App& app, std::vector<std::string> words);

}  // namespace hitopo::tool

#endif
