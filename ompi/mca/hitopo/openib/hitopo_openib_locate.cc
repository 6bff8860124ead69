// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/openib/hitopo_openib_locate.h"

#include <algorithm>
#include <string>

#include "ompi/mca/hitopo/core/name.h"

namespace hitopo {
namespace {

bool is_usable(const IbPort& port) { return port.is_active && port.is_infiniband; }

bool is_preferred(const IbPort& a, const IbPort& b) {
    const int order = compare_natural(a.device, b.device);
    return order != 0 ? order < 0 : a.number < b.number;
}

std::string why_none(const IbPorts& all) {
    if (all.ports.empty()) {
        return all.reason.empty() ? "no InfiniBand device"
                                  : "no InfiniBand port could be asked: " + all.reason;
    }
    const auto num_ethernet = std::count_if(all.ports.begin(), all.ports.end(),
                                            [](const IbPort& port) { return !port.is_infiniband; });
    const auto num_down = static_cast<std::ptrdiff_t>(all.ports.size()) - num_ethernet;
    return "no active InfiniBand port: " + std::to_string(num_down) + " down, " +
           std::to_string(num_ethernet) + " Ethernet" + (all.reason.empty() ? "" : ", " + all.reason);
}

void add_reason(std::string& reasons, const std::string& reason) {
    reasons += (reasons.empty() ? "" : "; ") + reason;
}

}  // namespace

std::vector<IbPort> usable_ports(std::vector<IbPort> ports) {
    ports.erase(
        std::remove_if(ports.begin(), ports.end(), [](const IbPort& port) { return !is_usable(port); }),
        ports.end());
    std::sort(ports.begin(), ports.end(), is_preferred);
    return ports;
}

void report_place(PortLister& lister, const FabricSources& sources, Reporter& reporter) {
    if (sources.empty()) {
        reporter.reason("no source knows the fabric: hitopo_openib_fabric_file is not set");
        return;
    }
    const IbPorts all = lister.list();
    const std::vector<IbPort> ports = usable_ports(all.ports);
    if (ports.empty()) {
        reporter.reason(why_none(all));
        return;
    }
    std::string reasons;
    std::optional<Error> first_error;
    for (const std::unique_ptr<FabricSource>& source : sources) {
        const FabricAnswer answer = source->locate(ports);
        add_reason(reasons, answer.reason);
        if (answer.place) {
            reporter.value(kSwitch, answer.place->leaf);
            reporter.value(kIsland, answer.place->island);
            reporter.reason(reasons);
            return;
        }
        first_error = first_error ? first_error : answer.error;
    }
    reporter.reason(reasons);
    if (first_error) {
        reporter.error(*first_error);
    }
}

}  // namespace hitopo
