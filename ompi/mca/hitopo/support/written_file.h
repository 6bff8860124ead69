// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Opening for writing a file that a user named, in a folder where others may put links in its place at
// any moment: the file is pinned first, then judged, and no other is opened.
#ifndef OMPI_MCA_HITOPO_SUPPORT_WRITTEN_FILE_H
#define OMPI_MCA_HITOPO_SUPPORT_WRITTEN_FILE_H

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/support/regular_file.h"

namespace hitopo {

struct WrittenFile {
    // There is no file, or a regular one: a file of another name takes its place once it is whole.
    bool is_replaceable = false;
    int descriptor = -1;  // else, of the file; the caller's to close. -1: the error is in errno
};

// Links of /proc lead to files that this process has open; no user can make one.
inline bool is_of_proc(int descriptor) {
    struct statfs status = {};
    return ::fstatfs(descriptor, &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

// Whether no other user could have put it there. Only root makes devices.
inline bool is_trusted(const struct stat& status) {
    return S_ISCHR(status.st_mode) || status.st_uid == ::geteuid() || status.st_uid == 0;
}

// Opens the file `pinned` for writing, and no other: -1 and EPERM where that is no longer at `path`.
inline int open_pinned(const std::string& path, const struct stat& pinned, int flags) {
    Descriptor opened(::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW | flags));
    struct stat now = {};
    if (opened.number() < 0 || ::fstat(opened.number(), &now) != 0) {
        return -1;
    }
    if (now.st_dev != pinned.st_dev || now.st_ino != pinned.st_ino) {
        errno = EPERM;
        return -1;
    }
    return S_ISREG(now.st_mode) && ::ftruncate(opened.number(), 0) != 0 ? -1 : opened.release();
}

inline int open_linked(int link, const std::string& path, int flags);

// may_follow: a link that is trusted; its target may be none.
inline int open_at(const std::string& path, bool may_follow, int flags) {
    const Descriptor pinned(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat status = {};
    if (pinned.number() < 0 && errno == ENOENT) {
        return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | flags, 0666);
    }
    if (pinned.number() < 0 || ::fstat(pinned.number(), &status) != 0) {
        return -1;
    }
    if (S_ISLNK(status.st_mode) && is_of_proc(pinned.number())) {
        return ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC | flags);
    }
    if (!is_trusted(status) || (S_ISLNK(status.st_mode) && !may_follow)) {
        errno = EPERM;
        return -1;
    }
    return S_ISLNK(status.st_mode) ? open_linked(pinned.number(), path, flags)
                                   : open_pinned(path, status, flags);
}

inline int open_linked(int link, const std::string& path, int flags) {
    std::vector<char> target(PATH_MAX);
    const ssize_t length = ::readlinkat(link, "", target.data(), target.size());
    if (length <= 0) {
        return -1;
    }
    const std::string next(target.data(), static_cast<std::size_t>(length));
    const std::string folder = path.substr(0, path.rfind('/') + 1);  // "" where there is none
    return open_at(next[0] == '/' ? next : folder + next, false, flags);
}

// flags: O_NONBLOCK, to not wait for a reader; or 0.
inline WrittenFile open_written(const std::string& path, int flags) {
    struct stat status = {};
    if (::lstat(path.c_str(), &status) == 0 ? S_ISREG(status.st_mode) : errno == ENOENT) {
        return {true, -1};
    }
    return {false, open_at(path, true, flags)};
}

}  // namespace hitopo

#endif
