// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The command `hitopo`: an MPI program of any number of processes. Rank 0's options decide and only
// rank 0 writes, after MPI_Finalize. `hitopo report` and `hitopo order` are another program,
// hitopo-profile.
#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <mpi.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <exception>
#include <memory>
#include <numeric>
#include <utility>

#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "ompi/mca/hitopo/support/environment.h"
#include "ompi/tools/hitopo/check/check.h"
#include "ompi/tools/hitopo/map/map.h"
#include "ompi/tools/hitopo/program.h"
#include "ompi/tools/hitopo/render.h"

namespace hitopo::tool {
namespace {

std::optional<std::string> taken(char* document) {
    const std::unique_ptr<char, void (*)(void*)> owner(document, std::free);
    return document != nullptr ? std::optional<std::string>(document) : std::nullopt;
}

// The text of each process at rank 0; nothing elsewhere. A block's texts together stay far below INT_MAX
// bytes; a text over the limit counts as none. Collective.
std::vector<std::string> gather_texts(std::string own, int rank, int size) {
    constexpr int kBlock = 1024;
    constexpr std::size_t kMaxTextBytes = 1 << 20;
    if (own.size() > kMaxTextBytes) {
        own.clear();
    }
    std::vector<std::string> texts(rank == 0 ? static_cast<std::size_t>(size) : 0);
    for (int first = 0; first < size; first += kBlock) {
        const bool is_in_block = rank >= first && rank < first + kBlock;
        const int length = is_in_block ? static_cast<int>(own.size()) : 0;
        std::vector<int> lengths(texts.size());
        std::vector<int> starts(texts.size() + 1);
        MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);  // collective
        std::partial_sum(lengths.begin(), lengths.end(), starts.begin() + 1);
        std::string all(static_cast<std::size_t>(starts.back()), '\0');
        MPI_Gatherv(own.data(), length, MPI_CHAR, all.data(), lengths.data(), starts.data(), MPI_CHAR, 0,
                    MPI_COMM_WORLD);  // collective
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            texts[i].append(all, static_cast<std::size_t>(starts[i]),
                            static_cast<std::size_t>(lengths[i]));
        }
    }
    return texts;
}

struct Gathered {
    int rank = 0;
    int size = 1;
    Documents documents;
    std::optional<Error> unwritable;  // of tune: it measured nothing, since FILE cannot be written
};

// Collective. Nothing where rank 0 has no table.
std::optional<Tuning> tune(const Documents& documents, int rank, bool is_check) {
    std::vector<std::int32_t> addresses =
        rank == 0 ? addresses_in(table_in(documents)) : std::vector<std::int32_t>();
    int num = static_cast<int>(addresses.size());
    MPI_Bcast(&num, 1, MPI_INT, 0, MPI_COMM_WORLD);  // collective
    if (num == 0) {
        return std::nullopt;
    }
    addresses.resize(static_cast<std::size_t>(num));
    MPI_Bcast(addresses.data(), num, MPI_INT32_T, 0, MPI_COMM_WORLD);  // collective
    const CollSettings settings = coll_settings(framework_in(documents));
    Tuning tuning = measure(addresses, is_check, settings.share);
    tuning.is_served = settings.priority >= 0;
    return tuning;
}

// Collective. Rank 0 gets the values.
MeasuredLinks links(const Documents& documents, int rank, int seconds) {
    MeasuredLinks links;
    if (rank == 0) {
        const TableDocument table = table_in(documents);
        links.ends = link_ends(table, read_device_job(table, documents.devices, documents.own_devices));
    }
    int sizes[] = {seconds, static_cast<int>(links.ends.size())};
    MPI_Bcast(sizes, 2, MPI_INT, 0, MPI_COMM_WORLD);  // collective
    links.ends.resize(static_cast<std::size_t>(sizes[1]));
    static_assert(sizeof(LinkEnd) == (2 + kNumLevels) * sizeof(std::int32_t));
    MPI_Bcast(links.ends.data(), (2 + kNumLevels) * sizes[1], MPI_INT32_T, 0,
              MPI_COMM_WORLD);  // collective
    links.pairs = link_pairs(links.ends);
    if (!links.pairs.empty()) {
        measure_links(links, sizes[0]);  // collective
    }
    return links;
}

// Rank 0's options, for all: in an MPMD job those of others can differ.
constexpr unsigned kWhy = 1, kThreads = 2, kLimits = 4, kDevices = 8, kTuning = 16, kTuneCheck = 32,
                   kLinks = 64;

