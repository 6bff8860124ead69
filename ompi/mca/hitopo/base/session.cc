// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/session.h"

#include <algorithm>
#include <chrono>

#include "ompi/communicator/comm_hwsplit_glue.h"
#include "ompi/mca/hitopo/base/attendance.h"
#include "ompi/mca/hitopo/base/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/local_process.h"
#include "ompi/mca/hitopo/core/guard.h"

namespace hitopo {
namespace {

// What presence is announced as: processes that would not understand each other's records are absent.
constexpr std::uint32_t kPresence = Record::kVersion << 16 | sizeof(Record);

const char* topic_of(Errc code) {
    switch (code) {
        case Errc::kStale:
            return "stale";
        case Errc::kUnreadable:
            return "unreadable";
        case Errc::kTooLarge:
            return "too-large";
        case Errc::kFailed:
            return "failed";
        case Errc::kDisagree:
            return "disagree";
        default:
            return "malformed";
    }
}

bool is_present(int rank) { return hitopo_glue_is_present(kPresence, rank); }

bool is_profiler_present(int rank) { return hitopo_glue_is_profiler_present(kPresence, rank); }

// hitopo_base_level_<name> with a component that is not open here.
std::vector<std::string> unknown_components(const Survey& survey) {
    std::vector<std::string> warnings;
    for (int i = 0; i < kNumLevels; ++i) {
        const Level level = static_cast<Level>(i);
        const std::string& name = survey.facts.forced[level];
        const bool is_open =
            std::any_of(survey.answers.begin(), survey.answers.end(),
                        [&](const ComponentAnswer& answer) { return answer.component == name; });
        if (!name.empty() && !is_open) {
            warnings.push_back("hitopo_base_level_" + std::string(level_name(level)) +
                               " names component " + name +
                               ", which is not open; priorities decide that level");
        }
    }
    return warnings;
}

// Where this process does not know its local rank it speaks for the node too: that costs time only.
Speaker this_process() {
    return {hitopo_glue_job_rank(), hitopo_glue_job_size(), hitopo_glue_local_rank() <= 0};
}

}  // namespace

// Never destroyed: Open MPI may call the finalize hook after static destructors ran.
Session& Session::instance() {
    static Session& session = *new Session;
    return session;
}

void Session::announce() {
    const std::lock_guard<std::recursive_mutex> turn(turn_);
    if (is_claimed_ || is_second_copy_) {
        return;
    }
    is_claimed_ = hitopo_glue_claim();
    is_second_copy_ = !is_claimed_;
    if (!is_claimed_) {
        return;
    }
    is_framework_open_ = hitopo_glue_open() == kSuccess;
    if (hitopo_glue_settings()->eager) {
        hitopo_glue_announce(kPresence);
        if (is_framework_open_ && hitopo_glue_local_rank() == 0) {
            hitopo_glue_prepare_components();
        }
    }
}

void Session::announce_profiler() {
    const std::lock_guard<std::recursive_mutex> turn(turn_);
    if (is_claimed_) {
        hitopo_glue_announce_profiler(kPresence);
    }
}

void Session::open() {
    announce();
    if (is_second_copy_) {
        status_ = Status::kSecondCopy;
        return;
    }
    hitopo_glue_tell_not_found();
    is_open_ = is_framework_open_ && hitopo_glue_create_keyval() == kSuccess &&
               hitopo_glue_open_origins() == kSuccess;
    status_ = is_open_ ? Status::kWorldless : Status::kNoFramework;
}

void Session::start_without_world() {
    const std::lock_guard<std::recursive_mutex> turn(turn_);
    const Status status = status_;
    if ((status == Status::kNotStarted || status == Status::kStopped) && hitopo_glue_is_up() &&
        !hitopo_glue_has_world()) {
        open();
    }
}

void Session::stop_without_world() {
    if (!hitopo_glue_has_world()) {
        stop();
    }
}

// No lock: MPI_Init has one thread, and what follows are collectives.
bool Session::is_profiler_everywhere() const {
    return take_attendance({is_profiler_present, "mixed-profile", "cannot-tell-profile"}) ==
           Attendance::kAll;
}

void Session::start() {
    const Status before = status_;
    if (before == Status::kNotStarted) {
        open();
    }
    if (is_second_copy_ || (before != Status::kNotStarted && before != Status::kWorldless)) {
        return;
    }
    if (!hitopo_glue_settings()->eager) {
        status_ = is_open_ ? Status::kLazy : Status::kNoFramework;
    } else if (is_everybody_here()) {
        exchange_world(hitopo_glue_job_rank(), hitopo_glue_job_size());
    }
}

bool Session::is_everybody_here() {
    const Attendance attendance = take_attendance({is_present, "mixed-job", "cannot-tell"});
    if (attendance != Attendance::kAll) {
        status_ = attendance == Attendance::kSome ? Status::kMixed : Status::kCannotTell;
    }
    return attendance == Attendance::kAll;
}

Contribution Session::contribute(const Speaker& speaker) {
    Survey survey = take_survey(speaker);
    Contribution contribution = make_contribution(survey.facts, survey.answers);
    const std::lock_guard<std::mutex> lock(mutex_);
    survey_ = std::move(survey);
    return contribution;
}

std::optional<Table> Session::table_alone() {
    const std::lock_guard<std::recursive_mutex> turn(turn_);
    if (status_ != Status::kNotStarted || hitopo_glue_is_up()) {
        return std::nullopt;
    }
    announce();
    if (!is_framework_open_) {
        return std::nullopt;
    }
    const Speaker speaker = {0, 1, true};
    const Contribution mine = contribute(speaker);
    Exchanged alone = derive_alone(mine, [&] { return lead(speaker, mine.record.uplinks_component); });
    if (alone.refused) {
        return std::nullopt;
    }
    return Table(std::make_shared<const Dictionary>(std::move(alone.census.dictionary)),
                 alone.census.processes);
}

std::string Session::lead(const Speaker& speaker, std::uint32_t component) {
    std::string bytes;
    (void)guarded([&] {
        Survey survey = this->survey();
        ask_uplinks(speaker, component, survey);
        for (const ComponentAnswer& answer : survey.answers) {
            if (component_id(answer.component) == component && answer.uplinks &&
                answer.values[kSwitch]) {
                bytes = encode(LedSwitch{answer.component, *answer.values[kSwitch], *answer.uplinks});
            }
        }
        const std::lock_guard<std::mutex> lock(mutex_);
        survey_ = std::move(survey);
        return kSuccess;
    });
    return bytes;
}

void Session::exchange_world(int rank, int size) {
    Contribution mine = {};
    // A record of zeros is refused by all: no process leaves before the collective.
    (void)guarded([&] {
        if (is_open_) {
            mine = contribute(this_process());
        }
        return kSuccess;
    });
    Exchanged exchanged = exchange(hitopo_glue_world(), mine, [&] {
        return lead(this_process(), mine.record.uplinks_component);
    });  // collective
    tell(exchanged, rank);
    if (exchanged.status != kSuccess || exchanged.refused) {
        status_ = is_open_ ? Status::kFailed : Status::kNoFramework;
        return;
    }
    auto dictionary = std::make_shared<const Dictionary>(std::move(exchanged.census.dictionary));
    const auto num_processes = static_cast<std::size_t>(size);
    cache_.set_world(std::make_shared<CommTable>(
        Table(std::move(dictionary), exchanged.census.processes), 0, num_processes, num_processes, 0));
    status_ = Status::kRunning;
}

// One message a job: the worst first.
void Session::tell(const Exchanged& exchanged, int rank) const {
    if (rank != 0 || exchanged.status != kSuccess) {
        return;
    }
    if (exchanged.refused) {
        hitopo_glue_help("base", "refused", exchanged.refused->value.c_str(),
                         exchanged.refused->message.c_str(), "");
        return;
    }
    if (exchanged.error_record) {
        tell_error(*exchanged.error_record, exchanged.error_rank);
        return;
    }
    std::vector<std::string> warnings = unknown_components(survey_);
    const std::vector<std::string>& found = exchanged.census.dictionary.warnings;
    warnings.insert(warnings.end(), found.begin(), found.end());
    if (!warnings.empty()) {
        std::string lines;
        for (const std::string& warning : warnings) {
            lines += "    " + warning + ".\n";
        }
        hitopo_glue_help("base", "warning", lines.c_str(), "", "");
    }
}

// This process usually met the same error and knows all of it; of another one's it has the record.
void Session::tell_error(const Record& record, std::uint32_t rank) const {
    const std::string value(record.error_value, std::find(std::begin(record.error_value),
                                                          std::end(record.error_value), '\0'));
    const Error told = {static_cast<Errc>(record.error_code),
                        value,
                        "",
                        "rank " + std::to_string(rank),
                        record.error_line,
                        record.error_column};
    const char* topic = topic_of(told.code);
    for (const ComponentAnswer& answer : survey_.answers) {
        if (component_id(answer.component) != record.error_component) {
            continue;
        }
        if (answer.error && answer.error->value.compare(0, kErrorValueBytes, value) == 0) {
            const Error& error = *answer.error;
            hitopo_glue_help(answer.component.c_str(), topic, error.value.c_str(),
                             error.position().c_str(), error.message.c_str());
        } else {
            hitopo_glue_help(answer.component.c_str(), topic, value.c_str(), told.position().c_str(),
                             "`hitopo show --why` prints the whole reason");
        }
        return;
    }
    hitopo_glue_help("base", "failed", value.c_str(), told.position().c_str(), topic);
}

int Session::load(ompi_communicator_t* comm) {
    start_without_world();
    enum { kOff, kHasNoTable, kHasChanged, kVersion, kNegatedVersion, kNumLanes };
    const std::shared_ptr<CommTable> table = cache_.find(comm);
    std::int64_t mine[kNumLanes] = {can_exchange() ? 0 : 1, table == nullptr ? 1 : 0,
                                    has_binding_changed() ? 1 : 0, std::int64_t{kPresence},
                                    -std::int64_t{kPresence}};
    std::int64_t all[kNumLanes] = {};
    const int status = hitopo_glue_max64(comm, mine, all, kNumLanes);  // collective
    if (status != kSuccess) {
        return status;
    }
    if (all[kOff] != 0) {
        return kErrorNotAvailable;
    }
    if (all[kVersion] != -all[kNegatedVersion]) {
        return kErrorNotSupported;
    }
    if (all[kHasNoTable] == 0 && all[kHasChanged] == 0) {
        return kSuccess;
    }
    return exchange_for(comm);
}

namespace {

// Whether comm is MPI_COMM_WORLD, or stands for it where there is none: then tables of others come from
// its own.
bool is_whole_job(ompi_communicator_t* comm) {
    if (hitopo_glue_has_world()) {
        return comm == hitopo_glue_world();
    }
    const int size = hitopo_glue_size(comm);
    if (hitopo_glue_is_inter(comm) || size != hitopo_glue_job_size()) {
        return false;
    }
    std::vector<std::uint32_t> ranks(static_cast<std::size_t>(size));
    if (hitopo_glue_world_ranks(comm, false, ranks.data()) != kSuccess) {
        return false;
    }
    return std::is_sorted(ranks.begin(), ranks.end());
}

}  // namespace

int Session::exchange_for(ompi_communicator_t* comm) {
    Contribution contribution = {};
    (void)guarded([&] {
        contribution = contribute(this_process());
        return kSuccess;
    });
    Exchanged exchanged = exchange(comm, contribution, [&] {
        return lead(this_process(), contribution.record.uplinks_component);
    });  // collective
    if (exchanged.status != kSuccess || exchanged.refused) {
        return exchanged.status != kSuccess ? exchanged.status : kErrorNotSupported;
    }
    const auto num_local = static_cast<std::size_t>(hitopo_glue_size(comm));
    const auto num_remote = static_cast<std::size_t>(hitopo_glue_remote_size(comm));
    const bool is_first = num_remote == 0 || hitopo_glue_is_first_group(comm);
    auto dictionary = std::make_shared<const Dictionary>(std::move(exchanged.census.dictionary));
    auto fresh = std::make_shared<CommTable>(Table(std::move(dictionary), exchanged.census.processes),
                                             is_first ? 0 : num_remote, num_local,
                                             is_first ? num_local : 0, num_remote);
    if (is_whole_job(comm)) {
        cache_.set_world(fresh);
    }
    cache_.put(comm, std::move(fresh));
    return kSuccess;
}

// All members find a table or none of them does: whether all of them lie in MPI_COMM_WORLD, and whether
// all called load, is the same at all.
std::shared_ptr<CommTable> Session::table_for_collective(ompi_communicator_t* comm) {
    start_without_world();
    std::shared_ptr<CommTable> table = cache_.find(comm);
    const bool can_try = table == nullptr && can_exchange();
    if (can_try && hitopo_glue_reaches_beyond_world(comm, kPresence, status_ == Status::kRunning) &&
        load(comm) == kSuccess) {
        table = cache_.find(comm);
    }
    return table;
}

int Session::simulate(const char* topology, const char* binding, const char* map_path) {
    if (!can_exchange()) {
        return kErrorNotAvailable;
    }
    hitopo_glue_set_variable("hwloc", "topology", topology);
    hitopo_glue_set_variable("hwloc", "binding", binding);
    hitopo_glue_set_variable("file", "path", map_path);
    const int status = exchange_for(hitopo_glue_world());  // collective
    cache_.forget_all_but(hitopo_glue_world());
    return status;
}

bool Session::can_exchange() const {
    const Status status = status_;
    return is_open_ &&
           (status == Status::kRunning || status == Status::kLazy || status == Status::kMixed ||
            status == Status::kCannotTell || status == Status::kWorldless);
}

Survey Session::survey() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return survey_;
}

