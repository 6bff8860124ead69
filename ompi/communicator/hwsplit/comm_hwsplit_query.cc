// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The local questions: none of them communicates.
#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "ompi/communicator/comm_hwsplit.h"
#include "ompi/communicator/hwsplit/comm_hwsplit_glue.h"
#include "ompi/communicator/hwsplit/comm_hwsplit_make.h"
#include "ompi/communicator/hwsplit/comm_hwsplit_request.h"
#include "ompi/mca/hitopo/base/binding.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/lifecycle.h"
#include "ompi/mca/hitopo/base/trees.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/tree/locality.h"

namespace hitopo {
namespace {

std::shared_ptr<CommTree> world_tree() {
    return hitopo_glue_has_world() ? TreeCache::instance().find(hitopo_glue_world()) : nullptr;
}

std::shared_ptr<CommTree> tree_of(ompi_communicator_t* comm) { return TreeCache::instance().find(comm); }

bool is_usable(ompi_communicator_t* comm) {
    return hitopo_glue_is_up() && !hitopo_glue_is_invalid(comm);
}

// ---- this process ----

// The results of guided splits of MPI_COMM_WORLD; before MPI_Init, by this process's own facts; without
// a tree, none.
std::vector<Restriction> present_restrictions() {
    const std::shared_ptr<CommTree> tree = world_tree();
    if (tree == nullptr) {
        const std::shared_ptr<CommTree> alone = Lifecycle::instance().tree_alone();
        return alone ? restrictions(alone->tree(), 0, std::nullopt) : no_restrictions();
    }
    const auto rank = static_cast<std::uint32_t>(hitopo_glue_rank(hitopo_glue_world()));
    const CpuSet present = read_binding();
    return restrictions(tree->tree(), rank,
                        present != tree->binding() ? std::optional(present) : std::nullopt);
}

int hw_resource_info(ompi_info_t** hw_info) {
    ompi_info_t* info = hitopo_glue_info_create();
    if (info == nullptr) {
        return kErrorOutOfResource;
    }
    for (const Restriction& restriction : present_restrictions()) {
        hitopo_glue_info_set(hitopo_glue_hints(info), restriction.uri.c_str(),
                             restriction.is_restricted ? "true" : "false");
    }
    *hw_info = info;
    return MPI_SUCCESS;
}

std::vector<std::string> job_levels() {
    const std::shared_ptr<CommTree> tree = world_tree();
    return tree == nullptr ? std::vector<std::string>() : hardware_levels(tree->tree());
}

int hw_topology_info(int* num_levels, ompi_info_t* info) {
    const std::vector<std::string> levels = job_levels();
    *num_levels = static_cast<int>(levels.size());
    opal_info_t* hints = hitopo_glue_hints(info);
    for (std::size_t i = 0; hints != nullptr && i < levels.size(); ++i) {
        hitopo_glue_info_set(hints, ("MPI_HW_LEVEL" + std::to_string(i)).c_str(), levels[i].c_str());
    }
    return MPI_SUCCESS;
}

// ---- processes of a communicator ----

int min_hw_domain(ompi_communicator_t* comm, int size, const int* ranks, const char** type) {
    const int num_ranks = hitopo_glue_size(comm);
    if (size < 0 || (size > 0 && ranks == nullptr)) {
        return MPI_ERR_ARG;
    }
    const std::shared_ptr<CommTree> tree = tree_of(comm);
    const auto first = static_cast<std::uint32_t>(tree == nullptr ? 0 : tree->sides().first_local);
    std::vector<std::uint32_t> listed;
    bool is_caller_listed = false;
    for (int i = 0; i < size; ++i) {
        if (ranks[i] < 0 || ranks[i] >= num_ranks) {
            return MPI_ERR_RANK;
        }
        is_caller_listed |= ranks[i] == hitopo_glue_rank(comm);
        listed.push_back(first + static_cast<std::uint32_t>(ranks[i]));
    }
    const std::string found =
        is_caller_listed && tree != nullptr ? min_domain(tree->tree(), listed) : "";
    *type = !is_caller_listed ? "Invalid" : found.empty() ? "Unknown" : constant_of(found);
    return MPI_SUCCESS;
}

int hw_neighbours(ompi_communicator_t* comm, int hops, int metric, ompi_group_t** newgroup) {
    const auto kind = static_cast<Metric>(metric);
    if (hops < 0 || kind < Metric::kCompute || kind > Metric::kNetwork) {
        return MPI_ERR_ARG;
    }
    const std::shared_ptr<CommTree> tree = tree_of(comm);
    std::vector<int> ranks;
    if (tree != nullptr) {
        const auto first = static_cast<std::uint32_t>(tree->sides().first_local);
        const auto own = first + static_cast<std::uint32_t>(hitopo_glue_rank(comm));
        for (const std::uint32_t rank : neighbours(tree->tree(), own, hops, kind)) {
            if (rank >= first && rank < first + tree->sides().num_local) {
                ranks.push_back(static_cast<int>(rank - first));
            }
        }
    }
    return hitopo_glue_make_group(comm, static_cast<int>(ranks.size()), ranks.data(), newgroup);
}

template <class Body>
int answer(ompi_communicator_t* comm, const char* function, bool has_results, Body&& body) {
    const int error = !is_usable(comm) ? MPI_ERR_COMM
                      : !has_results   ? MPI_ERR_ARG
                                       : guarded(std::forward<Body>(body));
    return hitopo_glue_raise(comm, error, function);
}

}  // namespace

std::string job_level(std::size_t index) {
    const std::vector<std::string> levels = job_levels();
    return index < levels.size() ? levels[index] : "";
}

}  // namespace hitopo

