// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/options.h"

// IsMember: by default until CLI11 2.5, in a header of its own since.
#define CLI11_ENABLE_EXTRA_VALIDATORS 1
#include <CLI/CLI.hpp>
#include <map>
#include <sstream>
#include <string_view>

#include "ompi/mca/hitopo/core/text/version.h"
#include "ompi/mca/topo/hitopo/core/cost.h"
#include "ompi/tools/hitopo/completion/completion.h"
#include "ompi/tools/hitopo/order/grid_words.h"

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
    "  mpirun hitopo tune                       latency and bandwidth of the links\n"
    "  hitopo report job.json                   traffic across each level, from a profile\n"
    "  hitopo order job.json -f hostfile -o hosts\n"
    "                                           a better order of ranks for the traffic of a profile\n"
    "  hitopo report job.json -f html -o job.html\n"
    "                                           the profile as a page for a browser\n"
    "  hitopo report --compare before.json after.json\n"
    "                                           two profiles compared\n\n"
    "Exit status: 0 success; 1 no address table, no profile, the output cannot be\n"
    "written, or check found a fault; 2 wrong usage. More: man hitopo";

const std::map<std::string, Format> kFormats = {
    {"table", Format::kTable}, {"tree", Format::kTree},
    {"text", Format::kText},   {"json", Format::kJson},
    {"dot", Format::kDot},     {"svg", Format::kSvg},
    {"html", Format::kHtml},   {"mpich-coordinates", Format::kMpichCoordinates},
    {"csv", Format::kCsv}};

const std::map<std::string, LaunchFormat> kLaunchFormats = {{"hostfile", LaunchFormat::kHostfile},
                                                            {"rankfile", LaunchFormat::kRankfile},
                                                            {"slurm", LaunchFormat::kSlurm},
                                                            {"mpich-order", LaunchFormat::kMpichOrder}};
const std::map<std::string, Launcher> kLaunchers = {{"4.1", Launcher::kOrte}, {"5.0", Launcher::kPrrte}};

constexpr const char* kNoSubcommand =
    " is not a subcommand. Use show, check, info, report, order or tune.";

constexpr std::size_t kMostBytes = std::size_t{1} << 50;

// What the options fill, as typed.
struct Words {
    std::string show_format = "table";
    std::string info_format = "text";
    std::string check_format = "text";
    std::string report_format = "text";
    std::string output;
    std::vector<std::string> profiles;
    bool compares = false;
    bool checks_tuning = false;
    std::string side;
    bool has_why = false;
    bool has_collectives = false;
    bool uses_openmp = false;
    std::size_t bytes = 1048576;
    OrderOptions order;
    std::string launch_format;
    std::string launcher = "4.1";
};

void add_output(CLI::App& command, Words& words) {
    command.add_option("-o,--output", words.output, "write to FILE instead of standard output")
        ->type_name("FILE");
}

void add_format(CLI::App& command, std::string& format, const char* help,
                const std::vector<std::string>& formats) {
    command.add_option("-f,--format", format, help)->check(CLI::IsMember(formats))->type_name("FORMAT");
}

