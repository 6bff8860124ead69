// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/core/tree/fake_tree.h"

#include <map>
#include <stdexcept>
#include <utility>

#include "ompi/mca/hitopo/core/record/make_record.h"
#include "ompi/mca/hitopo/core/record/selection.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"
#include "ompi/mca/hitopo/core/tree/partition.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"

namespace hitopo {
namespace {

template <class T>
T checked(Result<T> result) {
    if (!result) {
        throw std::runtime_error(result.error().value + ": " + result.error().message);
    }
    return std::move(*result);
}

}  // namespace

RecordMessage message_of(const FakeJob& job, const std::vector<int>& group_of) {
    std::map<int, MessageMaker> groups;
    for (std::uint32_t rank = 0; rank < job.size(); ++rank) {
        groups[group_of[rank]].append(make_record(rank, job[rank].facts, job[rank].answers));
    }
    MessageMaker all;
    for (auto& [number, members] : groups) {
        all.append(checked(decode(encode(join_group(members.take())), job.size())));
    }
    for (const SwitchToAsk& asked : switches_to_ask(all.message())) {
        all.add_uplinks(uplinks_of(job[asked.rank], all.message().names[asked.component]));
    }
    return checked(decode(encode(all.message()), job.size()));
}

AddressTree tree_of(const FakeJob& job, const std::vector<int>& group_of) {
    return checked(make_tree(message_of(job, group_of), job.size(), 1));
}

AddressTree tree_of(const FakeJob& job) { return tree_of(job, groups_by_host(job)); }

std::string address_of(const AddressTree& tree, std::uint32_t rank) {
    return to_string(tree.address(rank));
}

std::vector<int> values_of(const AddressTree& tree, Level level) {
    std::vector<int> values;
    for (std::uint32_t rank = 0; rank < tree.size(); ++rank) {
        values.push_back(tree.address(rank)[level]);
    }
    return values;
}

std::vector<std::string> uris_of(const AddressTree& tree) {
    std::vector<std::string> uris;
    for (const ResourceType& type : resource_types(tree)) {
        uris.push_back(type.uri());
    }
    return uris;
}

std::vector<int> domains_at(const AddressTree& tree, const std::string& uri) {
    for (const ResourceType& type : resource_types(tree)) {
        if (type.uri() == uri) {
            return Partition::by_type(tree, type).groups();
        }
    }
    return {};
}

}  // namespace hitopo
