// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/gather/root.h"

#include <algorithm>

namespace hitopo {

Root::Root(Post& post, int size, NodeLeader& own, const std::vector<int>& leaders,
           std::uint64_t window_bytes) noexcept
    : post_(post), size_(size), own_(own), leaders_(leaders), window_bytes_(window_bytes) {
    const bool has_memory = has_done([&] {
        nodes_.reserve(leaders.size() + 1);
        places_.resize(static_cast<std::size_t>(size), {kNowhere, 0});
        add_node(0, Heads());
    });
    for (const int leader : leaders) {
        const std::optional<std::string> bytes = post_.receive(leader);
        (void)has_done([&] {
            std::optional<Heads> heads = bytes && has_memory ? Heads::decode(*bytes) : std::nullopt;
            if (heads) {
                add_node(leader, std::move(*heads));
            }
        });
    }
}

Root::~Root() {
    for (const int leader : leaders_) {
        (void)post_.send(leader, "");
    }
}

// A node that names ranks which the job has not, or another node has, tells of nobody.
void Root::add_node(int leader, Heads heads) {
    const auto node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({leader, std::move(heads)});
    const auto& processes = heads_of(node).processes();
    for (const Heads::Process& process : processes) {
        if (process.rank >= size_ || places_[static_cast<std::size_t>(process.rank)].node != kNowhere) {
            return;
        }
    }
    for (std::uint32_t i = 0; i < processes.size(); ++i) {
        places_[static_cast<std::size_t>(processes[i].rank)] = {node, i};
    }
}

int Root::num_snapshots() const {
    int most = 0;
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
        for (const Heads::Process& process : heads_of(node).processes()) {
            most = std::max(most, Heads::num_snapshots(process));
        }
    }
    return most;
}

const PartHead* Root::head_of(int rank, int number) const {
    const Place place = places_[static_cast<std::size_t>(rank)];
    if (place.node == kNowhere || is_lost_[static_cast<std::size_t>(rank)]) {
        return nullptr;
    }
    const Heads& heads = heads_of(place.node);
    return heads.part_of(heads.processes()[place.process], number);
}

void Root::collect(int number, bool wants_peers, const Take& take) {
    NodeOrder model;
    model.number = number;
    model.wants_peers = wants_peers;
    numbering_ = Numbering();
    is_lost_.assign(places_.size(), false);
    const int size = static_cast<int>(places_.size());
    for (int first = 0; first < size;) {
        const int end = end_of_window(first, number);
        // Once more where somebody is lost, without him: what he was the first to have is another's to
        // describe, or nobody's.
        while (!collect_window(first, end, model, take)) {
            numbering_.take_back();
        }
        numbering_.keep();
        first = end;
    }
}

int Root::end_of_window(int first, int number) const {
    std::uint64_t num_bytes = 0;
    int end = first;
    for (; end < static_cast<int>(places_.size()); ++end) {
        const PartHead* head = head_of(end, number);
        const std::uint64_t more = head == nullptr ? 0 : head->num_bytes;
        if (end > first && more > window_bytes_ - std::min(num_bytes, window_bytes_)) {
            break;
        }
        num_bytes += more;
    }
    return end;
}

// False where parts are lost that were to come; then takes none.
bool Root::collect_window(int first, int end, const NodeOrder& model, const Take& take) {
    std::vector<Part> parts = parts_of(first, end, model.number);
    std::vector<Request> requests = requests_of(parts, model);
    for (Request& request : requests) {
        request.order.first = first;
        request.order.end = end;
        request.order_bytes = request.order.encode();
    }
    ask(requests);
    if (!match(requests, parts)) {
        return false;
    }
    for (const Part& part : parts) {
        take({*part.head, part.answer.descriptions, part.answer.traffic});
    }
    return true;
}

std::vector<Root::Part> Root::parts_of(int first, int end, int number) const {
    std::vector<Part> parts;
    for (int rank = first; rank < end; ++rank) {
        if (const PartHead* head = head_of(rank, number)) {
            parts.push_back({rank, head, {}, false});
        }
    }
    return parts;
}

std::vector<Root::Request> Root::requests_of(const std::vector<Part>& parts, const NodeOrder& model) {
    std::vector<Request> requests;
    FlatMap numbers;  // of requests, by node
    for (const Part& part : parts) {
        const Place place = places_[static_cast<std::size_t>(part.rank)];
        const Heads& heads = heads_of(place.node);
        const std::uint32_t number = numbers.number_of(place.node);
        if (number == requests.size()) {
            requests.push_back({place.node, model, "", "", false});
            requests.back().order.ids.assign(heads.keys().size(), NodeOrder::kNone);
            requests.back().order.ranks.assign(heads.keys().size(), NodeOrder::kNone);
        }
        NodeOrder& order = requests[number].order;
        const std::vector<std::uint32_t>& keys = heads.keys_of(heads.processes()[place.process]);
        for (std::uint32_t i = 0; i < part.head->num_keys; ++i) {
            const Numbering::Number named = numbering_.of(heads.keys()[keys[i]]);
            order.ids[keys[i]] = named.id;
            if (named.is_new) {
                order.ranks[keys[i]] = part.rank;
            }
        }
    }
    return requests;
}

// All nodes work at the same time.
void Root::ask(std::vector<Request>& requests) noexcept {
    for (Request& request : requests) {
        request.is_asked =
            request.node != 0 && post_.send(nodes_[request.node].leader, request.order_bytes);
    }
    for (Request& request : requests) {
        if (request.node == 0) {
            request.answers = own_.answers(request.order);
        } else if (request.is_asked) {
            request.answers = post_.receive(nodes_[request.node].leader).value_or("");
        }
    }
}

// Gives parts their answers. False where some have none: these are lost.
bool Root::match(const std::vector<Request>& requests, std::vector<Part>& parts) {
    const auto is_below = [](const Part& part, int rank) { return part.rank < rank; };
    for (const Request& request : requests) {
        for (const Answer& answer : decode_answers(request.answers).value_or(std::vector<Answer>())) {
            const auto part = std::lower_bound(parts.begin(), parts.end(), answer.rank, is_below);
            if (part != parts.end() && part->rank == answer.rank) {
                part->answer = answer;
                part->has_come = true;
            }
        }
    }
    bool is_whole = true;
    for (const Part& part : parts) {
        if (!part.has_come) {
            is_lost_[static_cast<std::size_t>(part.rank)] = true;
            is_whole = false;
        }
    }
    return is_whole;
}

}  // namespace hitopo