void add_show(CLI::App& app, Words& words) {
    CLI::App* show = app.add_subcommand("show", "Show the address table of MPI_COMM_WORLD");
    add_format(*show, words.show_format,
               "table: a line for each rank (default)\n"
               "tree: the job as a tree\n"
               "json: all data of the table (docs/json.md)\n"
               "dot, svg: a picture\n"
               "mpich-coordinates: for MPICH's MPIR_CVAR_COORDINATES_FILE",
               {"table", "tree", "json", "dot", "svg", "mpich-coordinates"});
    add_output(*show, words);
    show->add_flag("-w,--why", words.has_why,
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
    add_format(*info, words.info_format,
               "text: plain text with the current values (default)\n"
               "json: the same content as JSON",
               {"text", "json"});
}

void add_report(CLI::App& app, Words& words) {
    CLI::App* report = app.add_subcommand("report",
                                          "Show the traffic across each level, from a profile\n"
                                          "(needs no mpirun; docs/profiling.md)");
    report->add_option("FILE", words.profiles,
                       "a profile, or a folder of parts; - is standard input. Several\n"
                       "profiles are listed by time");
    report->add_flag("--compare", words.compares, "compare two profiles");
    add_format(*report, words.report_format,
               "text: 80 columns (default)\n"
               "html: one page that needs no network\n"
               "json: the sums for programs (docs/json.md)\n"
               "csv: bytes of each communicator and lane, for spreadsheets",
               {"text", "html", "json", "csv"});
    report
        ->add_option("--side", words.side,
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
    add_format(*check, words.check_format,
               "text: lines (default)\njson: the same content as JSON (docs/json.md)", {"text", "json"});
    check->add_flag("--openmp", words.uses_openmp,
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

void add_order_of(CLI::App& order, std::vector<std::string>& profiles, OrderOptions& options) {
    order.add_option("FILE", profiles,
                     "a profile with pairs (--mca hitopo_prof_pairs 1); - is standard\n"
                     "input. Several profiles are listed by time");
    order.add_option("--grid", options.grid, "a grid of ranks: 64x48, 64x48p with periodic columns")
        ->check(grid_complaint)
        ->type_name("GRID");
    order.add_flag("--hosts", options.is_hosts, "sort the hosts in fabric order");
    order.add_option("--check", options.check, "check whether a file of an earlier run fits the hosts")
        ->type_name("FILE");
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
    add_order_of(*order, words.profiles, words.order);
    add_order_hosts(*order, words.order);
    add_format(*order, words.launch_format,
               "hostfile: for mpirun --map-by seq\n"
               "rankfile: for mpirun; binds ranks as in the profile\n"
               "slurm: SLURM_HOSTFILE, for srun --distribution=arbitrary\n"
               "mpich-order: MPICH_RANK_ORDER, for Cray's MPICH",
               {"hostfile", "rankfile", "slurm", "mpich-order"});
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
        tune->add_option("-o,--output", words.output, "also write a file for mpirun --tune")
            ->type_name("FILE");
    tune->add_flag("--check", words.checks_tuning,
                   "only print where the job's settings do not fit the measured times;\n"
                   "then the exit status is 1")
        ->excludes(output);
}

void set_profiles(const Words& words, Options& options) {
    if (!words.profiles.empty()) {
        options.profile = words.profiles.front();
        options.other_profiles.assign(words.profiles.begin() + 1, words.profiles.end());
    }
}

Options to_options(const CLI::App& app, const Words& words) {
    if (app.got_subcommand("info")) {
        return {Command::kInfo, kFormats.at(words.info_format), false, {}, {}};
    }
    if (app.got_subcommand("check")) {
        Options options = {Command::kCheck, kFormats.at(words.check_format), false, words.output, {}};
        options.uses_openmp = words.uses_openmp;
        return options;
    }
    if (app.got_subcommand("report")) {
        Options options = {Command::kReport, kFormats.at(words.report_format), false, words.output, {}};
        set_profiles(words, options);
        options.compares = words.compares;
        options.side = words.side;
        return options;
    }
    if (app.got_subcommand("order")) {
        Options options{Command::kOrder, Format::kText, false, words.output, {}};
        set_profiles(words, options);
        options.order = words.order;
        options.order.profile = options.profile;
        options.order.launcher = kLaunchers.at(words.launcher);
        if (!words.launch_format.empty()) {
            options.order.format = kLaunchFormats.at(words.launch_format);
        }
        return options;
    }
    if (app.got_subcommand("tune")) {
        Options options = {Command::kTune, Format::kText, false, words.output, {}};
        options.checks_tuning = words.checks_tuning;
        return options;
    }
    const auto bytes = words.has_collectives ? std::optional<std::size_t>(words.bytes) : std::nullopt;
    return {Command::kShow, kFormats.at(words.show_format), words.has_why, words.output, {}, bytes};
}

// CLI11 tells help and version from errors by the exception's own code.
CommandLine to_text(const CLI::App& app, const CLI::ParseError& stop) {
    std::ostringstream out;
    std::ostringstream errors;
    const bool is_error = app.exit(stop, out, errors) != 0;
    return is_error ? CommandLine{{}, "hitopo: " + errors.str(), kExitUsage}
                    : CommandLine{{}, out.str(), kExitDone};
}

// Empty where the options go together.
std::string misuse_of(const Options& options) {
    const OrderOptions& order = options.order;
    const int num_tasks = (order.profile.empty() ? 0 : 1) + (order.grid.empty() ? 0 : 1) +
                          (order.is_hosts ? 1 : 0) + (order.check.empty() ? 0 : 1);
    if (num_tasks != 1) {
        return "order needs exactly one of these: a profile, --grid, --hosts, --check";
    }
    if (!order.check.empty() && !(order.topology.empty() && order.capacities.empty())) {
        return "--check excludes --topology and --capacities: it finds no order";
    }
    if (!options.output.empty() && (!order.format || !order.check.empty())) {
        return "--output needs --format and excludes --check";
    }
    return "";
}

std::string misuse_of_show(const Options& options) {
    if (options.has_why && (options.format == Format::kDot || options.format == Format::kSvg ||
                            options.format == Format::kMpichCoordinates)) {
        return "--why needs --format table, tree or json";
    }
    if (options.collectives_bytes && (options.has_why || options.format != Format::kTable)) {
        return "--collectives excludes --why and --format: it shows no table";
    }
    return "";
}

// CLI11 would miss a FILE before it minds what it does not know.
std::string misuse_of_report(const Options& options) {
    if (options.profile.empty()) {
        return "report needs a profile: name its FILE, or - for standard input";
    }
    if (options.compares && options.other_profiles.size() != 1) {
        return "--compare needs two files";
    }
    if (options.compares && options.format != Format::kText && options.format != Format::kHtml) {
        return "--compare needs --format text or html";
    }
    return !options.side.empty() && (options.format != Format::kText || options.compares)
               ? "--side needs one file and --format text"
               : "";
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
    add_order(app, words);
    add_tune(app, words);
    app.footer(kExamples);
    if (argc > 1 && argv[1] == std::string_view(kCompleteCommand)) {
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
        return wrong_use("no subcommand. Use show, check, info, report, order or tune.");
    }
    const Options options = to_options(app, words);
    const std::string misuse = options.command == Command::kOrder    ? misuse_of(options)
                               : options.command == Command::kReport ? misuse_of_report(options)
                                                                     : misuse_of_show(options);
    return misuse.empty() ? CommandLine{options, "", kExitDone} : wrong_use(misuse);
}

}  // namespace hitopo::tool
