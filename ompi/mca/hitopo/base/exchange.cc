// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange.h"

#include <climits>
#include <cstring>

#include "ompi/mca/hitopo/base/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/guard.h"

namespace hitopo {
namespace {

constexpr std::size_t kWordBytes = sizeof(std::int32_t);

// The processes of both groups in one order, and where each group stands in it.
struct Group {
    bool is_remote;
    std::size_t first;
    std::size_t size;
};

std::vector<Group> groups_of(ompi_communicator_t* comm) {
    const auto local = static_cast<std::size_t>(hitopo_glue_size(comm));
    if (!hitopo_glue_is_inter(comm)) {
        return {{false, 0, local}};
    }
    const auto remote = static_cast<std::size_t>(hitopo_glue_remote_size(comm));
    const bool is_first = hitopo_glue_is_first_group(comm);
    return {{false, is_first ? 0 : remote, local}, {true, is_first ? local : 0, remote}};
}

// Records arrive without their last word and close together: each to its place, the last one first.
void spread(Record* records, std::size_t num) {
    constexpr std::size_t kSentBytes = Record::kNumSentWords * kWordBytes;
    const char* packed = reinterpret_cast<const char*>(records);
    for (std::size_t i = num; i-- > 0;) {
        std::memmove(&records[i], packed + i * kSentBytes, kSentBytes);
        records[i].unsent = 0;
    }
}

std::string my_pieces(const Plan& plan, std::size_t my_index, const Contribution& mine,
                      const Lead& lead) {
    for (const Piece& piece : plan.pieces) {
        if (piece.rank == my_index) {
            std::string bytes;
            bytes += (piece.parts & Piece::kNames) != 0 ? mine.names : "";
            bytes += (piece.parts & Piece::kCpus) != 0 ? mine.cpus : "";
            bytes += (piece.parts & Piece::kMachine) != 0 ? mine.machine : "";
            bytes += (piece.parts & Piece::kUplinks) != 0 ? lead() : "";
            bytes.resize(piece.num_bytes, '\0');
            return bytes;
        }
    }
    return {};
}

class Exchanger {
public:
    Exchanger(ompi_communicator_t* comm, const Contribution& mine, const Lead& lead)
        : comm_(comm), mine_(mine), lead_(lead), groups_(groups_of(comm)) {
        std::size_t num_processes = 0;
        for (const Group& group : groups_) {
            num_processes += group.size;
        }
        records_.resize(num_processes);
    }

    Exchanged run() {
        gather_records();
        if (out_.status != kSuccess) {
            return std::move(out_);
        }
        Result<Plan> plan = make_plan(records_.data(), records_.size());
        if (plan && plan->num_bytes / kWordBytes > INT_MAX) {
            plan = Error{Errc::kTooLarge,
                         std::to_string(plan->num_bytes) + " bytes",
                         "the names and machines of the job exceed 8 GiB",
                         "",
                         0,
                         0};
        }
        if (!plan) {  // the same at every process
            out_.refused = plan.error();
            return std::move(out_);
        }
        gather_pieces(*plan);
        if (out_.status == kSuccess) {
            finish(*plan);
        }
        return std::move(out_);
    }

private:
    std::size_t my_index() const {
        return groups_[0].first + static_cast<std::size_t>(hitopo_glue_rank(comm_));
    }

    void gather_records() {
        const auto* send = reinterpret_cast<const std::int32_t*>(&mine_.record);
        for (const Group& group : groups_) {
            auto* receive = reinterpret_cast<std::int32_t*>(&records_[group.first]);
            note(hitopo_glue_allgather(comm_, group.is_remote, send, Record::kNumSentWords,
                                       receive));  // collective
            spread(&records_[group.first], group.size);
        }
    }

    void gather_pieces(const Plan& plan) {
        pieces_.resize(plan.num_bytes);
        const std::string mine = my_pieces(plan, my_index(), mine_, lead_);
        for (const Group& group : groups_) {
            std::vector<int> counts(group.size, 0);
            std::vector<int> displacements(group.size, 0);
            for (const Piece& piece : plan.pieces) {
                if (piece.rank >= group.first && piece.rank < group.first + group.size) {
                    counts[piece.rank - group.first] = static_cast<int>(piece.num_bytes / kWordBytes);
                    displacements[piece.rank - group.first] =
                        static_cast<int>(piece.offset / kWordBytes);
                }
            }
            note(hitopo_glue_allgatherv(comm_, group.is_remote,
                                        reinterpret_cast<const std::int32_t*>(mine.data()),
                                        static_cast<int>(mine.size() / kWordBytes),
                                        reinterpret_cast<std::int32_t*>(pieces_.data()), counts.data(),
                                        displacements.data()));  // collective
        }
    }

    void finish(const Plan& plan) {
        out_.census = take_census(records_.data(), plan, pieces_);
        out_.num_errors = plan.num_errors;
        if (plan.first_error_rank >= 0) {
            out_.error_rank = static_cast<std::uint32_t>(plan.first_error_rank);
            out_.error_record = records_[out_.error_rank];
        }
    }

    void note(int status) {
        if (out_.status == kSuccess) {
            out_.status = status;
        }
    }

    ompi_communicator_t* comm_;
    const Contribution& mine_;
    const Lead& lead_;
    std::vector<Group> groups_;  // the local one first
    std::vector<Record> records_;
    std::string pieces_;
    Exchanged out_;
};

}  // namespace

Exchanged derive_alone(const Contribution& mine, const Lead& lead) {
    Exchanged out;
    const Result<Plan> plan = make_plan(&mine.record, 1);
    if (plan) {
        out.census = take_census(&mine.record, *plan, my_pieces(*plan, 0, mine, lead));
    } else {
        out.refused = plan.error();
    }
    return out;
}

Exchanged exchange(ompi_communicator_t* comm, const Contribution& mine, const Lead& lead) {
    return Exchanger(comm, mine, lead).run();
}

}  // namespace hitopo
