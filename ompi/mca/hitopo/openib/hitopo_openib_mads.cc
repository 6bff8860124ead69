// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/openib/hitopo_openib_input.h"
#include "ompi/mca/hitopo/support/helper_thread.h"

namespace hitopo {
namespace {

// Packets time out first: their errors are more exact than a thread's that did not come back.
constexpr std::chrono::milliseconds kGrace(20);

std::string took(std::size_t num_mads, Deadline::duration time) {
    const auto elapsed = std::chrono::duration_cast<std::chrono::microseconds>(time);
    return std::to_string(num_mads) + (num_mads == 1 ? " MAD in " : " MADs in ") +
           std::to_string(elapsed.count()) + " us";
}

// The client to ask, and the deadline.
struct Inquiry {
    // The end of a part of the time that is left.
    Deadline part_of_time(std::ptrdiff_t num_parts) const {
        const Deadline present = now();
        return present + (deadline - present) / num_parts;
    }

    SmpClient& client;
    const Now& now;
    const Deadline deadline;
};

struct LeafFound {
    std::optional<std::size_t> port;  // index
    FabricNode leaf = {};
    std::string reason;
};

// Asks for the switch of a port; gives the finding.
std::string ask_port(const Inquiry& inquiry, const std::vector<IbPort>& ports, std::size_t index,
                     LeafFound& found) {
    const IbPort& port = ports[index];
    const Deadline deadline = inquiry.part_of_time(static_cast<std::ptrdiff_t>(ports.size() - index));
    const Deadline start = inquiry.now();
    const std::string refusal = inquiry.client.open(port);
    if (!refusal.empty()) {
        return ": " + refusal;
    }
    const auto answer =
        inquiry.client.ask({{{static_cast<std::uint8_t>(port.number)}, SmpRequest::kNodeInfo}}, deadline)
            .front();
    if (!answer) {
        return std::string(": no answer to 1 MAD") +
               (port.is_virtual ? ": a virtual function may not query the fabric" : "");
    }
    found.leaf = decode_node_info(*answer);
    if (!found.leaf.is_switch) {
        return " is linked to no switch";
    }
    found.port = index;
    return " at switch " + guid_to_string(found.leaf.guid) + " by " + took(1, inquiry.now() - start);
}

LeafFound ask_leaf(const Inquiry& inquiry, const std::vector<IbPort>& ports) {
    LeafFound found;
    for (std::size_t i = 0; i < ports.size() && !found.port; ++i) {
        add_item(found.reason, ", ", name_of(ports[i]) + ask_port(inquiry, ports, i, found));
    }
    return found;
}

// The switches above one leaf switch.
class UplinkSearch {
public:
    UplinkSearch(const Inquiry& inquiry, const IbPort& port, const FabricNode& leaf)
        : inquiry_(inquiry), port_(static_cast<std::uint8_t>(port.number)), leaf_(leaf) {}

    UplinksAnswer run() {
        if (!ask_ports()) {
            return {std::nullopt,
                    "switch " + guid_to_string(leaf_.guid) + " did not report all its ports"};
        }
        ask_neighbours();
        if (inquiry_.now() >= inquiry_.deadline) {
            return {std::nullopt,
                    "no time left to ask for the neighbours of switch " + guid_to_string(leaf_.guid)};
        }
        ask_first_name();
        return {uplinks_, reason()};
    }

private:
    std::vector<std::optional<SmpData>> ask(const std::vector<SmpRequest>& requests,
                                            std::ptrdiff_t num_parts) {
        num_mads_ += requests.size();
        return inquiry_.client.ask(requests, inquiry_.part_of_time(num_parts));
    }

