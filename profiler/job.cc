// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/job.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "ompi/mca/hitopo/base/framework/hitopo_base_abi.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_positions.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "profiler/count/call.h"
#include "profiler/count/communicators.h"
#include "profiler/gather/gather.h"
#include "profiler/profile_glue.h"
#include "profiler/report/report.h"
#include "profiler/watch/watch.h"

namespace hitopo::profile {
namespace {

struct Job {
    bool has_begun = false;   // MPI_Init was called
    bool is_running = false;  // the counters; and all processes of MPI_COMM_WORLD have them
    std::optional<TickRate> clock;
    std::optional<PrivateWorld> world;
    GatherPlan plan;  // when the report is gathered
    ReportOrigin origin;

    std::mutex mutex;  // of what follows
    std::vector<Part> snapshots;
    std::uint64_t remarks = 0;

    std::uint64_t ticks_between = 0;  // parts that the process writes by itself; 0: it writes none
    std::mutex own_part_mutex;        // of what follows, while the job runs
    std::optional<OwnPart> own_part;
    bool has_complained = false;

    std::unique_ptr<Watch> watch;  // null: there is none
};
constexpr std::uint64_t kNeverDue = UINT64_MAX;

// Never destroyed: a program can end without MPI_Finalize.
Job& job = *new Job;

// The job has PMIx's name; without a server there is none.
ReportOrigin origin_of_job() {
    char host[256] = "";
    (void)gethostname(host, sizeof host - 1);
    const char* const name = std::getenv("PMIX_NAMESPACE");
    return {host, name == nullptr ? "singleton" : name, getpid(), std::time(nullptr)};
}

// Rank 0 alone prints it. "": there is none.
void warn(const std::string& complaint) {
    if (!complaint.empty() && job.world->rank() == 0) {
        hitopo_profile_warn(safe(complaint, Charset::kAscii).c_str());
    }
}

void look_for_other_tool() {
    const std::string complaint = complaint_of_other_tool();
    job.remarks |= complaint.empty() ? 0 : kHasOtherTool;
    warn(complaint);
}

// A spawned job has the settings of the one that spawned it. Devices and pipes can take several reports.
void look_for_other_report() {
    MPI_Comm parent = MPI_COMM_NULL;
    struct stat status = {};
    PMPI_Comm_get_parent(&parent);
    const char* const pattern = hitopo_profile_settings()->report;
    if (parent == MPI_COMM_NULL || !job.world->wants_report() || job.world->rank() != 0) {
        return;
    }
    const std::string theirs = report_path(pattern, 0, job.origin);
    job.origin.is_spawned = stat(theirs.c_str(), &status) != 0 || S_ISREG(status.st_mode);
    const std::string ours = report_path(pattern, 0, job.origin);
    if (ours != theirs) {
        warn("this job was spawned, and its report is " + ours + ", since " + theirs +
             " is another job's (%j in MCA variable hitopo_prof_report names each)");
    }
}

// Plans go by the table of MPI_Init, since later ones can differ between processes after a death. Where
// plans differ, each process is a node. Collective.
GatherPlan find_gather_plan(int rank, int size) {
    GatherPlan plan;
    const bool has_memory = has_done([&] { plan = gather_plan(rank, size, node_of); });
    const auto mind = static_cast<std::int64_t>(has_memory ? plan.hash >> 1 | 1 : 0);
    return job.world->is_same(mind) ? plan
                                    : gather_plan(rank, size, [](int) { return std::int64_t{-1}; });
}

void restart_own_parts() { due_tick = job.ticks_between == 0 ? kNeverDue : ticks() + job.ticks_between; }

// Collective.
void make_watch() {
    const OwnPart& part = *job.own_part;
    if (part.watch_s() != 0) {
        const Watch::Settings settings = {part.watch_s(),    part.folder(),     part.job(),
                                          job.world->rank(), job.world->size(), job.plan.leader};
        job.watch =
            std::make_unique<Watch>(settings, [] { (void)job.world->is_same(1); });  // collective
    } else if (hitopo_profile_settings()->watch_s != 0) {
        warn("hitopo_prof_watch has no folder to write to, since there is no hitopo_prof_report");
    }
}

void start_watch() {
    if (job.watch != nullptr) {
        warn(job.watch->start(job.world->rank() == 0 ? table_or_null() : ""));
    }
}

const char* serving() { return ompi_hitopo_base_is_common("prof") ? "profiler" : nullptr; }

void begin() {
    int provided = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&provided);
    has_threads = provided == MPI_THREAD_MULTIPLE;
    thread_state.owns_mpi = provided < MPI_THREAD_SERIALIZED;
    job.clock.emplace();
    cost_of_ticks = find_cost_of_ticks();
    const hitopo_profile_settings_t* settings = hitopo_profile_register();
    ompi_hitopo_base_start();  // collective
    ompi_hitopo_base_tell_too_small();
    if (ompi_hitopo_base_layer_runs_in_all_processes("prof", HITOPO_PROF_HELP)) {  // collective
        job.origin = origin_of_job();
        job.world.emplace();  // collective
        quietly(look_for_other_report);
        job.plan = find_gather_plan(job.world->rank(), job.world->size());  // collective
        job.own_part.emplace(*job.world, job.origin);                       // collective
        make_watch();                                                       // collective
        look_for_other_tool();
        hitopo_profile_register_totals();
        Communicators::instance().open(static_cast<std::size_t>(settings->max_kinds));
        listen_to_collectives(true);
        job.is_running = true;
        job.ticks_between =
            static_cast<std::uint64_t>(job.own_part->every_s() * 1e9 / job.clock->ns_per_tick());
        restart_own_parts();
        quietly(start_watch);
    }
}

Part current_part(std::uint64_t remarks) {
    return part_of_now(job.world->rank(), job.world->keeps_peers(), remarks);
}

// The others need not be asked: a snapshot is this process's alone until MPI_Finalize.
void take_snapshot() {
    const std::lock_guard<std::mutex> lock(job.mutex);
    if (static_cast<int>(job.snapshots.size()) < hitopo_profile_settings()->max_snapshots) {
        job.snapshots.push_back(current_part(job.remarks));
    } else {
        job.remarks |= kLeftOutSnapshots;
    }
}

void report() {
    if (!has_done([] { job.snapshots.push_back(current_part(job.remarks)); })) {
        job.snapshots.clear();  // it has no parts, but takes part
    }
    write_reports(*job.world, job.plan, job.snapshots, job.origin);  // collective
}

std::uint64_t remarks() {
    const std::lock_guard<std::mutex> lock(job.mutex);
    return job.remarks;
}

// OpenSHMEM begins and ends MPI by itself, and MPI sessions have no end of all processes. There may be
// no MPI any more, so the launcher's rank 0 prints. A forked child has no report of its own.
__attribute__((destructor)) void complain_without_report() {
    int is_initialized = 0;
    PMPI_Initialized(&is_initialized);
    const bool has_mpi = is_initialized != 0 || Communicators::instance().has_missed();
    const bool lacks_report =
        job.has_begun ? job.is_running && job.world->wants_report() && job.origin.process == getpid()
                      : has_mpi;
    const char* const rank = std::getenv("PMIX_RANK");
    if (lacks_report && (rank == nullptr || std::string_view(rank) == "0")) {
        std::fputs(
            "HiTopo's profiler: there is no report, since the program did not call both MPI_Init "
            "and MPI_Finalize (MPI sessions and OpenSHMEM do without)\n",
            stderr);
    }
}

}  // namespace