unsigned needs_of(const Options& options) {
    const bool is_check = options.command == Command::kCheck;
    const bool is_json = options.command == Command::kShow && options.format == Format::kJson;
    const bool is_of_devices = options.has_devices || is_check || options.command == Command::kSelect;
    return (options.has_why || options.is_bug_report ? kWhy : 0u) | (is_check ? kThreads : 0u) |
           (is_check || is_json ? kLimits : 0u) | (is_of_devices ? kDevices : 0u) |
           (options.command == Command::kTune ? kTuning : 0u) |
           (options.checks_tuning ? kTuneCheck : 0u) | (options.link_seconds > 0 ? kLinks : 0u);
}

// The devices of each node, by its lowest rank, and of each process, at rank 0. Collective.
void gather_devices(Gathered& gathered) {
    std::vector<int> lowest = lowest_of_nodes(table_in(gathered.documents));  // empty but at rank 0
    lowest.resize(gathered.rank == 0 ? static_cast<std::size_t>(gathered.size) : 0);
    int is_lowest = 0;
    MPI_Scatter(lowest.data(), 1, MPI_INT, &is_lowest, 1, MPI_INT, 0, MPI_COMM_WORLD);  // collective
    gathered.documents.devices =
        gather_texts(is_lowest != 0 ? taken(ompi_hitopo_describe_devices()).value_or("") : "",
                     gathered.rank, gathered.size);
    gathered.documents.own_devices =
        gather_texts(to_text(own_devices(environment_variable, "")), gathered.rank, gathered.size);
}

// The library by which this process has HiTopo, as hitopo.conf names it, since mpirun 5.0 takes two
// names for a conflict; "" where Open MPI itself has it.
std::string own_preload() {
    const std::string name = "libmpi_hitopo.so.0";
    link_map* library = nullptr;
    void* handle = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr || ::dlinfo(handle, RTLD_DI_LINKMAP, &library) != 0) {
        return "";
    }
    const std::string path = library->l_name;
    return path.substr(0, path.rfind('/') + 1) + name;
}

// Registers the profiler's variables where its library stands beside HiTopo's and is not loaded: info
// shows them, too. It stays loaded, since it has their values.
void register_profiler() {
    const std::string own = own_preload();
    const std::string path = own.substr(0, own.rfind('/') + 1) + "libhitopo_prof.so.0";
    void* const before = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    void* const handle = before == nullptr ? ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
    void* const function = handle != nullptr ? ::dlsym(handle, "ompi_hitopo_profile_register") : nullptr;
    if (function != nullptr) {
        reinterpret_cast<void (*)()>(function)();
    }
}

// Called between MPI_Init and MPI_Finalize. The same collectives at every rank.
Gathered gather(const Options& options) {
    Gathered gathered;
    int& size = gathered.size;
    unsigned needs = needs_of(options);
    MPI_Comm_rank(MPI_COMM_WORLD, &gathered.rank);
    if (gathered.rank == 0 && options.command == Command::kTune) {
        gathered.unwritable = probe_output(options.output);
        needs &= gathered.unwritable ? ~kTuning : ~0u;
    }
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Bcast(&needs, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);  // collective
    if ((needs & kWhy) != 0) {
        gathered.documents.processes =
            gather_texts(taken(ompi_hitopo_describe_process()).value_or(""), gathered.rank, size);
    }
    if ((needs & kThreads) != 0) {
        std::vector<int>& threads = gathered.documents.threads;
        threads.resize(gathered.rank == 0 ? static_cast<std::size_t>(size) : 0);
        const int own = omp_threads({std::getenv("OMP_NUM_THREADS"), std::getenv("OMP_THREAD_LIMIT"),
                                     std::getenv("OMP_DYNAMIC")});
        MPI_Gather(&own, 1, MPI_INT, threads.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);  // collective
    }
    if ((needs & kLimits) != 0) {
        gathered.documents.limits = gather_texts(to_text(own_cpu_limits()), gathered.rank, size);
    }
    if (gathered.rank == 0) {
        const char* reason = "";
        const bool is_of_table = options.command == Command::kShow ||
                                 options.command == Command::kCheck ||
                                 options.command == Command::kSelect;
        if (options.command == Command::kInfo) {
            register_profiler();
        }
        if (!is_of_table || options.collectives_bytes) {
            gathered.documents.framework = taken(ompi_hitopo_describe_framework());
        }
        gathered.documents.table = taken(ompi_hitopo_describe_table(&reason));
        gathered.documents.reason = reason;
    }
    if ((needs & kDevices) != 0) {
        gather_devices(gathered);
    }
    if ((needs & kTuning) != 0) {
        gathered.documents.tuning = tune(gathered.documents, gathered.rank, (needs & kTuneCheck) != 0);
    }
    if ((needs & kLinks) != 0) {
        gathered.documents.links = links(gathered.documents, gathered.rank, options.link_seconds);
    }
    return gathered;
}

