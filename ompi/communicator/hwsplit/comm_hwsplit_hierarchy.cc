// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The whole hierarchy of a communicator in one call: all its communicators come from one agreement.
#include <mpi.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ompi/communicator/comm_hwsplit.h"
#include "ompi/communicator/hwsplit/comm_hwsplit_agree.h"
#include "ompi/communicator/hwsplit/comm_hwsplit_glue.h"
#include "ompi/communicator/hwsplit/comm_hwsplit_make.h"
#include "ompi/mca/hitopo/base/agreed_tree.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/tree/partition.h"

namespace hitopo {
namespace {

using Comm = ompi_communicator_t*;

constexpr const char* kHierarchy = "MPIX_Comm_split_hierarchy";

struct HierarchyArguments {
    Comm comm;
    int max_steps;
    Comm* newcomms;
    Comm* rootscomms;
    const char** types;
    int* num_steps;

    bool has_places() const {
        return num_steps != nullptr &&
               (max_steps <= 0 || (newcomms != nullptr && rootscomms != nullptr));
    }
};

class HierarchySplitter {
public:
    explicit HierarchySplitter(const HierarchyArguments& arguments) : args_(arguments) {}

    int split() {
        // The number of context ids follows from the tree.
        return with_tree(
            args_.comm, kHierarchy, true,
            [this](const std::shared_ptr<CommTree>& tree, bool is_last) {
                return try_split(tree, is_last);
            },
            // No process has a tree, and none has a step.
            [this] { return agree_on_places(args_.comm, args_.has_places()); });
    }

private:
    // Empty where the addresses have to be exchanged first.
    std::optional<int> try_split(const std::shared_ptr<CommTree>& tree, bool is_last) {
        const auto rank = static_cast<std::uint32_t>(hitopo_glue_rank(args_.comm));
        const Hierarchy hierarchy = make_hierarchy(tree->tree(), rank);
        Agreement agreement(args_.comm, 2 * hierarchy.depth);
        agreement.choose(Agreement::kCall, args_.max_steps);
        propose_tree(tree.get(), agreement.tree_slots());
        if (!args_.has_places()) {
            agreement.raise(Agreement::kHasNoPlace);
        }
        if (const int status = agreement.agree()) {  // collective
            return status;
        }
        if (!adopt_tree(args_.comm, tree, agreement.tree_slots()).is_up_to_date() && !is_last) {
            return std::nullopt;
        }
        if (!agreement.is_one(Agreement::kCall) || args_.max_steps < 0 ||
            agreement.has(Agreement::kHasNoPlace)) {
            return MPI_ERR_ARG;
        }
        return hierarchy.depth == 0 ? MPI_SUCCESS : create(hierarchy, agreement);
    }

    int create(const Hierarchy& hierarchy, Agreement& agreement) {
        const auto num_kept =
            std::min(hierarchy.steps.size(), static_cast<std::size_t>(args_.max_steps));
        std::vector<NewComm> wanted(2 * hierarchy.depth);
        for (std::size_t i = 0; i < num_kept; ++i) {
            const HierarchyStep& step = hierarchy.steps[i];
            wanted[2 * i] = {to_ints(step.ranks), static_cast<int>(step.ranks[0])};
            if (!step.roots.empty()) {
                wanted[2 * i + 1] = {to_ints(step.roots), static_cast<int>(step.roots[0])};
            }
        }
        Maker maker(args_.comm, agreement, std::move(wanted), nullptr);
        if (const int status = maker.make()) {  // collective
            return status;
        }
        *args_.num_steps = static_cast<int>(hierarchy.steps.size());
        for (std::size_t i = 0; i < num_kept; ++i) {
            const HierarchyStep& step = hierarchy.steps[i];
            args_.newcomms[i] = maker.made()[2 * i];
            args_.rootscomms[i] = maker.made()[2 * i + 1];
            if (args_.types != nullptr) {
                args_.types[i] = constant_of(step.type);
            }
            set_origin(args_.newcomms[i], static_cast<std::size_t>(step.number), step.count, step.type);
        }
        return MPI_SUCCESS;
    }

    const HierarchyArguments& args_;
};

void clear(const HierarchyArguments& args) {
    if (args.num_steps != nullptr) {
        *args.num_steps = 0;
    }
    for (Comm* comms : {args.newcomms, args.rootscomms}) {
        if (comms != nullptr) {
            std::fill_n(comms, std::max(args.max_steps, 0), hitopo_glue_comm_null());
        }
    }
    if (args.types != nullptr) {
        std::fill_n(args.types, std::max(args.max_steps, 0), "");
    }
}

int split_hierarchy(const HierarchyArguments& args) {
    if (!hitopo_glue_is_up() || hitopo_glue_is_invalid(args.comm)) {
        return hitopo_glue_raise(args.comm, MPI_ERR_COMM, kHierarchy);
    }
    clear(args);
    const int status = hitopo_glue_is_inter(args.comm)
                           ? MPI_ERR_COMM
                           : guarded([&] { return HierarchySplitter(args).split(); });
    return hitopo_glue_raise(args.comm, status, kHierarchy);
}

}  // namespace
}  // namespace hitopo

extern "C" int ompi_hitopo_split_hierarchy(ompi_communicator_t* comm, int max_steps,
                                           ompi_communicator_t** newcomms,
                                           ompi_communicator_t** rootscomms, const char** types,
                                           int* num_steps) {
    return hitopo::split_hierarchy({comm, max_steps, newcomms, rootscomms, types, num_steps});
}