bool has_threads = false;
std::atomic<std::uint64_t> due_tick{kNeverDue};
std::uint64_t cost_of_ticks = 0;

std::uint64_t ns_of(std::uint64_t ticks) {
    return static_cast<std::uint64_t>(
        std::llround(static_cast<double>(ticks) * job.clock->ns_per_tick()));
}

std::uint64_t elapsed_ns() { return job.clock->elapsed_ns(); }

void Call::enter_init() noexcept {
    job.has_begun = true;
    ompi_hitopo_base_announce();
    ompi_hitopo_base_announce_layer("prof");
    (void)ompi_hitopo_base_at_start(serving);
    stays_out_ = ompi_hitopo_base_has_abi();
}

void Call::leave_init() noexcept {
    if (!stays_out_) {
        quietly(begin);
    }
}

void Call::finalize() noexcept {
    if (job.is_running) {
        job.is_running = false;
        listen_to_collectives(false);
        quietly(report);
        quietly([] { job.own_part->remove(); });
        job.world.reset();
        Communicators::instance().close();
        due_tick = kNeverDue;
    }
    ompi_hitopo_base_finalize();
}

// Others may still be in MPI_Finalize.
void Call::leave_finalize() noexcept {
    if (job.watch != nullptr) {
        quietly([] { job.watch->end(); });
    }
}

void write_own_part() noexcept {
    const std::unique_lock<std::mutex> lock(job.own_part_mutex, std::try_to_lock);
    if (lock) {
        quietly([] {
            const std::string complaint = job.own_part->write(current_part(remarks()));
            warn(job.has_complained ? "" : complaint);
            job.has_complained = job.has_complained || !complaint.empty();
        });
        restart_own_parts();
    }
}

void control(int level) noexcept {
    if (!job.is_running) {
        return;
    }
    if (level == 2) {
        quietly(take_snapshot);
    } else if (level == 0 || level == 1) {
        is_counting = level == 1;
    }
}

}  // namespace hitopo::profile

int hitopo_profile_read_totals(unsigned long long* ns, unsigned long long* bytes) {
    using namespace hitopo::profile;
    const bool may_read = job.is_running && (has_threads || thread_state.owns_mpi);
    if (may_read) {
        quietly([&] {
            const hitopo::FunctionCount total = ThreadCounters::instance().sum().total();
            *ns = ns_of(total.ticks);
            *bytes = total.bytes;
        });
    }
    return may_read ? 1 : 0;
}

// `hitopo info` finds this by dlsym, to list the variables. No report is expected of it.
extern "C" __attribute__((visibility("default"))) void ompi_hitopo_profile_register() {
    hitopo::profile::job.has_begun = true;
    (void)hitopo_profile_register();
}
