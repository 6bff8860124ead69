// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/openib/hitopo_openib_sources.h"
#include "ompi/mca/hitopo/support/helper_thread.h"

namespace hitopo {
namespace {

bool is_usable(const IbPort& port) { return port.is_active && port.is_infiniband; }

bool is_preferred(const IbPort& a, const IbPort& b) {
    if (a.is_virtual != b.is_virtual) {
        return b.is_virtual;
    }
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

IbPorts list_ports(const std::shared_ptr<PortLister>& lister, std::chrono::milliseconds timeout) {
    if (!lister->has_devices()) {
        return {};
    }
    const Deadline deadline = std::chrono::steady_clock::now() + timeout;
    const std::optional<IbPorts> ports =
        run_bounded<IbPorts>(deadline, [lister] { return lister->list(); });
    return ports ? *ports : IbPorts{{}, "the driver did not return"};
}

LeafAnswer find_leaf(const std::vector<IbPort>& ports, const FabricSources& sources) {
    LeafAnswer all;
    for (const std::unique_ptr<FabricSource>& source : sources) {
        const LeafAnswer answer = source->find_leaf(ports);
        add_item(all.reason, "; ", answer.reason);
        if (answer.leaf) {
            return {answer.leaf, all.reason, answer.error};
        }
        all.error = all.error ? all.error : answer.error;
    }
    return all;
}

// Only GUIDs of one subnet are told apart.
std::uint64_t identity_of(std::uint64_t subnet_prefix, std::uint64_t guid) {
    return hash_of(leaf_value(subnet_prefix, guid));
}

void report(const Leaf& leaf, const LeafUplinks& uplinks, Reporter& reporter) {
    std::vector<std::uint64_t> switches;
    for (const std::uint64_t guid : uplinks.l2_switches) {
        switches.push_back(identity_of(leaf.subnet_prefix, guid));
    }
    const std::string island_id =
        uplinks.l2_switches.empty() ? "" : guid_to_string(uplinks.l2_switches.front());
    reporter.uplinks({uplinks.name.c_str(), switches.data(), static_cast<int>(switches.size()),
                      uplinks.first_name.c_str(), island_id.c_str()});
}

}  // namespace

std::vector<IbPort> usable_ports(std::vector<IbPort> ports) {
    ports.erase(
        std::remove_if(ports.begin(), ports.end(), [](const IbPort& port) { return !is_usable(port); }),
        ports.end());
    std::sort(ports.begin(), ports.end(), is_preferred);
    return ports;
}

std::string name_of(const IbPort& port) { return port.device + " port " + std::to_string(port.number); }

std::optional<Leaf> report_leaf(const std::shared_ptr<PortLister>& lister, const FabricSources& sources,
                                std::chrono::milliseconds timeout, Reporter& reporter) {
    if (!reporter.asks_for_node()) {
        reporter.reason("not asked: local rank 0 answers for the whole node");
        return std::nullopt;
    }
    const IbPorts all = list_ports(lister, timeout);
    const std::vector<IbPort> ports = usable_ports(all.ports);
    if (ports.empty()) {
        reporter.reason(why_none(all));
        return std::nullopt;
    }
    const LeafAnswer answer = find_leaf(ports, sources);
    reporter.reason(answer.reason);
    if (answer.leaf) {
        reporter.value(kSwitch, leaf_value(answer.leaf->subnet_prefix, answer.leaf->guid));
        reporter.may_lead(answer.leaf->max_uplinks);
        reporter.reason(kIsland, "left to the lowest rank at this switch");
    }
    if (answer.error) {
        reporter.error(*answer.error);
    }
    return answer.leaf;
}

void report_uplinks(const Leaf& leaf, const FabricSources& sources, Reporter& reporter) {
    std::string reasons;
    for (const std::unique_ptr<FabricSource>& source : sources) {
        const UplinksAnswer answer = source->find_uplinks(leaf);
        add_item(reasons, "; ", answer.reason);
        if (answer.uplinks) {
            report(leaf, *answer.uplinks, reporter);
            break;
        }
    }
    reporter.reason(kIsland, reasons);
}

}  // namespace hitopo
