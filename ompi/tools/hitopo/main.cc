// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The command `hitopo`: an MPI program of any number of processes. Rank 0's options decide and only
// rank 0 writes, after MPI_Finalize. `hitopo report` and `hitopo order` read files and need no MPI.
#include <dlfcn.h>
#include <fmt/format.h>
#include <langinfo.h>
#include <link.h>
#include <mpi.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <utility>

#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "ompi/mca/hitopo/support/environment.h"
#include "ompi/tools/hitopo/check/own_process.h"
#include "ompi/tools/hitopo/options.h"
#include "ompi/tools/hitopo/order/order.h"
#include "ompi/tools/hitopo/order/own_cores.h"
#include "ompi/tools/hitopo/output.h"
#include "ompi/tools/hitopo/render.h"
#include "ompi/tools/hitopo/tune/measure.h"

namespace hitopo::tool {
namespace {

std::optional<std::string> taken(char* document) {
    const std::unique_ptr<char, void (*)(void*)> owner(document, std::free);
    return document != nullptr ? std::optional<std::string>(document) : std::nullopt;
}

Charset terminal_charset() {
    std::setlocale(LC_CTYPE, "");
    return std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? Charset::kUtf8 : Charset::kAscii;
}

// Usage errors, help and reports come without MPI_Init, when only the launcher's environment tells the
// rank: mpirun's, srun's with PMIx.
bool is_first_process() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK"}) {
        if (const char* rank = std::getenv(name)) {
            return std::strcmp(rank, "0") == 0;
        }
    }
    return true;
}

// Not by fmt::print, which throws where it cannot write.
int report(const std::string& error) {
    std::fputs(("hitopo: " + error + '\n').c_str(), stderr);
    return kExitFailed;
}

// The texts of the processes [first, first + count), at rank 0; "" elsewhere. Collective.
void gather_block(const std::string& own, int rank, int first, int count,
                  std::vector<std::string>& texts) {
    const bool is_in_block = rank >= first && rank < first + count;
    const int length = is_in_block ? static_cast<int>(own.size()) : 0;
    std::vector<int> lengths(texts.size());
    std::vector<int> starts(texts.size() + 1);
    MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);  // collective
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        starts[i + 1] = starts[i] + lengths[i];
    }
    std::string all(static_cast<std::size_t>(starts.back()), '\0');
    MPI_Gatherv(own.data(), length, MPI_CHAR, all.data(), lengths.data(), starts.data(), MPI_CHAR, 0,
                MPI_COMM_WORLD);  // collective
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (lengths[i] > 0) {
            texts[i] =
                all.substr(static_cast<std::size_t>(starts[i]), static_cast<std::size_t>(lengths[i]));
        }
    }
}

