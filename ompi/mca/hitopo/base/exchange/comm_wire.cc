// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange/comm_wire.h"

namespace hitopo {

CommWire::CommWire(ompi_communicator_t* comm)
    : comm_(comm),
      num_local_(static_cast<std::size_t>(hitopo_glue_size(comm))),
      num_remote_(static_cast<std::size_t>(hitopo_glue_remote_size(comm))) {
    first_local_ = num_remote_ == 0 || hitopo_glue_is_first_group(comm) ? 0 : num_remote_;
    own_ = static_cast<std::uint32_t>(first_local_) + static_cast<std::uint32_t>(hitopo_glue_rank(comm));
}

hitopo_glue_peer_t CommWire::peer(std::uint32_t process) const {
    if (process == StatusHeader::kNobody) {
        return {-1, false};
    }
    if (process >= first_local_ && process < first_local_ + num_local_) {
        return {static_cast<int>(process - first_local_), false};
    }
    return {static_cast<int>(process - (first_local_ == 0 ? num_local_ : 0)), true};
}

ExchangeWire::Swapped CommWire::swap(std::uint32_t to, const void* sent, std::size_t num_sent,
                                     std::uint32_t from, void* received, std::size_t capacity) {
    const hitopo_glue_swapped_t swapped =
        hitopo_base_swap(comm_, peer(to), sent, num_sent, peer(from), received, capacity);
    return {swapped.sent, swapped.received, swapped.num_received};
}

}  // namespace hitopo
