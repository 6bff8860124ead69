// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The trees of communicators. Communicators of one group share one tree, which is freed with the last of
// them; an attribute reports when a communicator is freed.
//
// A communicator goes by the tree that its members agreed on last, in a collective over it; before the
// first, by a part of the job's first tree. Both are the same at all its members. A part of
// MPI_COMM_WORLD's present tree need not be: after a change of bindings one member may ask before that
// is exchanged anew and another one after.
//
// Open MPI calls delete functions while it holds its attribute lock, so nothing here touches an
// attribute while it holds mutex_.
#ifndef OMPI_MCA_HITOPO_BASE_TREE_CACHE_H
#define OMPI_MCA_HITOPO_BASE_TREE_CACHE_H

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "ompi/mca/hitopo/base/comm_tree.h"

struct ompi_communicator_t;

namespace hitopo {

// The agreement of a communicator's members on one tree: some slots of an allreduce of maxima.
inline constexpr int kNumTreeSlots = 3;

// Sets this process's slots. tree: NULL: it has none. Local.
void propose_tree(const CommTree* tree, std::int64_t* slots);

struct TreeAgreement {
    bool is_one;       // all proposed trees of one identity, which comm goes by from now on
    bool has_changed;  // a member has another binding than its tree has

    bool is_up_to_date() const { return is_one && !has_changed; }
};
// The slots of all. Local.
TreeAgreement adopt_tree(ompi_communicator_t* comm, const std::shared_ptr<CommTree>& tree,
                         const std::int64_t* slots);

class TreeCache {
public:
    // The process's one.
    static TreeCache& instance();

    // The tree that comm goes by; NULL where it has none. Throws without memory: other members have one.
    // Local; thread safe.
    std::shared_ptr<CommTree> find(ompi_communicator_t* comm) { return find_held(comm).tree; }

    // The present tree of MPI_COMM_WORLD; NULL where there is none.
    std::shared_ptr<CommTree> world() const;

    // The tree on which this process can have comm's members agree: the one that they agreed on last,
    // else a part of the world's present one. Local.
    struct Proposal {
        std::shared_ptr<CommTree> tree;  // NULL: comm has none
        bool is_agreed = false;          // the same at all members
    };
    Proposal propose(ompi_communicator_t* comm);
    // All members proposed trees of that one's identity(). Local.
    void accept(ompi_communicator_t* comm, const std::shared_ptr<CommTree>& tree);

    // The address of the local group's process `rank`, kNumLevels values: kSuccess, or
    // kErrorNotAvailable where comm has no tree, or kErrorBadParam where there is no such process, or
    // address is NULL. As find, but without a lock where this thread's last call was of comm and no
    // communicator lost a tree since. A thread keeps the tree that it read last until that communicator
    // is freed, or it reads of another or ends.
    int read(ompi_communicator_t* comm, int rank, std::int32_t* address);

    // After an exchange of comm's members: replaces comm's tree, and MPI_COMM_WORLD's where it is of the
    // whole job. Rows of the replaced one stay as they are until release_replaced.
    void put(ompi_communicator_t* comm, const std::shared_ptr<CommTree>& tree, bool is_whole_job);
    void release_replaced(ompi_communicator_t* comm);

    void forget(ompi_communicator_t* comm);

    // All others lose their trees, to get new ones from the world's, as if it were the first. kept: may
    // be NULL.
    void forget_all_but(ompi_communicator_t* kept);

    // Forgets all communicators, freed or leaked, and the world. While MPI is up.
    void clear();

    int num_holders() const;

private:
    struct Held : Proposal {
        void* token = nullptr;  // hitopo_glue_keep_token(comm); NULL: not yet watched
    };
    struct Holder : Held {
        std::vector<std::shared_ptr<CommTree>> replaced;  // whose rows a caller may have
    };

    Held find_held(ompi_communicator_t* comm);
    std::shared_ptr<CommTree> derive(ompi_communicator_t* comm, const std::shared_ptr<CommTree>& world);
    void watch(ompi_communicator_t* comm);
    void replace(Holder& held, const std::shared_ptr<CommTree>& tree);

    mutable std::mutex mutex_;
    std::atomic<std::uint64_t> generation_ = 0;  // raised when a communicator loses its tree
    std::shared_ptr<CommTree> world_, first_world_;
    std::unordered_map<ompi_communicator_t*, Holder> holders_;
};

}  // namespace hitopo

#endif
