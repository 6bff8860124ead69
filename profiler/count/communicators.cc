// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/count/communicators.h"

#include <array>
#include <utility>

#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "profiler/job.h"
#include "profiler/profile_glue.h"

namespace hitopo::profile {

std::atomic<bool> is_counting{false};

namespace {

using Shape = Communicator::Shape;

constexpr int kFirstBits = 8;

Shape shape_of(MPI_Comm comm) {
    Shape shape;
    int is_inter = 0;
    PMPI_Comm_rank(comm, &shape.rank);
    PMPI_Comm_size(comm, &shape.size);
    PMPI_Comm_test_inter(comm, &is_inter);
    if (is_inter != 0) {
        PMPI_Comm_remote_size(comm, &shape.remote_size);
    }
    return shape;
}

// The rank in MPI_COMM_WORLD of each peer; MPI_UNDEFINED for processes of other jobs.
std::vector<int> world_ranks_of(MPI_Comm comm, const Shape& shape) {
    const bool is_inter = shape.remote_size > 0;
    MPI_Group group = MPI_GROUP_NULL;
    if (is_inter) {
        PMPI_Comm_remote_group(comm, &group);
    } else {
        PMPI_Comm_group(comm, &group);
    }
    const int size = is_inter ? shape.remote_size : shape.size;
    std::vector<int> ranks(static_cast<std::size_t>(size));
    hitopo_profile_world_ranks(group, size, ranks.data());
    PMPI_Group_free(&group);
    return ranks;
}

// The address of a rank in MPI_COMM_WORLD; null where there is no table, else `address`, which it fills.
const std::int32_t* read_address(int world_rank, std::array<std::int32_t, kNumLevels>& address) {
    constexpr int kThereIsOne = 0;
    return ompi_hitopo_read_addr(MPI_COMM_WORLD, world_rank, address.data()) == kThereIsOne
               ? address.data()
               : nullptr;
}

// The lane to each rank of MPI_COMM_WORLD.
std::vector<Lane> lanes_of_world() {
    int size = 0, self = 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Comm_rank(MPI_COMM_WORLD, &self);
    const Lanes table(ompi_hitopo_get_known_levels(MPI_COMM_WORLD),
                      ompi_hitopo_get_divided_levels(MPI_COMM_WORLD));
    std::array<std::int32_t, kNumLevels> own{}, other{};
    const std::int32_t* const own_address = read_address(self, own);
    std::vector<Lane> lanes;
    lanes.reserve(static_cast<std::size_t>(size));
    for (int rank = 0; rank < size; ++rank) {
        lanes.push_back(table.between(own_address, read_address(rank, other)));
    }
    return lanes;
}

std::vector<int> find_neighbours(MPI_Comm comm) {
    int topology = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &topology);
    std::vector<int> ranks;
    if (topology == MPI_DIST_GRAPH) {
        int num_sources = 0, num_destinations = 0, is_weighted = 0;
        PMPI_Dist_graph_neighbors_count(comm, &num_sources, &num_destinations, &is_weighted);
        std::vector<int> sources(static_cast<std::size_t>(num_sources)), weights(sources);
        ranks.resize(static_cast<std::size_t>(num_destinations));
        std::vector<int> destination_weights(ranks);
        PMPI_Dist_graph_neighbors(comm, num_sources, sources.data(), weights.data(), num_destinations,
                                  ranks.data(), destination_weights.data());
    } else if (topology == MPI_GRAPH) {
        int rank = 0, num_neighbours = 0;
        PMPI_Comm_rank(comm, &rank);
        PMPI_Graph_neighbors_count(comm, rank, &num_neighbours);
        ranks.resize(static_cast<std::size_t>(num_neighbours));
        PMPI_Graph_neighbors(comm, rank, num_neighbours, ranks.data());
    } else if (topology == MPI_CART) {
        int num_dimensions = 0;
        PMPI_Cartdim_get(comm, &num_dimensions);
        for (int dimension = 0; dimension < num_dimensions; ++dimension) {
            int below = MPI_PROC_NULL, above = MPI_PROC_NULL;
            PMPI_Cart_shift(comm, dimension, 1, &below, &above);
            ranks.insert(ranks.end(), {below, above});
        }
    }
    return ranks;
}

}  // namespace

std::int64_t node_of(int world_rank) {
    std::array<std::int32_t, kNumLevels> address{};
    return read_address(world_rank, address) == nullptr ? -1 : address[kNode];
}

std::atomic<Communicators::Table*> Communicators::table_{new Table(kFirstBits)};

Communicators& Communicators::instance() {
    static Communicators& communicators = *new Communicators;
    return communicators;
}

void Communicators::open(std::size_t max_kinds) {
    kinds_ = std::make_unique<Kinds>(max_kinds);
    world_lanes_ = lanes_of_world();
    add(MPI_COMM_WORLD, "WORLD", nullptr);
    add(MPI_COMM_SELF, "SELF", nullptr);
    MPI_Comm parent = MPI_COMM_NULL;
    PMPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        add(parent, "parent", nullptr);
    }
    files_ = &kinds_->made("(files)", nullptr, 0);
    requests_ = &kinds_->made("(requests)", nullptr, 0);
    is_open_ = true;
    is_counting = true;
}

void Communicators::close() {
    is_counting = false;
    is_open_ = false;
}

// MPI sessions have communicators where there is no MPI_COMM_WORLD, by which all are measured.
Communicator* Communicators::of(MPI_Comm comm) {
    if (!is_open_) {
        has_missed_ = true;
        return nullptr;
    }
    Communicator* communicator = known(comm);
    if (communicator == nullptr && hitopo_profile_is_live(comm) != 0) {
        const std::lock_guard<std::mutex> lock(mutex_);
        communicator = known(comm);
        if (communicator == nullptr) {
            const Shape shape = shape_of(comm);
            Kind& kind = kinds_->made("(unknown origin)", nullptr, shape.size, shape.remote_size);
            communicator = &insert(comm, kind, shape);
            communicator->id = hitopo_profile_identity(comm);
        }
    }
    return communicator;
}