Rendered render(const Documents& documents, const Options& options, Charset charset) {
    switch (options.command) {
        case Command::kInfo:
            return with_state(render_info(documents, options, charset), documents, options);
        case Command::kTune:
            return render_tune(documents, options.checks_tuning);
        case Command::kCheck:
            return render_check(documents, options, charset);
        case Command::kMap:
            return map::render_check(options.map.check, documents.processes);
        default:
            return render_show(documents, options, charset);
    }
}

// --output names the file for mpirun; the rendered text is printed in any case.
int write_tuning(const Documents& documents, Rendered rendered, Options options) {
    const std::string file = documents.tuning ? format_tune_file(*documents.tuning, own_preload()) : "";
    const std::string path = std::exchange(options.output, "");
    const std::optional<Error> error = file.empty() ? std::optional<Error>() : write_output(file, path);
    if (!file.empty() && !error) {
        rendered.text += format_use(path);
    }
    const int status = write(rendered, options);
    return error ? report(error_line(*error)) : status;
}

int run(const Options& options, Charset charset) {
    if (!options.map.check.empty()) {
        ::setenv("OMPI_MCA_hitopo_file_path", options.map.check.c_str(), 1);
    }
    const Launched launched = launched_by(environment_variable);  // MPI_Init can set such variables
    MPI_Init(nullptr, nullptr);
    const Gathered gathered = gather(options);
    MPI_Finalize();
    if (gathered.rank != 0) {
        return kExitDone;
    }
    const bool needs_all = options.command == Command::kCheck || options.command == Command::kSelect;
    if (needs_all && gathered.size == 1 && !launched.others.empty()) {
        return !launched.is_first
                   ? kExitDone
                   : report("MPI_COMM_WORLD has one process, but " + launched.others +
                            ". Start the job with Open MPI's mpirun, or with srun --mpi=pmix: else each "
                            "process is a job of its own.");
    }
    if (gathered.unwritable) {
        return report(error_line(*gathered.unwritable));
    }
    if (options.command == Command::kSelect) {
        constexpr Launcher kLauncher = OMPI_MAJOR_VERSION < 5 ? Launcher::kOrte : Launcher::kPrrte;
        return write(render_select(gathered.documents, options, kLauncher, charset), options);
    }
    const Rendered rendered = render(gathered.documents, options, charset);
    return options.command == Command::kTune && !options.output.empty()
               ? write_tuning(gathered.documents, rendered, options)
               : write(rendered, options);
}

// Executes the program of `hitopo report` and `hitopo order`: beside this one, else in PATH. Returns
// only where there is none.
int run_profile_program(char** argv) {
    const std::string name = "hitopo-profile";
    std::string own(PATH_MAX, '\0');
    const ssize_t length = ::readlink("/proc/self/exe", own.data(), own.size());
    if (length > 0) {
        own.resize(own.find_last_of('/', static_cast<std::size_t>(length)) + 1);
        ::execv((own + name).c_str(), argv);
    }
    ::execvp(name.c_str(), argv);
    if (is_first_process()) {
        (void)report(
            fmt::format("{} needs the profiler, without which this HiTopo was built "
                        "(no program hitopo-profile beside hitopo or in PATH)",
                        argv[1]));
    }
    return kExitUsage;
}

int run_command(int argc, char** argv) {
    if (argc > 1 && is_of_profiler(argv[1])) {
        return run_profile_program(argv);
    }
    const Charset charset = terminal_charset();
    const CommandLine line = parse_command_line(argc, argv);
    if (line.options && line.options->command == Command::kMap && line.options->map.check.empty()) {
        return is_first_process() ? map::run(*line.options) : kExitDone;
    }
    if (line.options) {
        return run(*line.options, charset);
    }
    return is_first_process() ? print(line) : line.exit_code;
}

}  // namespace
}  // namespace hitopo::tool

int main(int argc, char** argv) {
    try {
        return hitopo::tool::run_command(argc, argv);
    } catch (const std::exception& error) {
        return hitopo::tool::report(error.what());
    }
}
