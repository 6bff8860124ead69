// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Receives coll/hitopo's reports of the calls that it serves, and topo/hitopo's of its orders.
#include <memory>
#include <string_view>
#include <utility>

#include "ompi/mca/hitopo/base/framework/hitopo_base_serving.h"
#include "profiler/count/call.h"

namespace hitopo::profile {
namespace {

void* serve(MPI_Comm comm, const char* function) {
    Call* const call = thread_state.collective;
    return call != nullptr ? call->begin_sending(comm, function) : nullptr;
}

void sent(void* collective, int peer, std::size_t bytes) {
    auto& of = *static_cast<SentForCollective*>(collective);
    of.crossings.add(of.peers->lane_to(peer), bytes);
}

// Called within the function that is served.
void* goes_on(void*) {
    Call* const call = thread_state.collective;
    return call != nullptr ? call->go_on_sending() : nullptr;
}

void ended(void* collective) {
    quietly([&] {
        const std::unique_ptr<SentForCollective> later(static_cast<SentForCollective*>(collective));
        add_crossings(*later);
    });
}

void ordered(const hitopo_base_order_t* reported) {
    quietly([&] {
        const int num_levels = reported->num_levels;
        OrderCount order = {reported->function,
                            reported->size,
                            1,
                            reported->candidate,
                            reported->is_weighted,
                            reported->is_applied,
                            {},
                            {reported->before, reported->before + num_levels},
                            {reported->after, reported->after + num_levels}};
        for (int i = 0; i < num_levels; ++i) {
            order.levels.emplace_back(level_name(static_cast<Level>(reported->levels[i])));
        }
        Communicators::instance().note(std::move(order));
    });
}

constexpr hitopo_base_listener_t kListener = {serve, sent, goes_on, ended, ordered};

}  // namespace

void listen_to_collectives(bool is_on) { ompi_hitopo_base_listen(is_on ? &kListener : nullptr); }

// Another component that got the call may be served for a part of it: allreduce of one may be a reduce
// and a bcast, and han's are calls of other communicators. Then the messages of the whole are unknown.
SentForCollective* Call::begin_sending(MPI_Comm comm, std::string_view function) noexcept {
    std::string_view called = kFunctionNames[function_];
    called.remove_suffix(called.substr(called.size() - 2) == "_c" ? 2 : 0);  // of large counts
    if (communicator_->handle != comm || function != called) {
        return nullptr;
    }
    SentForCollective* sent = nullptr;
    quietly([&] {
        if (!more().sent_for_collective) {
            more_->sent_for_collective =
                SentForCollective{communicator_->peers.owner(), kind_, function_};
        }
        sent = &*more_->sent_for_collective;
    });
    return sent;
}

SentForCollective* Call::go_on_sending() noexcept {
    SentForCollective* later = nullptr;
    if (more_ != nullptr && more_->sent_for_collective) {
        quietly([&] {
            later = std::make_unique<SentForCollective>(
                        SentForCollective{more_->sent_for_collective->peers, kind_, function_})
                        .release();
        });
    }
    return later;
}

}  // namespace hitopo::profile
