// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/options.h"

// IsMember: by default until CLI11 2.5, in a header of its own since.
#define CLI11_ENABLE_EXTRA_VALIDATORS 1
#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/text/version.h"
#include "ompi/mca/topo/hitopo/core/cost.h"
#include "ompi/tools/hitopo/grid.h"

namespace hitopo::tool {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  hitopo info                              components and variables\n"
    "  mpirun -np 4 hitopo show                 each rank's address and names\n"
    "  mpirun -np 4 hitopo show --format tree   the job as a tree\n"
    "  mpirun -np 4 hitopo show --why           values and reasons of each component\n"
    "  mpirun -np 4 hitopo show -f svg -o job.svg\n"
    "                                           a picture of the job\n"
    "  mpirun hitopo show --collectives         algorithms and estimated times of collectives\n"
    "  mpirun -np 4 hitopo check                faults in the placement of the job\n"
    "  hitopo map nodes.json > hitopo.map       a map, from what a cluster or cloud wrote\n"
    "  mpirun hitopo tune                       latency and bandwidth of the links\n"
    "  hitopo report job.json                   time and traffic of a job, from its profile\n"
    "  hitopo order job.json -f hostfile -o hosts\n"
    "                                           a better order of ranks for the traffic of a profile\n"
    "  hitopo report job.json -f html -o job.html\n"
    "                                           the profile as a page for a browser\n"
    "  hitopo report --compare before.json after.json\n"
    "                                           two profiles compared\n\n"
    "Exit status: 0 success; 1 no address table, no profile, the output cannot be\n"
    "written, check found a fault, or map left something out; 2 wrong usage, or map\n"
    "found no place of a host. More: man hitopo";

const std::map<std::string, Command> kCommands = {
    {"show", Command::kShow},   {"info", Command::kInfo},   {"report", Command::kReport},
    {"check", Command::kCheck}, {"order", Command::kOrder}, {"tune", Command::kTune},
    {"map", Command::kMap}};
const std::map<std::string, Format> kFormats = {
    {"table", Format::kTable}, {"tree", Format::kTree}, {"text", Format::kText}, {"json", Format::kJson},
    {"svg", Format::kSvg},     {"html", Format::kHtml}, {"csv", Format::kCsv}};
const std::map<std::string, LaunchFormat> kLaunchFormats = {{"hostfile", LaunchFormat::kHostfile},
                                                            {"rankfile", LaunchFormat::kRankfile},
                                                            {"slurm", LaunchFormat::kSlurm}};

constexpr const char* kNoSubcommand =
    " is not a subcommand. Use show, check, info, map, report, order or tune.";

constexpr std::size_t kMostBytes = std::size_t{1} << 50;

// What the options fill, and what is not yet as Options have it.
struct Words {
    Options options;
    std::string format;  // of the subcommand; empty: its default
    std::vector<std::string> profiles;
    bool has_collectives = false;
    std::size_t bytes = 1048576;
    std::string launcher = "4.1";
};

void add_output(CLI::App& command, Words& words) {
    command.add_option("-o,--output", words.options.output, "write to FILE instead of standard output")
        ->type_name("FILE");
}

void add_format(CLI::App& command, Words& words, const char* help,
                const std::vector<std::string>& formats) {
    command.add_option("-f,--format", words.format, help)
        ->check(CLI::IsMember(formats))
        ->type_name("FORMAT");
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
    CLI::Option* collectives = show->add_flag("-c,--collectives", words.has_collectives,
                                              "show the algorithms of coll/hitopo and their estimated\n"
                                              "time instead of the table (docs/collectives.md)");
    show->add_option("-b,--bytes", words.bytes, "the message length for --collectives (default 1048576)")
        ->needs(collectives)
        ->check(CLI::Range(std::size_t{0}, kMostBytes))
        ->type_name("N");
}

void add_info(CLI::App& app, Words& words) {
    CLI::App* info =
        app.add_subcommand("info", "List components, versions and all MCA variables with help");
    add_format(*info, words,
               "text: plain text with the current values (default)\n"
               "json: the same content as JSON",
               {"text", "json"});
}

void add_report(CLI::App& app, Words& words) {
    CLI::App* report = app.add_subcommand("report",
                                          "Show where the time of MPI goes, from a profile\n"
                                          "(needs no mpirun; docs/profiling.md)");
    report->add_option("FILE", words.profiles,
                       "a profile, or a folder of parts; - is standard input. Several\n"
                       "profiles are listed by time");
    report->add_flag("--compare", words.options.compares, "compare two profiles");
    add_format(*report, words,
               "text: 80 columns (default)\n"
               "html: one page that needs no network\n"
               "json: the sums for programs (docs/json.md)\n"
               "csv: bytes of communicators by lane, for spreadsheets",
               {"text", "html", "json", "csv"});
    report
        ->add_option("--side", words.options.side,
                     "also show the traffic within and between the domains of a\n"
                     "side resource such as nvlink://Domain (text, one profile)")
        ->type_name("TYPE");
    add_output(*report, words);
}

void add_check(CLI::App& app, Words& words) {
    CLI::App* check =
        app.add_subcommand("check",
                           "Find faults in the placement of a job that is started like this one:\n"
                           "a line for each fault and remark");
    add_format(*check, words, "text: lines (default)\njson: the same content as JSON (docs/json.md)",
               {"text", "json"});
    check->add_flag("--openmp", words.options.uses_openmp,
                    "the program uses OpenMP: an OMP_NUM_THREADS above the number\n"
                    "of CPUs is a fault instead of a remark");
    add_output(*check, words);
}

// What CLI11 asks a validator: what is wrong with the value; empty where nothing is.
std::string grid_complaint(const std::string& text) {
    const Result<topo::Grid> grid = parse_grid(text);
    return grid ? "" : grid.error().value + ' ' + grid.error().message + '.';
}

std::string capacities_complaint(const std::string& text) {
    const Result<topo::Capacities> capacities = topo::parse_capacities(text);
    return capacities ? "" : '"' + capacities.error().value + "\": " + capacities.error().message + '.';
}

void add_order_hosts(CLI::App& order, OrderOptions& options) {
    CLI::Option* hostfile =
        order.add_option("--hostfile", options.hostfile, "the hosts and slots of the launch")
            ->type_name("FILE");
    order.add_option("--table", options.table, "the same, from the output of hitopo show --format json")
        ->type_name("FILE")
        ->excludes(hostfile);
    order
        .add_option("--topology", options.topology,
                    "the switches: a file in any format of hitopo_file_path")
        ->type_name("FILE");
    order
        .add_option("--capacities", options.capacities,
                    "relative bandwidth of levels, such as switch:12,island:4\n"
                    "(default: the number of groups of each level)")
        ->check(capacities_complaint)
        ->type_name("LIST");
}

void add_order(CLI::App& app, Words& words) {
    CLI::App* order =
        app.add_subcommand("order",
                           "Find a better order of ranks on the same hosts and slots, and write it\n"
                           "for a launcher (needs no mpirun; docs/order.md)");
    order->add_option("FILE", words.profiles,
                      "a profile; - is standard input. Several profiles are listed by\n"
                      "time");
    order
        ->add_option("--grid", words.options.order.grid,
                     "a grid of ranks: 64x48, 64x48p with periodic columns")
        ->check(grid_complaint)
        ->type_name("GRID");
    order->add_flag("--hosts", words.options.order.is_hosts, "sort the hosts in fabric order");
    add_order_hosts(*order, words.options.order);
    add_format(*order, words,
               "hostfile: for mpirun --map-by seq\n"
               "rankfile: for mpirun; binds ranks as in the profile\n"
               "slurm: SLURM_HOSTFILE, for srun --distribution=arbitrary",
               {"hostfile", "rankfile", "slurm"});
    order
        ->add_option("--launcher", words.launcher,
                     "version of Open MPI for rankfile: 4.1 (default) or 5.0")
        ->check(CLI::IsMember({"4.1", "5.0"}))
        ->type_name("VERSION");
    add_output(*order, words);
}

void add_tune(CLI::App& app, Words& words) {
    CLI::App* tune =
        app.add_subcommand("tune",
                           "Measure the links of each level, and each collective with and without\n"
                           "coll/hitopo, in half a minute or so, for the variables coll_hitopo_links\n"
                           "and coll_hitopo_serve (docs/collectives.md)");
    CLI::Option* output =
        tune->add_option("-o,--output", words.options.output, "also write a file for mpirun --tune")
            ->type_name("FILE");
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
    map->add_option("--check", options.check, "instead: whether the hosts of this job are in MAP")
        ->type_name("MAP")
        ->excludes(files);
    map->add_option("--from", options.from,
                    "take files of this kind only; needed for lldp (lines HOST JSON)")
        ->check(
            CLI::IsMember({"kubernetes", "topograph", "aws", "google", "slurm", "infiniband", "lldp"}))
        ->type_name("KIND");
    map->add_option("--topology", options.topology,
                    "the topology of a topology.yaml (default: the one with\n"
                    "cluster_default, then the first that has the host)")
        ->type_name("NAME");
    map->add_option("--labels", options.labels,
                    "labels of Kubernetes nodes, the closest switch first (default:\n"
                    "those of Topograph, AWS and Google)")
        ->type_name("KEYS");
    map->add_option("--unknown", options.unknown,
                    "names that stand for no switch; * is any characters (default:\n"
                    "no-topology,unknown,*.unknown)")
        ->type_name("NAMES");
    map->add_option("--pattern", options.pattern,
                    "where the names of LLDP's switches have the island, such as\n"
                    "pod{island}-*")
        ->type_name("PATTERN");
    add_output(*map, words);
}

Options to_options(const std::string& command, Words words) {
    Options options = std::move(words.options);
    options.command = kCommands.at(command);
    if (options.command == Command::kOrder) {
        options.order.launcher = words.launcher == "4.1" ? Launcher::kOrte : Launcher::kPrrte;
        if (!words.format.empty()) {
            options.order.format = kLaunchFormats.at(words.format);
        }
    } else if (!words.format.empty()) {
        options.format = kFormats.at(words.format);
    }
    if (options.command != Command::kShow && words.format.empty()) {
        options.format = Format::kText;
    }
    if (!words.profiles.empty()) {
        options.profile = words.profiles.front();
        options.other_profiles.assign(words.profiles.begin() + 1, words.profiles.end());
    }
    options.has_why = options.has_why || !options.map.check.empty();
    if (words.has_collectives) {
        options.collectives_bytes = words.bytes;
    }
    return options;
}

// CLI11 tells help and version from errors by the exception's own code.
CommandLine to_text(const CLI::App& app, const CLI::ParseError& stop) {
    std::ostringstream out;
    std::ostringstream errors;
    const bool is_error = app.exit(stop, out, errors) != 0;
    return is_error ? CommandLine{{}, "hitopo: " + errors.str(), kExitUsage}
                    : CommandLine{{}, out.str(), kExitDone};
}

// Empty where the options go together. CLI11 would miss a FILE before it minds what it does not know.
std::string misuse_of(const Options& options) {
    const OrderOptions& order = options.order;
    const bool is_report = options.command == Command::kReport;
    const bool is_order = options.command == Command::kOrder;
    const int num_tasks =
        (options.profile.empty() ? 0 : 1) + (order.grid.empty() ? 0 : 1) + (order.is_hosts ? 1 : 0);
    if (is_order && num_tasks != 1) {
        return "order needs exactly one of these: a profile, --grid, --hosts";
    }
    if (is_order && !options.output.empty() && !order.format) {
        return "order --output needs --format";
    }
    if (is_report && options.profile.empty()) {
        return "report needs a profile: name its FILE, or - for standard input";
    }
    if (options.compares && options.other_profiles.size() != 1) {
        return "--compare needs two files";
    }
    if (options.compares && options.format != Format::kText && options.format != Format::kHtml) {
        return "--compare needs --format text or html";
    }
    if (!options.side.empty() && (options.format != Format::kText || options.compares)) {
        return "--side needs one file and --format text";
    }
    if (options.command == Command::kMap && options.map.files.empty() && options.map.check.empty()) {
        return "map needs a file: name what a cluster, a cloud or a fabric wrote, or - for standard "
               "input";
    }
    if (options.has_why && options.format == Format::kSvg) {
        return "--why needs --format table, tree or json";
    }
    return options.collectives_bytes && (options.has_why || options.format != Format::kTable)
               ? "--collectives excludes --why and --format: it shows no table"
               : "";
}

// What `hitopo complete` offers: options.h. words: behind it.
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
    if (before != nullptr && before->get_items_expected_max() > 0) {
        // CLI11 tells the set of IsMember nowhere else: "FORMAT:{text,json}".
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
        takes_files |= option->get_positional();
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
    add_order(app, words);
    add_tune(app, words);
    app.footer(kExamples);
    if (argc > 1 && argv[1] == std::string_view("complete")) {
        return {{}, completions(app, {argv + 2, argv + argc}), kExitDone};
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ExtrasError& stop) {
        return app.get_subcommands().empty() ? wrong_use(argv[1] + std::string(kNoSubcommand))
                                             : to_text(app, stop);
    } catch (const CLI::ParseError& stop) {
        return to_text(app, stop);
    }
    if (app.get_subcommands().empty()) {
        return wrong_use("no subcommand. Use show, check, info, map, report, order or tune.");
    }
    const Options options = to_options(app.get_subcommands().front()->get_name(), words);
    const std::string misuse = misuse_of(options);
    return misuse.empty() ? CommandLine{options, "", kExitDone} : wrong_use(misuse);
}

}  // namespace hitopo::tool
