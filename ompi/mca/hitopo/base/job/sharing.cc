// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/sharing.h"

#include <utility>

#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

std::shared_ptr<const SharedBytes> copied(std::string_view bytes) {
    return std::make_shared<const SharedBytes>(bytes);
}

// NULL where it cannot be opened.
std::shared_ptr<const SharedBytes> opened(std::string_view whereabouts) {
    const std::optional<Whereabouts> told = Whereabouts::decode(whereabouts);
    std::optional<SharedBytes> bytes = told ? open_sealed_copy(*told) : std::nullopt;
    return bytes ? std::make_shared<const SharedBytes>(std::move(*bytes)) : nullptr;
}

bool has_failed(const News& news) { return news.failed != News::kNobody; }

// Without the flags, which are of one process.
void hear_failure(const News& other, News& mine) {
    mine.hear({0, other.status, other.failed, News::kNobody});
}

}  // namespace

void Sharing::prepare(std::string_view block, const LocalGroups& groups) {
    unable_.reserve(groups.members.size());
    if (groups.members.size() > 1) {
        if (std::optional<SealedCopy> copy = make_sealed_copy(block)) {
            whereabouts_ = copy->whereabouts.encode();
            file_.emplace(std::move(copy->file));
            bytes_ = std::make_shared<const SharedBytes>(std::move(copy->bytes));
            return;
        }
    }
    bytes_ = copied(block);
}

Order Sharing::order() const {
    if (bytes_ == nullptr) {
        return {};
    }
    return whereabouts_.empty() ? Order{kIsWhole, bytes_->view()} : Order{0, whereabouts_};
}

void Sharing::settle(const Wire& wire, const LocalGroups& groups, const Message& order,
                     const Accept& accept, News& mine) {
    if (groups.members[0] != wire.own()) {
        answer(wire, groups.members[0], order, accept, mine);
        return;
    }
    if (bytes_ != nullptr) {
        mine.fail(wire.own(), guarded([&] { accept(bytes_); }));
    }
    hear_answers(wire, groups, mine);
    file_.reset();
}

void Sharing::answer(const Wire& wire, std::uint32_t leader, const Message& order, const Accept& accept,
                     News& mine) {
    const bool is_told = !has_failed(mine) && !order.bytes.empty();
    const int status = guarded([&] {
        if (is_told) {
            bytes_ = (order.news.flags & kIsWhole) != 0 ? copied(order.bytes) : opened(order.bytes);
        }
        if (bytes_ != nullptr) {
            accept(bytes_);
        }
    });
    mine.fail(wire.own(), status);
    const bool is_unable = is_told && bytes_ == nullptr && !has_failed(mine);
    News told = mine;
    told.flags = is_unable ? kCannotOpen : 0U;
    (void)wire.send(leader, told, {});
    if (is_unable) {
        Message whole;
        mine.fail(wire.own(), wire.receive(leader, whole));
        hear_failure(whole.news, mine);
        if (!has_failed(mine)) {
            mine.fail(wire.own(), guarded([&] { accept(copied(whole.bytes)); }));
        }
        (void)wire.send(leader, mine, {});
    }
}

// All that need the bytes are sent them before any is waited for. Where there are none, nobody was told
// of them.
void Sharing::hear_answers(const Wire& wire, const LocalGroups& groups, News& mine) {
    const auto hear = [&](std::uint32_t member) {
        Message answer;
        mine.fail(wire.own(), wire.receive(member, answer));
        hear_failure(answer.news, mine);
        return (answer.news.flags & kCannotOpen) != 0;
    };
    for (std::size_t i = 1; i < groups.members.size(); ++i) {
        const std::uint32_t member = groups.members[i];
        if (hear(member) && bytes_ != nullptr) {
            unable_.push_back(member);  // prepare() took the memory
            mine.fail(wire.own(), wire.send(member, mine, bytes_->view()));
        }
    }
    for (const std::uint32_t member : unable_) {
        (void)hear(member);
    }
}

}  // namespace hitopo
