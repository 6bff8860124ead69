// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/gather/node_leader.h"

namespace hitopo {
namespace {

constexpr int kRoot = 0;

// Tells `to` what there is, then answers each order of its by answer(order's bytes), until there is none
// any more.
template <class Respond>
void serve(Post& post, int to, const std::string& heads, Respond&& respond) noexcept {
    bool is_asked = post.send(to, heads);
    while (is_asked) {
        const std::optional<std::string> order = post.receive(to);
        is_asked = order && !order->empty() && post.send(to, respond(*order));
    }
}

}  // namespace

NodeLeader::NodeLeader(Post& post, int rank, const std::vector<int>& members,
                       const PartSource& own) noexcept
    : post_(post), rank_(rank), members_(members), own_(own) {
    bool is_good = has_done([&] { own_.tell(heads_); });
    for (const int member : members_) {
        const std::optional<std::string> bytes = post_.receive(member);
        is_good = is_good && has_done([&] {
                      const std::optional<Heads> heads = bytes ? Heads::decode(*bytes) : std::nullopt;
                      if (heads && heads->processes().size() == 1 &&
                          heads->processes().front().rank == member) {
                          heads_.join(*heads);
                      }
                  });
    }
    if (!is_good) {
        heads_ = Heads();
    }
}

NodeLeader::~NodeLeader() {
    for (const int member : members_) {
        (void)post_.send(member, "");
    }
}

std::vector<NodeLeader::Question> NodeLeader::questions_of(const NodeOrder& order) const {
    std::vector<Question> questions;
    const std::size_t num_keys = heads_.keys().size();
    if (order.ids.size() != num_keys || order.ranks.size() != num_keys) {
        return questions;
    }
    for (const Heads::Process& process : heads_.processes()) {
        const bool is_wanted = process.rank >= order.first && process.rank < order.end;
        if (is_wanted && heads_.part_of(process, order.number) != nullptr) {
            Order own = order.order_of(heads_, process);
            std::string bytes = own.encode();
            questions.push_back({process.rank, std::move(own), std::move(bytes), "", false});
        }
    }
    return questions;
}

void NodeLeader::ask(std::vector<Question>& questions) noexcept {
    for (Question& question : questions) {
        question.is_asked = question.rank != rank_ && post_.send(question.rank, question.order_bytes);
    }
    for (Question& question : questions) {
        if (question.rank == rank_) {
            question.answer = text_of([&] { return own_.answer(question.order); });
        } else if (question.is_asked) {
            question.answer = post_.receive(question.rank).value_or("");
        }
    }
}

std::string NodeLeader::answers(const NodeOrder& order) noexcept {
    std::vector<Question> questions;
    if (!has_done([&] { questions = questions_of(order); })) {
        return "";
    }
    ask(questions);
    return text_of([&] {
        std::string bytes;
        for (Question& question : questions) {
            const auto answers = decode_answers(question.answer);
            if (answers && answers->size() == 1 && answers->front().rank == question.rank) {
                bytes += question.answer;
            }
            question.answer = std::string();  // so that they are not there twice
        }
        return bytes;
    });
}

void follow(Post& post, int leader, const PartSource& own) noexcept {
    const std::string heads = text_of([&] {
        Heads told;
        own.tell(told);
        return told.encode();
    });
    serve(post, leader, heads, [&](const std::string& bytes) noexcept {
        return text_of([&] {
            const std::optional<Order> order = Order::decode(bytes);
            return order ? own.answer(*order) : "";
        });
    });
}

void lead_node(Post& post, int rank, const std::vector<int>& members, const PartSource& own) noexcept {
    NodeLeader leader(post, rank, members, own);
    const std::string heads = text_of([&] { return leader.heads().encode(); });
    serve(post, kRoot, heads, [&](const std::string& bytes) noexcept {
        std::optional<NodeOrder> order;
        (void)has_done([&] { order = NodeOrder::decode(bytes); });
        return order ? leader.answers(*order) : std::string();
    });
}

}  // namespace hitopo
