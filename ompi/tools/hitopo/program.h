// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The programs hitopo and hitopo-profile have this in common: the output, messages and exit status of a
// command.
#ifndef OMPI_TOOLS_HITOPO_PROGRAM_H
#define OMPI_TOOLS_HITOPO_PROGRAM_H

#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/options.h"

namespace hitopo::tool {

struct Rendered {
    std::string text;         // for the output; may be empty
    std::string error;        // for standard error, without "hitopo: "; empty if all went well
    bool has_faults = false;  // of check: found some; of tune --check: settings that do not fit
};

// Whether hitopo-profile has this subcommand.
bool is_of_profiler(std::string_view subcommand);

// The characters that the terminal shows.
Charset terminal_charset();

// Usage errors, help and reports come without MPI_Init, when only the launcher's environment tells the
// rank: mpirun's, srun's with PMIx.
bool is_first_process();

// Writes a line to standard error. Returns kExitFailed.
int report(const std::string& error);

// These return the exit status. print: help, or what is wrong with the command line.
int write(const Rendered& rendered, const Options& options);
int print(const CommandLine& line);

// One line for people.
std::string error_line(const Error& error);

}  // namespace hitopo::tool

#endif
