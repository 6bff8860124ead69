// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/output.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/support/written_file.h"

namespace hitopo::tool {
namespace {

Error cannot_write(const std::string& path) {
    return {Errc::kUnreadable,
            path.empty() ? "standard output" : path,
            std::string("cannot be written: ") + std::strerror(errno),
            "",
            0,
            0};
}

bool write_all(std::FILE* file, const std::string& text) {
    return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

// As if the file had been made by open().
void give_usual_mode(int descriptor) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    (void)::fchmod(descriptor, 0666 & ~mask);
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

std::optional<Error> write_output(const std::string& text, const std::string& path) {
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
    give_usual_mode(descriptor);
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
        const std::string written =
            time == 0 || ::localtime_r(&time, &local) == nullptr
                ? "                   "
                : fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", local.tm_year + 1900,
                              local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min,
                              local.tm_sec);
        list += fmt::format("  {}  {}\n", written, safe(path, Charset::kAscii));
    }
    return list;
}

}  // namespace hitopo::tool
