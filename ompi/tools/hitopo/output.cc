// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/output.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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

// Whether a file of that name can be replaced by another one.
bool is_replaceable(const std::string& path) {
    struct stat status = {};
    return ::lstat(path.c_str(), &status) == 0 ? S_ISREG(status.st_mode) : errno == ENOENT;
}

// As if the file had been made by open().
void give_usual_mode(int descriptor) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    (void)::fchmod(descriptor, 0666 & ~mask);
}

bool write_new(const std::string& text, int descriptor) {
    std::FILE* file = ::fdopen(descriptor, "w");
    if (file == nullptr) {
        ::close(descriptor);
        return false;
    }
    const bool is_written = write_all(file, text) && ::fsync(descriptor) == 0;
    return std::fclose(file) == 0 && is_written;
}

}  // namespace

std::optional<Error> write_output(const std::string& text, const std::string& path) {
    if (path.empty()) {
        return write_all(stdout, text) ? std::nullopt : std::optional<Error>(cannot_write(path));
    }
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (file == nullptr) {
        return cannot_write(path);
    }
    std::optional<Error> error;
    if (!write_all(file, text)) {
        error = cannot_write(path);
    }
    if (std::fclose(file) != 0 && !error) {
        error = cannot_write(path);
    }
    return error;
}

std::optional<Error> write_whole(const std::string& text, const std::string& path) {
    if (path.empty() || !is_replaceable(path)) {
        return write_output(text, path);
    }
    std::string name = path + ".XXXXXX";
    const int descriptor = ::mkstemp(name.data());
    if (descriptor < 0) {
        return cannot_write(path);
    }
    give_usual_mode(descriptor);
    if (write_new(text, descriptor) && std::rename(name.c_str(), path.c_str()) == 0) {
        return std::nullopt;
    }
    const Error error = cannot_write(path);
    (void)std::remove(name.c_str());
    return error;
}

}  // namespace hitopo::tool
