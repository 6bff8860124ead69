// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/mpi/oracle/split_oracle.h"

#include <mpi.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "mpiext_hitopo_c.h"
#include "test/mpi/oracle/split_machine.h"

namespace split_oracle {
namespace {

using Json = nlohmann::json;

// ---- the table ----

enum Level { kSwitch = 2, kNode = 3, kBoard = 4, kNumLevels = 8 };

int level_of(const Json& table, const std::string& uri) {
    int level = 0;
    while (level < kNumLevels && table["levels"][level]["type"] != uri) {
        ++level;
    }
    return level;
}

// As machines have it; levels inside packages are what these are.
std::string machine_name(const std::string& uri) {
    const std::map<std::string, std::string> twins = {
        {"hitopo://Socket", "Package"}, {"hitopo://Core", "Core"}, {"hitopo://HWThread", "PU"}};
    const auto twin = twins.find(uri);
    return twin != twins.end() ? twin->second : uri.rfind("hwloc://", 0) == 0 ? uri.substr(8) : uri;
}

// The instances of a type in the machine of a process's node; null where it has none.
Json instances_of(const Json& table, const Json& rank, const std::string& name) {
    for (const Json& type :
         table["machines"][table["nodes"][rank["node"].get<int>()]["machine"].get<int>()]["types"]) {
        if (type["type"] == name) {
            return type["instances"];
        }
    }
    return {};
}

split_rules::Instances read_type(const Json& table, const std::string& uri) {
    constexpr int kMostInNode = 1 << 16;
    const int level = level_of(table, uri);
    const std::string name = machine_name(uri);
    split_rules::Instances type = {uri, {}, {}};
    for (const Json& rank : table["ranks"]) {
        const int number = level > kBoard ? rank["restricted"].value(name, -1)
                           : table["levels"][level]["known"] == "none"
                               ? -1
                               : rank["address"][level].get<int>();
        const int node = level > kNode ? rank["node"].get<int>() : 0;
        const bool has_cpus = level == kNumLevels && number >= 0;
        type.of.push_back(number < 0 ? -1 : node * kMostInNode + number);
        type.num_cpus.push_back(
            has_cpus ? static_cast<int>(parse_cpus(instances_of(table, rank, name)[number]).size())
                     : split_rules::kUnknownCpus);
    }
    return type;
}

bool is_side(const std::string& uri) { return uri.find("://Nearest") != std::string::npos; }

}  // namespace

Job::Job(const std::string& text) {
    const Json table = Json::parse(text);
    infos_.resize(table["size"]);
    for (const Json& listed : table["types"]) {
        const std::string uri = listed["type"];
        const int level = level_of(table, uri);
        types_.push_back(read_type(table, uri));
        if (!is_side(uri)) {
            nesting_.push_back(types_.back());
        }
        if (level == kNumLevels || (level <= kNode && table["levels"][level]["known"] != "none")) {
            listed_.push_back(uri);
        }
        for (std::size_t i = 0; i < infos_.size(); ++i) {
            if (level < kNumLevels ||
                !instances_of(table, table["ranks"][i], machine_name(uri)).is_null()) {
                infos_[i][uri] = types_.back().of[i] >= 0 ? "true" : "false";
            }
        }
    }
    for (const Json& rank : table["ranks"]) {
        std::vector<std::string>& place = places_.emplace_back();
        for (int level = 0; level <= kNode; ++level) {
            const Json& name = rank["names"][level];
            place.push_back(name.is_null() ? "" : name.get<std::string>());
        }
        place.push_back(to_list(parse_cpus(rank["cpus"])));
    }
}

std::vector<split_rules::Part> Job::guided(const Ranks& comm, const std::string& uri) const {
    for (const split_rules::Instances& type : types_) {
        if (type.uri == uri) {
            return split_rules::split_by(comm, type);
        }
    }
    return {};
}

std::vector<split_rules::Part> Job::guided_without_null(const Ranks& comm,
                                                        const std::string& uri) const {
    std::vector<split_rules::Part> parts = guided(comm, uri);
    if (parts.empty() && uri.rfind("hwloc://", 0) != 0) {
        return guided(comm, "hitopo://Node");
    }
    Ranks inside;
    for (const split_rules::Part& part : parts) {
        inside.insert(inside.end(), part.members.begin(), part.members.end());
    }
    const std::string name = parts.empty() ? "" : uri;
    for (const int process : comm) {
        if (std::count(inside.begin(), inside.end(), process) == 0) {
            parts.push_back({{process}, name});
        }
    }
    return parts;
}

std::vector<split_rules::Instances> Job::walk(int metric) const {
    const std::vector<std::string> counted =
        metric == MPIX_HW_METRIC_COMPUTE
            ? std::vector<std::string>{"hwloc://PU",      "hwloc://Core",    "hwloc://L1Cache",
                                       "hwloc://L2Cache", "hwloc://L3Cache", "hwloc://L4Cache",
                                       "hwloc://L5Cache", "hwloc://Package"}
        : metric == MPIX_HW_METRIC_MEMORY
            ? std::vector<std::string>{"hwloc://NUMANode", "hwloc://Package", "hitopo://L2NUMA",
                                       "hwloc://Machine"}
            : std::vector<std::string>{"hitopo://Node", "hitopo://Switch", "hitopo://Island",
                                       "hitopo://Cluster"};
    std::vector<split_rules::Instances> walk;
    for (const split_rules::Instances& type : types_) {
        if (std::count(counted.begin(), counted.end(), type.uri) > 0) {
            walk.push_back(type);
        }
    }
    return walk;
}

}  // namespace split_oracle