    bool ask_ports() {
        std::vector<SmpRequest> requests = {{{port_}, SmpRequest::kNodeDescription}};
        for (int number = 1; number <= leaf_.num_ports; ++number) {
            if (number != leaf_.local_port) {
                requests.push_back({{port_}, SmpRequest::kPortInfo, static_cast<std::uint32_t>(number)});
            }
        }
        const auto answers = ask(requests, 3);
        uplinks_.name = answers[0] ? decode_node_description(*answers[0]) : "";
        for (std::size_t i = 1; i < answers.size(); ++i) {
            if (!answers[i]) {
                return false;
            }
            if (is_port_up(*answers[i])) {
                linked_.push_back(static_cast<std::uint8_t>(requests[i].modifier));
            }
        }
        return true;
    }

    void ask_neighbours() {
        std::vector<SmpRequest> requests;
        for (const std::uint8_t number : linked_) {
            requests.push_back({{port_, number}, SmpRequest::kNodeInfo});
        }
        const auto answers = ask(requests, 2);
        for (std::size_t i = 0; i < answers.size(); ++i) {
            if (!answers[i]) {
                ++num_silent_;
            } else if (const FabricNode node = decode_node_info(*answers[i]); node.is_switch) {
                ports_to_.emplace(node.guid, linked_[i]);
            }
        }
        for (const auto& [guid, number] : ports_to_) {
            uplinks_.l2_switches.push_back(guid);
        }
    }

    void ask_first_name() {
        if (!ports_to_.empty()) {
            const std::uint8_t number = ports_to_.begin()->second;
            const auto answer = ask({{{port_, number}, SmpRequest::kNodeDescription}}, 1).front();
            uplinks_.first_name = answer ? decode_node_description(*answer) : "";
        }
    }

    std::string reason() const {
        return std::to_string(uplinks_.l2_switches.size()) + " switches above by " +
               took(num_mads_, inquiry_.now() - start_) +
               (num_silent_ == 0 ? ""
                                 : ", no answer from " + std::to_string(num_silent_) + " neighbours");
    }

    const Inquiry& inquiry_;
    const std::uint8_t port_;
    const FabricNode leaf_;
    const Deadline start_ = inquiry_.now();
    LeafUplinks uplinks_;
    std::vector<std::uint8_t> linked_;                // ports that are up, but for the one to us
    std::map<std::uint64_t, std::uint8_t> ports_to_;  // switches by GUID, and a port that leads there
    std::size_t num_mads_ = 0;
    int num_silent_ = 0;
};

}  // namespace

LeafAnswer FabricMads::find_leaf(const std::vector<IbPort>& ports) {
    const std::optional<LeafFound> found = run_bounded<LeafFound>(
        deadline_ + kGrace, [client = client_, now = now_, ports, deadline = deadline_] {
            return ask_leaf({*client, now, deadline}, ports);
        });
    left_ = std::max(deadline_ - now_(), Deadline::duration::zero());
    if (!found) {
        return {std::nullopt, "the driver of " + name_of(ports.front()) + " did not return",
                std::nullopt};
    }
    if (!found->port) {
        return {std::nullopt, found->reason, std::nullopt};
    }
    found_ = {ports[*found->port], found->leaf};
    return {Leaf{found_->port.subnet_prefix, found->leaf.guid, found->leaf.num_ports}, found->reason,
            std::nullopt};
}

UplinksAnswer FabricMads::find_uplinks(const Leaf& leaf) {
    if (!found_ || found_->leaf.guid != leaf.guid) {
        return {std::nullopt, "no port of this node could query the fabric"};
    }
    const Deadline deadline = now_() + left_;
    const std::optional<UplinksAnswer> answer = run_bounded<UplinksAnswer>(
        deadline + kGrace, [client = client_, now = now_, found = *found_, deadline] {
            const std::string refusal = client->open(found.port);
            return refusal.empty() ? UplinkSearch({*client, now, deadline}, found.port, found.leaf).run()
                                   : UplinksAnswer{std::nullopt, name_of(found.port) + ": " + refusal};
        });
    return answer ? *answer
                  : UplinksAnswer{std::nullopt,
                                  "the driver of " + name_of(found_->port) + " did not return"};
}

}  // namespace hitopo
