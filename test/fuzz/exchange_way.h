// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Fuzzers of the exchange go its whole way from a message of all to a tree, of which everything is
// asked.
#ifndef TEST_FUZZ_EXCHANGE_WAY_H
#define TEST_FUZZ_EXCHANGE_WAY_H

#include <cstdint>
#include <string_view>

#include "ompi/mca/hitopo/core/record/selection.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"
#include "test/core/tree/all_questions.h"
#include "test/fuzz/require.h"

namespace hitopo {

inline void go_the_way(const RecordMessage& all, std::size_t num_processes) {
    for (const std::uint32_t rank : hosts_to_ask(all.records)) {
        require(rank < num_processes);
    }
    for (const SwitchToAsk& asked : switches_to_ask(all)) {
        require(asked.rank < num_processes && asked.component < all.names.size());
    }
    const Result<AddressTree> tree = make_tree(all, num_processes, 1);
    if (!tree) {
        require(tree.error().code == Errc::kDisagree && !tree.error().value.empty());
        return;
    }
    require(first_wrong_answer(*tree).empty());
    std::vector<std::uint32_t> outer = {static_cast<std::uint32_t>(num_processes - 1)};
    if (num_processes > 1) {
        outer.push_back(0);
    }
    require(first_wrong_answer(tree->restrict_to(outer)).empty());
}

// Any bytes: refused, or a tree in which every index is in range.
inline void go_the_way(std::string_view bytes, std::size_t num_processes) {
    const Result<RecordMessage> all = decode(bytes, num_processes);
    if (!all) {
        require(all.error().code == Errc::kDisagree);
        return;
    }
    require(decode(encode(*all), num_processes).is_ok());
    go_the_way(*all, num_processes);
}

}  // namespace hitopo

#endif
