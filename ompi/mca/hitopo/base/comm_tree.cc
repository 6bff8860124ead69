// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/comm_tree.h"

#include <utility>

#include "ompi/mca/hitopo/core/tree/partition.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"

namespace hitopo {

CommTree::CommTree(AddressTree&& tree, const CommSides& sides, CpuSet binding)
    : tree_(std::move(tree)), sides_(sides), binding_(std::move(binding)) {
    ++num_live_;
}

CommTree::~CommTree() { --num_live_; }

std::atomic<int> CommTree::num_live_ = 0;

int CommTree::num_live() { return num_live_; }

CommTree::OnDemand& CommTree::on_demand() {
    std::call_once(has_on_demand_, [&] { on_demand_ = std::make_unique<OnDemand>(*this); });
    return *on_demand_;
}

const std::vector<ResourceType>& CommTree::types() {
    OnDemand& own = on_demand();
    std::call_once(own.has_types, [&] { own.types = resource_types(tree_); });
    return own.types;
}

const OwnGroup& CommTree::unguided_group(std::uint32_t own_rank) {
    OnDemand& own = on_demand();
    std::call_once(own.has_unguided_group,
                   [&] { own.unguided_group = Partition::unguided(tree_).own(own_rank); });
    return own.unguided_group;
}

const OwnGroup& CommTree::shared_memory_group(std::uint32_t own_rank) {
    OnDemand& own = on_demand();
    std::call_once(own.has_shared_group,
                   [&] { own.shared_group = Partition::by_shared_memory(tree_).own(own_rank); });
    return own.shared_group;
}

const Hierarchy& CommTree::hierarchy(std::uint32_t own_rank) {
    OnDemand& own = on_demand();
    std::call_once(own.has_hierarchy, [&] { own.hierarchy = make_hierarchy(tree_, own_rank); });
    return own.hierarchy;
}

}  // namespace hitopo