Communicator* Communicators::find(const void* handle) {
    Communicator* communicator = known(handle);
    if (communicator == nullptr && has_threads) {
        const std::lock_guard<std::mutex> lock(mutex_);
        communicator = known(handle);
    }
    return communicator;
}

Kind* Communicators::kind_of(MPI_Comm comm) {
    Communicator* const communicator = find(comm);
    return communicator == nullptr ? nullptr : communicator->kind.load(std::memory_order_relaxed);
}

// A duplicate is not asked for its sizes, nor its identity: one of MPI_Comm_idup does not have them yet.
void Communicators::add(MPI_Comm made, std::string_view function, Communicator* parent) {
    const std::string_view way = Kinds::way_of(function);
    const bool is_like = way == Kinds::kDuplicate && parent != nullptr;
    const Shape shape = is_like ? parent->shape : shape_of(made);
    Kind& kind =
        kinds_->made(way, parent == nullptr ? nullptr : parent->origin, shape.size, shape.remote_size);
    const std::lock_guard<std::mutex> lock(mutex_);
    Communicator& communicator = insert(made, kind, shape);
    communicator.id = is_like ? 0 : hitopo_profile_identity(made);
    if (is_like) {
        const std::lock_guard<std::mutex> lazy_lock(lazy_mutex_);
        communicator.peers.set(parent->peers.owner());
    }
}

void Communicators::add(MPI_Win win, Communicator& communicator) {
    (void)peers_of(communicator);
    const std::lock_guard<std::mutex> lock(mutex_);
    Communicator& made = insert(win, *communicator.kind.load(), communicator.shape);
    made.peers.set(communicator.peers.owner());
    made.id = combine(communicator.id, communicator.num_collectives);  // one of a communicator's windows
}

void Communicators::name(Communicator& communicator, std::string_view name) {
    const Shape& shape = communicator.shape;
    Kind& kind =
        name.empty() ? *communicator.origin : kinds_->named(name, shape.size, shape.remote_size);
    kind.num_made += communicator.kind == &kind || name.empty() ? 0 : 1;
    communicator.kind = &kind;
}

void Communicators::remove(const void* handle) {
    const std::lock_guard<std::mutex> lock(mutex_);
    erase(handle);
}

const Peers& Communicators::peers_of(Communicator& communicator) {
    return communicator.peers.get(lazy_mutex_, [&] {
        const bool is_inter = communicator.shape.remote_size > 0;
        return Peers(world_ranks_of(communicator.comm(), communicator.shape), world_lanes_,
                     is_inter ? Peers::kNone : communicator.shape.rank);
    });
}

const std::vector<int>& Communicators::neighbours_of(Communicator& communicator) {
    return communicator.neighbours.get(lazy_mutex_,
                                       [&] { return find_neighbours(communicator.comm()); });
}

void Communicators::note(OrderCount order) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (is_counting) {
        orders_.add(std::move(order));
    }
}

Orders Communicators::orders() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return orders_;
}

// ---- the table ----

// A handle may come back before the end of its first communicator was seen.
Communicator& Communicators::insert(const void* handle, Kind& kind, const Shape& shape) {
    erase(handle);
    if (4 * (num_live_ + 1) > 3 * table_.load()->slots.size()) {
        grow();
    }
    if (free_.empty()) {
        free_.reserve(all_.size() + 1);  // erase must not fail
        free_.push_back(&all_.emplace_back());
    }
    Communicator& communicator = *free_.back();
    free_.pop_back();
    communicator.kind = &kind;
    communicator.origin = &kind;
    communicator.shape = shape;
    communicator.id = 0;
    communicator.num_collectives = 0;
    communicator.handle = handle;
    put(*table_.load(), communicator);
    ++num_live_;
    return communicator;
}

void Communicators::put(Table& table, Communicator& communicator) {
    std::size_t at = table.place_of(communicator.handle);
    while (table.slots[at].load() != nullptr) {
        at = table.next(at);
    }
    table.slots[at].store(&communicator, std::memory_order_release);
}

// Entries behind it in a row move up if they may, so that each is found before the first empty slot.
void Communicators::erase(const void* handle) {
    Table& table = *table_.load();
    std::size_t hole = table.place_of(handle);
    while (table.slots[hole].load() != nullptr && table.slots[hole].load()->handle != handle) {
        hole = table.next(hole);
    }
    Communicator* const gone = table.slots[hole].load();
    if (gone == nullptr) {
        return;
    }
    for (std::size_t at = table.next(hole); table.slots[at].load() != nullptr; at = table.next(at)) {
        Communicator* const one = table.slots[at].load();
        const std::size_t distance = (at - table.place_of(one->handle)) & table.mask;
        if (distance >= ((at - hole) & table.mask)) {
            table.slots[hole].store(one, std::memory_order_release);
            hole = at;
        }
    }
    table.slots[hole].store(nullptr, std::memory_order_release);
    gone->handle = nullptr;
    gone->peers.set(nullptr);
    gone->neighbours.set(nullptr);
    free_.push_back(gone);
    --num_live_;
}

void Communicators::grow() {
    const Table& smaller = *table_.load();
    Table& larger = *tables_.emplace_back(std::make_unique<Table>(smaller.bits + 1));
    for (const auto& slot : smaller.slots) {
        if (Communicator* const communicator = slot.load()) {
            put(larger, *communicator);
        }
    }
    table_.store(&larger, std::memory_order_release);
}

}  // namespace hitopo::profile
