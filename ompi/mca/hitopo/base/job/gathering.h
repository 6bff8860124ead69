// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// How all processes learn what each has to say: members tell their leader, leaders tell each other in
// ceil(log2) rounds, and each leader tells its members the sum.
#ifndef OMPI_MCA_HITOPO_BASE_JOB_GATHERING_H
#define OMPI_MCA_HITOPO_BASE_JOB_GATHERING_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/base/job/wire.h"
#include "ompi/mca/hitopo/core/exchange/local_groups.h"

namespace hitopo {

// What a leader makes of what it hears. All may throw: the sum is then not whole, and the news say so.
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
    // Everything, in an order that is the same at all leaders.
    virtual std::string sum() = 0;
};

// Nothing but the news.
class NoCollection : public Collection {
public:
    void add(std::uint32_t, std::string_view) override {}
    std::uint32_t close_group() override { return 0; }
    std::string encode(std::size_t) override { return {}; }
    void append(std::string_view) override {}
    std::string sum() override { return {}; }
};

// Collective over the processes of the wire; takes memory only where it can do without. mine: this
// process's news; in the result the flags and `absent` are those of all, the same everywhere; a failure
// may be known to some only. The bytes are the collection's sum.
Message gather(const Wire& wire, const LocalGroups& groups, const News& mine, std::string_view said,
               Collection& collection);

// Whether all processes got so far, each with its own status; the same news at all. Collective.
News agree(const Wire& wire, const LocalGroups& groups, News mine);

}  // namespace hitopo

#endif
