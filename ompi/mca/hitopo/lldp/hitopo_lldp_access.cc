// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/lldp/hitopo_lldp_access.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/support/regular_file.h"

namespace hitopo {
namespace {

constexpr std::size_t kMaxGroupBytes = 1 << 20;

// From the file alone: a directory service might not come back.
std::string name_of(gid_t group, const std::string& groups) {
    std::string number = std::to_string(group);
    const Result<std::string> text = RegularFile(groups).read(kMaxGroupBytes);
    for (const std::string_view line : split(text ? std::string_view(*text) : "", '\n')) {
        const auto fields = split(line, ':');  // name:password:number:members
        if (fields.size() == 4 && fields[2] == number && !fields[0].empty()) {
            return std::string(fields[0]);
        }
    }
    return number;
}

// "group _lldpd may", "its owner may"
std::string who_may(const struct stat& file, mode_t right_of_group, const std::string& groups) {
    return file.st_mode & right_of_group ? "group " + name_of(file.st_gid, groups) + " may"
                                         : "only its owner may use it";
}

}  // namespace

std::string why_not_runnable(const std::string& program, const std::string& groups) {
    if (::faccessat(AT_FDCWD, program.c_str(), X_OK, AT_EACCESS) == 0) {
        return "";
    }
    const int error = errno;
    if (error == ENOENT) {
        return "no " + program + ": no lldpd";
    }
    struct stat file = {};
    const bool is_closed = error == EACCES && ::stat(program.c_str(), &file) == 0;
    return program + ": " + std::generic_category().message(error) +
           (is_closed ? "; " + who_may(file, S_IXGRP, groups) : "");
}

std::string explain_complaint(const std::string& complaint, const std::string& groups) {
    constexpr std::string_view kBegin = "unable to connect to socket ";
    constexpr std::string_view kRefused = ": Permission denied";
    const std::size_t begin = complaint.find(kBegin);
    const std::size_t end = complaint.rfind(kRefused);
    if (begin == complaint.npos || end == complaint.npos || end < begin + kBegin.size()) {
        return complaint;
    }
    const std::string socket = complaint.substr(begin + kBegin.size(), end - (begin + kBegin.size()));
    struct stat file = {};
    return complaint + (::stat(socket.c_str(), &file) == 0 ? "; " + who_may(file, S_IWGRP, groups) : "");
}

}  // namespace hitopo
