// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Messages between the processes of an Open MPI communicator.
#ifndef OMPI_MCA_HITOPO_BASE_EXCHANGE_COMM_WIRE_H
#define OMPI_MCA_HITOPO_BASE_EXCHANGE_COMM_WIRE_H

#include <cstddef>
#include <cstdint>

#include "ompi/mca/hitopo/base/exchange/channel.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"

namespace hitopo {

class CommWire : public ExchangeWire {
public:
    explicit CommWire(ompi_communicator_t* comm);

    std::uint32_t own() const override { return own_; }
    std::size_t size() const override { return num_local_ + num_remote_; }
    Swapped swap(std::uint32_t to, const void* sent, std::size_t num_sent, std::uint32_t from,
                 void* received, std::size_t capacity) override;

    // Where the processes of this process's own group begin.
    std::size_t first_local() const { return first_local_; }

private:
    hitopo_glue_peer_t peer(std::uint32_t process) const;

    ompi_communicator_t* comm_;
    std::size_t first_local_, num_local_, num_remote_;
    std::uint32_t own_;
};

}  // namespace hitopo

#endif
