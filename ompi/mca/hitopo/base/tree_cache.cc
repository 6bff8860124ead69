// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/tree_cache.h"

#include <iterator>
#include <new>
#include <numeric>
#include <string_view>
#include <utility>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

// Tells a part of `world` from others. An intercommunicator of the same processes has another tree on
// each side.
std::uint64_t hash_of_group(const CommTree& world, const std::vector<std::uint32_t>& world_ranks,
                            const CommSides& sides) {
    const std::string_view bytes(reinterpret_cast<const char*>(world_ranks.data()),
                                 world_ranks.size() * sizeof world_ranks[0]);
    return combine(combine(hash_bytes(bytes), static_cast<std::uint64_t>(world.identity())),
                   2 * sides.num_remote + (sides.first_local == 0 ? 1 : 0));
}

int read_in(const CommTree& tree, int rank, std::int32_t* address) {
    if (address == nullptr || rank < 0 || static_cast<std::size_t>(rank) >= tree.num_local()) {
        return kErrorBadParam;
    }
    tree.tree().read(tree.number_of(rank), address);
    return kSuccess;
}

}  // namespace

// What a thread read last. It keeps the tree, so that nobody who drops one waits for readers.
class TreeCache::Latest {
public:
    // This thread's; NULL where it never remembered anything, or ends.
    static const Latest* get() { return own_; }

    bool is_of(const ompi_communicator_t* comm, const void* token, std::uint64_t generation) const {
        return comm_ == comm && token_ == token && generation_ == generation;
    }
    const CommTree& tree() const { return *tree_; }

    // Where there is no memory it is not remembered.
    static void remember(const ompi_communicator_t* comm, const Holder& held, std::uint64_t generation) {
        if (own_ == nullptr && !is_over_) {
            static thread_local const End end;
            own_ = new (std::nothrow) Latest;
        }
        if (own_ != nullptr) {
            own_->comm_ = comm;
            own_->token_ = held.token;
            own_->generation_ = generation;
            own_->tree_ = held.tree;
        }
    }

    // This thread's, if it is of comm.
    static void forget(const ompi_communicator_t* comm) {
        if (own_ != nullptr && own_->comm_ == comm) {
            *own_ = {};
        }
    }

private:
    struct End {
        ~End() {
            delete std::exchange(own_, nullptr);
            is_over_ = true;  // other destructors of this thread may still read
        }
    };

    static thread_local Latest* own_;
    static thread_local bool is_over_;

    const ompi_communicator_t* comm_ = nullptr;
    const void* token_ = nullptr;
    std::uint64_t generation_ = 0;
    std::shared_ptr<const CommTree> tree_;
};

thread_local TreeCache::Latest* TreeCache::Latest::own_ = nullptr;
thread_local bool TreeCache::Latest::is_over_ = false;

void TreeCache::set_world(std::shared_ptr<CommTree> tree) {
    std::vector<std::uint32_t> ranks(tree->num_local());
    std::iota(ranks.begin(), ranks.end(), 0u);
    const std::uint64_t group = hash_of_group(*tree, ranks, tree->sides());
    const std::lock_guard<std::mutex> lock(mutex_);
    by_group_[group] = tree;
    world_ = std::move(tree);
    if (first_world_ == nullptr) {
        first_world_ = world_;
    }
}

TreeCache::Holder TreeCache::look_up(ompi_communicator_t* comm) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto held = holders_.find(comm);
    return held == holders_.end() ? Holder() : held->second;
}

std::shared_ptr<CommTree> TreeCache::find(ompi_communicator_t* comm) { return find_holder(comm).tree; }

int TreeCache::read(ompi_communicator_t* comm, int rank, std::int32_t* address) {
    const std::uint64_t generation = generation_;
    const Latest* latest = Latest::get();
    if (latest != nullptr && latest->is_of(comm, hitopo_glue_token(comm), generation)) {
        return read_in(latest->tree(), rank, address);
    }
    const Holder held = find_holder(comm);
    if (held.tree == nullptr) {
        return kErrorNotAvailable;
    }
    if (held.token != nullptr) {
        Latest::remember(comm, held, generation);
    }
    return read_in(*held.tree, rank, address);
}

TreeCache::Holder TreeCache::find_holder(ompi_communicator_t* comm) {
    Holder held = look_up(comm);
    if (held.tree != nullptr) {
        if (held.token == nullptr || held.token == hitopo_glue_token(comm)) {
            return held;  // or another thread is about to watch it
        }
        // Its tree was first made while it was being freed, in an attribute's delete function. Nobody
        // told us that it went, and this is another one at its address.
        forget(comm);
    }
    std::shared_ptr<CommTree> first;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        first = first_world_;
    }
    std::shared_ptr<CommTree> tree = derive(comm, first);
    if (tree == nullptr || !hold(comm, tree)) {
        return {};
    }
    return look_up(comm);  // another thread may have been first: its tree is the one that stays
}

