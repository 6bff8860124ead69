// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/collections.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "ompi/mca/hitopo/core/address/bytes.h"

namespace hitopo {
namespace {

template <class T>
T taken(Result<T> result) {
    if (!result) {
        throw std::runtime_error(result.error().message);
    }
    return std::move(*result);
}

}  // namespace

void Summaries::add(std::uint32_t process, std::string_view said) {
    if (!said.empty()) {
        members_.emplace_back(process, taken(decode_contribution(said)));
    }
}

std::uint32_t Summaries::close_group() {
    std::set<std::uint64_t> hosts, spoken;
    bool may_lead = false;
    for (const auto& [process, said] : members_) {
        hosts.insert(said.host_id);
        may_lead = may_lead || said.may_lead;
        if (said.speaks_for_node) {
            spoken.insert(said.host_id);
        }
    }
    all_ = Summary::of_group(members_);
    members_.clear();
    return (spoken.size() < hosts.size() ? kIsUnspoken : 0U) | (may_lead ? kMayLead : 0U);
}

void Summaries::append(std::string_view bytes) {
    if (!bytes.empty()) {
        all_.append(taken(Summary::decode(bytes, num_processes_)));
    }
}

void Told::add(std::uint32_t, std::string_view said) {
    if (!said.empty()) {
        told_.emplace_back(said);
    }
}

std::uint32_t Told::close_group() {
    group_ends_.push_back(told_.size());
    return 0;
}

std::string Told::encode(std::size_t num_groups) {
    ByteWriter bytes;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < std::min(num_groups, group_ends_.size()); ++i) {
        bytes.put_varint(group_ends_[i] - begin);
        for (; begin < group_ends_[i]; ++begin) {
            bytes.put_short(told_[begin]);
        }
    }
    return bytes.take();
}

void Told::append(std::string_view bytes) {
    ByteReader reader(bytes);
    while (reader.num_left() > 0) {
        for (std::size_t left = reader.get_count(); left > 0; --left) {
            add(0, reader.get_short());
        }
        (void)close_group();
    }
    if (reader.has_failed()) {
        throw std::runtime_error("the messages of leaders arrived damaged");
    }
}

std::vector<std::string> Told::take_in_order() {
    std::sort(told_.begin(), told_.end());
    return std::move(told_);
}

}  // namespace hitopo
