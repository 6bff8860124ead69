// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Reading a regular file, bounded.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "ompi/mca/hitopo/file/hitopo_file_input.h"

namespace hitopo {
namespace {

class Descriptor {
public:
    explicit Descriptor(const std::string& path)
        : number_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {}
    ~Descriptor() {
        if (number_ >= 0) {
            ::close(number_);
        }
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return number_; }

private:
    int number_;
};

Error unreadable(const std::string& path, const std::string& why) {
    return {Errc::kUnreadable, path, why + "; give a map that every node can read", "", 0, 0};
}

Error unreadable(const std::string& path, int code) {
    return unreadable(path, std::generic_category().message(code));
}

}  // namespace

Result<std::string> read_regular_file(const std::string& path, std::size_t max_bytes) {
    const Descriptor file(path);
    struct stat status = {};
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0) {
        return unreadable(path, errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return unreadable(path, "it is not a regular file");
    }
    std::string text;
    char buffer[65536];
    for (;;) {
        const ssize_t num_bytes = ::read(file.number(), buffer, sizeof buffer);
        if (num_bytes < 0 && errno == EINTR) {
            continue;
        }
        if (num_bytes <= 0) {
            return num_bytes == 0 ? Result<std::string>(std::move(text)) : unreadable(path, errno);
        }
        text.append(buffer, static_cast<std::size_t>(num_bytes));
        if (text.size() > max_bytes) {
            return Error{Errc::kTooLarge,
                         path,
                         "a map and all that it includes have at most 16 MiB; name hosts in lists, "
                         "node[1-64]",
                         "",
                         0,
                         0};
        }
    }
}

}  // namespace hitopo
