// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>
#include <set>

#include "test/oracle/oracle.h"

namespace hitopo::oracle {
namespace {

const ComponentAnswer* simulator_of(const FakeProcess& process) {
    const ComponentAnswer* best = nullptr;
    for (const ComponentAnswer& answer : process.answers) {
        if (answer.replaces_node && answer.values[kNode] &&
            (best == nullptr || answer.priority > best->priority)) {
            best = &answer;
        }
    }
    return best;
}

// Equal where two processes share a node.
std::string identity_of(const FakeProcess& process) {
    const ComponentAnswer* simulator = simulator_of(process);
    if (simulator == nullptr) {
        return "host " + process.facts.host_name + '\0' + process.facts.boot_id;
    }
    std::string identity = "simulated";
    for (const Name& name : simulator->values[kNode]->path) {
        identity += (name.is_number() ? " number " : " name ") + name.to_string() + '\0';
    }
    return identity;
}

std::uint64_t identity_hash_of(const FakeProcess& process) {
    const ComponentAnswer* simulator = simulator_of(process);
    return simulator != nullptr ? hash_of(*simulator->values[kNode])
                                : hash_bytes(process.facts.host_name + '\0' + process.facts.boot_id);
}

struct Offer {
    int priority = 0;  // the component's highest
    RawValue value;    // of the lowest rank that knows
};

struct Winner {
    std::string component;
    Offer offer;
};

// The framework knows the host name, below all components.
constexpr int kLowestPriority = std::numeric_limits<int>::min();

std::map<std::string, Offer> offers_for(const FakeJob& job, const std::vector<std::uint32_t>& ranks,
                                        Level level) {
    std::map<std::string, Offer> offers;
    const auto add = [&](const std::string& component, int priority, const RawValue& value) {
        Offer& own = offers.emplace(component, Offer{priority, value}).first->second;
        own.priority = std::max(own.priority, priority);
    };
    for (const std::uint32_t rank : ranks) {
        const std::vector<const ComponentAnswer*> mine = offers_of(job[rank], level);
        for (const ComponentAnswer* offer : mine) {
            add(offer->component, offer->priority, *offer->values[level]);
        }
        if (level == kNode && mine.size() < 2) {
            add("hitopo", kLowestPriority, RawValue(Name(job[rank].facts.host_name)));
        }
    }
    return offers;
}

// The one that is named; else of the highest priority, then by name.
std::optional<Winner> choose(const FakeJob& job, const std::vector<std::uint32_t>& ranks, Level level) {
    const std::map<std::string, Offer> offers = offers_for(job, ranks, level);
    auto best = offers.find(job[0].facts.forced[level]);
    if (best == offers.end()) {
        best = std::max_element(offers.begin(), offers.end(), [](const auto& a, const auto& b) {
            return a.second.priority < b.second.priority;  // the first of equals
        });
    }
    return best == offers.end() ? std::nullopt : std::optional(Winner{best->first, best->second});
}

Node make_node(const FakeJob& job, const std::vector<std::uint32_t>& ranks) {
    Node node;
    node.ranks = ranks;
    const RawValue name = choose(job, ranks, kNode)->offer.value;
    node.order = {key_of(name.visible()), key_of(name), identity_hash_of(job[ranks.front()])};
    for (const Level level : {kCluster, kIsland, kSwitch}) {
        if (const std::optional<Winner> winner = choose(job, ranks, level)) {
            node.network[level] =
                Value{-winner->offer.priority, winner->component, key_of(winner->offer.value)};
        }
    }
    return node;
}

// All nodes of one child lie where the one of the lowest rank that knows says.
void nest(std::vector<Node>& by_first_rank, Level child, Level parent) {
    for (const Node& first : std::vector<Node>(by_first_rank)) {
        std::optional<Value> common;
        for (Node& node : by_first_rank) {
            const bool is_sibling = first.network[child] && node.network[child] &&
                                    !(*node.network[child] != *first.network[child]);
            if (is_sibling && !common) {
                common = node.network[parent];
            }
        }
        for (Node& node : by_first_rank) {
            if (first.network[child] && node.network[child] &&
                !(*node.network[child] != *first.network[child])) {
                node.network[parent] = common;
            }
        }
    }
}

}  // namespace

std::vector<const ComponentAnswer*> offers_of(const FakeProcess& process, Level level) {
    std::multimap<std::pair<bool, int>, const ComponentAnswer*> by_worth;
    for (const ComponentAnswer& answer : process.answers) {
        if (answer.values[level]) {
            const bool is_forced = answer.component == process.facts.forced[level];
            by_worth.emplace(std::pair(!is_forced, -answer.priority), &answer);
        }
    }
    std::vector<const ComponentAnswer*> offers;
    for (const auto& [worth, answer] : by_worth) {
        if (offers.size() < 2) {
            offers.push_back(answer);
        }
    }
    return offers;
}

std::vector<Node> nodes_of(const FakeJob& job) {
    std::map<std::string, std::vector<std::uint32_t>> ranks_of;
    for (std::uint32_t rank = 0; rank < job.size(); ++rank) {
        ranks_of[identity_of(job[rank])].push_back(rank);
    }
    std::vector<Node> nodes;
    for (const auto& [identity, ranks] : ranks_of) {
        nodes.push_back(make_node(job, ranks));
    }
    std::sort(nodes.begin(), nodes.end(),
              [](const Node& a, const Node& b) { return a.ranks.front() < b.ranks.front(); });
    nest(nodes, kSwitch, kIsland);
    nest(nodes, kIsland, kCluster);
    nest(nodes, kSwitch, kCluster);
    std::sort(nodes.begin(), nodes.end(),
              [](const Node& a, const Node& b) { return a.order < b.order; });
    return nodes;
}

}  // namespace hitopo::oracle
