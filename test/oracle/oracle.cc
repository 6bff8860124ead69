// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/oracle/oracle.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace hitopo::oracle {
namespace {

// The distinct keys that occur are numbered in their order; -1 for those without a key.
template <class Key>
std::vector<int> number_densely(const std::vector<std::optional<Key>>& keys) {
    std::set<Key> distinct;
    for (const std::optional<Key>& key : keys) {
        if (key) {
            distinct.insert(*key);
        }
    }
    std::vector<int> numbers;
    for (const std::optional<Key>& key : keys) {
        numbers.push_back(key ? static_cast<int>(std::distance(distinct.begin(), distinct.find(*key)))
                              : -1);
    }
    return numbers;
}

bool is_known_to_nobody(const std::vector<int>& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](int number) { return number < 0; });
}

class Oracle {
public:
    Oracle(const FakeJob& job, const std::vector<std::uint32_t>& members)
        : job_(job), members_(members), nodes_(nodes_of(job)), insides_(insides_of(job, nodes_)) {
        node_of_.resize(job.size());
        for (std::size_t node = 0; node < nodes_.size(); ++node) {
            for (const std::uint32_t rank : nodes_[node].ranks) {
                node_of_[rank] = static_cast<int>(node);
            }
        }
        expected_.addresses.resize(members.size());
    }

    Expected run() {
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            std::vector<std::optional<Value>> values;
            for (const std::uint32_t rank : members_) {
                values.push_back(nodes_[static_cast<std::size_t>(node_of_[rank])].network[level]);
            }
            put_address(level, number_densely(values));
            expected_.domains[uri_of(level)] = number_densely(values);
        }
        put_address(kNode, number_densely(places({})));
        expected_.domains[uri_of(kNode)] = number_densely(places({}));
        for (const Level level : {kL2Numa, kSocket, kCore}) {
            std::vector<std::optional<int>> values;
            for (const std::uint32_t rank : members_) {
                const int number = insides_[rank].number.at(level);
                values.push_back(number >= 0 ? std::optional(number) : std::nullopt);
            }
            put_address(level, number_densely(values));
        }
        put_address(kHwThread, numbers_on_core());
        expected_.domains[uri_of(kL2Numa)] = number_densely(places({kL2Numa}));
        expected_.domains[uri_of(kSocket)] = number_densely(places({kSocket}));
        expected_.domains[uri_of(kCore)] = number_densely(places({kSocket, kCore}));
        expected_.domains[uri_of(kHwThread)] = number_densely(places({kSocket, kCore, kHwThread}));
        put_machine_domains();
        put_side_domains();
        return std::move(expected_);
    }

private:
    using Place = std::vector<int>;

    static std::string uri_of(Level level) { return "hitopo://" + std::string(level_type(level)); }

    void put_address(Level level, std::vector<int> numbers) {
        expected_.numbers[level].insert(numbers.begin(), numbers.end());
        const bool is_unknown = is_known_to_nobody(numbers);
        for (std::size_t i = 0; i < members_.size(); ++i) {
            expected_.addresses[i][level] = is_unknown ? 0 : numbers[i];
        }
    }

    // Node and numbers inside, of those who are restricted at the last of the levels.
    std::vector<std::optional<Place>> places(const std::vector<Level>& levels) const {
        std::vector<std::optional<Place>> all;
        for (const std::uint32_t rank : members_) {
            Place place = {node_of_[rank]};
            for (const Level level : levels) {
                place.push_back(insides_[rank].number.at(level));
            }
            all.push_back(place.back() >= 0 ? std::optional(place) : std::nullopt);
        }
        return all;
    }

    // The processes on one core: those bound to a thread by its number, then the others, each by rank.
    std::vector<int> numbers_on_core() const {
        std::map<Place, std::set<std::tuple<bool, int, std::size_t>>> on_core;
        const std::vector<std::optional<Place>> cores = places({kSocket, kCore});
        for (std::size_t i = 0; i < members_.size(); ++i) {
            if (cores[i]) {
                const int thread = insides_[members_[i]].number.at(kHwThread);
                on_core[*cores[i]].emplace(thread < 0, thread, i);
            }
        }
        std::vector<int> numbers(members_.size(), -1);
        for (const auto& [core, processes] : on_core) {
            int number = 0;
            for (const auto& process : processes) {
                numbers[std::get<2>(process)] = number++;
            }
        }
        return numbers;
    }

    void put_machine_domains() {
        std::set<std::string> types;
        for (const std::uint32_t rank : members_) {
            for (const auto& [type, instance] : insides_[rank].instances) {
                types.insert(type);
            }
        }
        for (const std::string& type : types) {
            std::vector<std::optional<Place>> places;
            for (const std::uint32_t rank : members_) {
                const auto found = insides_[rank].instances.find(type);
                places.push_back(found != insides_[rank].instances.end() && found->second >= 0
                                     ? std::optional(Place{node_of_[rank], found->second})
                                     : std::nullopt);
            }
            const bool is_uri = type.find("://") != std::string::npos;
            expected_.domains[(is_uri ? "" : "hwloc://") + type] = number_densely(places);
        }
    }

    // What a process says itself, and what others of its node say for all of it: the highest priority
    // first, then its own, then the lowest rank's.
    std::optional<Value> side_value(std::uint32_t rank, const std::string& type) const {
        std::map<std::tuple<int, bool, std::uint32_t>, Value> offers;
        for (const std::uint32_t other : nodes_[static_cast<std::size_t>(node_of_[rank])].ranks) {
            for (const ComponentAnswer& answer : job_[other].answers) {
                for (const SideAnswer& side : answer.side) {
                    if (side.type == type && (other == rank || side.is_for_node)) {
                        offers[{-answer.priority, other != rank, other}] = {
                            -answer.priority, answer.component, key_of(side.value)};
                    }
                }
            }
        }
        return offers.empty() ? std::nullopt : std::optional(offers.begin()->second);
    }

    void put_side_domains() {
        std::set<std::string> types;
        for (const FakeProcess& process : job_) {
            for (const ComponentAnswer& answer : process.answers) {
                for (const SideAnswer& side : answer.side) {
                    types.insert(side.type);
                }
            }
        }
        for (const std::string& type : types) {
            std::vector<std::optional<Value>> values;
            for (const std::uint32_t rank : members_) {
                values.push_back(side_value(rank, type));
            }
            const std::vector<int> numbers = number_densely(values);
            if (!is_known_to_nobody(numbers)) {
                expected_.domains[type] = numbers;
            }
        }
    }

    const FakeJob& job_;
    const std::vector<std::uint32_t>& members_;
    std::vector<Node> nodes_;
    std::vector<Inside> insides_;
    std::vector<int> node_of_;
    Expected expected_;
};

}  // namespace

Expected expect(const FakeJob& job, const std::vector<std::uint32_t>& members) {
    return Oracle(job, members).run();
}

}  // namespace hitopo::oracle