// Each process's text at rank 0. A block's texts together stay far below INT_MAX bytes; a text over
// the limit counts as none. Collective.
std::vector<std::string> gather_texts(std::string own, int rank, int size) {
    constexpr int kBlock = 1024;
    constexpr std::size_t kMaxTextBytes = 1 << 20;
    if (own.size() > kMaxTextBytes) {
        own.clear();
    }
    std::vector<std::string> texts(rank == 0 ? static_cast<std::size_t>(size) : 0);
    for (int first = 0; first < size; first += kBlock) {
        gather_block(own, rank, first, std::min(kBlock, size - first), texts);
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
        rank == 0 ? addresses_in(documents) : std::vector<std::int32_t>();
    int num = static_cast<int>(addresses.size());
    MPI_Bcast(&num, 1, MPI_INT, 0, MPI_COMM_WORLD);  // collective
    if (num == 0) {
        return std::nullopt;
    }
    addresses.resize(static_cast<std::size_t>(num));
    MPI_Bcast(addresses.data(), num, MPI_INT32_T, 0, MPI_COMM_WORLD);  // collective
    const CollSettings settings = settings_in(documents);
    Tuning tuning = measure(MPI_COMM_WORLD, addresses, is_check, settings.share);
    tuning.is_served = settings.priority >= 0;
    return tuning;
}

// What rank 0 decides for all: in an MPMD job their options can differ.
struct Agreed {
    int has_why;
    int is_tune;
    int is_check;
    int has_limits;
    int checks_tuning;
};

// Each process's threads at rank 0. Collective.
std::vector<int> gather_threads(int rank, int size) {
    const int own = omp_threads(
        {std::getenv("OMP_NUM_THREADS"), std::getenv("OMP_THREAD_LIMIT"), std::getenv("OMP_DYNAMIC")});
    std::vector<int> threads(rank == 0 ? static_cast<std::size_t>(size) : 0);
    MPI_Gather(&own, 1, MPI_INT, threads.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);  // collective
    return threads;
}

// Between MPI_Init and MPI_Finalize. The same collectives at every rank.
Gathered gather(const Options& options) {
    Gathered gathered;
    int& size = gathered.size;
    const bool is_json = options.command == Command::kShow && options.format == Format::kJson;
    Agreed agreed = {options.has_why ? 1 : 0, options.command == Command::kTune ? 1 : 0,
                     options.command == Command::kCheck ? 1 : 0,
                     options.command == Command::kCheck || is_json ? 1 : 0,
                     options.checks_tuning ? 1 : 0};
    MPI_Comm_rank(MPI_COMM_WORLD, &gathered.rank);
    if (gathered.rank == 0 && options.command == Command::kTune) {
        gathered.unwritable = probe_output(options.output);
        agreed.is_tune = gathered.unwritable ? 0 : 1;
    }
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Bcast(&agreed, 5, MPI_INT, 0, MPI_COMM_WORLD);  // collective
    if (agreed.has_why != 0) {
        gathered.documents.processes =
            gather_texts(taken(ompi_hitopo_describe_process()).value_or(""), gathered.rank, size);
    }
    if (agreed.is_check != 0) {
        gathered.documents.threads = gather_threads(gathered.rank, size);
    }
    if (agreed.has_limits != 0) {
        gathered.documents.limits = gather_texts(to_text(own_cpu_limits()), gathered.rank, size);
    }
    if (gathered.rank == 0) {
        const char* reason = "";
        const bool is_of_table = options.command == Command::kShow || options.command == Command::kCheck;
        if (!is_of_table || options.collectives_bytes) {
            gathered.documents.framework = taken(ompi_hitopo_describe_framework());
        }
        if (options.command != Command::kInfo) {
            gathered.documents.table = taken(ompi_hitopo_describe_table(&reason));
        }
        gathered.documents.reason = reason;
    }
    if (agreed.is_tune != 0) {
        gathered.documents.tuning = tune(gathered.documents, gathered.rank, agreed.checks_tuning != 0);
    }
    return gathered;
}

int write(const Rendered& rendered, const Options& options) {
    if (!rendered.text.empty() || rendered.error.empty()) {
        if (const std::optional<Error> error = write_output(rendered.text, options.output)) {
            return report(error_line(*error));
        }
    }
    if (!rendered.error.empty()) {
        return report(rendered.error);
    }
    return rendered.has_faults ? kExitFailed : kExitDone;
}

Rendered render(const Documents& documents, const Options& options, Charset charset) {
    switch (options.command) {
        case Command::kInfo:
            return render_info(documents.framework, options, charset);
        case Command::kTune:
            return render_tune(documents, options.checks_tuning);
        case Command::kCheck:
            return render_check(documents, options, charset);
        default:
            return render_show(documents, options, charset);
    }
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

// --output is of the file for mpirun, and not of what is rendered, which is printed in any case.
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

int report_singletons(const std::string& others) {
    return report(
        "MPI_COMM_WORLD has one process, but " + others +
        ". Start the job with Open MPI's mpirun, or with srun --mpi=pmix: else each process is "
        "a job of its own.");
}

int run(const Options& options, Charset charset) {
    const Launched launched = launched_by(environment_variable);  // MPI_Init can set such variables
    MPI_Init(nullptr, nullptr);
    const Gathered gathered = gather(options);
    MPI_Finalize();
    if (gathered.rank != 0) {
        return kExitDone;
    }
    if (options.command == Command::kCheck && gathered.size == 1 && !launched.others.empty()) {
        return launched.is_first ? report_singletons(launched.others) : kExitDone;
    }
    if (gathered.unwritable) {
        return report(error_line(*gathered.unwritable));
    }
    const Rendered rendered = render(gathered.documents, options, charset);
    return options.command == Command::kTune && !options.output.empty()
               ? write_tuning(gathered.documents, rendered, options)
               : write(rendered, options);
}

int report_several(const Options& options, const std::string& remedy) {
    std::vector<std::string> all = options.other_profiles;
    all.push_back(options.profile);
    report(fmt::format("{} files are given; {} (oldest first):\n{}", all.size(), remedy,
                       listed_by_time(all)));
    return kExitUsage;
}

int run_report(const Options& options, Charset charset) {
    if (!options.other_profiles.empty() && !options.compares) {
        return report_several(options, "name one of them, or two with --compare");
    }
    Result<Profile> profile = open_profile(options.profile);
    return write(options.compares
                     ? render_comparison(std::move(profile),
                                         open_profile(options.other_profiles.front()), options, charset)
                     : render_report(std::move(profile), options, charset),
                 options);
}

// The report goes where the launcher's file does not.
int write(const Ordered& ordered, const Options& options) {
    const bool is_file = ordered.file.has_value();
    const bool is_on_output = is_file && options.output.empty();
    std::optional<Error> error =
        is_file ? write_output(*ordered.file, options.output) : std::optional<Error>();
    if (!error && !is_on_output) {
        error = write_output(ordered.report, "");
    }
    if (error) {
        return report(error_line(*error));
    }
    std::fputs(is_on_output ? ordered.report.c_str() : "", stderr);
    return kExitDone;
}

int run_order(const Options& options) {
    if (!options.other_profiles.empty()) {
        return report_several(options, "name one of them");
    }
    const Result<Ordered> ordered =
        find_order(options, {environment_variable,
                             {"", environment_variable("OMPI_MCA_hitopo_file_topology").value_or(""),
                              environment_variable("OMPI_MCA_hitopo_file_labels").value_or(""),
                              environment_variable("OMPI_MCA_hitopo_file_unknown").value_or("")},
                             own_cores});
    if (ordered && ordered->skipped) {
        (void)report(error_line(*ordered->skipped));
    }
    return ordered ? write(*ordered, options) : report(error_line(ordered.error()));
}

int run_alone(const Options& options, Charset charset) {
    if (const std::optional<Error> error = probe_output(options.output)) {
        return report(error_line(*error));
    }
    return options.command == Command::kOrder ? run_order(options) : run_report(options, charset);
}

// Help, or what is wrong with the command line.
int print(const CommandLine& line) {
    if (line.exit_code == kExitDone) {
        return write(Rendered{line.text, ""}, {});
    }
    std::fputs(line.text.c_str(), stderr);
    return line.exit_code;
}

int run_command(int argc, char** argv) {
    const Charset charset = terminal_charset();
    const CommandLine line = parse_command_line(argc, argv);
    const bool has_job = line.options && line.options->command != Command::kReport &&
                         line.options->command != Command::kOrder;
    if (has_job) {
        return run(*line.options, charset);
    }
    if (!is_first_process()) {  // where it was started as a job, once
        return line.exit_code;
    }
    return line.options ? run_alone(*line.options, charset) : print(line);
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
