// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// How leaders learn what each process has to say, and what they answer: members tell their leader,
// leaders tell each other in ceil(log2) rounds, and each leader gives its members orders.
#ifndef OMPI_MCA_HITOPO_BASE_JOB_GATHERING_H
#define OMPI_MCA_HITOPO_BASE_JOB_GATHERING_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/base/job/wire.h"
#include "ompi/mca/hitopo/core/exchange/local_groups.h"

namespace hitopo {

// What a leader makes of what it hears. All may throw: it is then not whole, and the news say so.
class Collection {
public:
    virtual ~Collection() = default;
    // What a member says, in the order of the members; then all of them are a group, for which the news
    // get flags.
    virtual void add(std::uint32_t process, std::string_view said) = 0;
    virtual std::uint32_t close_group() = 0;
    // The first `num_groups` groups as bytes, and those that another leader sends.
    virtual std::string encode(std::size_t num_groups) = 0;
    virtual void append(std::string_view bytes) = 0;
};

// Nothing but the news.
class NoCollection : public Collection {
public:
    void add(std::uint32_t, std::string_view) override {}
    std::uint32_t close_group() override { return 0; }
    std::string encode(std::size_t) override { return {}; }
    void append(std::string_view) override {}
};

// Flags in the news.
enum Flag : std::uint32_t {
    // All processes send these: which rounds come next, and how it ended.
    kIsUnspoken = 1,    // of some host no member of its group speaks: all gather once more
    kMayLead = 2,       // leaders of switches have something to tell
    kIsRefused = 4,     // nothing failed, but what was said makes no sense
    kIsUnsettled = 64,  // some process does not take the groups for right, or could not do its part
    // One order or one answer has these.
    kMustSpeak = 8,
    kIsWhole = 16,    // the order's bytes are the table itself
    kCannotOpen = 32  // the sealed copy
};

// What a leader tells one member beside its news.
struct Order {
    std::uint32_t flags = 0;
    std::string_view bytes;
};

// One process in its local group. All functions are collective over the group, `gather` and `agree` over
// all processes of the wire, and take memory only where they can do without.
class Gathering {
public:
    // Both live longer.
    Gathering(const Wire& wire, const LocalGroups& groups) : wire_(wire), groups_(groups) {}

    bool is_leader() const { return groups_.members[0] == wire_.own(); }

    // mine: this process's news. At a leader the collection then has what all said, and the flags and
    // `absent` that come back are those of all, the same at all leaders; a failure may be known to some
    // only. A member learns nothing but how the sending went.
    News gather(const News& mine, std::string_view said, Collection& collection) const;

    // A leader's half, which gives how the sending went, and the members'. order_for(member): its Order.
    template <class OrderFor>
    int give_orders(const News& news, OrderFor order_for) const {
        int status = 0;
        for (std::size_t i = 1; i < groups_.members.size(); ++i) {
            const Order order = order_for(groups_.members[i]);
            News told = news;
            told.flags |= order.flags;
            const int sent = wire_.send(groups_.members[i], told, order.bytes);
            status = status == 0 ? sent : status;
        }
        return status;
    }
    Message take_order() const;

    // Whether all processes got so far, each with its own status; the same news at all. mine: at a
    // leader together with its members', which have sent theirs to it in answer to their orders.
    News agree(News mine) const;

private:
    // Gives how the sending went: a failure of the last message of all is nobody's to tell.
    int tell_leaders(News& news, Collection& collection) const;

    const Wire& wire_;
    const LocalGroups& groups_;
};

}  // namespace hitopo

#endif
