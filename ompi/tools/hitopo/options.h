// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The command line.
#ifndef OMPI_TOOLS_HITOPO_OPTIONS_H
#define OMPI_TOOLS_HITOPO_OPTIONS_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/topo/hitopo/core/graph.h"

namespace hitopo::tool {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;  // no table, no profile, no output, or check found a fault; of
                                       // map: it left something of the files out
inline constexpr int kExitUsage =
    2;  // the command line is wrong, whatever the files hold; of map: there is none

enum class Command { kShow, kInfo, kReport, kTune, kOrder, kCheck, kMap, kSelect };
// show has the first four, info and check kText and kJson, report kJson to kCsv, select kScript,
// kRankfile and kJson, order kHostfile to kMap, or kText: none is asked for.
enum class Format {
    kTable,
    kTree,
    kSvg,
    kJson,
    kText,
    kHtml,
    kCsv,
    kScript,
    kHostfile,
    kRankfile,
    kSlurm,
    kList,
    kMap
};
enum class Launcher { kOrte, kPrrte };  // the mpirun of a rankfile

// Options of `order`; files are paths, empty where they are not given.
struct OrderOptions {
    std::string grid;  // one of these two, or a profile
    bool is_hosts = false;
    std::string hostfile;  // hosts: one of these, or the profile's, or the Slurm job's
    std::string table;
    std::string topology;  // the network, instead of the known one
    std::string capacities;
    Launcher launcher = Launcher::kOrte;
    std::string node_rank;  // with is_hosts: a list in which only this host is looked up
};

// Options of `map`; texts are empty where they are not given.
struct MapOptions {
    std::vector<std::string> files;  // "-": standard input
    std::string check;               // a map, instead of files
    std::string from;                // one kind of files; else each shows its own
    std::string topology;            // of a topology.yaml; else the default one
    std::string labels;   // keys of node labels with commas, the closest switch first; else known ones
    std::string unknown;  // names that are no switch, with commas; else the usual ones
    std::string pattern;  // of the names of switches of LLDP
};

// Options of `select`.
struct SelectOptions {
    int gpus_per_rank = 0;    // at most; 0: GPUs are dealt out
    bool by_gpu = false;      // rank r has GPU r
    bool keeps_cpus = false;  // ranks stay bound as they are
    bool sees_all = false;    // the others, too, behind its own
};

// A level that `check --require` wants all nodes and ranks to know.
struct RequiredLevel {
    Level level;
    std::string component;  // from which; "": from any
};

struct Options {
    Command command = Command::kShow;
    Format format = Format::kTable;
    bool has_why = false;
    std::string output;        // a file; empty: standard output, of tune none
    std::string profile;       // the file that report or order reads; "-": standard input
    bool has_devices = false;  // of show: the GPUs and NICs of each rank, instead of the table
    // For show: the algorithms of collectives of so many bytes, instead of the table.
    std::optional<std::size_t> collectives_bytes = std::nullopt;
    OrderOptions order = {};
    MapOptions map = {};
    SelectOptions select = {};
    // For report and order: files beside the first, which are only listed unless report compares two.
    std::vector<std::string> other_profiles = {};
    bool compares = false;
    // For report: the files are those of a job that stands still.
    bool is_hang = false;
    // For info: the variables whose names begin with one of these; empty: all. And whether it writes all
    // that a report of a bug needs.
    std::vector<std::string> names = {};
    bool is_bug_report = false;
    std::string required = {};  // for check: as parse_required reads it
    int link_seconds = 0;       // for check: so long it measures links; 0: not at all
    // For check: the program has OpenMP's threads.
    bool uses_openmp = false;
    // For check: the program uses GPUs; and takes the one of its local rank of those that it sees.
    bool uses_gpus = false;
    bool gpu_by_local_rank = false;
    // For tune: only reports settings of the job that do not fit.
    bool checks_tuning = false;
    // For report: a type of side resources, whose lanes are shown too; empty: none.
    std::string side = {};
};

struct CommandLine {
    std::optional<Options> options;  // empty: only print `text` and exit
    std::string text;                // for standard output if exit_code is 0, else for standard error
    int exit_code = kExitDone;
};

// ---- option_values.cc ----

inline constexpr std::size_t kMaxCells = 1000000;

// A grid of ranks, "64x48p": 64 rows of 48, the second dimension periodic. The error names the wrong
// piece; kTooLarge over kMaxCells cells.
Result<topo::Grid> parse_grid(std::string_view text);

// LEVEL[=COMPONENT],..: "switch=slurm,core". The error has the wrong piece.
Result<std::vector<RequiredLevel>> parse_required(std::string_view text);

// ---- options.cc ----

// A pure function of its arguments: all processes of a job come to the same result. Of "hitopo complete
// WORD..", which completion/ calls, `text` has the words that can stand at the cursor, where the last
// word ends: a line each; "" where it can be a file.
CommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace hitopo::tool

#endif
