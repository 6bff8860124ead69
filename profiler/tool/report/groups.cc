// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/report/groups.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo::tool {
namespace {

// Beginnings of names behind "MPI_", in small letters; the first that fits counts.
struct Beginning {
    std::string_view text;
    Group group;
};
constexpr Beginning kBeginnings[] = {
    {"file_", Group::kFiles},           {"wait", Group::kWaiting},
    {"test", Group::kWaiting},          {"request_get_status", Group::kWaiting},
    {"parrived", Group::kWaiting},      {"buffer_", Group::kWaiting},
    {"comm_buffer_", Group::kWaiting},  {"session_buffer_", Group::kWaiting},
    {"probe", Group::kProbing},         {"mprobe", Group::kProbing},
    {"iprobe", Group::kProbing},        {"improbe", Group::kProbing},
    {"start", Group::kStarting},        {"pready", Group::kStarting},
    {"psend_init", Group::kStarting},   {"precv_init", Group::kStarting},
    {"request_free", Group::kStarting}, {"win_", Group::kOneSided},
    {"put", Group::kOneSided},          {"rput", Group::kOneSided},
    {"get", Group::kOneSided},          {"rget", Group::kOneSided},
    {"accumulate", Group::kOneSided},   {"raccumulate", Group::kOneSided},
    {"fetch_and_op", Group::kOneSided}, {"compare_and_swap", Group::kOneSided},
    {"comm_", Group::kMaking},          {"intercomm_", Group::kMaking},
    {"cart_", Group::kMaking},          {"graph_", Group::kMaking},
    {"dist_graph_", Group::kMaking},
};

constexpr std::string_view kMessages[] = {"send", "bsend", "rsend",    "ssend",
                                          "recv", "mrecv", "sendrecv", "sendrecv_replace"};

constexpr std::string_view kCollectives[] = {"allgather", "allreduce", "alltoall", "barrier",
                                             "bcast",     "exscan",    "gather",   "neighbor_",
                                             "reduce",    "scan",      "scatter"};

bool begins_with(std::string_view text, std::string_view begin) {
    return text.substr(0, begin.size()) == begin;
}

bool remove_end(std::string_view& text, std::string_view end) {
    const bool has_it = text.size() > end.size() && text.substr(text.size() - end.size()) == end;
    text.remove_suffix(has_it ? end.size() : 0);
    return has_it;
}

bool is_message(std::string_view name) {
    return std::find(std::begin(kMessages), std::end(kMessages), name) != std::end(kMessages);
}

bool is_collective(std::string_view name) {
    return std::any_of(std::begin(kCollectives), std::end(kCollectives),
                       [&](std::string_view begin) { return begins_with(name, begin); });
}

}  // namespace

Group group_of(std::string_view function) {
    std::string lower(function);
    std::transform(lower.begin(), lower.end(), lower.begin(), to_lower);
    std::string_view name = lower;
    if (!begins_with(name, "mpi_")) {
        return Group::kOthers;
    }
    name.remove_prefix(4);
    remove_end(name, "_c");
    for (const Beginning& beginning : kBeginnings) {
        if (begins_with(name, beginning.text)) {
            return beginning.group;
        }
    }
    const bool is_persistent = remove_end(name, "_init");
    const std::string_view behind_i = name.substr(begins_with(name, "i") ? 1 : 0);
    if (is_message(name) || is_message(behind_i)) {
        return is_persistent || !is_message(name) ? Group::kStarting : Group::kBlocking;
    }
    return is_collective(name) || is_collective(behind_i) ? Group::kCollectives : Group::kOthers;
}

bool is_waiting(Group group) {
    return group == Group::kWaiting || group == Group::kProbing || group == Group::kBlocking ||
           group == Group::kCollectives;
}

}  // namespace hitopo::tool
