// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Profiles of test/fixtures/profiles, and texts as files.
#ifndef PROFILER_TEST_TOOL_PROFILE_FIXTURES_H
#define PROFILER_TEST_TOOL_PROFILE_FIXTURES_H

#include <memory>
#include <string>

#include "profiler/tool/profile/profile.h"
#include "test/tools/show_fixtures.h"

namespace hitopo::tool {

inline std::string profile_text() { return fixture("../profiles/two-nodes.json"); }

inline Result<Profile> profile_of(std::string text) {
    const bool is_empty = text.empty();
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
        fmemopen(text.data(), is_empty ? 1 : text.size(), is_empty ? "w+" : "r"), std::fclose);
    return read_profile(file.get(), "job.json");
}

inline Profile profile_fixture() {
    Result<Profile> profile = profile_of(profile_text());
    EXPECT_TRUE(profile.is_ok()) << (profile ? "" : profile.error().value);
    return std::move(*profile);
}

// As a job of more than three processes has it with hitopo_prof_max_peers 3.
inline void drop_pairs(Json& document) {
    document["max_peers"] = 3;
    for (Json& process : document["processes"]) {
        process.erase("pairs");
        process.erase("unknown_pairs");
    }
}

// The fixture after `change`.
template <class Change>
Result<Profile> changed_profile(Change change) {
    Json document = *parse_json(profile_text());
    change(document);
    return profile_of(document.dump());
}

}  // namespace hitopo::tool

#endif
