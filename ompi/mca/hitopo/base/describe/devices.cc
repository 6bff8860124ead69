// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/machine/devices.h"

#include <algorithm>
#include <vector>

#include "ompi/mca/hitopo/base/answers.h"
#include "ompi/mca/hitopo/base/describe/describe.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/hitopo_base_api.h"

namespace hitopo {
namespace {

Json describe_device(const NodeDevices& node, const Device& device) {
    const std::vector<int> numa = numa_nodes_of(node, device.place);
    return {{"pci", device.pci},
            {"vendor", device.vendor},
            {"model", device.model},
            {"names", device.names},
            {"cpus", device.place.to_string()},
            {"numa", numa.size() == 1 ? Json(numa.front()) : Json()},
            {"bridges", device.bridges}};
}

Json describe_gpu(const NodeDevices& node, const Device& gpu) {
    Json json = describe_device(node, gpu);
    json["part"] = gpu.part;
    json["nearest"] = array_of(nearest_nics(node, gpu), [&](int nic) { return node.nic(nic).name(); });
    return json;
}

Json describe_nic(const NodeDevices& node, int number) {
    const std::vector<int> used = used_nics(node);
    Json json = describe_device(node, node.nic(number));
    json["is_active"] = node.nic(number).is_active;
    json["is_used"] = std::find(used.begin(), used.end(), number) != used.end();
    return json;
}

Json lists_of(const std::vector<CpuSet>& sets) {
    return array_of(sets, [](const CpuSet& cpus) { return cpus.to_string(); });
}

Json describe_devices(const NodeDevices& node) {
    Json json = document();
    json["document"] = "devices";
    json["cpus"] = node.cpus.to_string();
    json["packages"] = lists_of(node.packages);
    json["numa_nodes"] = array_of(node.numa_nodes, [](const NumaNode& numa) -> Json {
        return {{"number", numa.number}, {"cpus", numa.cpus.to_string()}};
    });
    json["cores"] = lists_of(node.cores);
    json["gpus"] = array_of(node.gpus, [&](const Device& gpu) { return describe_gpu(node, gpu); });
    json["nics"] = Json::array();
    for (std::size_t nic = 0; nic < node.nics.size(); ++nic) {
        json["nics"].push_back(describe_nic(node, static_cast<int>(nic)));
    }
    return json;
}

Json describe_own_devices() {
    const Answer answer = ask_devices();
    Json json = describe_devices(answer.devices != nullptr ? *answer.devices : NodeDevices());
    json["is_simulated"] = hitopo_glue_variable("hwloc", "topology") != nullptr;
    json["reason"] = answer.devices != nullptr ? Json()
                     : answer.error            ? Json(answer.error->message)
                                               : Json(answer.reason);
    return json;
}

}  // namespace
}  // namespace hitopo

char* ompi_hitopo_describe_devices() { return hitopo::to_text(hitopo::describe_own_devices); }
