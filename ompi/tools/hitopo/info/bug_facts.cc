// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo info --report`: what this process knows of its system, and of HiTopo and Open MPI in it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>
#include <vector>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/support/regular_file.h"
#include "ompi/tools/hitopo/formats.h"

namespace hitopo::tool {
namespace {

// Without the host's name.
std::string system() {
    utsname names = {};
    (void)::uname(&names);
    return fmt::format("{} {} {} {}\n", names.sysname, names.release, names.version, names.machine);
}

std::string printed_by(const char* command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> out(::popen(command, "r"), ::pclose);
    std::string text;
    char piece[4096];
    for (std::size_t num = 1; out != nullptr && num > 0;) {
        num = std::fread(piece, 1, sizeof piece, out.get());
        text.append(piece, num);
    }
    return text;
}

// "7f.. r-xp 0 08:01 123  /usr/lib/libmpi.so.40"
std::string loaded_libraries() {
    std::vector<std::string> paths;
    std::istringstream lines(read_kernel_file("/proc/self/maps").value_or(""));
    for (std::string line; std::getline(lines, line);) {
        const std::size_t path = line.find('/');
        if (path != std::string::npos && line.find(".so", path) != std::string::npos) {
            add_once(paths, line.substr(path) + '\n');
        }
    }
    return fmt::format("{}", fmt::join(paths, ""));
}

std::string own_environment() {
    std::vector<std::string> settings;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string setting = *variable;
        if (setting.rfind("HITOPO_", 0) == 0 || setting.rfind("OMPI_", 0) == 0) {
            settings.push_back(setting);
        }
    }
    std::sort(settings.begin(), settings.end());
    std::string text;
    for (const std::string& setting : settings) {
        text += safe(setting, Charset::kAscii) + '\n';
    }
    return text;
}

}  // namespace

std::string bug_facts() {
    return "\n## System\n" + system() + "\n## Open MPI\n" + printed_by("ompi_info --config 2>&1") +
           "\n## Libraries\n" + loaded_libraries() + "\n## Environment\n" + own_environment();
}

}  // namespace hitopo::tool
