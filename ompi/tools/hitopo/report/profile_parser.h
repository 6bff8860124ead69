// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Takes the processes out of a profile while it is parsed, one after the other: a job of 1000 ranks has
// a million peers, which as JSON values would take ten times the memory.
#ifndef OMPI_TOOLS_HITOPO_REPORT_PROFILE_PARSER_H
#define OMPI_TOOLS_HITOPO_REPORT_PROFILE_PARSER_H

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ompi/tools/hitopo/report/profile.h"

namespace hitopo::tool {

// The processes as the document has them, before their indices are compared with anything.
struct ParsedProcess : ProfiledProcess {
    std::size_t traffic_end = 0;  // its entries of `traffic` end before this one
};

class ProfileParser {
public:
    explicit ProfileParser(ProfileUse use = ProfileUse::kReport) : use_(use) {}

    // nlohmann's callback: whether the value is kept. Throws std::exception where a member is wrong.
    bool operator()(int depth, Json::parse_event_t event, Json& value);

    // "processes[3].communicators[0].peers[17]: ", or "" outside: what it was at when it threw.
    std::string place() const;

    std::vector<ParsedProcess> processes;
    std::vector<Traffic> traffic;
    std::vector<ProcessPairs> pairs;  // of the processes that have some
    std::vector<ReportedOrder> orders;
    std::uint64_t other_orders = 0;

private:
    void take_process(const Json& process);
    void take_entry(const Json& entry);

    ProfileUse use_;
    bool is_in_processes_ = false;  // the member of the document that is being parsed
    // Where it is in a process that it takes.
    bool is_taking_ = false;
    std::optional<std::size_t> entry_, peer_;
};

}  // namespace hitopo::tool

#endif
