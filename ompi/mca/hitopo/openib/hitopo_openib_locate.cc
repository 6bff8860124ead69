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

void report(const Leaf& leaf, const LeafUplinks& uplinks, Answer& answer) {
    std::vector<std::uint64_t> switches;
    for (const std::uint64_t guid : uplinks.l2_switches) {
        switches.push_back(identity_of(leaf.subnet_prefix, guid));
    }
    const std::string island_id =
        uplinks.l2_switches.empty() ? "" : guid_to_string(uplinks.l2_switches.front());
    answer.uplinks = Uplinks{uplinks.name, std::move(switches), uplinks.first_name, island_id};
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
                                std::chrono::milliseconds timeout, const Question& question,
                                Answer& answer) {
    if (!question.asks_for_node) {
        answer.reason = "not asked: local rank 0 answers for the whole node";
        return std::nullopt;
    }
    const IbPorts all = list_ports(lister, timeout);
    const std::vector<IbPort> ports = usable_ports(all.ports);
    if (ports.empty()) {
        answer.reason = why_none(all);
        return std::nullopt;
    }
    const LeafAnswer found = find_leaf(ports, sources);
    answer.reason = found.reason;
    if (found.leaf) {
        answer.values[kSwitch] = leaf_value(found.leaf->subnet_prefix, found.leaf->guid);
        answer.max_uplinks = found.leaf->max_uplinks;
        answer.reasons[kIsland] = "left to the lowest rank at this switch";
    }
    if (found.error) {
        answer.fail(*found.error);
    }
    return found.leaf;
}

void report_uplinks(const Leaf& leaf, const FabricSources& sources, Answer& answer) {
    std::string reasons;
    for (const std::unique_ptr<FabricSource>& source : sources) {
        const UplinksAnswer found = source->find_uplinks(leaf);
        add_item(reasons, "; ", found.reason);
        if (found.uplinks) {
            report(leaf, *found.uplinks, answer);
            break;
        }
    }
    answer.reasons[kIsland] = reasons;
}

}  // namespace hitopo
