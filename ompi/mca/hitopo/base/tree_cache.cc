// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/tree_cache.h"

#include <algorithm>
#include <new>
#include <set>
#include <string_view>
#include <utility>

#include "ompi/mca/hitopo/base/binding.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_attribute.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

// Distinguishes a part of `world` from others. An intercommunicator of the same processes has another
// tree on each side.
std::uint64_t hash_of_group(const CommTree& world, const std::vector<std::uint32_t>& world_ranks,
                            const CommSides& sides) {
    const std::string_view bytes(reinterpret_cast<const char*>(world_ranks.data()),
                                 world_ranks.size() * sizeof world_ranks[0]);
    return combine(combine(hash_bytes(bytes), static_cast<std::uint64_t>(world.identity())),
                   2 * sides.num_remote + (sides.first_local == 0 ? 1 : 0));
}

// A duplicate of MPI_COMM_WORLD shares its tree.
bool is_all_of(const CommTree& world, const std::vector<std::uint32_t>& world_ranks,
               const CommSides& sides) {
    return sides.num_remote == 0 && world_ranks.size() == world.tree().size() &&
           std::is_sorted(world_ranks.begin(), world_ranks.end());
}

int read_in(const CommTree& tree, int rank, std::int32_t* address) {
    if (address == nullptr || rank < 0 || static_cast<std::size_t>(rank) >= tree.sides().num_local) {
        return kErrorBadParam;
    }
    tree.tree().read(tree.number_of(rank), address);
    return kSuccess;
}

// A thread's last read. It keeps the tree, so that no thread that drops one waits for readers, until the
// communicator is forgotten: no thread reads of one that is being freed.
struct LatestRead {
    ~LatestRead();
    void take(const ompi_communicator_t* of, const void* its_token, std::uint64_t at,
              std::shared_ptr<CommTree> its_tree);

    std::atomic<const ompi_communicator_t*> comm = nullptr;
    const void* token = nullptr;
    std::uint64_t generation = UINT64_MAX;
    std::shared_ptr<const CommTree> tree;
};
thread_local LatestRead latest;
thread_local bool is_thread_ending = false;  // other destructors of the thread may still read

// All threads that have read. Never destroyed: threads may outlive static destructors.
struct Readers {
    std::mutex mutex;
    std::set<LatestRead*> all;
};
Readers& readers() {
    static Readers& readers = *new Readers;
    return readers;
}

LatestRead::~LatestRead() {
    is_thread_ending = true;
    const std::lock_guard<std::mutex> lock(readers().mutex);
    readers().all.erase(this);
}

void LatestRead::take(const ompi_communicator_t* of, const void* its_token, std::uint64_t at,
                      std::shared_ptr<CommTree> its_tree) {
    const std::lock_guard<std::mutex> lock(readers().mutex);
    readers().all.insert(this);
    comm = of;
    token = its_token;
    generation = at;
    tree = std::move(its_tree);
}

// Each communicator that has a tree has this attribute; but one that was first asked for its tree while
// it was being freed, in an attribute's delete function, has lost it. A duplicate finds its tree by its
// own group, at its first use.
hitopo_base_attribute_t watched = {
    HITOPO_BASE_NO_KEYVAL,
    [](ompi_communicator_t* comm, void*) { (void)guarded([=] { TreeCache::instance().forget(comm); }); },
    nullptr};

bool is_watched(ompi_communicator_t* comm) {
    return ompi_hitopo_base_attribute_get(&watched, comm) == comm;
}

void forget_reads(const ompi_communicator_t* comm) {
    const std::lock_guard<std::mutex> lock(readers().mutex);
    for (LatestRead* reader : readers().all) {
        if (reader->comm == comm) {
            reader->comm = nullptr;
            reader->tree.reset();
        }
    }
}

}  // namespace

// An identity stands beside its opposite: a maximum and a minimum.
void propose_tree(const CommTree* tree, std::int64_t* slots) {
    slots[0] = tree == nullptr ? 0 : tree->identity();
    slots[1] = -slots[0];
    slots[2] = tree != nullptr && read_binding() != tree->binding() ? 1 : 0;
}

TreeAgreement adopt_tree(ompi_communicator_t* comm, const std::shared_ptr<CommTree>& tree,
                         const std::int64_t* slots) {
    const bool is_one = slots[0] > 0 && slots[0] == -slots[1];
    if (is_one) {
        TreeCache::instance().accept(comm, tree);
    }
    return {is_one, slots[2] != 0};
}

// Never destroyed: Open MPI may call the finalize hook after static destructors ran. Takes no memory,
// since its first use can be a collective.
TreeCache& TreeCache::instance() {
    alignas(TreeCache) static char storage[sizeof(TreeCache)];
    static TreeCache& cache = *new (storage) TreeCache;
    return cache;
}

int TreeCache::read(ompi_communicator_t* comm, int rank, std::int32_t* address) {
    const std::uint64_t generation = generation_;
    if (!is_thread_ending && latest.comm.load(std::memory_order_relaxed) == comm &&
        latest.generation == generation && latest.token == hitopo_glue_token(comm)) {
        return read_in(*latest.tree, rank, address);
    }
    const Held held = find_held(comm);
    if (held.tree == nullptr) {
        return kErrorNotAvailable;
    }
    if (!is_thread_ending && held.token != nullptr) {
        latest.take(comm, held.token, generation, held.tree);
    }
    return read_in(*held.tree, rank, address);
}

