// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/attach/table_cache.h"

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

// Tells a part of `world` from others. num_remote and is_first: an intercommunicator of the same
// processes has another table on each side.
std::uint64_t hash_of_group(const CommTable& world, const std::vector<std::uint32_t>& world_ranks,
                            std::size_t num_remote, bool is_first) {
    const std::string_view bytes(reinterpret_cast<const char*>(world_ranks.data()),
                                 world_ranks.size() * sizeof world_ranks[0]);
    return combine(combine(hash_bytes(bytes), static_cast<std::uint64_t>(world.identity())),
                   2 * num_remote + (is_first ? 1 : 0));
}

int read_in(const CommTable& table, int rank, std::int32_t* address) {
    if (address == nullptr || rank < 0 || static_cast<std::size_t>(rank) >= table.num_local()) {
        return kErrorBadParam;
    }
    table.table().read(table.first_local() + static_cast<std::size_t>(rank), address);
    return kSuccess;
}

}  // namespace

// What a thread read last. It keeps the table, so that nobody who drops one waits for readers.
class TableCache::Latest {
public:
    // This thread's; NULL where it never remembered anything, or ends.
    static const Latest* get() { return own_; }

    bool is_of(const ompi_communicator_t* comm, const void* token, std::uint64_t generation) const {
        return comm_ == comm && token_ == token && generation_ == generation;
    }
    const CommTable& table() const { return *table_; }

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
            own_->table_ = held.table;
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
    std::shared_ptr<const CommTable> table_;
};

thread_local TableCache::Latest* TableCache::Latest::own_ = nullptr;
thread_local bool TableCache::Latest::is_over_ = false;

void TableCache::set_world(std::shared_ptr<CommTable> table) {
    std::vector<std::uint32_t> ranks(table->num_local());
    std::iota(ranks.begin(), ranks.end(), 0u);
    const std::uint64_t group = hash_of_group(*table, ranks, 0, true);
    const std::lock_guard<std::mutex> lock(mutex_);
    by_group_[group] = table;
    world_ = std::move(table);
    if (first_world_ == nullptr) {
        first_world_ = world_;
    }
}

TableCache::Holder TableCache::look_up(ompi_communicator_t* comm) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto held = holders_.find(comm);
    return held == holders_.end() ? Holder() : held->second;
}

std::shared_ptr<CommTable> TableCache::find(ompi_communicator_t* comm) {
    return find_holder(comm).table;
}

int TableCache::read(ompi_communicator_t* comm, int rank, std::int32_t* address) {
    const std::uint64_t generation = generation_;
    const Latest* latest = Latest::get();
    if (latest != nullptr && latest->is_of(comm, hitopo_glue_token(comm), generation)) {
        return read_in(latest->table(), rank, address);
    }
    const Holder held = find_holder(comm);
    if (held.table == nullptr) {
        return kErrorNotAvailable;
    }
    if (held.token != nullptr) {
        Latest::remember(comm, held, generation);
    }
    return read_in(*held.table, rank, address);
}

TableCache::Holder TableCache::find_holder(ompi_communicator_t* comm) {
    Holder held = look_up(comm);
    if (held.table != nullptr) {
        if (held.token == nullptr || held.token == hitopo_glue_token(comm)) {
            return held;  // or another thread is about to watch it
        }
        // Its table was first made while it was being freed, in an attribute's delete function. Nobody
        // told us that it went, and this is another one at its address.
        forget(comm);
    }
    std::shared_ptr<CommTable> first;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        first = first_world_;
    }
    std::shared_ptr<CommTable> table = derive(comm, first);
    if (table == nullptr || !hold(comm, table)) {
        return {};
    }
    return look_up(comm);  // another thread may have been first: its table is the one that stays
}

TableCache::Proposal TableCache::propose(ompi_communicator_t* comm) {
    const Holder held = find_holder(comm);
    const std::shared_ptr<CommTable> world = this->world();
    if (held.table == nullptr || held.is_agreed || held.table->identity() == world->identity()) {
        return {held.table, held.is_agreed};
    }
    std::shared_ptr<CommTable> table = derive(comm, world);
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::shared_ptr<CommTable>>& replaced = holders_[comm].replaced;
    replaced.reserve(replaced.size() + 1);  // accept() takes no memory
    return {std::move(table), false};
}

