// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// One copy of some bytes for all processes of a node: one makes it and tells the others where it is,
// they map it. It is a file in memory without a name (memfd_create(2)), sealed against every change, so
// nobody has to trust who can open it, nothing is left behind by who is killed, and no container's
// limit of /dev/shm applies.
//
// Who cannot open it gets the bytes in another way: another user, another PID namespace, a container
// without /proc, no descriptor left.
#ifndef OMPI_MCA_HITOPO_BASE_JOB_SEALED_COPY_H
#define OMPI_MCA_HITOPO_BASE_JOB_SEALED_COPY_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/base/job/shared_bytes.h"
#include "ompi/mca/hitopo/support/descriptor.h"

namespace hitopo {

// Where another process finds a copy, and what it has to find there: a process number means somebody
// else in another PID namespace, and a descriptor something else once it is closed.
struct Whereabouts {
    std::uint64_t process = 0, descriptor = 0;           // of who made it
    std::uint64_t space_device = 0, space_inode = 0;     // of its PID namespace
    std::uint64_t device = 0, inode = 0, num_bytes = 0;  // of the file
    std::uint64_t nonce = 0;

    std::string encode() const;  // throws std::bad_alloc
    // Empty for bytes that encode() does not give.
    static std::optional<Whereabouts> decode(std::string_view bytes);
};

struct SealedCopy {
    SharedBytes bytes;        // as its maker has it
    Whereabouts whereabouts;  // good as long as `file` lives
    Descriptor file;
};

// Empty where the system refuses it. Local; raises no signal, whatever the limits of the process.
std::optional<SealedCopy> make_sealed_copy(std::string_view bytes);

// Empty where it cannot be opened, for whatever reason. Any whereabouts may be given: nothing is waited
// for, and nothing but a sealed copy is mapped. Local.
std::optional<SharedBytes> open_sealed_copy(const Whereabouts& whereabouts);

}  // namespace hitopo

#endif
