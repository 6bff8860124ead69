// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What coll/hitopo tells of the calls that it serves, and topo/hitopo of its orders.
#include <string_view>
#include <utility>

#include "ompi/mca/hitopo/base/framework/hitopo_base_serving.h"
#include "profiler/count/communicators.h"
#include "profiler/count/scope.h"

namespace hitopo::profile {
namespace {

void* serve(MPI_Comm comm, const char* function) {
    Scope* const scope = thread_state.collective;
    return scope != nullptr && scope->begin_served(comm, function) ? scope : nullptr;
}

void sent(void* call, int peer, std::size_t bytes) { static_cast<Scope*>(call)->cross(peer, bytes); }

void ordered(const hitopo_base_order_t* told) {
    quietly([&] {
        OrderKind order = {told->function,
                           told->size,
                           told->candidate,
                           told->is_weighted,
                           told->is_applied,
                           {},
                           {},
                           {}};
        for (int i = 0; i < told->num_levels; ++i) {
            order.levels.push_back(static_cast<Level>(told->levels[i]));
            order.before.push_back(told->before[i]);
            order.after.push_back(told->after[i]);
        }
        Communicators::instance().note(std::move(order));
    });
}

constexpr hitopo_base_listener_t kListener = {serve, sent, ordered};

}  // namespace

void listen_to_served(bool is_on) { ompi_hitopo_base_listen(is_on ? &kListener : nullptr); }

// Another component that got the call may be served for a part of it: allreduce of one may be a reduce
// and a bcast, and han's are calls of other communicators. Then there is no telling what the whole sent.
bool Scope::begin_served(MPI_Comm comm, std::string_view function) noexcept {
    if (!communicator_->is_of(comm) || function != kFunctionNames[function_]) {
        return false;
    }
    if (!is_served_) {
        is_served_ = true;
        crossings_ = {};
        flat_group_ = &communicator_->flat_group();
    }
    return true;
}

void Scope::cross(int peer, std::uint64_t bytes) noexcept {
    crossings_.add(flat_group_->lane_to(peer), bytes);
}

}  // namespace hitopo::profile
