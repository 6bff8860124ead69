// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/gathering.h"

#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

class Leader {
public:
    Leader(const Wire& wire, const LocalGroups& groups, const News& mine, Collection& collection)
        : wire_(wire), groups_(groups), news_(mine), collection_(collection) {}

    int run(std::string_view said, Message& all) {
        hear_members(said);
        tell_leaders();
        attempt([&] { all.bytes = collection_.sum(); });
        all.news = news_;
        int status = kSuccess;
        for (std::size_t i = 1; i < groups_.members.size(); ++i) {
            const int sent = wire_.send(groups_.members[i], all.news, all.bytes);
            status = status == kSuccess ? sent : status;
        }
        return status;
    }

private:
    void note(int status) { news_.fail(wire_.own(), status); }

    template <class Body>
    void attempt(Body body) {
        note(guarded([&] {
            body();
            return kSuccess;
        }));
    }

    void hear_members(std::string_view said) {
        attempt([&] { collection_.add(wire_.own(), said); });
        for (std::size_t i = 1; i < groups_.members.size(); ++i) {
            Message heard;
            note(wire_.receive(groups_.members[i], heard));
            news_.hear(heard.news);
            attempt([&] { collection_.add(groups_.members[i], heard.bytes); });
        }
        attempt([&] { news_.flags |= collection_.close_group(); });
    }

    void tell_leaders() {
        const auto own = std::lower_bound(groups_.leaders.begin(), groups_.leaders.end(), wire_.own());
        LeaderRounds rounds(static_cast<std::size_t>(own - groups_.leaders.begin()),
                            groups_.leaders.size());
        for (; !rounds.is_over(); rounds.end_round()) {
            std::string sent;
            Message heard;
            attempt([&] { sent = collection_.encode(rounds.num_sent()); });
            note(wire_.pass(groups_.leaders[rounds.to()], news_, sent, groups_.leaders[rounds.from()],
                            heard));
            news_.hear(heard.news);
            attempt([&] { collection_.append(heard.bytes); });
        }
    }

    const Wire& wire_;
    const LocalGroups& groups_;
    News news_;
    Collection& collection_;
};

// kSuccess, or how the sending of what all the same may have arrived failed.
int gather(const Wire& wire, const LocalGroups& groups, const News& mine, std::string_view said,
           Collection& collection, Message& all) {
    if (groups.members[0] == wire.own()) {
        return Leader(wire, groups, mine, collection).run(said, all);
    }
    const int sent = wire.send(groups.members[0], mine, said);
    all.news.fail(wire.own(), wire.receive(groups.members[0], all));
    return sent;
}

}  // namespace

Message gather(const Wire& wire, const LocalGroups& groups, const News& mine, std::string_view said,
               Collection& collection) {
    Message all;
    all.news.fail(wire.own(), gather(wire, groups, mine, said, collection, all));
    return all;
}

// Who has the leader's word knows that the leader has this process's: what it sent did arrive. And after
// that word nobody could tell of a failure.
News agree(const Wire& wire, const LocalGroups& groups, News mine) {
    NoCollection nothing;
    Message all;
    (void)gather(wire, groups, mine, {}, nothing, all);
    return all.news;
}

}  // namespace hitopo
