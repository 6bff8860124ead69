// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/profile/groups.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo::tool {
namespace {

// Beginnings of names as plain_name() gives them; the first that fits counts.
constexpr std::pair<Group, std::string_view> kBeginnings[] = {
    {Group::kFiles, "file_"},
    {Group::kWaiting,
     "wait test request_get_status parrived buffer_ session_ comm_detach_buffer "
     "comm_flush_ comm_iflush_"},
    {Group::kProbing, "probe mprobe iprobe improbe"},
    {Group::kStarting, "start pready psend precv request_free"},
    {Group::kOneSided, "win_ put rput get rget accumulate raccumulate fetch_and_op compare_and_swap"},
    {Group::kMaking, "comm_ intercomm_ cart_ graph_ dist_graph_"},
};
constexpr std::string_view kMessages = "send bsend rsend ssend recv mrecv sendrecv sendrecv_replace";
constexpr std::string_view kCollectives =
    "allgather allreduce alltoall barrier bcast exscan gather neighbor_ reduce scan scatter";

bool begins_with_one(std::string_view name, std::string_view list) {
    const std::vector<std::string_view> all = split(list, ' ');
    return std::any_of(all.begin(), all.end(),
                       [&](std::string_view one) { return name.substr(0, one.size()) == one; });
}

bool is_message(std::string_view name) {
    const std::vector<std::string_view> all = split(kMessages, ' ');
    return std::find(all.begin(), all.end(), name) != all.end();
}

}  // namespace

std::string plain_name(std::string_view function) {
    const bool is_mpi = function.substr(0, 4) == "MPI_";
    std::string name(function.substr(is_mpi ? 4 : 0));
    std::transform(name.begin(), name.end(), name.begin(), to_lower);
    for (const std::string_view end : {"_c", "_init"}) {
        if (name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0) {
            name.erase(name.size() - end.size());
        }
    }
    return name;
}

Group group_of(std::string_view function) {
    const std::string name = plain_name(function);
    const std::string behind_i = name.substr(name.substr(0, 1) == "i" ? 1 : 0);
    for (const auto& [group, beginnings] : kBeginnings) {
        if (begins_with_one(name, beginnings)) {
            return group;
        }
    }
    if (is_message(behind_i)) {
        return function.find("_init") != std::string_view::npos || !is_message(name) ? Group::kStarting
                                                                                     : Group::kBlocking;
    }
    return begins_with_one(behind_i, kCollectives) ? Group::kCollectives : Group::kOthers;
}

bool is_waiting(Group group) {
    return group == Group::kWaiting || group == Group::kProbing || group == Group::kBlocking ||
           group == Group::kCollectives;
}

}  // namespace hitopo::tool
