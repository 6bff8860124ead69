// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/watch/watch.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <utility>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/support/regular_file.h"
#include "profiler/count/call.h"
#include "profiler/report/report.h"
#include "profiler/watch/place.h"

namespace hitopo::profile {

namespace {

constexpr std::int64_t kNsPerSecond = 1000000000;

std::atomic<Watch*> the_watch{nullptr};

std::int64_t now_in_ns() { return static_cast<std::int64_t>(steady_ns()); }

// As WatchedProcess has it: "PID (NAME) STATE ..", where the name may hold anything.
char state_of(const WatchSlot& slot) {
    char path[64], stat[1024];
    (void)std::snprintf(path, sizeof path, "/proc/%lld/stat", static_cast<long long>(slot.last().pid));
    const Descriptor file(open(path, O_RDONLY | O_CLOEXEC));
    const ssize_t size = read(file.number(), stat, sizeof stat);
    const std::string_view text(stat, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    const std::size_t end = text.rfind(')');
    const char letter = end == std::string_view::npos || end + 2 >= text.size() ? '-' : text[end + 2];
    return slot.has_ended ? 'F' : letter == 'Z' || letter == 'X' ? '-' : letter;
}

}  // namespace

Watch::Watch(Settings settings, const std::function<void()>& meet)
    : settings_(std::move(settings)), table_path_(settings_.folder + "/hang.json") {
    const std::string name = "hitopo." + std::to_string(std::hash<std::string>()(settings_.job)) + '.' +
                             std::to_string(settings_.leader);
    memory_ = NodeMemory::open(name, meet, own_);  // collective
    path_ = settings_.folder + "/hang." + std::to_string(settings_.leader);
    part_ = path_ + "." + std::to_string(settings_.rank) + ".part";
    std::memcpy(head_.magic, kWatchedMagic, sizeof head_.magic);
    head_.record_bytes = sizeof(WatchedProcess);
    head_.size = settings_.size;
    settings_.job.copy(head_.job, sizeof head_.job - 1);
}

void Watch::look() {
    const std::int64_t now = now_in_ns();
    if (const auto progress = look_at_places(now, own_->records[(own_->num_looks + 1) % 2])) {
        own_->progress_ns = *progress;
        own_->looked_ns = now;
        ++own_->num_looks;
    }
}

// ---- the file ----

void Watch::write_file() const {
    (void)make_folder(settings_.folder.c_str());
    (void)unlink(part_.c_str());
    Descriptor file(open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    bool is_good = file.number() >= 0;
    const auto put = [&](const auto& value) {
        is_good = is_good && write(file.number(), &value, sizeof value) == ssize_t{sizeof value};
    };
    WatchedHead head = head_;
    head.written = std::time(nullptr);
    put(head);
    for (const WatchSlot& slot : *memory_) {
        if (slot.num_looks > 0 && is_good) {
            WatchedProcess process = slot.last();
            process.state = state_of(slot);
            put(process);
        }
    }
    is_good = is_good && close(file.release()) == 0;
    (void)(is_good ? std::rename(part_.c_str(), path_.c_str()) : unlink(part_.c_str()));
}

// One of the processes that notice at the same time writes.
void Watch::check_node() {
    constexpr std::int64_t kStaleNs = 4 * kNsPerSecond;
    const std::int64_t now = now_in_ns(), patience = settings_.seconds * kNsPerSecond;
    const bool stands = std::any_of(memory_->begin(), memory_->end(), [&](const WatchSlot& slot) {
        return slot.num_looks > 0 && !slot.has_ended &&
               (now - slot.progress_ns >= patience ||
                (now - slot.looked_ns > kStaleNs && state_of(slot) == '-'));
    });
    std::int64_t written = memory_->written_ns;
    const bool is_due = stands ? now - written >= patience : written > 0;
    if (is_due && memory_->written_ns.compare_exchange_strong(written, stands ? now : 0)) {
        if (stands) {
            write_file();
            tell(("no progress for " + std::to_string(settings_.seconds) + " s").c_str());
        } else {
            (void)unlink(path_.c_str());
        }
    }
}

// One line of the job, by rank 0's node.
void Watch::tell(const char* what) const {
    if (settings_.leader == 0 && !memory_->has_told.exchange(true)) {
        char line[PATH_MAX + 128];
        (void)std::snprintf(line, sizeof line,
                            "HiTopo: %s. Who waits for whom: hitopo report --hang %s\n", what,
                            settings_.folder.c_str());
        (void)!write(STDERR_FILENO, line, std::strlen(line));
    }
}

void Watch::write_on_signal() {
    look();
    write_file();
    tell("SIGUSR1");
}

// ---- the thread ----

void Watch::run() {
    const std::int64_t pause = std::min(kNsPerSecond, settings_.seconds * kNsPerSecond / 4);
    while (!is_over_) {
        struct timespec until = {};
        (void)clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += (until.tv_nsec + pause) / kNsPerSecond;
        until.tv_nsec = (until.tv_nsec + pause) % kNsPerSecond;
        if (sem_timedwait(&wake_, &until) != 0) {
            look();
            check_node();
        } else if (!is_over_) {
            write_on_signal();
        }
    }
}

// Where two threads get it at the same time, one writes.
void Watch::on_signal(int) {
    static std::atomic_flag is_busy = ATOMIC_FLAG_INIT;
    const int error = errno;
    Watch* const watch = the_watch;
    if (watch != nullptr && watch->thread_.joinable()) {
        (void)sem_post(&watch->wake_);
    } else if (watch != nullptr && !is_busy.test_and_set()) {
        watch->write_on_signal();
        is_busy.clear();
    }
    errno = error;
}

std::string Watch::start(const std::string& table) {
    if (memory_ == nullptr) {
        return "hitopo_prof_watch does not watch this process: /dev/shm has no room, or the node has "
               "more than 1024 processes";
    }
    std::string complaint;
    if (settings_.rank == 0) {
        complaint = complaint_of_folder(settings_.folder);
        ReportFile file(table_path_);
        file.write(table);
        file.finish();
    }
    for (WatchedProcess& record : own_->records) {
        record.rank = settings_.rank;
        record.pid = getpid();
        (void)gethostname(record.host, sizeof record.host - 1);
    }
    is_watched = true;
    (void)take_place();
    look();
    (void)sem_init(&wake_, 0, 0);
    // The program's signals go to its own threads.
    sigset_t all, before;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    if (guarded([&] { thread_ = std::thread(&Watch::run, this); }) != kSuccess) {
        add_item(complaint, "; ",
                 "no thread can be made for hitopo_prof_watch (limits of the user's processes?): "
                 "processes write where they are on SIGUSR1 only");
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, nullptr);
    the_watch = this;
    struct sigaction action = {};
    (void)sigaction(SIGUSR1, nullptr, &action);
    if (action.sa_handler != SIG_DFL) {
        add_item(complaint, "; ",
                 "the program has a handler of its own for SIGUSR1, which stays: this signal does not "
                 "make hitopo_prof_watch write");
    } else {
        action.sa_handler = on_signal;
        action.sa_flags = SA_RESTART;
        (void)sigaction(SIGUSR1, &action, nullptr);
    }
    return complaint;
}

void Watch::end() {
    if (memory_ == nullptr) {
        return;
    }
    is_over_ = true;
    if (thread_.joinable()) {
        (void)sem_post(&wake_);
        thread_.join();
    }
    the_watch = nullptr;
    own_->has_ended = true;
    if (std::all_of(memory_->begin(), memory_->end(),
                    [](const WatchSlot& slot) { return slot.num_looks == 0 || slot.has_ended; })) {
        (void)unlink(path_.c_str());
    }
    if (settings_.rank == 0) {
        (void)unlink(table_path_.c_str());
    }
    (void)rmdir(settings_.folder.c_str());
}

}  // namespace hitopo::profile
