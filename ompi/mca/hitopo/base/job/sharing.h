// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// How the members of a local group come to have what their leader made: they open its sealed copy, and
// whoever cannot is sent the bytes.
#ifndef OMPI_MCA_HITOPO_BASE_JOB_SHARING_H
#define OMPI_MCA_HITOPO_BASE_JOB_SHARING_H

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/base/job/gathering.h"
#include "ompi/mca/hitopo/base/job/sealed_copy.h"
#include "ompi/mca/hitopo/base/job/shared_bytes.h"

namespace hitopo {

class Sharing {
public:
    // Takes the bytes, for as long as it likes. May throw: all processes then hear of a failure.
    using Accept = std::function<void(std::shared_ptr<const SharedBytes>)>;

    // The leader's, before it gives the order: takes all memory that it will need. Local; throws.
    void prepare(std::string_view block, const LocalGroups& groups);
    // For each member; nothing before prepare().
    Order order() const;

    // Members do what they were ordered, a leader hears how they got on; both accept, if there is
    // something. mine: what this process says of it, and at a leader what it heard. Collective over the
    // local group; takes memory only where it can do without.
    void settle(const Wire& wire, const LocalGroups& groups, const Message& order, const Accept& accept,
                News& mine);

private:
    void answer(const Wire& wire, std::uint32_t leader, const Message& order, const Accept& accept,
                News& mine);
    void hear_answers(const Wire& wire, const LocalGroups& groups, News& mine);

    std::shared_ptr<const SharedBytes> bytes_;
    std::string whereabouts_;         // encoded; "" where there is no copy
    std::optional<Descriptor> file_;  // of the copy, until all members have answered
    std::vector<std::uint32_t> unable_;
};

}  // namespace hitopo

#endif
