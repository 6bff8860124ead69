// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/watch/node_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>

#include "ompi/mca/hitopo/support/regular_file.h"

namespace hitopo::profile {

// A page for which there is no room raises SIGBUS.
NodeMemory* NodeMemory::open(const std::string& name, const std::function<void()>& meet,
                             WatchSlot*& own) {
    const std::string path = "/dev/shm/" + name;
    const Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    const auto has_room = [&](std::size_t begin, std::size_t size) {
        return posix_fallocate(file.number(), static_cast<off_t>(begin), static_cast<off_t>(size)) == 0;
    };
    struct stat status = {};
    const bool is_ours = fstat(file.number(), &status) == 0 && status.st_uid == geteuid() &&
                         ftruncate(file.number(), sizeof(NodeMemory)) == 0 &&
                         has_room(0, offsetof(NodeMemory, slots));
    void* const mapped =
        is_ours ? mmap(nullptr, sizeof(NodeMemory), PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0)
                : MAP_FAILED;
    NodeMemory* memory = mapped == MAP_FAILED ? nullptr : static_cast<NodeMemory*>(mapped);
    const int number = memory == nullptr ? kMaxSlots : memory->num_taken++;
    if (number < kMaxSlots &&
        has_room(offsetof(NodeMemory, slots) + static_cast<std::size_t>(number) * sizeof(WatchSlot),
                 sizeof(WatchSlot))) {
        own = &memory->slots[number];
    } else {
        memory = nullptr;
    }
    meet();
    (void)unlink(path.c_str());
    return memory;
}

}  // namespace hitopo::profile
