// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// hitopo_base_api.h from files, to run the command on jobs that this machine has not: FAKE_TABLE,
// FAKE_DEVICES and FAKE_FRAMEWORK name documents, FAKE_PROCESSES an array of them of which rank r gives
// the entry r modulo their number. What is not set does not exist.
#include <mpi.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "ompi/mca/hitopo/base/hitopo_base_api.h"

namespace {

std::string text_of(const char* variable) {
    const char* path = std::getenv(variable);
    std::ostringstream text;
    if (path != nullptr) {
        text << std::ifstream(path).rdbuf();
    }
    return text.str();
}

char* given(const std::string& text) { return text.empty() ? nullptr : strdup(text.c_str()); }

}  // namespace

char* ompi_hitopo_describe_table(const char** reason) {
    char* table = given(text_of("FAKE_TABLE"));
    if (table == nullptr && reason != nullptr) {
        *reason = "FAKE_TABLE is not set";
    }
    return table;
}

char* ompi_hitopo_describe_process() {
    const auto processes = nlohmann::ordered_json::parse(text_of("FAKE_PROCESSES"), nullptr, false);
    if (!processes.is_array() || processes.empty()) {
        return nullptr;
    }
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return given(processes[static_cast<std::size_t>(rank) % processes.size()].dump());
}

char* ompi_hitopo_describe_devices() { return given(text_of("FAKE_DEVICES")); }

char* ompi_hitopo_describe_framework() { return given(text_of("FAKE_FRAMEWORK")); }
