// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A fabric without wires: switches and hosts with ports, and a client whose packets walk from port to
// port. Time passes where a test says so.
#ifndef TEST_OPENIB_FAKE_FABRIC_H
#define TEST_OPENIB_FAKE_FABRIC_H

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/openib/hitopo_openib_input.h"

namespace hitopo {

class FakeFabric {
public:
    using End = std::pair<std::string, int>;  // a port of a node

    void add_switch(const std::string& name, std::uint64_t guid, int num_ports) {
        nodes_[name] = {2, guid, num_ports};
    }
    void add_host(const std::string& name, std::uint64_t guid) { nodes_[name] = {1, guid, 1}; }
    void link(const End& a, const End& b) {
        links_[a] = b;
        links_[b] = a;
    }

    std::set<std::string> silent;  // nodes that answer nothing

    // As the node at the route's end would answer.
    std::optional<SmpData> answer(const std::string& from, const SmpRequest& request) const {
        End at = {from, 0};
        for (const std::uint8_t port : request.route) {
            const auto next = links_.find({at.first, port});
            if (next == links_.end()) {
                return std::nullopt;
            }
            at = next->second;
        }
        if (silent.count(at.first) != 0) {
            return std::nullopt;
        }
        return attribute(at, request);
    }

private:
    struct Node {
        std::uint8_t type;
        std::uint64_t guid;
        int num_ports;
    };

    SmpData attribute(const End& at, const SmpRequest& request) const {
        const Node& node = nodes_.at(at.first);
        SmpData data = {};
        if (request.attribute == SmpRequest::kNodeInfo) {
            data[2] = node.type;
            data[3] = static_cast<std::uint8_t>(node.num_ports);
            data[36] = static_cast<std::uint8_t>(at.second);
            for (int i = 0; i < 8; ++i) {
                data[static_cast<std::size_t>(12 + i)] =
                    static_cast<std::uint8_t>(node.guid >> (56 - 8 * i));
            }
        } else if (request.attribute == SmpRequest::kNodeDescription) {
            std::copy(at.first.begin(), at.first.end(), data.begin());
        } else {
            const bool is_up = links_.count({at.first, static_cast<int>(request.modifier)}) != 0;
            data[32] = is_up ? 4 : 1;
            data[33] = is_up ? 0x52 : 0x22;
        }
        return data;
    }

    std::map<std::string, Node> nodes_;
    std::map<End, End> links_;
};

// Stands still but for what moves it. Who waits by the steady clock for a time of this one waits as long
// as the other thread takes, but not for ever, or not at all.
class FakeClock {
public:
    static std::shared_ptr<FakeClock> ahead() {
        return std::make_shared<FakeClock>(std::chrono::steady_clock::now() + std::chrono::minutes(5));
    }
    static std::shared_ptr<FakeClock> behind() { return std::make_shared<FakeClock>(Deadline()); }

    explicit FakeClock(Deadline start) : now_(start) {}
    Deadline now() const { return now_; }
    void move_to(Deadline time) { now_ = std::max(now(), time); }

private:
    std::atomic<Deadline> now_;
};

// Asks from the host whose name is the port's device.
class FakeClient : public SmpClient {
public:
    explicit FakeClient(FakeFabric fabric, std::shared_ptr<FakeClock> clock = FakeClock::ahead())
        : fabric(std::move(fabric)), clock(std::move(clock)) {}

    std::string open(const IbPort& port) override {
        host_ = port.device;
        if (may_open.valid()) {
            may_open.wait_for(std::chrono::minutes(5));
        }
        return refusals.count(port.device) != 0 ? refusals.at(port.device) : "";
    }

    std::vector<std::optional<SmpData>> ask(const std::vector<SmpRequest>& requests,
                                            Deadline deadline) override {
        std::vector<std::optional<SmpData>> answers;
        for (const SmpRequest& request : requests) {
            answers.push_back(fabric.answer(host_, request));
        }
        rounds.push_back(requests.size());
        const auto has_none = [](const std::optional<SmpData>& answer) { return !answer; };
        if (std::any_of(answers.begin(), answers.end(), has_none)) {
            clock->move_to(deadline);
        }
        return answers;
    }

    FakeFabric fabric;
    const std::shared_ptr<FakeClock> clock;
    std::map<std::string, std::string> refusals;  // by device
    std::shared_future<void> may_open;            // until then, open does not come back
    std::vector<std::size_t> rounds;              // questions of each call of ask

private:
    std::string host_;
};

}  // namespace hitopo

#endif
