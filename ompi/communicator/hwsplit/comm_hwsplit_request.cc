// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/communicator/hwsplit/comm_hwsplit_request.h"

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <string_view>

#include "ompi/communicator/hwsplit/comm_hwsplit_make.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/core/tree/resource_type.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"

namespace hitopo {
namespace {

constexpr const char* kSetKey = HITOPO_KEY_SET;
constexpr const char* kDomainKey = HITOPO_KEY_DOMAIN;
constexpr int kMaxValue = 1024;

enum class Kind { kForeign, kShared, kUnguided, kGuided, kDomain, kAddressSpace, kResource };

struct SplitType {
    int number;
    Kind kind;
    const char* resource = "";        // of kResource: Open MPI's own types
    bool falls_back_to_node = false;  // where the level is unknown
};
constexpr SplitType kSplitTypes[] = {
    {MPI_COMM_TYPE_SHARED, Kind::kShared},
    {HITOPO_COMM_TYPE_HW_UNGUIDED, Kind::kUnguided},
    {HITOPO_COMM_TYPE_PHYSICAL_TOPOLOGY, Kind::kUnguided},
    {HITOPO_COMM_TYPE_HW_GUIDED, Kind::kGuided},
    {HITOPO_COMM_TYPE_RESOURCE_GUIDED, Kind::kGuided},
    {HITOPO_COMM_TYPE_HW_DOMAIN, Kind::kDomain},
    {HITOPO_COMM_TYPE_ADDRESS_SPACE, Kind::kAddressSpace},
    {OMPI_COMM_TYPE_HWTHREAD, Kind::kResource, "hwthread"},
    {OMPI_COMM_TYPE_CORE, Kind::kResource, "core"},
    {OMPI_COMM_TYPE_L1CACHE, Kind::kResource, "L1Cache"},
    {OMPI_COMM_TYPE_L2CACHE, Kind::kResource, "L2Cache"},
    {OMPI_COMM_TYPE_L3CACHE, Kind::kResource, "L3Cache"},
    {OMPI_COMM_TYPE_SOCKET, Kind::kResource, "socket"},
    {OMPI_COMM_TYPE_NUMA, Kind::kResource, "NUMANode"},
    {OMPI_COMM_TYPE_BOARD, Kind::kResource, "hitopo://L2NUMA", true},
    {OMPI_COMM_TYPE_HOST, Kind::kResource, "hitopo://Node", true},
    {OMPI_COMM_TYPE_CU, Kind::kResource, "hitopo://Switch", true},
    {OMPI_COMM_TYPE_CLUSTER, Kind::kResource, "hitopo://Cluster", true}};

SplitType split_type_of(int number) {
    const auto* const found = std::find_if(std::begin(kSplitTypes), std::end(kSplitTypes),
                                           [=](const SplitType& type) { return type.number == number; });
    return found == std::end(kSplitTypes) ? SplitType{number, Kind::kForeign} : *found;
}

const ResourceType kNodeType = {"Node", true, kNode};

Partition group_like_open_mpi(const SplitType& type, const AddressTree& tree) {
    const std::vector<ResourceType> types = resource_types(tree);
    const std::optional<std::size_t> found = find_resource(types, type.resource);
    Partition partition = found ? Partition::by_type(tree, types[*found]) : Partition(tree);
    if (partition.count() == 0 && type.falls_back_to_node) {
        partition = Partition::by_type(tree, kNodeType);
    }
    partition.fill_with_singles();
    return partition;
}

Partition group_shared(const SplitDecision& decision, const AddressTree& tree) {
    return decision.simulates_shared ? Partition::by_type(tree, kNodeType)
                                     : Partition::by_shared_memory(tree);
}

Partition group_guided(const SplitDecision& decision, const AddressTree& tree) {
    return *decision.type == kSharedMemory
               ? group_shared(decision, tree)
               : Partition::by_type(tree,
                                    resource_types(tree)[static_cast<std::size_t>(*decision.type)]);
}

// Programs ask for types that some machines lack, so it is told only to those who want it, and once a
// job: all parts of a split ask for the same.
bool is_to_tell(ompi_communicator_t* comm) {
    return hitopo_glue_is_verbose() &&
           (hitopo_glue_job_rank() == 0 ||
            (hitopo_glue_rank(comm) == 0 && origin_of(comm).num_siblings == 1));
}

void tell_unknown(const std::vector<ResourceType>& types, std::string_view value) {
    static std::atomic<bool> is_told = false;
    if (is_told.exchange(true)) {
        return;
    }
    const std::string nearest = nearest_resource(types, value);
    hitopo_glue_tell(
        "split",
        (safe(value, Charset::kAscii) + " is no resource type of this job, so its splits give " +
         "MPI_COMM_NULL" + (nearest.empty() ? "" : "; did you mean " + nearest + '?') +
         " MPI_Get_hw_resource_info lists the types")
            .c_str());
}

}  // namespace

Request::Request(ompi_communicator_t* comm, int split_type, opal_info_t* hints, const AddressTree& tree)
    : split_type_(split_type) {
    if (hints != nullptr && is_guided()) {
        if (split_type == HITOPO_COMM_TYPE_RESOURCE_GUIDED) {
            read_set(comm, hints);
        }
        read_resource(comm, hints, kResourceKey, tree);
    } else if (hints != nullptr && is_domain()) {
        read_resource(comm, hints, kDomainKey, tree);
    }
}

// Two jobs have two sets of one name, and mpi://SELF is each process's own.
void Request::read_set(ompi_communicator_t* comm, opal_info_t* hints) {
    char value[kMaxValue];
    has_set_ = hitopo_glue_info_get(hints, kSetKey, value, sizeof value);
    if (!has_set_ || !ompi_hitopo_base_has_session(comm)) {
        return;
    }
    const std::string_view name = value;
    const bool is_self = name == "mpi://SELF";
    if (!is_self && name != "mpi://WORLD" &&
        (name.substr(0, 6) == "mpi://" || !hitopo_glue_is_in_set(value))) {
        return;
    }
    const std::uint64_t owner =
        combine(hitopo_glue_job(), is_self ? static_cast<std::uint64_t>(hitopo_glue_job_rank()) : 0);
    set_ = static_cast<std::int64_t>(combine(hash_bytes(name), owner) | 1);
}

void Request::read_resource(ompi_communicator_t* comm, opal_info_t* hints, const char* key,
                            const AddressTree& tree) {
    char value[kMaxValue];
    has_resource_ = hitopo_glue_info_get(hints, key, value, sizeof value);
    if (!has_resource_) {
        return;
    }
    const std::vector<ResourceType> types = resource_types(tree);
    if (is_shared_memory(value)) {
        type_ = kSharedMemory;
        return;
    }
    const std::optional<std::size_t> level = parse_hw_level(value);
    const std::optional<std::size_t> found = find_resource(types, level ? job_level(*level) : value);
    if (found) {
        type_ = static_cast<Resource>(*found);
    } else if (is_guided() && hitopo_glue_is_guided_by_own(split_type_) && !begins_as_resource(value)) {
        foreign_ = static_cast<std::int64_t>(hash_bytes(value) >> 1);
    } else if (is_to_tell(comm)) {
        tell_unknown(types, value);
    }
}

bool Request::is_guided() const { return split_type_of(split_type_).kind == Kind::kGuided; }

bool Request::is_domain() const { return split_type_of(split_type_).kind == Kind::kDomain; }

bool Request::asks_for_shared_memory() const {
    return split_type_ == MPI_COMM_TYPE_SHARED || type_ == kSharedMemory;
}

void Request::add_to(Agreement& agreement) const {
    if (split_type_ == MPI_UNDEFINED) {
        agreement.raise(Agreement::kAbstains);
        return;
    }
    agreement.choose(Agreement::kCall, split_type_);
    agreement.choose(Agreement::kSimulatesShared, hitopo_glue_settings()->simulate_shared ? 1 : 0);
    if (has_resource_) {
        agreement.raise(Agreement::kHasHardware);
    }
    if (has_set_) {
        agreement.raise(Agreement::kHasSet);
    }
    if (type_) {
        agreement.choose(Agreement::kType, *type_);
    } else if (foreign_) {
        agreement.choose(Agreement::kForeign, *foreign_);
    } else if (set_ == 0 && (is_guided() || (is_domain() && has_resource_))) {
        agreement.raise(Agreement::kAbstains);
    }
    if (is_domain() && !has_resource_) {
        agreement.raise(Agreement::kIsUndirected);
    }
}

bool Request::takes_part(const SplitDecision& decision) const {
    const bool needs_type = is_guided() || (is_domain() && !decision.is_unguided);
    const bool has_type = decision.is_foreign ? foreign_.has_value() : type_.has_value();
    return split_type_ != MPI_UNDEFINED && (!needs_type || has_type || set_ != 0);
}

std::int64_t Request::color(const SplitDecision& decision) const {
    return !takes_part(decision) ? 0 : decision.is_by_set ? set_ : 1;
}

SplitDecision decide(const Agreement& agreement) {
    SplitDecision decision;
    if (agreement.has(Agreement::kHasNoPlace)) {
        decision.status = MPI_ERR_ARG;
        return decision;
    }
    if (!agreement.is_chosen(Agreement::kCall)) {
        return decision;
    }
    if (!agreement.is_one(Agreement::kCall)) {
        decision.status = MPI_ERR_ARG;
        return decision;
    }
    const auto split_type = static_cast<int>(agreement.value(Agreement::kCall));
    const Kind kind = split_type_of(split_type).kind;
    if (kind == Kind::kForeign) {
        decision.is_foreign = true;
        return decision;
    }
    const bool has_hardware = agreement.has(Agreement::kHasHardware);
    if (has_hardware && agreement.has(Agreement::kHasSet)) {
        decision.status = MPI_ERR_INFO;
        return decision;
    }
    decision.split_type = split_type;
    decision.is_by_set = agreement.has(Agreement::kHasSet);
    decision.is_contradictory = !agreement.is_one(Agreement::kType);
    if (agreement.is_chosen(Agreement::kType) && !decision.is_contradictory) {
        decision.type = agreement.value(Agreement::kType);
    }
    decision.is_foreign = agreement.is_chosen(Agreement::kForeign) &&
                          agreement.is_one(Agreement::kForeign) &&
                          !agreement.is_chosen(Agreement::kType);
    decision.simulates_shared = agreement.has(Agreement::kFirstSimulatesShared);
    decision.is_divided = agreement.has(Agreement::kSharesWithFewer) && !decision.simulates_shared &&
                          !decision.is_contradictory;
    decision.is_unguided = kind == Kind::kUnguided || (kind == Kind::kDomain && !has_hardware);
    decision.excludes_some =
        kind == Kind::kDomain && has_hardware && agreement.has(Agreement::kIsUndirected);
    return decision;
}

Partition make_partition(const SplitDecision& decision, const AddressTree& tree) {
    if (!decision.split_type || decision.is_contradictory) {
        return Partition(tree);
    }
    if (decision.is_unguided) {
        return Partition::unguided(tree);
    }
    const SplitType type = split_type_of(*decision.split_type);
    Partition partition(tree);
    switch (type.kind) {
        case Kind::kShared:
            return group_shared(decision, tree);
        case Kind::kResource:
            return group_like_open_mpi(type, tree);
        case Kind::kAddressSpace:
            partition.fill_with_singles();
            return partition;
        default:
            return decision.type ? group_guided(decision, tree) : partition;
    }
}

}  // namespace hitopo
