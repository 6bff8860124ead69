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
#include <map>
#include <utility>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/support/written_file.h"

namespace hitopo::profile {
namespace {

// ---- names ----

constexpr std::size_t kMaxNameBytes = 64;

// It has no /: a launcher's name for a job leads nowhere else.
std::string as_file_name(std::string_view name) {
    static constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._@+-";
    std::string plain(name.substr(name.size() > kMaxNameBytes ? name.size() - kMaxNameBytes : 0));
    for (char& c : plain) {
        c = kPlain.find(c) == std::string_view::npos ? '_' : c;
    }
    return plain;
}

std::string in_utc(std::time_t time) {
    std::tm utc = {};
    char text[32] = "";
    return gmtime_r(&time, &utc) != nullptr &&
                   std::strftime(text, sizeof text, "%Y%m%dT%H%M%S", &utc) > 0
               ? text
               : "";
}

std::string expand(std::string_view pattern, const ReportOrigin& origin) {
    const std::map<char, std::string> stand_for = {{'h', as_file_name(origin.host)},
                                                   {'j', as_file_name(origin.job)},
                                                   {'p', std::to_string(origin.process)},
                                                   {'t', in_utc(origin.start)},
                                                   {'%', "%"}};
    std::string path;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool is_percent = pattern[i] == '%' && i + 1 < pattern.size();
        const auto found = is_percent ? stand_for.find(pattern[i + 1]) : stand_for.end();
        path += found == stand_for.end() ? std::string(1, pattern[i]) : found->second;
        i += found == stand_for.end() ? 0 : 1;
    }
    return path;
}

// ---- files ----

// O_EXCL protects; without these bits others can only be in the way.
std::uint64_t unpredictable() {
    std::uint64_t bits = 0;
    const Descriptor source(open("/dev/urandom", O_RDONLY | O_CLOEXEC));
    return read(source.number(), &bits, sizeof bits) == sizeof bits ? bits : 0;
}

// While it lives, a failed write is an error and not the program's end: to a pipe without a reader, or
// beyond the largest file that the process may write (ulimit -f).
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

std::string report_path(std::string_view pattern, int snapshot, const ReportOrigin& origin) {
    std::string path = expand(pattern, origin);
    const bool names_job = path != expand(pattern, {origin.host, "", -1, origin.start});
    const std::string suffix = (origin.is_spawned && !names_job ? "." + as_file_name(origin.job) : "") +
                               (snapshot > 0 ? "." + std::to_string(snapshot) : "");
    const std::size_t slash = path.rfind('/');
    const std::size_t dot = path.rfind('.');
    const bool has_ending = dot != std::string::npos && (slash == std::string::npos || dot > slash);
    return path.insert(has_ending ? dot : path.size(), suffix);
}

std::string parts_folder(std::string report) {
    static constexpr std::string_view kSuffix = ".json";
    if (report.size() > kSuffix.size() &&
        report.compare(report.size() - kSuffix.size(), kSuffix.size(), kSuffix) == 0) {
        report.resize(report.size() - kSuffix.size());
    }
    return report + ".parts";
}

ReportFile::ReportFile(std::string path) : path_(std::move(path)) {
    // A pipe without a reader cannot be opened.
    const WrittenFile there = open_written(path_, O_NONBLOCK);
    descriptor_ = there.descriptor;
    if (there.is_replaceable) {
        part_ = path_ + "." + to_hex(unpredictable()) + ".part";
        descriptor_ = open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                           0666);  // less umask
    }
    note_error(is_open());
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
