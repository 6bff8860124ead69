// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/exchange.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <utility>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

constexpr std::size_t kWordBytes = sizeof(std::int32_t);

// Records arrive without their last word and close together: each to its place, the last one first.
void spread(Record* records, std::size_t num) {
    constexpr std::size_t kSentBytes = Record::kNumSentWords * kWordBytes;
    const char* packed = reinterpret_cast<const char*>(records);
    for (std::size_t i = num; i-- > 0;) {
        std::memmove(&records[i], packed + i * kSentBytes, kSentBytes);
        records[i].unsent = 0;
    }
}

std::string pieces_of(const Plan& plan, std::size_t index, const Contribution& mine, Participant& me) {
    for (const Piece& piece : plan.pieces) {
        if (piece.rank == index) {
            std::string bytes;
            bytes += (piece.parts & Piece::kNames) != 0 ? mine.names : "";
            bytes += (piece.parts & Piece::kCpus) != 0 ? mine.cpus : "";
            bytes += (piece.parts & Piece::kMachine) != 0 ? mine.machine : "";
            bytes += (piece.parts & Piece::kUplinks) != 0 ? me.lead(mine.record.uplinks_component) : "";
            bytes.resize(piece.num_bytes, '\0');
            return bytes;
        }
    }
    return {};
}

Error too_large(const Plan& plan) {
    return {Errc::kTooLarge,
            std::to_string(plan.num_bytes) + " bytes",
            "the names and machines of the job exceed 8 GiB",
            "",
            0,
            0};
}

}  // namespace

std::vector<Exchange::Group> Exchange::groups_of(ompi_communicator_t* comm) {
    const auto local = static_cast<std::size_t>(hitopo_glue_size(comm));
    if (!hitopo_glue_is_inter(comm)) {
        return {{false, 0, local}};
    }
    const auto remote = static_cast<std::size_t>(hitopo_glue_remote_size(comm));
    const bool is_first = hitopo_glue_is_first_group(comm);
    return {{false, is_first ? 0 : remote, local}, {true, is_first ? local : 0, remote}};
}

Exchange::Exchange(ompi_communicator_t* comm)
    : comm_(comm),
      groups_(groups_of(comm)),
      my_index_(static_cast<std::uint32_t>(groups_[0].first) +
                static_cast<std::uint32_t>(hitopo_glue_rank(comm))) {
    std::size_t num_processes = 0;
    for (const Group& group : groups_) {
        num_processes += group.size;
    }
    records_.resize(num_processes);
    counts_.resize(num_processes);
    displacements_.resize(num_processes);
}

Outcome Exchange::run(Participant& me) {
    say(me, false);
    gather_records();
    if (prepare(me, false)) {
        gather_records();
        (void)prepare(me, true);
    }
    if (out_.status == kSuccess && !out_.refused) {
        gather_pieces();
        settle(me);
    }
    return std::move(out_);
}

// A record of zeros is refused by all: no process leaves before the collective.
void Exchange::say(Participant& me, bool must_speak) {
    const int status = guarded([&] {
        mine_ = me.contribute(must_speak);
        return kSuccess;
    });
    if (status != kSuccess) {
        mine_ = Contribution();
    }
}

void Exchange::gather_records() {
    const auto* send = reinterpret_cast<const std::int32_t*>(&mine_.record);
    for (const Group& group : groups_) {
        auto* receive = reinterpret_cast<std::int32_t*>(&records_[group.first]);
        note(hitopo_glue_allgather(comm_, group.is_remote, send, Record::kNumSentWords,
                                   receive));  // collective
        spread(&records_[group.first], group.size);
    }
}

// What follows from the records, and the memory for the pieces. Whether they have to be gathered again,
// since somebody has yet to speak for a node; never asked for twice. Collective.
bool Exchange::prepare(Participant& me, bool is_again) {
    bool is_unspoken = false;
    const int status = guarded([&] {
        Result<Plan> plan = make_plan(records_.data(), records_.size());
        if (plan && plan->num_bytes / kWordBytes > INT_MAX) {
            plan = too_large(*plan);
        }
        if (!plan) {  // the same at every process
            out_.refused = plan.error();
            return kSuccess;
        }
        plan_ = std::move(*plan);
        is_unspoken = !is_again && !plan_.unspoken.empty();
        if (!is_unspoken) {
            my_pieces_ = pieces_of(plan_, my_index_, mine_, me);
            pieces_.resize(plan_.num_bytes);
        }
        return kSuccess;
    });
    note(status);
    if (!is_well() || !is_unspoken) {  // collective
        return false;
    }
    if (std::find(plan_.unspoken.begin(), plan_.unspoken.end(), my_index_) != plan_.unspoken.end()) {
        say(me, true);
    }
    return true;
}

void Exchange::gather_pieces() {
    for (const Piece& piece : plan_.pieces) {
        counts_[piece.rank] = static_cast<int>(piece.num_bytes / kWordBytes);
        displacements_[piece.rank] = static_cast<int>(piece.offset / kWordBytes);
    }
    for (const Group& group : groups_) {
        note(hitopo_glue_allgatherv(
            comm_, group.is_remote, reinterpret_cast<const std::int32_t*>(my_pieces_.data()),
            static_cast<int>(my_pieces_.size() / kWordBytes),
            reinterpret_cast<std::int32_t*>(pieces_.data()), &counts_[group.first],
            &displacements_[group.first]));  // collective
    }
}

// Collective.
void Exchange::settle(Participant& me) {
    if (out_.status == kSuccess) {
        note(guarded([&] {
            me.accept(make_directory(records_.data(), plan_, pieces_));
            return kSuccess;
        }));
    }
    if (plan_.first_error_rank >= 0) {
        out_.error_rank = static_cast<std::uint32_t>(plan_.first_error_rank);
        out_.error_record = records_[out_.error_rank];
    }
    (void)is_well();  // collective
}

void Exchange::note(int status) {
    if (out_.status == kSuccess) {
        out_.status = status;
    }
}

bool Exchange::is_well() { return have_all_succeeded(comm_, out_.status, my_index_, out_); }

bool have_all_succeeded(ompi_communicator_t* comm, int status, std::uint32_t my_index, Outcome& out) {
    constexpr std::int64_t kNobody = INT64_MIN;
    constexpr std::int64_t kFailure = std::int64_t{1} << 32;  // codes are negative, MPI's own positive
    const bool is_well = status == kSuccess;
    const std::int64_t mine[2] = {is_well ? 0 : kFailure + status,
                                  is_well ? kNobody : -std::int64_t{my_index}};
    std::int64_t all[2] = {0, kNobody};
    const int agreed = hitopo_glue_max64(comm, mine, all, 2);  // collective
    if (agreed != kSuccess) {
        out.status = status != kSuccess ? status : agreed;
        out.failed_rank = static_cast<int>(my_index);
        return false;
    }
    out.status = all[0] == 0 ? kSuccess : static_cast<int>(all[0] - kFailure);
    out.failed_rank = all[1] == kNobody ? -1 : static_cast<int>(-all[1]);
    return out.status == kSuccess;
}

Outcome derive_alone(Participant& me) {
    Outcome out;
    const Contribution mine = me.contribute(true);
    const Result<Plan> plan = make_plan(&mine.record, 1);
    if (plan) {
        me.accept(make_directory(&mine.record, *plan, pieces_of(*plan, 0, mine, me)));
    } else {
        out.refused = plan.error();
    }
    return out;
}

}  // namespace hitopo
