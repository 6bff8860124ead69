// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef TEST_CORE_TREE_ALL_QUESTIONS_H
#define TEST_CORE_TREE_ALL_QUESTIONS_H

#include <string>

#include "ompi/mca/hitopo/core/tree/address_tree.h"

namespace hitopo {

// Asks a tree everything: the first question whose answer is no rank, number or index of it; "" if all
// are right.
std::string first_wrong_answer(const AddressTree& tree);

}  // namespace hitopo

#endif
