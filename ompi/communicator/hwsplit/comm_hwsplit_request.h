// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The request of one process for a split, and the verdict on the requests of all.
#ifndef OMPI_COMM_HWSPLIT_REQUEST_H
#define OMPI_COMM_HWSPLIT_REQUEST_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "ompi/communicator/hwsplit/comm_hwsplit_agree.h"
#include "ompi/communicator/hwsplit/comm_hwsplit_glue.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"
#include "ompi/mca/hitopo/core/tree/partition.h"

namespace hitopo {

// The info key that names a resource type, read by guided splits and written by unguided ones.
inline constexpr const char* kResourceKey = HITOPO_KEY_RESOURCE;

// The resource that a guided split names: an index into the tree's resource types, or kSharedMemory.
using Resource = std::int64_t;
inline constexpr Resource kSharedMemory = -1;

// The same at all processes of the communicator.
struct SplitDecision {
    int status = 0;           // else the error class for all
    bool is_foreign = false;  // a split type or resource type that only Open MPI's own split may know
    std::optional<int> split_type;  // empty: all passed MPI_UNDEFINED
    std::optional<Resource> type;   // agreed
    bool is_unguided = false;
    bool is_contradictory = false;  // different types: MPI_COMM_NULL for all
    bool is_by_set = false;         // by process sets, which only their members know
    bool excludes_some = false;     // beside those that abstain
    bool simulates_shared = false;  // nodes of a map share memory
    bool is_divided = false;  // shared memory, where Open MPI sees more nodes than the addresses do
};

class Request {
public:
    Request() = default;
    // Any split type; hints: the keys that it reads are looked up; NULL: none.
    Request(ompi_communicator_t* comm, int split_type, opal_info_t* hints, const AddressTree& tree);

    void add_to(Agreement& agreement) const;
    bool takes_part(const SplitDecision& decision) const;
    // 0: it takes no part. With process sets, its set's.
    std::int64_t color(const SplitDecision& decision) const;
    bool asks_for_shared_memory() const;

private:
    void read_set(ompi_communicator_t* comm, opal_info_t* hints);
    void read_resource(ompi_communicator_t* comm, opal_info_t* hints, const char* key,
                       const AddressTree& tree);
    bool is_guided() const;
    bool is_domain() const;

    int split_type_ = 0;
    std::optional<Resource> type_;
    std::optional<std::int64_t> foreign_;  // a hash of a name that only Open MPI's own split may know
    bool has_resource_ = false;            // the key, recognised or not
    bool has_set_ = false;                 // likewise
    std::int64_t set_ = 0;                 // if the process is in it
};

SplitDecision decide(const Agreement& agreement);

// The groups of all processes, also those that abstain. tree must outlive the result.
Partition make_partition(const SplitDecision& decision, const AddressTree& tree);

// The URI of MPI_HW_LEVEL<index> (MPIX_Get_hw_topology_info); "" beyond the last.
std::string job_level(std::size_t index);

}  // namespace hitopo

#endif
