// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/count/communicator.h"

#include "profiler/count/communicators.h"
#include "profiler/count/world.h"

namespace hitopo::profile {
namespace {

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

Communicator::Communicator(MPI_Comm comm, ompi_hitopo_registration_t* registration, std::uint64_t key)
    : comm_(comm), registration_(registration), key_(key) {
    int flag = 0;
    PMPI_Comm_test_inter(comm, &flag);
    is_inter_ = flag != 0;
    PMPI_Comm_rank(comm, &rank_);
    PMPI_Comm_size(comm, &size_);
    PMPI_Comm_group(comm, &group_);
    if (is_inter_) {
        PMPI_Comm_remote_group(comm, &remote_group_);
    }
    PMPI_Group_size(peers(), &num_peers_);
    if (key_ == 0) {
        key_ = Communicators::instance().key_of_members(hash_of_members(group_));
    }
}

Communicator::~Communicator() {
    PMPI_Group_free(&group_);
    if (is_inter_) {
        PMPI_Group_free(&remote_group_);
    }
}

std::uint64_t Communicator::count_creation(std::uint64_t members) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return num_created_[members]++;
}

const FlatGroup& Communicator::flat_group() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!flat_group_) {
        const WorldTable table;
        std::vector<Lane> lanes;
        for (const int rank : world_ranks(peers())) {
            lanes.push_back(table.lane_to(rank));
        }
        flat_group_.emplace(std::move(lanes), is_inter_ ? FlatGroup::kNobody : rank_);
    }
    return *flat_group_;
}

const std::vector<int>& Communicator::neighbours() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!neighbours_) {
        neighbours_ = find_neighbours(comm_);
    }
    return *neighbours_;
}

void Communicator::add_pairs(const Event& event) {
    if (is_peer(event.sent_to)) {
        pairs_->by_rank.add({static_cast<std::uint32_t>(event.sent_to), 1, event.sent_bytes});
    }
    if (is_peer(event.fetched_from)) {
        pairs_->by_rank.add({static_cast<std::uint32_t>(event.fetched_from), 1, event.fetched_bytes});
    }
    if (event.collective_bytes != nullptr && !event.is_of_neighbours) {
        pairs_->collective_bytes += event.sent_bytes;
    }
}

void Communicator::add_pairs_to(WorldPairs& sums) const {
    if (pairs_ == nullptr) {
        return;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<int> ranks;
    ranks.reserve(pairs_->by_rank.counts().size());
    for (const PairCount& count : pairs_->by_rank.counts()) {
        ranks.push_back(static_cast<int>(count.rank));
    }
    ranks = world_ranks(peers(), ranks);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        PairCount count = pairs_->by_rank.counts()[i];
        if (ranks[i] == MPI_UNDEFINED) {
            sums.unknown.messages += count.messages;
            sums.unknown.bytes += count.bytes;
        } else {
            count.rank = static_cast<std::uint32_t>(ranks[i]);
            sums.pairs.add(count);
        }
    }
    sums.collective_bytes += pairs_->collective_bytes;
}

void Communicator::mark_freed() {
    last_name_ = name();
    was_registered_ = is_registered();
    is_freed_ = true;
}

bool Communicator::is_registered() const {
    return is_freed_ ? was_registered_ : registration_->is_registered != 0;
}

std::string Communicator::name() const {
    if (is_freed_) {
        return last_name_;
    }
    char name[1024];
    ompi_hitopo_registration_name(registration_, name, sizeof name);
    return name;
}

Traffic Communicator::traffic() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return traffic_ != nullptr ? *traffic_ : Traffic(kNumFunctions);
}

CommunicatorPart Communicator::part() const {
    CommunicatorPart part = {this, name(), is_registered() && !is_freed(), is_freed(), {}, {}, {}, {}};
    const std::lock_guard<std::mutex> lock(mutex_);
    for (unsigned function = 0; function < kNumFunctions; ++function) {
        if (traffic_->calls()[function].count > 0) {
            part.calls.push_back({static_cast<Function>(function), traffic_->calls()[function]});
        }
    }
    part.peers = traffic_->peers();
    part.collective_bytes = traffic_->collective_bytes();
    part.served = traffic_->served();
    return part;
}

}  // namespace hitopo::profile
