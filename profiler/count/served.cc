// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What coll/hitopo tells of the calls that it serves, and topo/hitopo of its orders.
#include <memory>
#include <string_view>
#include <utility>

#include "ompi/mca/hitopo/base/framework/hitopo_base_serving.h"
#include "profiler/count/call.h"

namespace hitopo::profile {
namespace {

void* serve(MPI_Comm comm, const char* function) {
    Call* const call = thread_state.collective;
    return call != nullptr ? call->begin_served(comm, function) : nullptr;
}

void sent(void* served, int peer, std::size_t bytes) {
    auto& of = *static_cast<Served*>(served);
    of.crossings.add(of.peers->lane_to(peer), bytes);
}

// Within the function that is served.
void* goes_on(void*) {
    Call* const call = thread_state.collective;
    return call != nullptr ? call->go_on_served() : nullptr;
}

void ended(void* served) {
    quietly([&] {
        const std::unique_ptr<Served> later(static_cast<Served*>(served));
        add_crossings(*later);
    });
}

void ordered(const hitopo_base_order_t* told) {
    quietly([&] {
        const int num_levels = told->num_levels;
        OrderKind order = {told->function,
                           told->size,
                           told->candidate,
                           told->is_weighted,
                           told->is_applied,
                           {},
                           {told->before, told->before + num_levels},
                           {told->after, told->after + num_levels}};
        for (int i = 0; i < num_levels; ++i) {
            order.levels.push_back(static_cast<Level>(told->levels[i]));
        }
        Communicators::instance().note(std::move(order));
    });
}

constexpr hitopo_base_listener_t kListener = {serve, sent, goes_on, ended, ordered};

}  // namespace

void listen_to_served(bool is_on) { ompi_hitopo_base_listen(is_on ? &kListener : nullptr); }

// Another component that got the call may be served for a part of it: allreduce of one may be a reduce
// and a bcast, and han's are calls of other communicators. Then there is no telling what the whole sent.
Served* Call::begin_served(MPI_Comm comm, std::string_view function) noexcept {
    std::string_view called = kFunctionNames[function_];
    called.remove_suffix(called.substr(called.size() - 2) == "_c" ? 2 : 0);  // of large counts
    if (communicator_->handle != comm || function != called) {
        return nullptr;
    }
    Served* served = nullptr;
    quietly([&] {
        if (!more().served) {
            more_->served = Served{communicator_->peers.owner(), kind_, function_};
        }
        served = &*more_->served;
    });
    return served;
}

Served* Call::go_on_served() noexcept {
    Served* later = nullptr;
    if (more_ != nullptr && more_->served) {
        quietly([&] {
            later = std::make_unique<Served>(Served{more_->served->peers, kind_, function_}).release();
        });
    }
    return later;
}

}  // namespace hitopo::profile
