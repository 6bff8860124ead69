// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo info --report`: what this process knows of its system, and of HiTopo and Open MPI in it.
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "ompi/tools/hitopo/formats.h"

namespace hitopo::tool {
namespace {

std::string section(const char* title, const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> out(::popen((command + " 2>&1").c_str(), "r"), ::pclose);
    std::string text = std::string("\n## ") + title + '\n';
    char piece[4096];
    for (std::size_t num = 1; out != nullptr && num > 0;) {
        num = std::fread(piece, 1, sizeof piece, out.get());
        text.append(piece, num);
    }
    return text;
}

}  // namespace

// Without the host's name.
std::string bug_facts() {
    const std::string maps = "/proc/" + std::to_string(::getpid()) + "/maps";
    return section("System", "uname -srvm") + section("Open MPI", "ompi_info --config") +
           section("Libraries", "grep -o '/.*\\.so.*' " + maps + " | sort -u") +
           section("Environment", "env | grep -E '^(HITOPO|OMPI)_' | sort");
}

}  // namespace hitopo::tool
