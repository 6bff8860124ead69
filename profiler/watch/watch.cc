// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/watch/watch.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <new>
#include <optional>
#include <utility>

#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/core/text/version.h"
#include "profiler/count/call.h"
#include "profiler/count/communicators.h"
#include "profiler/report/report.h"

namespace hitopo::profile {

namespace {

constexpr std::int64_t kNsPerSecond = 1000000000;

std::atomic<Watch*> the_watch{nullptr};

std::int64_t now_in_ns() { return static_cast<std::int64_t>(steady_ns()); }

}  // namespace

// has_comms: it may wait for the table of communicators.
void Watch::look(bool has_comms) {
    const auto held = has_comms ? std::optional(Communicators::instance().hold()) : std::nullopt;
    const std::int64_t now = now_in_ns();
    FixedText text(shared_.own->next_text(), WatchSlot::kTextBytes);
    text << "\"host\":";
    text.put_string(host_) << ",";
    shared_.own->progress_ns = places_.look(now);
    places_.put(text, now, has_comms);
    shared_.own->set_text(text.text().size());
    shared_.own->looked_ns = now;
}

// ---- the file ----

namespace {

bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(file, text.data(), text.size());
        if (written <= 0 && errno != EINTR) {
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    return true;
}

}  // namespace

void Watch::write_file() const {
    char room[WatchSlot::kTextBytes + 256], process[WatchSlot::kTextBytes];
    if (make_folder(settings_.folder.c_str()) != 0) {
        return;
    }
    (void)unlink(part_.c_str());
    const int file = open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FixedText head(room, sizeof room);
    head << "{\"hitopo\":\"" << kHitopoVersion << "\",\"schema\":1,\"document\":\"hang\",\"job\":";
    head.put_string(settings_.job, 255)
        << ",\"size\":" << settings_.size << ",\"seconds\":" << settings_.seconds
        << ",\"written\":" << static_cast<std::int64_t>(std::time(nullptr)) << ",\"processes\":[";
    bool is_good = file >= 0 && write_all(file, head.text());
    const char* separator = "\n";
    for (const WatchSlot& slot : *shared_.memory) {
        if (slot.is_used() && is_good) {
            const char state = slot.state();
            const std::size_t size = slot.copy_text(process);
            FixedText text(room, sizeof room);
            text << separator << "{\"rank\":" << slot.rank << ",\"pid\":" << slot.pid << ",\"state\":\""
                 << std::string_view(&state, 1) << "\"" << (size > 0 ? "," : "")
                 << std::string_view(process, size) << "}";
            is_good = write_all(file, text.text());
            separator = ",\n";
        }
    }
    is_good = is_good && write_all(file, "\n]}\n");
    if (file >= 0) {
        is_good = close(file) == 0 && is_good;
        (void)(is_good ? std::rename(part_.c_str(), path_.c_str()) : unlink(part_.c_str()));
    }
}

void Watch::remove_file() const {
    shared_.memory->file = NodeMemory::kNone;
    (void)unlink(path_.c_str());
}

// Whether this process writes, and what stands still: the first of the node whose thread runs.
void Watch::keep_file() {
    const std::int64_t now = now_in_ns();
    const std::int64_t stale_ns = 4 * kNsPerSecond;
    std::uint64_t state = 0;
    const WatchSlot* writer = nullptr;
    for (const WatchSlot& slot : *shared_.memory) {
        const bool is_stale = now - slot.looked_ns > stale_ns;
        const char letter = !slot.is_used() || slot.has_ended ? 'F' : is_stale ? slot.state() : 'R';
        const bool can_write = !is_stale && letter != 'F';
        writer = can_write && (writer == nullptr || slot.rank < writer->rank) ? &slot : writer;
        const bool stands = now - slot.progress_ns >= settings_.seconds * kNsPerSecond;
        if (letter == '-' || (letter != 'F' && slot.version > 0 && stands)) {
            state = combine(combine(state, static_cast<std::uint64_t>(slot.rank)),
                            static_cast<unsigned>(letter));
        }
    }
    if (writer != shared_.own) {
        return;
    }
    if (state == 0) {
        if (shared_.memory->file == NodeMemory::kByWatch) {
            remove_file();
        }
    } else if (state != written_state_ || now - written_ns_ >= settings_.seconds * kNsPerSecond) {
        write_file();
        shared_.memory->file = NodeMemory::kByWatch;
        tell("no progress for", settings_.seconds);
        written_ns_ = now;
    }
    written_state_ = state;
}

// One line of the job, by rank 0's node.
void Watch::tell(const char* what, int seconds) const {
    if (first_ == 0 && !shared_.memory->has_told.exchange(true)) {
        char room[PATH_MAX + 128];
        FixedText text(room, sizeof room);
        text << "HiTopo: " << what;
        if (seconds > 0) {
            text << " " << seconds << " s";
        }
        text << ". Who waits for whom: hitopo report --hang " << settings_.folder << "\n";
        (void)write_all(STDERR_FILENO, text.text());
    }
}

// ---- the thread ----

void Watch::run() {
    const int pause_ms = std::min(1000, 250 * settings_.seconds);
    look(true);
    while (!is_over_) {
        struct pollfd awaited = {event_, POLLIN, 0};
        std::uint64_t number = 0;
        const bool is_asked =
            poll(&awaited, 1, pause_ms) > 0 && read(event_, &number, sizeof number) > 0;
        look(true);
        if (!is_asked) {
            keep_file();
        } else if (!is_over_) {
            constexpr int kForDetailsUs = 10000;
            (void)usleep(kForDetailsUs);
            look(true);
            write_on_signal();
        }
    }
}

void Watch::write_on_signal() const {
    shared_.memory->file = NodeMemory::kOnSignal;
    write_file();
    tell("SIGUSR1", 0);
}

// Where two threads get it at the same time, one writes.
void Watch::on_signal(int) {
    static std::atomic_flag is_busy = ATOMIC_FLAG_INIT;
    const int error = errno;
    Watch* const watch = the_watch;
    if (watch != nullptr && watch->thread_.joinable()) {
        watch->wake();
    } else if (watch != nullptr && !is_busy.test_and_set()) {
        watch->look(false);
        watch->look(false);
        watch->write_on_signal();
        is_busy.clear();
    }
    errno = error;
}

void Watch::wake() const {
    const std::uint64_t one = 1;
    (void)!write(event_, &one, sizeof one);
}

Watch::Watch(Settings settings, const std::string& node, const std::function<void()>& meet)
    : settings_(std::move(settings)),
      places_(settings_.size),
      shared_(NodeMemory::open(node, settings_.rank, meet)) {  // collective
    if (shared_.memory == nullptr) {
        throw std::bad_alloc();
    }
    (void)gethostname(host_, sizeof host_ - 1);
    first_ = settings_.rank;
    for (const WatchSlot& slot : *shared_.memory) {
        first_ = slot.is_used() ? std::min(first_, slot.rank) : first_;
    }
    path_ = settings_.folder + "/hang." + std::to_string(first_) + ".json";
    part_ = path_ + "." + std::to_string(settings_.rank) + ".part";
}

std::string Watch::start() {
    is_watched = true;
    (void)take_place();
    the_watch = this;
    std::string complaint;
    // The program's signals go to its own threads.
    sigset_t all, before;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    event_ = eventfd(0, EFD_CLOEXEC);
    if (guarded([&] { thread_ = std::thread(&Watch::run, this); }) != kSuccess) {
        complaint =
            "no thread can be made for hitopo_prof_watch (limits of the user's processes?): processes "
            "write where they are on SIGUSR1 only";
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, nullptr);
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
    is_over_ = true;
    if (thread_.joinable()) {
        wake();
        thread_.join();
    }
    the_watch = nullptr;
    shared_.own->has_ended = true;
    const bool is_last =
        std::all_of(shared_.memory->begin(), shared_.memory->end(),
                    [](const WatchSlot& slot) { return !slot.is_used() || slot.has_ended; });
    if (is_last) {
        remove_file();
        (void)rmdir(settings_.folder.c_str());
    }
}

}  // namespace hitopo::profile
