// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Levels switch and island of an InfiniBand fabric. A further source of the fabric is a class of
// FabricSource and one line in fabric_sources().
#include "ompi/mca/hitopo/openib/hitopo_openib.h"

#include <algorithm>
#include <string>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/openib/hitopo_openib_input.h"
#include "ompi/mca/hitopo/support/helper_thread.h"

struct hitopo_openib_search_t {
    hitopo::FabricSources sources;
    hitopo::Leaf leaf;
};

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

IbPorts list_within(const ListPorts& list, std::chrono::milliseconds timeout) {
    if (!list) {
        return {};
    }
    const std::optional<IbPorts> ports =
        run_bounded<IbPorts>(std::chrono::steady_clock::now() + timeout, list);
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

// The subnet is part of it: GUIDs are distinct within one subnet only.
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

std::optional<Leaf> report_leaf(const ListPorts& list, const FabricSources& sources,
                                std::chrono::milliseconds timeout, const Question& question,
                                Answer& answer) {
    if (!question.asks_for_node) {
        answer.reason = "not asked: local rank 0 answers for the whole node";
        return std::nullopt;
    }
    const IbPorts all = list_within(list, timeout);
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

// ---- the configured sources ----

namespace {

// The driver's time to list the ports, where the fabric is not asked.
constexpr int kListingTimeoutMs = 500;

// The configured sources, the most trusted first. A file that is not there is an error, used or not.
FabricSources fabric_sources(const hitopo_openib_settings_t& settings, const Question& question,
                             Answer& answer) {
    FabricSources sources;
    if (settings.timeout_ms > 0) {
        sources.push_back(std::make_unique<FabricMads>(make_umad_client(),
                                                       std::chrono::milliseconds(settings.timeout_ms)));
    }
    if (settings.fabric_file != nullptr && settings.fabric_file[0] != '\0') {
        auto file = std::make_unique<FabricFile>(settings.fabric_file);
        if (const auto error = question.asks_for_node ? file->why_not() : std::nullopt) {
            answer.fail(*error);
        }
        sources.push_back(std::move(file));
    }
    return sources;
}

std::unique_ptr<hitopo_openib_search_t> query(const hitopo_openib_settings_t& settings,
                                              const Question& question, Answer& answer) {
    const std::chrono::milliseconds timeout(settings.timeout_ms > 0 ? settings.timeout_ms
                                                                    : kListingTimeoutMs);
    FabricSources sources = fabric_sources(settings, question, answer);
    if (sources.empty()) {
        answer.reason = "hitopo_openib_timeout_ms is 0 and hitopo_openib_fabric_file is not set";
    } else if (const std::optional<Leaf> leaf =
                   report_leaf(has_verbs_devices() ? list_verbs_ports : ListPorts(), sources, timeout,
                               question, answer)) {
        return std::unique_ptr<hitopo_openib_search_t>(
            new hitopo_openib_search_t{std::move(sources), *leaf});
    }
    return nullptr;
}

}  // namespace
}  // namespace hitopo

extern "C" int hitopo_openib_query(const hitopo_openib_settings_t* settings,
                                   const hitopo_question_t* question, hitopo_answer_t* answer,
                                   hitopo_openib_search_t** search) {
    hitopo_openib_forget(*search);
    *search = nullptr;
    return hitopo::guarded([&] { *search = hitopo::query(*settings, *question, *answer).release(); });
}

extern "C" int hitopo_openib_lead(hitopo_openib_search_t* search, const hitopo_question_t* /*question*/,
                                  hitopo_answer_t* answer) {
    return hitopo::guarded([&] {
        if (search != nullptr) {
            hitopo::report_uplinks(search->leaf, search->sources, *answer);
        }
    });
}

extern "C" void hitopo_openib_forget(hitopo_openib_search_t* search) { delete search; }
