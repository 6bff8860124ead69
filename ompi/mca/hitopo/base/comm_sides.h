// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The processes of a communicator in one order, by which trees, exchanges and the cache number them:
// those of an intracommunicator by rank, those of an intercommunicator's two groups one after the other,
// in an order that both sides share. And messages between them.
#ifndef OMPI_MCA_HITOPO_BASE_COMM_SIDES_H
#define OMPI_MCA_HITOPO_BASE_COMM_SIDES_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/base/exchange/channel.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"

struct ompi_communicator_t;

namespace hitopo {

struct CommSides {
    explicit CommSides(const ompi_communicator_t* comm);  // NULL: of one process alone. Local

    std::size_t first_local = 0, num_local = 1, num_remote = 0;

    std::size_t first_remote() const { return first_local == 0 ? num_local : 0; }
    std::size_t size() const { return num_local + num_remote; }
    std::uint32_t number_of(hitopo_glue_peer_t peer) const {
        return static_cast<std::uint32_t>((peer.is_remote ? first_remote() : first_local) +
                                          static_cast<std::size_t>(peer.rank));
    }
    hitopo_glue_peer_t peer_of(std::uint32_t number) const;

    // By number, the rank in MPI_COMM_WORLD; empty where a process is of another job. O(size).
    std::vector<std::uint32_t> world_ranks(const ompi_communicator_t* comm) const;
};

// Takes no memory.
class CommWire : public ExchangeWire {
public:
    explicit CommWire(ompi_communicator_t* comm);  // NULL: of one process alone, which sends nothing

    std::uint32_t own() const override { return own_; }
    std::size_t size() const override { return sides_.size(); }
    const CommSides& sides() const { return sides_; }
    Swapped swap(std::uint32_t to, const void* sent, std::size_t num_sent, std::uint32_t from,
                 void* received, std::size_t capacity) override;

private:
    ompi_communicator_t* const comm_;
    const CommSides sides_;
    const std::uint32_t own_;
};

}  // namespace hitopo

#endif
