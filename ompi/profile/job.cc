// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/profile/job.h"

#include <cmath>
#include <optional>

#include "ompi/mca/hitopo/base/hitopo_base_glue.h"
#include "ompi/profile/ledger.h"
#include "ompi/profile/profile_glue.h"
#include "ompi/profile/report.h"
#include "ompi/profile/scope.h"

namespace hitopo::profile {
namespace {

struct Job {
    bool is_running = false;  // the counters; and all processes of MPI_COMM_WORLD have them
    int num_snapshots = 0;
    std::optional<TickRate> clock;
};
Job job;

void begin() {
    int provided = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&provided);
    has_threads = provided == MPI_THREAD_MULTIPLE;
    job.clock.emplace();
    const hitopo_profile_settings_t* settings = hitopo_profile_register();
    hitopo_base_start();                         // collective
    if (hitopo_base_is_profiler_everywhere()) {  // collective
        hitopo_profile_register_pvars();
        Ledger::instance().open(settings->max_communicators);
        job.is_running = true;
    }
}

}  // namespace

bool has_threads = false;

std::uint64_t ns_of(std::uint64_t ticks) {
    return static_cast<std::uint64_t>(
        std::llround(static_cast<double>(ticks) * job.clock->ns_per_tick()));
}

std::uint64_t elapsed_ns() { return job.clock->elapsed_ns(); }

void Scope::enter_init() noexcept {
    hitopo_base_announce();
    hitopo_base_announce_profiler();
}

void Scope::leave_init() noexcept { quietly(begin); }

void Scope::finalize() noexcept {
    if (job.is_running) {
        job.is_running = false;
        quietly([] { write_report(0); });  // collective
        Ledger::instance().close();
    }
    hitopo_base_stop();
}

void control(int level) noexcept {
    if (!job.is_running) {
        return;
    }
    if (level == 2) {
        quietly([] { write_report(++job.num_snapshots); });  // collective
    } else if (level == 0 || level == 1) {
        quietly([&] { Ledger::instance().turn(level == 1); });
    }
}

}  // namespace hitopo::profile
