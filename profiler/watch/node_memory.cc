// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/watch/node_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "ompi/mca/hitopo/support/regular_file.h"
#include "profiler/watch/fixed_text.h"

namespace hitopo::profile {
namespace {

constexpr std::size_t kNumBytes = sizeof(NodeMemory) + NodeMemory::kMaxSlots * sizeof(WatchSlot);

struct ProcessState {
    char letter = '-';
    std::uint64_t start = 0;
};

// "PID (NAME) LETTER ..": the name may hold anything. The start is the 20th number behind it.
ProcessState state_of(std::int64_t pid) {
    char path[64], stat[1024];
    FixedText name(path, sizeof path);
    name << "/proc/" << pid << "/stat" << std::string_view("", 1);
    const Descriptor file(open(path, O_RDONLY | O_CLOEXEC));
    const ssize_t size = file.number() < 0 ? 0 : read(file.number(), stat, sizeof stat);
    std::string_view rest(stat, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    const std::size_t end_of_name = rest.rfind(')');
    if (end_of_name == std::string_view::npos || end_of_name + 2 >= rest.size()) {
        return {};
    }
    rest.remove_prefix(end_of_name + 2);
    ProcessState state = {rest.front(), 0};
    for (int field = 3; field < 22; ++field) {
        rest.remove_prefix(std::min(rest.size(), rest.find(' ') + 1));
    }
    for (const char c : rest.substr(0, rest.find(' '))) {
        state.start = 10 * state.start + static_cast<std::uint64_t>(c - '0');
    }
    return state;
}

std::uint64_t own_space() {
    struct stat status = {};
    return stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

}  // namespace

char WatchSlot::state() const {
    if (has_ended || space != own_space()) {
        return has_ended ? 'F' : '?';
    }
    const ProcessState now = state_of(pid);
    return now.start == start && now.letter != 'Z' && now.letter != 'X' ? now.letter : '-';
}

void WatchSlot::set_text(std::size_t length) {
    lengths[(version + 1) % 2] = length;
    version.fetch_add(1, std::memory_order_release);
}

std::size_t WatchSlot::copy_text(char* to) const {
    for (int i = 0; i < 10; ++i) {
        const unsigned before = version.load(std::memory_order_acquire);
        const std::size_t length = std::min(lengths[before % 2], kTextBytes);
        std::memcpy(to, texts[before % 2], length);
        std::atomic_thread_fence(std::memory_order_acquire);
        if (version.load(std::memory_order_relaxed) == before) {
            return before == 0 ? 0 : length;
        }
    }
    return 0;
}

// file -1: it is not shared.
NodeMemory* NodeMemory::map(int file) {
    void* const mapped = mmap(nullptr, kNumBytes, PROT_READ | PROT_WRITE,
                              file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, file, 0);
    return mapped == MAP_FAILED ? nullptr : static_cast<NodeMemory*>(mapped);
}

// A longer file than the limit raises SIGXFSZ; a page for which there is no room, SIGBUS.
NodeMemory::Opened NodeMemory::open(const std::string& name, int rank,
                                    const std::function<void()>& meet) {
    const std::string path = "/dev/shm/" + name;
    struct rlimit limit = {};
    struct stat status = {};
    const bool is_allowed = getrlimit(RLIMIT_FSIZE, &limit) == 0 && kNumBytes <= limit.rlim_cur;
    const Descriptor file(
        is_allowed ? ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600) : -1);
    const auto has_room = [&](std::size_t begin, std::size_t size) {
        return posix_fallocate(file.number(), static_cast<off_t>(begin), static_cast<off_t>(size)) == 0;
    };
    const bool is_ours =
        file.number() >= 0 && fstat(file.number(), &status) == 0 && status.st_uid == geteuid() &&
        ftruncate(file.number(), static_cast<off_t>(kNumBytes)) == 0 && has_room(0, sizeof(NodeMemory));
    NodeMemory* memory = is_ours ? map(file.number()) : nullptr;
    int number = memory == nullptr ? kMaxSlots : memory->num_taken_++;
    if (number >= kMaxSlots ||
        !has_room(sizeof(NodeMemory) + static_cast<std::size_t>(number) * sizeof(WatchSlot),
                  sizeof(WatchSlot))) {
        memory = map(-1);
        number = memory == nullptr ? 0 : memory->num_taken_++;
    }
    WatchSlot* const own = memory == nullptr ? nullptr : memory->begin() + number;
    if (own != nullptr) {
        own->rank = rank;
        own->start = state_of(getpid()).start;
        own->space = own_space();
        own->pid.store(getpid(), std::memory_order_release);
    }
    meet();
    (void)unlink(path.c_str());
    return {memory, own};
}

}  // namespace hitopo::profile
