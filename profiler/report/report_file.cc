// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/report/report_file.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <utility>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/support/written_file.h"

namespace hitopo::profile {
namespace {

// O_EXCL is what protects; without these bits others can only be in the way.
std::uint64_t unpredictable() {
    std::uint64_t bits = 0;
    const int source = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    const bool is_good = source >= 0 && read(source, &bits, sizeof bits) == sizeof bits;
    if (source >= 0) {
        (void)close(source);
    }
    return is_good ? bits : 0;
}

// While it lives, what cannot be written is an error and not the program's end: to a pipe that nobody
// reads any more, beyond the largest file that the process may write (ulimit -f).
class WriteSignals {
public:
    WriteSignals() {
        sigset_t pending;
        sigemptyset(&pending);
        (void)sigpending(&pending);
        sigemptyset(&ours_);
        for (const int signal : {SIGPIPE, SIGXFSZ}) {
            if (sigismember(&pending, signal) == 0) {
                sigaddset(&ours_, signal);
            }
        }
        (void)pthread_sigmask(SIG_BLOCK, &ours_, &before_);
    }
    ~WriteSignals() {
        const struct timespec at_once = {};
        while (sigtimedwait(&ours_, nullptr, &at_once) > 0) {
        }
        (void)pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    WriteSignals(const WriteSignals&) = delete;
    WriteSignals& operator=(const WriteSignals&) = delete;

private:
    sigset_t ours_;  // without those that were pending, and blocked, before
    sigset_t before_;
};

// As write(2), but for the time that it takes: -1 and ETIMEDOUT where nothing is taken for so long.
ssize_t write_some(int descriptor, const char* bytes, std::size_t count, int patience_ms) {
    for (;;) {
        const ssize_t written = ::write(descriptor, bytes, count);
        if (written >= 0 || (errno != EAGAIN && errno != EINTR)) {
            return written;
        }
        struct pollfd awaited = {descriptor, POLLOUT, 0};
        if (errno == EAGAIN && poll(&awaited, 1, patience_ms) == 0) {
            errno = ETIMEDOUT;
            return -1;
        }
    }
}

}  // namespace

ReportFile::ReportFile(std::string path) : path_(std::move(path)) {
    // A pipe that nobody reads cannot be opened.
    const WrittenFile there = open_written(path_, O_NONBLOCK);
    descriptor_ = there.descriptor;
    if (there.is_replaceable) {
        open_part();
    }
    note_error(is_open());
}

void ReportFile::open_part() {
    part_ = path_ + "." + to_hex(unpredictable()) + ".part";
    descriptor_ =
        open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);  // less umask
}

ReportFile::~ReportFile() {
    if (is_open()) {
        (void)close(descriptor_);
        remove_part();
    }
}

void ReportFile::remove_part() const {
    if (!part_.empty()) {
        (void)unlink(part_.c_str());
    }
}

void ReportFile::write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kBufferBytes) {
        flush();
    }
}

void ReportFile::flush() {
    const WriteSignals signals;
    std::size_t done = 0;
    while (error_ == 0 && done < buffer_.size()) {
        const ssize_t written =
            write_some(descriptor_, buffer_.data() + done, buffer_.size() - done, kPatienceMs);
        note_error(written > 0);
        done += written > 0 ? static_cast<std::size_t>(written) : 0;
    }
    buffer_.clear();
}

void ReportFile::finish() {
    flush();
    note_error(close(std::exchange(descriptor_, -1)) == 0);
    if (!part_.empty() && error_ == 0) {
        note_error(std::rename(part_.c_str(), path_.c_str()) == 0);
    }
    if (error_ != 0) {
        remove_part();
    }
}

std::string ReportFile::complaint() const {
    return error_ == 0 ? ""
                       : "cannot write " + path_ + ": " + std::strerror(error_) +
                             " (MCA variable hitopo_prof_report names another file)";
}

void ReportFile::note_error(bool is_good) {
    if (!is_good && error_ == 0) {
        error_ = errno != 0 ? errno : EIO;
    }
}

}  // namespace hitopo::profile
