// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef OMPI_MCA_HITOPO_BASE_COMM_WIRE_H
#define OMPI_MCA_HITOPO_BASE_COMM_WIRE_H

#include <cstddef>
#include <cstdint>

#include "ompi/mca/hitopo/base/comm_sides.h"
#include "ompi/mca/hitopo/base/exchange/channel.h"

namespace hitopo {

// The messages of a communicator, whose processes are numbered as in its tree. Takes no memory.
class CommWire : public ExchangeWire {
public:
    explicit CommWire(ompi_communicator_t* comm)
        : comm_(comm), sides_(comm), own_(sides_.number_of({hitopo_glue_rank(comm), false})) {}

    std::uint32_t own() const override { return own_; }
    std::size_t size() const override { return sides_.size(); }
    Swapped swap(std::uint32_t to, const void* sent, std::size_t num_sent, std::uint32_t from,
                 void* received, std::size_t capacity) override {
        const hitopo_glue_swapped_t swapped =
            hitopo_base_swap(comm_, peer_of(to), sent, num_sent, peer_of(from), received, capacity);
        return {swapped.sent, swapped.received, swapped.num_received};
    }

private:
    hitopo_glue_peer_t peer_of(std::uint32_t process) const {
        return process == StatusHeader::kNobody ? hitopo_glue_peer_t{-1, false}
                                                : sides_.peer_of(process);
    }

    ompi_communicator_t* comm_;
    const CommSides sides_;
    const std::uint32_t own_;
};

}  // namespace hitopo

#endif