TreeCache::Proposal TreeCache::propose(ompi_communicator_t* comm) {
    const Holder held = find_holder(comm);
    const std::shared_ptr<CommTree> world = this->world();
    if (held.tree == nullptr || held.is_agreed || held.tree->identity() == world->identity()) {
        return {held.tree, held.is_agreed};
    }
    std::shared_ptr<CommTree> tree = derive(comm, world);
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::shared_ptr<CommTree>>& replaced = holders_[comm].replaced;
    replaced.reserve(replaced.size() + 1);  // accept() takes no memory
    return {std::move(tree), false};
}

void TreeCache::accept(ompi_communicator_t* comm, const std::shared_ptr<CommTree>& tree) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto held = holders_.find(comm);
    if (held != holders_.end() && !held->second.is_agreed) {
        replace(held->second, tree);
    }
}

// Where the tree has no rows, it takes no memory.
void TreeCache::replace(Holder& held, std::shared_ptr<CommTree> tree) {
    if (held.tree != tree) {
        if (held.tree != nullptr && held.tree->has_rows()) {
            held.replaced.push_back(held.tree);
        }
        std::swap(held.tree, tree);
        ++generation_;
    }
    held.is_agreed = true;
}

std::shared_ptr<CommTree> TreeCache::world() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return world_;
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
    const std::uint64_t group = hash_of_group(*world, ranks, sides);
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (std::shared_ptr<CommTree> tree = by_group_[group].lock()) {
            return tree;
        }
    }
    auto tree = std::make_shared<CommTree>(world->tree().restrict_to(ranks), sides, world->binding());
    const std::lock_guard<std::mutex> lock(mutex_);
    by_group_[group] = tree;
    return tree;
}

bool TreeCache::hold(ompi_communicator_t* comm, std::shared_ptr<CommTree> tree) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto [held, is_new] = holders_.try_emplace(comm);
        if (!is_new) {
            return true;
        }
        held->second.tree = std::move(tree);
    }
    // Not twice: that would forget it.
    if (!hitopo_glue_is_watched(comm) && hitopo_glue_watch(comm) != kSuccess) {
        forget(comm);
        return false;
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
    return true;
}

void TreeCache::put(ompi_communicator_t* comm, std::shared_ptr<CommTree> tree) {
    if (!hold(comm, tree)) {
        throw std::bad_alloc();
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    replace(holders_[comm], std::move(tree));
}

void TreeCache::release_replaced(ompi_communicator_t* comm) {
    std::vector<std::shared_ptr<CommTree>> last;  // freed outside the lock
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto held = holders_.find(comm);
    if (held != holders_.end()) {
        std::swap(last, held->second.replaced);
    }
}

TreeCache::State TreeCache::state(ompi_communicator_t* comm) const {
    const Holder held = look_up(comm);
    return {{held.tree, held.is_agreed}, world()};
}

void TreeCache::restore(ompi_communicator_t* comm, const State& state,
                        const std::shared_ptr<CommTree>& fresh) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (world_ == fresh) {
            world_ = state.world;
        }
        if (first_world_ == fresh) {
            first_world_ = state.world;
        }
        const auto held = holders_.find(comm);
        if (held == holders_.end() || held->second.tree != fresh) {
            return;
        }
        if (state.own.tree != nullptr) {
            held->second.tree = state.own.tree;
            held->second.is_agreed = state.own.is_agreed;
            ++generation_;
            return;
        }
    }
    forget(comm);
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
        // Groups whose last communicator went would gather here for ever.
        if (by_group_.size() > 2 * holders_.size() + 16) {
            for (auto group = by_group_.begin(); group != by_group_.end();) {
                group = group->second.expired() ? by_group_.erase(group) : std::next(group);
            }
        }
    }
    Latest::forget(comm);
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
        if (hitopo_glue_is_live(comm) && hitopo_glue_is_watched(comm)) {
            hitopo_glue_unwatch(comm);  // calls forget
        }
        forget(comm);  // where its attribute, or itself, was gone already
    }
}

void TreeCache::clear() {
    forget_all_but(nullptr);
    const std::lock_guard<std::mutex> lock(mutex_);
    world_.reset();
    first_world_.reset();
    by_group_.clear();
}

int TreeCache::num_holders() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return static_cast<int>(holders_.size());
}

}  // namespace hitopo