TreeCache::Held TreeCache::find_held(ompi_communicator_t* comm) {
    Held held;
    std::shared_ptr<CommTree> first;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        first = first_world_;
        if (const auto known = holders_.find(comm); known != holders_.end()) {
            held = known->second;
        }
    }
    if (held.tree != nullptr) {
        if (held.token == nullptr || held.token == hitopo_glue_token(comm)) {
            return held;  // or another thread is about to watch it
        }
        // Its tree was first made while it was being freed, in an attribute's delete function. The
        // attribute did not report that it went, and this is another one at its address.
        forget(comm);
    }
    const std::shared_ptr<CommTree> tree = derive(comm, first);
    if (tree == nullptr) {
        return {};
    }
    watch(comm);
    const std::lock_guard<std::mutex> lock(mutex_);
    Holder& own = holders_[comm];
    if (own.tree == nullptr) {  // else another thread was first: its tree is the one that stays
        own.tree = tree;
    }
    return own;
}

std::shared_ptr<CommTree> TreeCache::world() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return world_;
}

TreeCache::Proposal TreeCache::propose(ompi_communicator_t* comm) {
    Held held = find_held(comm);
    const std::shared_ptr<CommTree> world = this->world();
    if (held.tree == nullptr || held.is_agreed || held.tree->identity() == world->identity()) {
        return held;
    }
    return {derive(comm, world), false};
}

void TreeCache::accept(ompi_communicator_t* comm, const std::shared_ptr<CommTree>& tree) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto held = holders_.find(comm);
    if (held != holders_.end() && !held->second.is_agreed) {
        replace(held->second, tree);
    }
}

void TreeCache::replace(Holder& held, const std::shared_ptr<CommTree>& tree) {
    if (held.tree != tree) {
        if (held.tree != nullptr && held.tree->has_rows()) {
            held.replaced.push_back(held.tree);
        }
        held.tree = tree;
        ++generation_;
    }
    held.is_agreed = true;
}

std::shared_ptr<CommTree> TreeCache::derive(ompi_communicator_t* comm,
                                            const std::shared_ptr<CommTree>& world) {
    if (world == nullptr) {
        return nullptr;
    }
    const CommSides sides(comm);
    const std::vector<std::uint32_t> ranks = sides.world_ranks(comm);
    if (ranks.empty()) {
        return nullptr;
    }
    if (is_all_of(*world, ranks, sides)) {
        return world;
    }
    const std::uint64_t group = hash_of_group(*world, ranks, sides);
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        for (const auto& [other, holder] : holders_) {
            if (holder.tree != nullptr && holder.tree->group() == group) {
                return holder.tree;
            }
        }
    }
    return std::make_shared<CommTree>(world->tree().restrict_to(ranks), sides, world->binding(), group);
}

// Makes comm a holder until it is freed.
void TreeCache::watch(ompi_communicator_t* comm) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!holders_.try_emplace(comm).second) {
            return;
        }
    }
    // A second watch would forget it.
    if (!is_watched(comm) && ompi_hitopo_base_attribute_set(&watched, comm, comm) != kSuccess) {
        forget(comm);
        throw std::bad_alloc();
    }
    void* token = hitopo_glue_keep_token(comm);
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto held = holders_.find(comm);
        if (held != holders_.end()) {
            std::swap(held->second.token, token);
        }
    }
    hitopo_glue_drop_token(token);
}

void TreeCache::put(ompi_communicator_t* comm, const std::shared_ptr<CommTree>& tree,
                    bool is_whole_job) {
    watch(comm);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (is_whole_job) {
        world_ = tree;
        first_world_ = first_world_ == nullptr ? tree : first_world_;
    }
    const auto held = holders_.find(comm);
    if (held != holders_.end()) {
        replace(held->second, tree);
    }
}

void TreeCache::release_replaced(ompi_communicator_t* comm) {
    std::vector<std::shared_ptr<CommTree>> last;  // freed outside the lock
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto held = holders_.find(comm);
    if (held != holders_.end()) {
        std::swap(last, held->second.replaced);
    }
}

void TreeCache::forget(ompi_communicator_t* comm) {
    Holder last;  // freed outside the lock
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto held = holders_.find(comm);
        if (held == holders_.end()) {
            return;
        }
        last = std::move(held->second);
        holders_.erase(held);
        ++generation_;
    }
    forget_reads(comm);
    hitopo_glue_drop_token(last.token);
}

void TreeCache::forget_all_but(ompi_communicator_t* kept) {
    std::vector<ompi_communicator_t*> comms;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        first_world_ = world_;
        for (const auto& [comm, holder] : holders_) {
            if (comm != kept) {
                comms.push_back(comm);
            }
        }
    }
    for (ompi_communicator_t* comm : comms) {
        if (hitopo_glue_is_live(comm) && is_watched(comm)) {
            ompi_hitopo_base_attribute_delete(&watched, comm);  // calls forget
        }
        forget(comm);  // where its attribute, or itself, was gone already
    }
}

void TreeCache::clear() {
    forget_all_but(nullptr);
    ompi_hitopo_base_attribute_end(&watched);
    const std::lock_guard<std::mutex> lock(mutex_);
    world_.reset();
    first_world_.reset();
}

int TreeCache::num_holders() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return static_cast<int>(std::count_if(holders_.begin(), holders_.end(), [](const auto& holder) {
        return holder.second.tree != nullptr;
    }));
}

}  // namespace hitopo
