// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What a query of component hwloc reports, for its tests.
#ifndef TEST_HWLOC_HWLOC_ANSWER_H
#define TEST_HWLOC_HWLOC_ANSWER_H

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "ompi/mca/hitopo/core/machine/machine.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/hwloc/hitopo_hwloc.h"
#include "test/paths.h"
#include "test/support/recorder.h"

namespace hitopo {

namespace fs = std::filesystem;

inline const fs::path kMachines = fs::path(FIXTURES_DIR) / "machines";

inline std::string content_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    return content.str();
}

// What hitopo_hwloc_topology would be for a fixture.
inline std::string source_of(const fs::path& fixture) {
    return fixture.extension() == ".xml" ? fixture.string()
                                         : std::string(trim(split(content_of(fixture), '\n')[0]));
}

// ---- what a query reports ----

struct HwlocAnswer {
    std::optional<Machine> machine;
    std::string reason, binding;
    std::optional<Error> error;
};

inline HwlocAnswer answer_of(const Recorder& recorder) {
    EXPECT_EQ(recorder.values, RawAddress()) << "hwloc contributes a machine, no values";
    HwlocAnswer answer = {std::nullopt, recorder.reason, recorder.binding.value_or(""), recorder.error};
    if (recorder.machine) {
        const Result<Machine> machine = Machine::decode(*recorder.machine);
        EXPECT_TRUE(machine.is_ok());
        answer.machine = *machine;
    }
    return answer;
}

inline void* no_topology() { return nullptr; }

inline HwlocAnswer query(const hitopo_hwloc_settings_t& settings, bool wants_machine) {
    Recorder recorder;
    recorder.question.wants_machine = wants_machine;
    EXPECT_EQ(hitopo_hwloc_query(&settings, &recorder.question, &recorder), 0);
    return answer_of(recorder);
}

inline HwlocAnswer query(const std::string& topology, const std::string& binding, bool wants_machine) {
    return query({topology.c_str(), binding.c_str(), no_topology, 0}, wants_machine);
}

}  // namespace hitopo

#endif
