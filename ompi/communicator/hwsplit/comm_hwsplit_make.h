// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Making several communicators out of one, each with its origin.
#ifndef OMPI_COMM_HWSPLIT_MAKE_H
#define OMPI_COMM_HWSPLIT_MAKE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ompi/communicator/hwsplit/comm_hwsplit_agree.h"
#include "ompi/mca/hitopo/core/tree/partition.h"

namespace hitopo {

// One new communicator as a process of the parent sees it.
struct NewComm {
    std::vector<int> ranks;  // of the parent, in their new order; empty: this process is not in it
    int color = -1;          // different for each of those made at once; below 0 where empty
};

std::vector<int> to_ints(const Ranks& ranks);

// Makes all at once where context ids can be agreed on, else one after the other by Open MPI's split.
class Maker {
public:
    // agreement: after agree(), for as many context ids as there are communicators. info: any value; the
    // communicators keep its hints as Open MPI's split does.
    Maker(ompi_communicator_t* comm, Agreement& agreement, std::vector<NewComm> wanted,
          opal_info_t* hints);

    // Collective over the parent. Returns an OMPI_ERR_* code, and then nothing was made; throws where
    // this process alone cannot go on.
    int make();

    // One for each that was wanted; MPI_COMM_NULL where this process is not in it.
    const std::vector<ompi_communicator_t*>& made() const { return made_; }

private:
    std::optional<int> try_joint();
    void make_one(NewComm& wanted, std::int64_t cid, ompi_communicator_t*& made);
    int finish(const std::int64_t* num_local);
    int split_each();
    void drop_all();

    ompi_communicator_t* comm_;
    Agreement& agreement_;
    std::vector<NewComm> wanted_;
    opal_info_t* hints_;
    std::vector<ompi_communicator_t*> made_;
};

// The origin of a communicator: the split that made it.
struct Origin {
    int num_siblings;  // communicators of the split, this one too
    int number;        // among them, by their lowest ranks in the parent
    const char* type;  // a constant of the library
};

// A string that is never freed, one for equal ones. Thread safe.
const char* constant_of(const std::string& text);

// type "": "Unknown". Throws where memory is short.
void set_origin(ompi_communicator_t* comm, std::size_t number, std::size_t num_siblings,
                const std::string& type);

// A communicator that is neither made by a split nor a duplicate of such has one part, "Unknown".
Origin origin_of(ompi_communicator_t* comm);

// No communicator gets one any more; for HiTopo's end. Local.
void end_origins();

}  // namespace hitopo

#endif
