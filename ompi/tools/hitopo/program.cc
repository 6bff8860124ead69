// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/program.h"

#include <fmt/format.h>
#include <langinfo.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/support/written_file.h"

namespace hitopo::tool {
namespace {

Error cannot_write(const std::string& path) {
    return {Errc::kUnreadable, path.empty() ? "standard output" : path,
            std::string("cannot be written: ") + std::strerror(errno), ""};
}

bool write_all(std::FILE* file, const std::string& text) {
    return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

bool write_to(int descriptor, const std::string& text) {
    std::FILE* file = ::fdopen(descriptor, "w");
    if (file == nullptr) {
        ::close(descriptor);
        return false;
    }
    const bool is_written = write_all(file, text) && (::fsync(descriptor) == 0 || errno == EINVAL);
    return std::fclose(file) == 0 && is_written;
}

}  // namespace

bool is_of_profiler(std::string_view subcommand) {
    return subcommand == "report" || subcommand == "order";
}

Charset terminal_charset() {
    std::setlocale(LC_CTYPE, "");
    return std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? Charset::kUtf8 : Charset::kAscii;
}

bool is_first_process() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK"}) {
        if (const char* rank = std::getenv(name)) {
            return std::strcmp(rank, "0") == 0;
        }
    }
    return true;
}

Launched launched_by(const Variable& variable) {
    constexpr struct {
        const char *rank, *size;
    } kLaunchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                      {"PMI_RANK", "PMI_SIZE"},  // MPICH's, Intel's, Cray's, Flux's
                      {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
                      {"PALS_RANKID", ""},
                      {"SLURM_PROCID", "SLURM_NTASKS"},
                      {"_CONDOR_PROCNO", "_CONDOR_NPROCS"}};
    const auto number = [&](const char* name) { return parse_number(variable(name).value_or("")); };
    for (const auto& launcher : kLaunchers) {
        const std::optional<std::uint64_t> rank = number(launcher.rank), size = number(launcher.size);
        if (size) {
            return {*size > 1 ? fmt::format("{} is {}", launcher.size, *size) : "",
                    rank.value_or(0) == 0};
        }
        if (rank) {  // rank 0 knows of no others
            return {*rank > 0 ? fmt::format("{} is {}", launcher.rank, *rank) : "", *rank == 1};
        }
    }
    return {};
}

// It avoids fmt::print, which throws where it cannot write.
int report(const std::string& error) {
    std::fputs(("hitopo: " + error + '\n').c_str(), stderr);
    return kExitFailed;
}

int write(const Rendered& rendered, const Options& options) {
    const bool is_on_output = options.output.empty();
    std::optional<Error> error;
    if (!rendered.text.empty() || rendered.error.empty()) {
        error = write_output(rendered.text, options.output, options.format == Format::kScript);
    }
    if (!error && !rendered.beside.empty() && !is_on_output) {
        error = write_output(rendered.beside, "");
    }
    std::fputs(is_on_output ? rendered.beside.c_str() : "", stderr);
    if (error) {
        return report(error_line(*error));
    }
    if (!rendered.error.empty()) {
        return report(rendered.error);
    }
    return rendered.has_faults ? kExitFailed : kExitDone;
}

int print(const CommandLine& line) {
    if (line.exit_code == kExitDone) {
        return write(Rendered{line.text, ""}, {});
    }
    std::fputs(line.text.c_str(), stderr);
    return line.exit_code;
}

std::string error_line(const Error& error) {
    const std::string where = error.where.empty() ? "" : error.position() + ": ";
    return safe(fmt::format("{}{} {}", where, error.value, error.message), Charset::kAscii);
}

std::optional<Error> write_output(const std::string& text, const std::string& path, bool is_program) {
    if (path.empty()) {
        return write_all(stdout, text) ? std::nullopt : std::optional<Error>(cannot_write(path));
    }
    const WrittenFile there = open_written(path, 0);
    if (!there.is_replaceable) {
        return there.descriptor >= 0 && write_to(there.descriptor, text)
                   ? std::nullopt
                   : std::optional<Error>(cannot_write(path));
    }
    std::string name = path + ".XXXXXX";
    const int descriptor = ::mkstemp(name.data());
    if (descriptor < 0) {
        return cannot_write(path);
    }
    const mode_t mask = ::umask(0);
    ::umask(mask);
    (void)::fchmod(descriptor, (is_program ? 0777 : 0666) & ~mask);  // as if made by open()
    if (write_to(descriptor, text) && std::rename(name.c_str(), path.c_str()) == 0) {
        return std::nullopt;
    }
    const Error error = cannot_write(path);
    (void)std::remove(name.c_str());
    return error;
}

std::optional<Error> probe_output(const std::string& path) {
    struct stat status = {};
    const bool is_there = ::lstat(path.c_str(), &status) == 0;  // as open_written()
    if (is_there && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return cannot_write(path);
    }
    if (path.empty() || (is_there && !S_ISREG(status.st_mode))) {
        return std::nullopt;
    }
    std::string name = path + ".XXXXXX";
    const Descriptor descriptor(::mkstemp(name.data()));
    if (descriptor.number() < 0) {
        return cannot_write(path);
    }
    (void)std::remove(name.c_str());
    return std::nullopt;
}

std::string listed_by_time(const std::vector<std::string>& paths) {
    std::vector<std::pair<std::time_t, std::string>> files;
    for (const std::string& path : paths) {
        struct stat status = {};
        const bool is_there = path == "-" || ::stat(path.c_str(), &status) == 0;
        files.emplace_back(status.st_mtime, is_there ? path : path + ": " + std::strerror(errno));
    }
    std::sort(files.begin(), files.end());
    std::string list;
    for (const auto& [time, path] : files) {
        std::tm local = {};
        char written[20] = "";
        if (time != 0 && ::localtime_r(&time, &local) != nullptr) {
            (void)std::strftime(written, sizeof written, "%F %T", &local);
        }
        list += fmt::format("  {:19}  {}\n", written, safe(path, Charset::kAscii));
    }
    return list;
}

}  // namespace hitopo::tool
