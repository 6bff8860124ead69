// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/communicator/hwsplit/comm_hwsplit_agree.h"

#include <mpi.h>

#include <algorithm>
#include <atomic>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

// The largest that this process has seen. Members of a later communicator agree on a larger one.
std::atomic<std::int64_t> last_generation{0};

void note_generation(std::int64_t generation) {
    std::int64_t last = last_generation;
    while (last < generation && !last_generation.compare_exchange_weak(last, generation)) {
    }
}

}  // namespace

Agreement::Agreement(ompi_communicator_t* comm, std::size_t num_cids)
    : comm_(comm), slots_(kFirstCid + num_cids, 0) {
    std::fill(slots_.begin(), slots_.begin() + kFirstFlag, kNothing);
}

// A maximum and, beside it, the maximum of the opposites, which is the minimum's.
void Agreement::choose(Choice choice, std::int64_t value) {
    slots_[choice_slot(choice)] = value;
    slots_[choice_slot(choice) + 1] = -value;
}

void Agreement::reserve(std::int64_t start) {
    held_.resize(static_cast<std::size_t>(num_cids()));
    hitopo_glue_reserve_cids(comm_, start, num_cids(), held_.data());
}

int Agreement::agree() {
    reserve(hitopo_glue_lowest_cid());
    slots_[kGeneration] = last_generation + 1;
    std::copy(held_.begin(), held_.end(), slots_.begin() + kFirstCid);
    const std::vector<std::int64_t> mine = slots_;
    const int status = hitopo_glue_allreduce_max(comm_, mine.data(), slots_.data(),
                                                 static_cast<int>(slots_.size()));  // collective
    agreed_.assign(slots_.begin() + kFirstCid, slots_.end());
    if (status == kSuccess) {
        note_generation(generation());
    }
    return status;
}

// The largest of several ascending lists is ascending too, so the agreed ids are distinct.
bool Agreement::take_cids() {
    if (held_ == agreed_ && agreed_.back() <= hitopo_glue_max_cid()) {
        held_.clear();
        return true;
    }
    release_cids();
    return hitopo_glue_take_cids(comm_, num_cids(), agreed_.data());
}

void Agreement::release_cids() {
    hitopo_glue_release_cids(static_cast<int>(held_.size()), held_.data());
    held_.clear();
}

int Agreement::agree_on_other_cids() {
    reserve(agreed_[0] + 1);
    return hitopo_glue_allreduce_max(comm_, held_.data(), agreed_.data(), num_cids());  // collective
}

int agree_on_places(ompi_communicator_t* comm, bool has_places) {
    const std::int64_t mine = has_places ? 0 : 1;
    std::int64_t worst = 0;
    const int status = hitopo_glue_allreduce_max(comm, &mine, &worst, 1);  // collective
    return status == kSuccess && worst != 0 ? MPI_ERR_ARG : status;
}

}  // namespace hitopo