extern "C" int ompi_hitopo_hw_resource_info(ompi_info_t** hw_info) {
    if (!hitopo_glue_is_up() && hitopo_glue_has_early_info()) {
        return hw_info == nullptr ? MPI_ERR_ARG
                                  : hitopo::guarded([&] { return hitopo::hw_resource_info(hw_info); });
    }
    return hitopo::answer(hitopo_glue_world(), "MPI_Get_hw_resource_info", hw_info != nullptr,
                          [&] { return hitopo::hw_resource_info(hw_info); });
}

extern "C" int ompi_hitopo_hw_topology_info(int* numlevels, ompi_info_t* info) {
    return hitopo::answer(hitopo_glue_world(), "MPIX_Get_hw_topology_info", numlevels != nullptr,
                          [&] { return hitopo::hw_topology_info(numlevels, info); });
}

extern "C" int ompi_hitopo_hw_domain_info(ompi_communicator_t* comm, int* num_subcomms, int* rank,
                                          const char** type) {
    const bool has_results = num_subcomms != nullptr && rank != nullptr && type != nullptr;
    return hitopo::answer(comm, "MPIX_Get_hw_domain_info", has_results, [&] {
        const hitopo::Origin origin = hitopo::origin_of(comm);
        *num_subcomms = origin.num_siblings;
        *rank = origin.number;
        *type = origin.type;
        return hitopo::kSuccess;
    });
}

extern "C" int ompi_hitopo_min_hw_domain(ompi_communicator_t* comm, int size, const int* ranks,
                                         const char** type) {
    return hitopo::answer(comm, "MPIX_Get_min_hw_domain", type != nullptr,
                          [&] { return hitopo::min_hw_domain(comm, size, ranks, type); });
}

extern "C" int ompi_hitopo_min_hierarchy(ompi_communicator_t* comm, int size, const int* ranks,
                                         ompi_info_t* info) {
    return hitopo::answer(comm, "MPIX_Get_min_hierarchy", true, [&] {
        opal_info_t* hints = hitopo_glue_hints(info);
        if (hints == nullptr) {
            return MPI_ERR_INFO;
        }
        const char* type = "";
        const int error = hitopo::min_hw_domain(comm, size, ranks, &type);
        if (error == MPI_SUCCESS) {
            hitopo_glue_info_set(hints, "MPI_HIER_LEVEL", type);
        }
        return error;
    });
}

extern "C" int ompi_hitopo_hw_neighbours(ompi_communicator_t* comm, int hops, int metric,
                                         ompi_group_t** newgroup) {
    return hitopo::answer(comm, "MPIX_Get_hw_domain_neighbours", newgroup != nullptr,
                          [&] { return hitopo::hw_neighbours(comm, hops, metric, newgroup); });
}
