// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Reading a file that a setting names, without ever waiting: a pipe or a terminal would hang MPI_Init.
// Header only, since components and base do not share C++ symbols.
#ifndef OMPI_MCA_HITOPO_SUPPORT_REGULAR_FILE_H
#define OMPI_MCA_HITOPO_SUPPORT_REGULAR_FILE_H

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {

// An open file that is closed with its owner.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    // errno stays as it is: it is the reason why the owner gives up.
    ~Descriptor() {
        if (number_ >= 0) {
            const int before = errno;
            ::close(number_);
            errno = before;
        }
    }

    int number() const { return number_; }  // negative: none
    int release() { return std::exchange(number_, -1); }

private:
    int number_;
};

// Appends the bytes of one read(2), and returns its result. It has no buffer on the stack, of which a
// program's thread may have little.
inline ssize_t append_from(int descriptor, std::string& text) {
    constexpr std::size_t kBytes = 65536;
    const std::size_t old_size = text.size();
    text.resize(old_size + kBytes);
    const ssize_t num_bytes = ::read(descriptor, &text[old_size], kBytes);
    text.resize(old_size + (num_bytes > 0 ? static_cast<std::size_t>(num_bytes) : 0));
    return num_bytes;
}

class RegularFile {
public:
    explicit RegularFile(const std::string& path)
        : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {
        struct stat status = {};
        if (descriptor_.number() < 0 || ::fstat(descriptor_.number(), &status) != 0) {
            why_not_ = std::generic_category().message(errno);
        } else if (!S_ISREG(status.st_mode)) {
            why_not_ = S_ISFIFO(status.st_mode) ? "it is a pipe" : "it is not a regular file";
        }
    }

    // The reason why it cannot be read; "": it can.
    const std::string& why_not() const { return why_not_; }

    // The open file, the caller's to close.
    int release() { return descriptor_.release(); }

    // Its next bytes; none at its end. kUnreadable, as below.
    Result<std::string> read_piece() const {
        std::string piece;
        while (append_from(descriptor_.number(), piece) < 0) {
            if (errno != EINTR) {
                return unreadable(std::generic_category().message(errno));
            }
        }
        return piece;
    }

    // Its bytes. kUnreadable, kTooLarge: value is the path, message is the reason, without a remedy.
    Result<std::string> read(std::size_t max_bytes) const {
        if (!why_not_.empty()) {
            return unreadable(why_not_);
        }
        std::string text;
        for (;;) {
            const Result<std::string> piece = read_piece();
            if (!piece || piece->empty()) {
                return piece ? Result<std::string>(std::move(text)) : piece;
            }
            text += *piece;
            if (text.size() > max_bytes) {
                return error(Errc::kTooLarge,
                             "it is larger than " + std::to_string(max_bytes) + " bytes");
            }
        }
    }

    Error unreadable(const std::string& why) const { return error(Errc::kUnreadable, why); }

private:
    Error error(Errc code, const std::string& why) const { return {code, path_, why}; }

    const std::string path_;
    Descriptor descriptor_;
    std::string why_not_;
};

// A file of the kernel's; nothing where it cannot be read.
inline std::optional<std::string> read_kernel_file(const std::string& path) {
    constexpr std::size_t kMaxBytes = 4 << 20;
    Result<std::string> text = RegularFile(path).read(kMaxBytes);
    return text ? std::optional<std::string>(std::move(*text)) : std::nullopt;
}

// Its first line, trimmed; "" where it cannot be read.
inline std::string read_kernel_line(const std::string& path) {
    const std::string text = read_kernel_file(path).value_or("");
    return std::string(trim(std::string_view(text).substr(0, text.find('\n'))));
}

// `remedy` follows the reason in the message, unless the file is too large; `where` names the variable
// that holds the path.
inline Error with_remedy(Error error, const std::string& remedy, const std::string& where) {
    error.message += "; " + (error.code == Errc::kTooLarge ? "name a smaller file" : remedy);
    error.where = where;
    return error;
}

inline Result<std::string> read_regular_file(const std::string& path, std::size_t max_bytes,
                                             const std::string& remedy, const std::string& where) {
    Result<std::string> text = RegularFile(path).read(max_bytes);
    return text ? text : with_remedy(text.error(), remedy, where);
}

}  // namespace hitopo

#endif
