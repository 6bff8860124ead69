// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/comm_sides.h"

#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {

CommSides::CommSides(const ompi_communicator_t* comm) {
    if (comm != nullptr) {
        num_local = static_cast<std::size_t>(hitopo_glue_size(comm));
        num_remote = static_cast<std::size_t>(hitopo_glue_remote_size(comm));
        first_local = num_remote == 0 || hitopo_glue_is_first_group(comm) ? 0 : num_remote;
    }
}

hitopo_glue_peer_t CommSides::peer_of(std::uint32_t number) const {
    if (number == StatusHeader::kNobody) {
        return {-1, false};
    }
    const bool is_remote = number < first_local || number >= first_local + num_local;
    return {static_cast<int>(number - (is_remote ? first_remote() : first_local)), is_remote};
}

std::vector<std::uint32_t> CommSides::world_ranks(const ompi_communicator_t* comm) const {
    std::vector<std::uint32_t> ranks(size());
    if (hitopo_glue_world_ranks(comm, false, ranks.data() + first_local) != kSuccess ||
        (num_remote > 0 &&
         hitopo_glue_world_ranks(comm, true, ranks.data() + first_remote()) != kSuccess)) {
        ranks.clear();
    }
    return ranks;
}

CommWire::CommWire(ompi_communicator_t* comm)
    : comm_(comm),
      sides_(comm),
      own_(comm == nullptr ? 0 : sides_.number_of({hitopo_glue_rank(comm), false})) {}

ExchangeWire::Swapped CommWire::swap(std::uint32_t to, const void* sent, std::size_t num_sent,
                                     std::uint32_t from, void* received, std::size_t capacity) {
    const hitopo_glue_swapped_t swapped = hitopo_base_swap(comm_, sides_.peer_of(to), sent, num_sent,
                                                           sides_.peer_of(from), received, capacity);
    return {swapped.sent, swapped.received, swapped.num_received};
}

}  // namespace hitopo
