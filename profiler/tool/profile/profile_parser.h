// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Takes the processes out of a profile while it is parsed, one after the other: as JSON values, those of
// a large job would take ten times the memory.
#ifndef PROFILER_TOOL_PROFILE_PROFILE_PARSER_H
#define PROFILER_TOOL_PROFILE_PROFILE_PARSER_H

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "profiler/tool/profile/profile.h"

namespace hitopo::tool {

class ProfileParser {
public:
    // nlohmann's callback: whether the value is kept. Throws std::exception where a member is wrong.
    bool operator()(int depth, Json::parse_event_t event, Json& value);

    // "processes[3].kinds[0]: ", or "" outside: what it was at when it threw.
    std::string place() const;

    // As the document has them, before their indices are compared with anything.
    std::vector<ProfiledProcess> processes;
    std::size_t num_with_pairs = 0;
    std::vector<ReportedOrder> orders;
    std::uint64_t other_orders = 0;

private:
    void take_process(const Json& process);

    std::string member_;            // of the document, that is being parsed
    bool is_other_schema_ = false;  // whose processes are dropped
    // Where it is in a process that it takes.
    bool is_taking_ = false;
    std::optional<std::size_t> kind_;
};

}  // namespace hitopo::tool

#endif
