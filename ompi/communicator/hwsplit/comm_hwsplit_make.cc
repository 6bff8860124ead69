// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/communicator/hwsplit/comm_hwsplit_make.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <utility>

#include "ompi/communicator/hwsplit/comm_hwsplit_glue.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_attribute.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {

using Comm = ompi_communicator_t*;

std::vector<int> to_ints(const Ranks& ranks) { return {ranks.begin(), ranks.end()}; }

Maker::Maker(Comm comm, Agreement& agreement, std::vector<NewComm> wanted, opal_info_t* hints)
    : comm_(comm),
      agreement_(agreement),
      wanted_(std::move(wanted)),
      hints_(hints),
      made_(wanted_.size(), hitopo_glue_comm_null()) {}

int Maker::make() {
    constexpr int kMaxRounds = 8;
    for (int round = 0; round < kMaxRounds; ++round) {
        if (const int status = round == 0 ? kSuccess : agreement_.agree_on_other_cids()) {  // collective
            return status;
        }
        if (const std::optional<int> status = try_joint()) {
            return *status;
        }
    }
    return split_each();
}

// One allreduce shows whether all could take the context ids and are ready to receive: before that no
// process may send. It also gives the largest number of members on one node of the communicators of each
// place. Empty where one could not take them.
std::optional<int> Maker::try_joint() {
    const bool has_cids = agreement_.take_cids();
    std::vector<std::int64_t> mine = {has_cids ? 0 : 1};
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
        if (has_cids) {
            make_one(wanted_[i], agreement_.cids()[i], made_[i]);
        }
        mine.push_back(made_[i] != hitopo_glue_comm_null() ? hitopo_glue_num_local(made_[i]) : 0);
    }
    std::vector<std::int64_t> most(mine.size(), 0);
    const int status = hitopo_glue_allreduce_max(comm_, mine.data(), most.data(),
                                                 static_cast<int>(mine.size()));  // collective
    if (status == kSuccess && most[0] == 0) {
        return finish(most.data() + 1);
    }
    drop_all();
    return status == kSuccess ? std::nullopt : std::optional(status);
}

int Maker::finish(const std::int64_t* num_local) {
    int status = kSuccess;
    for (std::size_t i = 0; i < made_.size(); ++i) {
        if (made_[i] != hitopo_glue_comm_null()) {
            status = std::min(status, hitopo_glue_finish_comm(made_[i], num_local[i] == 1));
        }
    }
    if (status != kSuccess) {
        drop_all();
    }
    return status;
}

void Maker::make_one(NewComm& wanted, std::int64_t cid, Comm& made) {
    if (wanted.ranks.empty()) {
        hitopo_glue_release_cids(1, &cid);
    } else if (hitopo_glue_make_comm(comm_, static_cast<int>(wanted.ranks.size()), wanted.ranks.data(),
                                     cid, agreement_.generation(), hints_, &made) != kSuccess) {
        throw std::bad_alloc();  // Open MPI needs nothing but memory for it
    }
}

int Maker::split_each() {
    const int rank = hitopo_glue_rank(comm_);
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
        const std::vector<int>& ranks = wanted_[i].ranks;
        const auto place = std::find(ranks.begin(), ranks.end(), rank) - ranks.begin();
        const int status = hitopo_glue_split(comm_, ranks.empty() ? -1 : wanted_[i].color,
                                             static_cast<int>(place), hints_, &made_[i]);  // collective
        if (status != kSuccess) {
            drop_all();
            return status;
        }
    }
    return kSuccess;
}

void Maker::drop_all() {
    for (Comm& made : made_) {
        if (made != hitopo_glue_comm_null()) {
            hitopo_glue_drop_comm(made);
            made = hitopo_glue_comm_null();
        }
    }
}

// ---- the origin of a communicator ----

namespace {

constexpr const char* kUnknownType = "Unknown";

// A duplicate has the origin of the original.
hitopo_base_attribute_t origins = {
    HITOPO_BASE_NO_KEYVAL,
    [](ompi_communicator_t*, void* origin) { delete static_cast<Origin*>(origin); },
    [](const void* origin) -> void* {
        return new (std::nothrow) Origin(*static_cast<const Origin*>(origin));
    }};

}  // namespace

const char* constant_of(const std::string& text) {
    static std::mutex& mutex = *new std::mutex;  // callers outlive static destructors
    static std::set<std::string>& texts = *new std::set<std::string>;
    const std::lock_guard<std::mutex> lock(mutex);
    return texts.insert(text).first->c_str();
}

void set_origin(ompi_communicator_t* comm, std::size_t number, std::size_t num_siblings,
                const std::string& type) {
    auto origin =
        std::make_unique<Origin>(Origin{static_cast<int>(num_siblings), static_cast<int>(number),
                                        type.empty() ? kUnknownType : constant_of(type)});
    if (ompi_hitopo_base_attribute_set(&origins, comm, origin.get()) != kSuccess) {
        throw std::bad_alloc();
    }
    (void)origin.release();  // the communicator's
}

Origin origin_of(ompi_communicator_t* comm) {
    const auto* origin = static_cast<const Origin*>(ompi_hitopo_base_attribute_get(&origins, comm));
    return origin != nullptr ? *origin : Origin{1, 0, kUnknownType};
}

void end_origins() { ompi_hitopo_base_attribute_end(&origins); }

}  // namespace hitopo