void TableCache::accept(ompi_communicator_t* comm, const std::shared_ptr<CommTable>& table) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto held = holders_.find(comm);
    if (held != holders_.end() && !held->second.is_agreed) {
        replace(held->second, table);
    }
}

// Where the table has no rows, it takes no memory.
void TableCache::replace(Holder& held, std::shared_ptr<CommTable> table) {
    if (held.table != table) {
        if (held.table != nullptr && held.table->has_rows()) {
            held.replaced.push_back(held.table);
        }
        std::swap(held.table, table);
        ++generation_;
    }
    held.is_agreed = true;
}

std::shared_ptr<CommTable> TableCache::world() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return world_;
}

std::shared_ptr<CommTable> TableCache::derive(ompi_communicator_t* comm,
                                              const std::shared_ptr<CommTable>& world) {
    if (world == nullptr) {
        return nullptr;
    }
    const auto num_local = static_cast<std::size_t>(hitopo_glue_size(comm));
    const auto num_remote = static_cast<std::size_t>(hitopo_glue_remote_size(comm));
    const bool is_first = num_remote == 0 || hitopo_glue_is_first_group(comm);
    std::vector<std::uint32_t> ranks(num_local + num_remote);
    std::uint32_t* local = ranks.data() + (is_first ? 0 : num_remote);
    std::uint32_t* remote = ranks.data() + (is_first ? num_local : 0);
    if (hitopo_glue_world_ranks(comm, false, local) != kSuccess ||
        (num_remote > 0 && hitopo_glue_world_ranks(comm, true, remote) != kSuccess)) {
        return nullptr;
    }
    return share(hash_of_group(*world, ranks, num_remote, is_first), world, ranks, num_local, num_remote,
                 is_first);
}

std::shared_ptr<CommTable> TableCache::share(std::uint64_t group,
                                             const std::shared_ptr<CommTable>& world,
                                             const std::vector<std::uint32_t>& ranks,
                                             std::size_t num_local, std::size_t num_remote,
                                             bool is_first) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (std::shared_ptr<CommTable> table = by_group_[group].lock()) {
            return table;
        }
    }
    auto table = std::make_shared<CommTable>(
        world->table().restrict_to(ranks), is_first ? 0 : num_remote, num_local,
        is_first ? num_local : 0, num_remote, world->binding(), world->identity());
    const std::lock_guard<std::mutex> lock(mutex_);
    by_group_[group] = table;
    return table;
}

bool TableCache::hold(ompi_communicator_t* comm, std::shared_ptr<CommTable> table) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto [held, is_new] = holders_.try_emplace(comm);
        if (!is_new) {
            return true;
        }
        held->second.table = std::move(table);
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

void TableCache::put(ompi_communicator_t* comm, std::shared_ptr<CommTable> table) {
    if (!hold(comm, table)) {
        throw std::bad_alloc();
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    replace(holders_[comm], std::move(table));
}

void TableCache::release_replaced(ompi_communicator_t* comm) {
    std::vector<std::shared_ptr<CommTable>> last;  // freed outside the lock
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto held = holders_.find(comm);
    if (held != holders_.end()) {
        std::swap(last, held->second.replaced);
    }
}

TableCache::State TableCache::state(ompi_communicator_t* comm) const {
    const Holder held = look_up(comm);
    return {{held.table, held.is_agreed}, world()};
}

void TableCache::restore(ompi_communicator_t* comm, const State& state,
                         const std::shared_ptr<CommTable>& fresh) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (world_ == fresh) {
            world_ = state.world;
        }
        if (first_world_ == fresh) {
            first_world_ = state.world;
        }
        const auto held = holders_.find(comm);
        if (held == holders_.end() || held->second.table != fresh) {
            return;
        }
        if (state.own.table != nullptr) {
            held->second.table = state.own.table;
            held->second.is_agreed = state.own.is_agreed;
            ++generation_;
            return;
        }
    }
    forget(comm);
}

void TableCache::forget(ompi_communicator_t* comm) {
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

void TableCache::forget_all_but(ompi_communicator_t* kept) {
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

void TableCache::clear() {
    forget_all_but(nullptr);
    const std::lock_guard<std::mutex> lock(mutex_);
    world_.reset();
    first_world_.reset();
    by_group_.clear();
}

int TableCache::num_holders() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return static_cast<int>(holders_.size());
}

}  // namespace hitopo
