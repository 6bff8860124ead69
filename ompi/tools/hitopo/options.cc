// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/options.h"

// IsMember: by default until CLI11 2.5, in a header of its own since.
#define CLI11_ENABLE_EXTRA_VALIDATORS 1
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/core/text/version.h"
#include "ompi/mca/topo/hitopo/core/cost.h"

namespace hitopo::tool {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  hitopo info                              components and variables\n"
    "  hitopo info hitopo_file                  the variables whose names begin like that\n"
    "  mpirun -np 4 hitopo info --report bug    what a report of a bug needs\n"
    "  mpirun -np 4 hitopo show                 each rank's address and names\n"
    "  mpirun -np 4 hitopo show --format tree   the job as a tree\n"
    "  mpirun -np 4 hitopo show --why           values and reasons of each component\n"
    "  mpirun -np 4 hitopo show -f svg -o job.svg\n"
    "                                           a picture of the job\n"
    "  mpirun -np 4 hitopo show --devices       GPUs and NICs of each rank, and what is far\n"
    "  mpirun hitopo show --collectives         algorithms and estimated times of collectives\n"
    "  mpirun -np 4 hitopo check                faults in the placement of the job\n"
    "  mpirun hitopo check --links              and slow nodes and uplinks, measured\n"
    "  mpirun hitopo select -o select           a script that gives ranks near GPUs and NICs\n"
    "  hitopo map nodes.json > hitopo.map       a map, from what a cluster or cloud wrote\n"
    "  mpirun hitopo tune                       latency and bandwidth of the links\n"
    "  hitopo report job.json                   time and traffic of a job, from its profile\n"
    "  hitopo order job.json -f hostfile -o hosts\n"
    "                                           a better order of ranks for the traffic of a profile\n"
    "  hitopo report job.json -f html -o job.html\n"
    "                                           the profile as a page for a browser\n"
    "  hitopo report --hang job.parts           who waits for whom in a job that hangs\n"
    "  hitopo report --compare before.json after.json\n"
    "                                           two profiles compared\n\n"
    "Exit status: 0 success; 1 no address table, no profile, the output cannot be\n"
    "written, check found a fault, or map left something out; 2 wrong usage, or map\n"
    "found no place of a host. More: man hitopo";

const std::map<std::string, Command> kCommands = {
    {"show", Command::kShow},   {"info", Command::kInfo},    {"report", Command::kReport},
    {"check", Command::kCheck}, {"order", Command::kOrder},  {"tune", Command::kTune},
    {"map", Command::kMap},     {"select", Command::kSelect}};
const std::map<std::string, Format> kFormats = {{"table", Format::kTable},
                                                {"tree", Format::kTree},
                                                {"text", Format::kText},
                                                {"json", Format::kJson},
                                                {"svg", Format::kSvg},
                                                {"html", Format::kHtml},
                                                {"csv", Format::kCsv},
                                                {"script", Format::kScript},
                                                {"hostfile", Format::kHostfile},
                                                {"rankfile", Format::kRankfile},
                                                {"slurm", Format::kSlurm},
                                                {"list", Format::kList},
                                                {"map", Format::kMap}};

constexpr const char* kSubcommands = ". Use show, check, info, map, select, report, order or tune.";

// The values that the options fill, and those that are not yet as Options have them.
struct Words {
    Options options;
    std::string format;  // of the subcommand; empty: its default
    std::vector<std::string> profiles;
    std::string bug_report;  // of info: its file
    bool has_collectives = false;
    std::size_t bytes = 1048576;
    bool is_prrte = false;  // of order
};

template <class Value>
CLI::Option* add(CLI::App& command, const char* names, Value& value, const char* type,
                 const char* help) {
    return command.add_option(names, value, help)->type_name(type);
}

// One of two words, of which the first is the default.
void add_choice(CLI::App& command, const char* name, bool& is_second, const char* first,
                const char* second, const char* type, const char* help) {
    const auto take = [&is_second, second](const std::string& word) { is_second = word == second; };
    command.add_option_function<std::string>(name, take, help)
        ->check(CLI::IsMember({first, second}))
        ->type_name(type);
}

void add_output(CLI::App& command, Words& words) {
    add(command, "-o,--output", words.options.output, "FILE",
        "write to FILE instead of standard output");
}

void add_format(CLI::App& command, Words& words, const char* help,
                const std::vector<std::string>& formats) {
    add(command, "-f,--format", words.format, "FORMAT", help)->check(CLI::IsMember(formats));
}

void add_show(CLI::App& app, Words& words) {
    CLI::App* show = app.add_subcommand("show", "Show the address table of MPI_COMM_WORLD");
    add_format(*show, words,
               "table: a line for each rank (default)\n"
               "tree: the job as a tree\n"
               "json: all data of the table (docs/json.md)\n"
               "svg: a picture",
               {"table", "tree", "json", "svg"});
    add_output(*show, words);
    show->add_flag("-w,--why", words.options.has_why,
                   "also show the raw value and the reason of each component\n"
                   "for each level (with table, tree and json)");
    show->add_flag("-d,--devices", words.options.has_devices,
                   "show the GPUs and network interfaces of each rank instead of\n"
                   "the table, and those of each kind of node (json, svg: beside it)");
    CLI::Option* collectives = show->add_flag("-c,--collectives", words.has_collectives,
                                              "show the algorithms of coll/hitopo and their estimated\n"
                                              "time instead of the table (docs/collectives.md)");
    add(*show, "-b,--bytes", words.bytes, "N", "the message length for --collectives (default 1048576)")
        ->needs(collectives)
        ->check(CLI::Range(std::size_t{0}, std::size_t{1} << 50));
}

void add_info(CLI::App& app, Words& words) {
    CLI::App* info =
        app.add_subcommand("info", "List components, versions and all MCA variables with help");
    add_format(*info, words,
               "text: plain text with the current values (default)\n"
               "json: the same content as JSON",
               {"text", "json"});
    CLI::Option* names = info->add_option("NAME", words.options.names,
                                          "show only the variables whose names begin with NAME");
    add(*info, "--report", words.bug_report, "FILE",
        "write what a report of a bug needs: versions, libraries, settings,\n"
        "the reasons of each level and the table; with the job's mpirun options.\n"
        "Of the environment it has HiTopo's and Open MPI's variables alone")
        ->excludes(names);
}

void add_report(CLI::App& app, Words& words) {
    CLI::App* report = app.add_subcommand("report",
                                          "Show where the time of MPI goes, from a profile\n"
                                          "(needs no mpirun; docs/profiling.md)");
    report->add_option("FILE", words.profiles,
                       "a profile, or a folder of parts; - is standard input. Several\n"
                       "profiles are listed by time");
    report->add_flag("--compare", words.options.compares, "compare two profiles");
    report->add_flag("--hang", words.options.is_hang,
                     "who waits for whom in a job that stands still: FILE.. are those of\n"
                     "hitopo_prof_watch, or their folder");
    add_format(*report, words,
               "text: 80 columns (default)\n"
               "html: one page that needs no network\n"
               "json: the sums for programs (docs/json.md)\n"
               "csv: bytes of communicators by lane, for spreadsheets",
               {"text", "html", "json", "csv"});
    add(*report, "--side", words.options.side, "TYPE",
        "also show the traffic within and between the domains of a\n"
        "side resource such as nvlink://Domain (text, one profile)");
    add_output(*report, words);
}

void add_check(CLI::App& app, Words& words) {
    CLI::App* check =
        app.add_subcommand("check",
                           "Find faults in the placement of a job that is started like this one:\n"
                           "a line for each fault and remark");
    add_format(*check, words, "text: lines (default)\njson: the same content as JSON (docs/json.md)",
               {"text", "json"});
    add(*check, "--require", words.options.required, "LEVELS",
        "a fault where a node or rank does not know one of these levels;\n"
        "=COMPONENT: from that component, as in switch=slurm,core")
        ->check([](const std::string& text) {
            const Result<std::vector<RequiredLevel>> required = parse_required(text);
            return required ? ""
                            : '"' + required.error().value + "\": " + required.error().message + '.';
        });
    add(*check, "--links", words.options.link_seconds, "[SECONDS]",
        "also measure links between nodes, for at most SECONDS (default 30): a\n"
        "fault where a node or an uplink is slower than others of its level")
        ->expected(0, 1)
        ->default_str("30")
        ->check(CLI::Range(1, 3600));
    check->add_flag("--openmp", words.options.uses_openmp,
                    "the program uses OpenMP: an OMP_NUM_THREADS above the number\n"
                    "of CPUs is a fault instead of a remark");
    check->add_flag("--gpu", words.options.uses_gpus,
                    "the program uses GPUs: check them even where no variable\n"
                    "chooses any");
    check->add_flag("--gpu-by-local-rank", words.options.gpu_by_local_rank,
                    "the same; each process takes the GPU of its local rank,\n"
                    "modulo the number of those that it sees");
    add_output(*check, words);
}

// The answer of a validator of CLI11: the fault of the value; empty if it is right.
std::string grid_complaint(const std::string& text) {
    const Result<topo::Grid> grid = parse_grid(text);
    return grid ? "" : grid.error().value + ' ' + grid.error().message + '.';
}

std::string capacities_complaint(const std::string& text) {
    const Result<topo::Capacities> capacities = topo::parse_capacities(text);
    return capacities ? "" : '"' + capacities.error().value + "\": " + capacities.error().message + '.';
}

void add_order(CLI::App& app, Words& words) {
    OrderOptions& options = words.options.order;
    CLI::App* order =
        app.add_subcommand("order",
                           "Find a better order of ranks on the same hosts and slots, and write it\n"
                           "for a launcher (needs no mpirun; docs/order.md)");
    order->add_option("FILE", words.profiles,
                      "a profile; - is standard input. Several profiles are listed by\n"
                      "time");
    add(*order, "--grid", options.grid, "GRID", "a grid of ranks: 64x48, 64x48p with periodic columns")
        ->check(grid_complaint);
    order->add_flag("--hosts", options.is_hosts, "sort the hosts in fabric order");
    add(*order, "--node-rank", options.node_rank, "FILE",
        "with --hosts: only print the place of this host, from 0 on, in\n"
        "FILE, which --format list wrote");
    CLI::Option* hostfile =
        add(*order, "--hostfile", options.hostfile, "FILE", "the hosts and slots of the launch");
    add(*order, "--table", options.table, "FILE",
        "the same, from the output of hitopo show --format json")
        ->excludes(hostfile);
    add(*order, "--topology", options.topology, "FILE",
        "the switches: a file in any format of hitopo_file_path");
    add(*order, "--capacities", options.capacities, "LIST",
        "relative bandwidth of levels, such as switch:12,island:4\n"
        "(default: the number of groups of each level)")
        ->check(capacities_complaint);
    add_format(*order, words,
               "hostfile: for mpirun --map-by seq\n"
               "rankfile: for mpirun; binds ranks as in the profile\n"
               "slurm: SLURM_HOSTFILE, for srun --distribution=arbitrary\n"
               "list: each host once, for other launchers (with --hosts)\n"
               "map: for hitopo_file_path, to simulate the new order",
               {"hostfile", "rankfile", "slurm", "list", "map"});
    add_choice(*order, "--launcher", words.is_prrte, "4.1", "5.0", "VERSION",
               "version of Open MPI for rankfile: 4.1 (default) or 5.0");
    add_output(*order, words);
}

void add_tune(CLI::App& app, Words& words) {
    CLI::App* tune =
        app.add_subcommand("tune",
                           "Measure the links of each level, and each collective with and without\n"
                           "coll/hitopo, in half a minute or so, for the variables coll_hitopo_links\n"
                           "and coll_hitopo_serve (docs/collectives.md)");
    CLI::Option* output =
        add(*tune, "-o,--output", words.options.output, "FILE", "also write a file for mpirun --tune");
    tune->add_flag("--check", words.options.checks_tuning,
                   "only print where the job's settings do not fit the measured times;\n"
                   "then the exit status is 1")
        ->excludes(output);
}

void add_map(CLI::App& app, Words& words) {
    MapOptions& options = words.options.map;
    CLI::App* map =
        app.add_subcommand("map",
                           "Write a map of the switches of hosts, from what a cluster, a cloud or a\n"
                           "fabric wrote (needs no mpirun; docs/levels.md)");
    CLI::Option* files = map->add_option(
        "FILE", options.files, "lists of nodes or instances, or topologies; - is standard input");
    add(*map, "--check", options.check, "MAP", "instead: whether the hosts of this job are in MAP")
        ->excludes(files);
    add(*map, "--from", options.from, "KIND",
        "take files of this kind only; needed for lldp (lines HOST JSON)")
        ->check(
            CLI::IsMember({"kubernetes", "topograph", "aws", "google", "slurm", "infiniband", "lldp"}));
    add(*map, "--topology", options.topology, "NAME",
        "the topology of a topology.yaml (default: the one with\n"
        "cluster_default, then the first that has the host)");
    add(*map, "--labels", options.labels, "KEYS",
        "labels of Kubernetes nodes, the closest switch first (default:\n"
        "those of Topograph, AWS and Google)");
    add(*map, "--unknown", options.unknown, "NAMES",
        "names that stand for no switch; * is any characters (default:\n"
        "no-topology,unknown,*.unknown)");
    add(*map, "--pattern", options.pattern, "PATTERN",
        "where the names of LLDP's switches have the island, such as\n"
        "pod{island}-*");
    add_output(*map, words);
}

void add_select(CLI::App& app, Words& words) {
    CLI::App* select =
        app.add_subcommand("select",
                           "Write a script that gives each rank of a job that is started like this\n"
                           "one GPUs, NICs and CPUs near to each other, and show what it gives\n"
                           "(docs/devices.md)");
    add_format(*select, words,
               "script: for any launcher, before the program (default)\n"
               "rankfile: for mpirun; the CPUs alone\n"
               "json: what it gives, for programs (docs/json.md)",
               {"script", "rankfile", "json"});
    SelectOptions& options = words.options.select;
    add(*select, "--gpus-per-rank", options.gpus_per_rank, "N",
        "at most N GPUs for a rank (default: all are dealt out)")
        ->check(CLI::Range(1, 1024));
    add_choice(*select, "--order", options.by_gpu, "cpu", "gpu", "WHAT",
               "cpu: rank r has a GPU near its CPUs (default)\n"
               "gpu: rank r has GPU r, and CPUs near it");
    add_choice(*select, "--bind", options.keeps_cpus, "auto", "keep", "HOW",
               "auto: to CPUs near the GPU, unless ranks are bound to different\n"
               "CPUs (default)\n"
               "keep: ranks stay bound as they are");
    add_choice(*select, "--visible", options.sees_all, "own", "all", "WHICH",
               "own: a rank sees its own GPUs (default)\n"
               "all: it sees the others, too, behind its own");
    add_output(*select, words);
}

Options to_options(const std::string& command, Words words) {
    Options options = std::move(words.options);
    options.command = kCommands.at(command);
    options.format = !words.format.empty()                 ? kFormats.at(words.format)
                     : options.command == Command::kShow   ? Format::kTable
                     : options.command == Command::kSelect ? Format::kScript
                                                           : Format::kText;
    options.order.launcher = words.is_prrte ? Launcher::kPrrte : Launcher::kOrte;
    if (!words.profiles.empty()) {
        options.profile = words.profiles.front();
        options.other_profiles.assign(words.profiles.begin() + 1, words.profiles.end());
    }
    options.has_why = options.has_why || !options.map.check.empty();
    if (!words.bug_report.empty()) {
        options.is_bug_report = true;
        options.output = words.bug_report;
    }
    if (words.has_collectives) {
        options.collectives_bytes = words.bytes;
    }
    return options;
}

// CLI11 distinguishes help and version from errors by the exception's own code.
CommandLine to_text(const CLI::App& app, const CLI::ParseError& stop) {
    std::ostringstream out;
    std::ostringstream errors;
    const bool is_error = app.exit(stop, out, errors) != 0;
    return is_error ? CommandLine{{}, "hitopo: " + errors.str(), kExitUsage}
                    : CommandLine{{}, out.str(), kExitDone};
}

// Empty where the options go together. CLI11 would report a missing FILE before an unknown word.
std::string misuse_of(const Options& options) {
    const OrderOptions& order = options.order;
    const bool is_report = options.command == Command::kReport;
    const bool is_order = options.command == Command::kOrder;
    const int num_tasks =
        (options.profile.empty() ? 0 : 1) + (order.grid.empty() ? 0 : 1) + (order.is_hosts ? 1 : 0);
    const bool is_text_or_page = options.format == Format::kText || options.format == Format::kHtml;
    const struct {
        bool is_wrong;
        const char* message;
    } kMisuses[] = {
        {is_order && num_tasks != 1, "order needs exactly one of these: a profile, --grid, --hosts"},
        {is_order && !options.output.empty() && options.format == Format::kText,
         "order --output needs --format"},
        {options.format == Format::kList && !order.is_hosts,
         "--format list needs --hosts: it has each host once"},
        {!order.node_rank.empty() && (!order.is_hosts || options.format != Format::kText),
         "--node-rank needs --hosts, and excludes --format"},
        {is_report && options.profile.empty(),
         "report needs a profile: name its FILE, or - for standard input"},
        {options.is_hang &&
             (options.compares || !options.side.empty() || options.format != Format::kText),
         "--hang excludes --compare, --side and --format"},
        {options.compares && options.other_profiles.size() != 1, "--compare needs two files"},
        {options.compares && !is_text_or_page, "--compare needs --format text or html"},
        {!options.side.empty() && (options.format != Format::kText || options.compares),
         "--side needs one file and --format text"},
        {options.command == Command::kMap && options.map.files.empty() && options.map.check.empty(),
         "map needs a file: name what a cluster, a cloud or a fabric wrote, or - for standard input"},
        {options.has_why && options.format == Format::kSvg, "--why needs --format table, tree or json"},
        {options.has_devices && (options.format == Format::kTree || options.collectives_bytes),
         "--devices needs --format table, json or svg, and excludes --collectives"},
        {options.select.sees_all && options.format != Format::kScript,
         "--visible all needs --format script"},
        {options.collectives_bytes && (options.has_why || options.format != Format::kTable),
         "--collectives excludes --why and --format: it shows no table"},
    };
    for (const auto& misuse : kMisuses) {
        if (misuse.is_wrong) {
            return misuse.message;
        }
    }
    return "";
}

// The words that `hitopo complete` offers (options.h). words: behind it.
std::string completions(const CLI::App& app, std::vector<std::string> words) {
    const std::string typed = words.empty() ? "" : words.back();
    words.resize(words.empty() ? 0 : words.size() - 1);
    std::string lines;
    if (words.empty() && (typed.empty() || typed.front() != '-')) {
        for (const CLI::App* subcommand : app.get_subcommands({})) {
            lines += subcommand->get_name() + '\n';
        }
        return lines;
    }
    const auto found = app.get_subcommands([&](const CLI::App* subcommand) {
        return !words.empty() && subcommand->get_name() == words.front();
    });
    if (!words.empty() && found.empty()) {
        return "";
    }
    const CLI::App* command = words.empty() ? &app : found.front();
    const CLI::Option* before = words.empty() ? nullptr : command->get_option_no_throw(words.back());
    if (before != nullptr && before->get_items_expected_min() > 0) {
        // CLI11 has the set of IsMember nowhere else: "FORMAT:{text,json}".
        const std::string type = before->get_type_name();
        const std::size_t open = type.find('{');
        if (open != std::string::npos) {
            lines = type.substr(open + 1, type.find('}', open) - open - 1) + '\n';
            std::replace(lines.begin(), lines.end(), ',', '\n');
        }
        return lines;
    }
    bool takes_files = false;
    for (const CLI::Option* option : command->get_options()) {
        takes_files |= option->get_positional() && option->get_name(true) == "FILE";
        for (const std::string& name : option->get_lnames()) {
            lines += "--" + name + '\n';
        }
    }
    return takes_files && (typed.empty() || typed.front() != '-') ? "" : lines;
}

CommandLine wrong_use(const std::string& what) {
    return {{}, "hitopo: " + what + "\nRun with --help for more information.\n", kExitUsage};
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
    Words words;
    CLI::App app(
        "HiTopo: the hierarchical address of every MPI process, from the cluster to the\n"
        "hardware thread. Run it like any MPI program, with or without mpirun.",
        "hitopo");
    app.set_version_flag("--version", std::string("hitopo ") + kHitopoVersion);
    app.require_subcommand(0, 1);
    add_show(app, words);
    add_info(app, words);
    add_report(app, words);
    add_check(app, words);
    add_map(app, words);
    add_select(app, words);
    add_order(app, words);
    add_tune(app, words);
    app.footer(kExamples);
    if (argc > 1 && argv[1] == std::string_view("complete")) {
        return {{}, completions(app, {argv + 2, argv + argc}), kExitDone};
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ExtrasError& stop) {
        return app.get_subcommands().empty()
                   ? wrong_use(argv[1] + std::string(" is not a subcommand") + kSubcommands)
                   : to_text(app, stop);
    } catch (const CLI::ParseError& stop) {
        return to_text(app, stop);
    }
    if (app.get_subcommands().empty()) {
        return wrong_use(std::string("no subcommand") + kSubcommands);
    }
    const Options options = to_options(app.get_subcommands().front()->get_name(), words);
    const std::string misuse = misuse_of(options);
    return misuse.empty() ? CommandLine{options, "", kExitDone} : wrong_use(misuse);
}

}  // namespace hitopo::tool
