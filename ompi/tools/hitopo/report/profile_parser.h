// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Takes the processes out of a profile while it is parsed: a job of 1000 ranks has a million peers,
// which as JSON values would take ten times the memory.
#ifndef OMPI_TOOLS_HITOPO_REPORT_PROFILE_PARSER_H
#define OMPI_TOOLS_HITOPO_REPORT_PROFILE_PARSER_H

#include <array>
#include <nlohmann/json.hpp>
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
    // The member of the document, of a process, of a process's communicator that is being parsed.
    enum Section { kDocument, kProcess, kEntry, kNumSections };
    struct Step {
        int depth;  // of the key
        const char* key;
    };
    static constexpr std::array<Step, kNumSections> kSteps = {
        {{1, "processes"}, {3, "communicators"}, {5, "peers"}}};

    bool is_inside(Section section) const {
        return inside_[section] && (section == 0 || is_inside(Section(section - 1)));
    }
    // Whether what ends at `depth` is an element of the section's array.
    bool is_element(int depth, Section section) const {
        return depth == kSteps[section].depth + 1 && is_inside(section);
    }
    void note_key(int depth, const Json& key);
    bool take(int depth, const Json& value);
    bool is_pair(int depth) const {
        return is_in_pairs_ && depth == kSteps[kProcess].depth + 1 && is_inside(kDocument);
    }
    void take_pair(const Json& pair);
    void take_pairs_of(const Json& process);
    void take_orders_of(const Json& process);
    void take_peer(const Json& peer);
    void take_entry(const Json& entry);
    void take_process(const Json& process);

    // Peers of registered communicators are most of a profile.
    bool is_unused(int depth, Json::parse_event_t event) const {
        return use_ == ProfileUse::kPairs && event == Json::parse_event_t::array_start &&
               depth >= kSteps[kEntry].depth && is_inside(kEntry);
    }

    ProfileUse use_;
    std::array<bool, kNumSections> inside_{};
    bool is_in_pairs_ = false;
    std::vector<Peer> peers_;         // of the entry that is being parsed
    std::vector<PairTraffic> pairs_;  // of the process that is being parsed
};

}  // namespace hitopo::tool

#endif
