// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/sealed_copy.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstring>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/address/name.h"

namespace hitopo {
namespace {

constexpr std::uint64_t kMark = 0x0079706f63706968;  // "hipcopy"

// Begins the file; the bytes follow.
struct Header {
    std::uint64_t mark = kMark, nonce = 0;
    std::uint64_t zeros[6] = {};  // the bytes begin a cache line
};

#ifdef MFD_ALLOW_SEALING
constexpr int kSeals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U
#endif

// A kernel may insist on the flag for what is not executable, or not know it.
int make_file() {
    constexpr unsigned kFlags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    const int file = ::memfd_create("hitopo", kFlags | MFD_NOEXEC_SEAL);
    return file >= 0 || errno != EINVAL ? file : ::memfd_create("hitopo", kFlags);
}

// Beyond that limit the kernel raises a signal.
bool may_be_as_long(std::uint64_t num_bytes) {
    rlimit limit = {};
    return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
           (limit.rlim_cur == RLIM_INFINITY || num_bytes <= limit.rlim_cur) && num_bytes <= PTRDIFF_MAX;
}

// Or else a write into it could raise a signal where memory is short.
bool take_memory(int file, std::uint64_t num_bytes) {
    int status = 0;
    do {
        status = ::fallocate(file, 0, 0, static_cast<off_t>(num_bytes));
    } while (status != 0 && errno == EINTR);
    return status == 0;
}

bool write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
        } else if (written == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool seal(int file) { return ::fcntl(file, F_ADD_SEALS, kSeals) == 0; }

bool is_sealed(int file) {
    const int seals = ::fcntl(file, F_GET_SEALS);
    return seals >= 0 && (seals & kSeals) == kSeals;
}
#else
int make_file() { return -1; }
bool may_be_as_long(std::uint64_t) { return false; }
bool take_memory(int, std::uint64_t) { return false; }
bool write_all(int, std::string_view) { return false; }
bool seal(int) { return false; }
bool is_sealed(int) { return false; }
#endif

std::uint64_t make_nonce() {
    const std::uint64_t now[] = {
        static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()),
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()),
        static_cast<std::uint64_t>(::getpid())};
    return hash_bytes({reinterpret_cast<const char*>(now), sizeof now});
}

bool read_space(struct stat& space) { return ::stat("/proc/self/ns/pid", &space) == 0; }

bool is_what_was_told(const struct stat& found, const Whereabouts& told) {
    return S_ISREG(found.st_mode) && found.st_dev == told.device && found.st_ino == told.inode &&
           static_cast<std::uint64_t>(found.st_size) == told.num_bytes;
}

std::optional<Whereabouts> whereabouts_of(int file, std::uint64_t nonce) {
    struct stat space = {}, status = {};
    if (!read_space(space) || ::fstat(file, &status) != 0) {
        return std::nullopt;
    }
    Whereabouts told;
    told.process = static_cast<std::uint64_t>(::getpid());
    told.descriptor = static_cast<std::uint64_t>(file);
    told.space_device = space.st_dev;
    told.space_inode = space.st_ino;
    told.device = status.st_dev;
    told.inode = status.st_ino;
    told.num_bytes = static_cast<std::uint64_t>(status.st_size);
    told.nonce = nonce;
    return told;
}

}  // namespace

std::string Whereabouts::encode() const {
    ByteWriter writer;
    for (const std::uint64_t number :
         {kMark, process, descriptor, space_device, space_inode, device, inode, num_bytes, nonce}) {
        writer.put_u64(number);
    }
    return writer.take();
}

std::optional<Whereabouts> Whereabouts::decode(std::string_view bytes) {
    Whereabouts told;
    ByteReader reader(bytes);
    const bool is_marked = reader.get_u64() == kMark;
    for (std::uint64_t* number : {&told.process, &told.descriptor, &told.space_device, &told.space_inode,
                                  &told.device, &told.inode, &told.num_bytes, &told.nonce}) {
        *number = reader.get_u64();
    }
    const bool is_whole = is_marked && !reader.has_failed() && reader.num_left() == 0;
    return is_whole ? std::optional(told) : std::nullopt;
}

// The maker opens it as everybody else does: what it cannot open itself is of no use.
std::optional<SealedCopy> make_sealed_copy(std::string_view bytes) {
    Header header;
    header.nonce = make_nonce();
    const std::uint64_t num_bytes = sizeof header + std::uint64_t{bytes.size()};
    Descriptor file(may_be_as_long(num_bytes) ? make_file() : -1);
    if (file.number() < 0 || !take_memory(file.number(), num_bytes) ||
        !write_all(file.number(), {reinterpret_cast<const char*>(&header), sizeof header}) ||
        !write_all(file.number(), bytes) || !seal(file.number())) {
        return std::nullopt;
    }
    const std::optional<Whereabouts> told = whereabouts_of(file.number(), header.nonce);
    std::optional<SharedBytes> opened = told ? open_sealed_copy(*told) : std::nullopt;
    if (!opened) {
        return std::nullopt;
    }
    return SealedCopy{std::move(*opened), *told, std::move(file)};
}

std::optional<SharedBytes> open_sealed_copy(const Whereabouts& told) {
    struct stat space = {}, found = {};
    if (!read_space(space) || space.st_dev != told.space_device || space.st_ino != told.space_inode ||
        told.num_bytes < sizeof(Header) || told.num_bytes > PTRDIFF_MAX) {
        return std::nullopt;
    }
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%llu/fd/%llu", static_cast<unsigned long long>(told.process),
                  static_cast<unsigned long long>(told.descriptor));
    // Opening alone could do something to a device.
    if (::stat(path, &found) != 0 || !is_what_was_told(found, told)) {
        return std::nullopt;
    }
    const Descriptor file(::open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (file.number() < 0 || ::fstat(file.number(), &found) != 0 || !is_what_was_told(found, told) ||
        !is_sealed(file.number())) {
        return std::nullopt;
    }
    const auto num_mapped = static_cast<std::size_t>(told.num_bytes);
    void* mapping = ::mmap(nullptr, num_mapped, PROT_READ, MAP_SHARED, file.number(), 0);
    if (mapping == MAP_FAILED) {
        return std::nullopt;
    }
    SharedBytes bytes(mapping, num_mapped, sizeof(Header));
    const auto* header = static_cast<const Header*>(mapping);
    const bool is_it = header->mark == kMark && header->nonce == told.nonce;
    return is_it ? std::optional(std::move(bytes)) : std::nullopt;
}

}  // namespace hitopo
