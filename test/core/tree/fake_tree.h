// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Address trees of jobs without MPI.
#ifndef TEST_CORE_TREE_FAKE_TREE_H
#define TEST_CORE_TREE_FAKE_TREE_H

#include <cstdint>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/record/node_record.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"
#include "test/core/record/fake_job.h"

namespace hitopo {

// What every process has after the exchange: of the groups' members joined, and groups one after the
// other by their numbers. group_of: by rank.
RecordMessage message_of(const FakeJob& job, const std::vector<int>& group_of);

AddressTree tree_of(const FakeJob& job, const std::vector<int>& group_of);
AddressTree tree_of(const FakeJob& job);  // by groups of one host

// "0.0.1.4.0.3.2.0"
std::string address_of(const AddressTree& tree, std::uint32_t rank);
// One level's values, by rank.
std::vector<int> values_of(const AddressTree& tree, Level level);
std::vector<std::string> uris_of(const AddressTree& tree);
// The domains of a type by its URI, by rank, or -1; empty if the tree has no such type.
std::vector<int> domains_at(const AddressTree& tree, const std::string& uri);

}  // namespace hitopo

#endif