bool Session::has_binding_changed() const {
    const CpuSet now = read_binding();
    const std::lock_guard<std::mutex> lock(mutex_);
    return !survey_.answers.empty() && now != survey_.facts.cpus;
}

bool Session::may_binding_have_changed() const {
    using Clock = std::chrono::steady_clock;
    constexpr auto kTrusted = std::chrono::milliseconds(100);
    thread_local std::uint64_t seen = 0;
    thread_local Clock::time_point seen_at;
    const std::uint64_t hash = hash_thread_bindings();
    const Clock::time_point now = Clock::now();
    if (hash == seen && now - seen_at < kTrusted) {
        return false;
    }
    const bool has_changed = has_binding_changed();
    if (!has_changed) {
        seen = hash;
        seen_at = now;
    }
    return has_changed;
}

const char* Session::reason() const {
    switch (status_) {
        case Status::kRunning:
            return nullptr;
        case Status::kNotStarted:
            return "MPI_Init has not run, or nothing made HiTopo part of it: install the hook, link "
                   "with "
                   "-lmpi_hitopo, or run mpirun with --tune hitopo.conf";
        case Status::kSecondCopy:
            return "another copy of HiTopo runs in this process";
        case Status::kNoFramework:
            return "Open MPI could not open the framework hitopo: see its message above";
        case Status::kLazy:
            return "hitopo_base_eager is false: set it to true, or call ompi_hitopo_load";
        case Status::kMixed:
            return "not all processes of the job run this version of HiTopo: start all of them alike";
        case Status::kCannotTell:
            return "there is no PMIx server to ask which processes run HiTopo";
        case Status::kWorldless:
            return "there are MPI sessions only: call ompi_hitopo_load";
        case Status::kFailed:
            return "the exchange of addresses failed: see the message above";
        case Status::kStopped:
            break;
    }
    return "MPI_Finalize has run";
}

void Session::stop() {
    const std::lock_guard<std::recursive_mutex> turn(turn_);
    const Status status = status_.exchange(Status::kStopped);
    cache_.clear();
    if (is_open_ && status != Status::kStopped) {
        hitopo_glue_free_keyval();
        hitopo_glue_close_origins();
    }
    if (is_framework_open_) {
        is_framework_open_ = false;
        hitopo_glue_close();
    }
    if (is_claimed_) {
        is_claimed_ = false;
        hitopo_glue_retire();
        hitopo_glue_unclaim();
    }
}

}  // namespace hitopo
