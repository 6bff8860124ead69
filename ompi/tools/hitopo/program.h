// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The common part of the programs hitopo and hitopo-profile: the output, messages and exit status of a
// command.
#ifndef OMPI_TOOLS_HITOPO_PROGRAM_H
#define OMPI_TOOLS_HITOPO_PROGRAM_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/network/slurm_components.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/options.h"

namespace hitopo::tool {

struct Rendered {
    std::string text;         // for the output; may be empty
    std::string error;        // for standard error, without "hitopo: "; empty if all went well
    bool has_faults = false;  // of check: found some; of tune --check: settings that do not fit
    std::string beside = {};  // for people, where the text, for a program, does not go
};

// Whether hitopo-profile has this subcommand.
bool is_of_profiler(std::string_view subcommand);

// The characters that the terminal shows.
Charset terminal_charset();

// Usage errors, help and reports come without MPI_Init, when only the launcher's environment has the
// rank: mpirun's, srun's with PMIx.
bool is_first_process();

// Processes beside this one, by launchers' variables.
struct Launched {
    std::string others;    // "PMI_SIZE is 4"; "": there are none, or no variable shows them
    bool is_first = true;  // of those that know of others
};

// By the first launcher whose variables are set: Open MPI's, which may run within another.
Launched launched_by(const Variable& variable);

// Writes a line to standard error. Returns kExitFailed.
int report(const std::string& error);

// These return the exit status. print: help, or the fault of the command line.
int write(const Rendered& rendered, const Options& options);
int print(const CommandLine& line);

// One line for people.
std::string error_line(const Error& error);

// Writes all of `text` to the file `path`, or to standard output if it is empty, as far as the system
// confirms it. A file gets its name when it is whole; a pipe or device is written as the text comes, and
// a link only if no other user made it (support/written_file.h). is_program: a new file may be executed.
std::optional<Error> write_output(const std::string& text, const std::string& path,
                                  bool is_program = false);

// Returns the error that write_output would give for a file or folder whatever the text is, for before
// long work; none for a link, pipe or device. Leaves nothing behind.
std::optional<Error> probe_output(const std::string& path);

// A line for each of these files, with the local time at which it was written, the oldest first; those
// that cannot be looked at come first, with the reason.
std::string listed_by_time(const std::vector<std::string>& paths);

}  // namespace hitopo::tool

#endif
