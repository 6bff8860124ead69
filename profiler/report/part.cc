// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/report/part.h"

#include "ompi/mca/hitopo/support/own_cgroup.h"
#include "profiler/count/communicators.h"
#include "profiler/job.h"
#include "profiler/report/document.h"

namespace hitopo::profile {
namespace {

// About how many bytes an entry's text takes: its members by themselves, each call, each peer.
constexpr std::size_t kEntryBytes = 120, kCallBytes = 70, kPeerBytes = 40, kPeerSumsBytes = 200,
                      kServedBytes = 300, kPairsBytes = 80, kPairBytes = 24, kOrderBytes = 250,
                      kAllowedBytes = 14;

}  // namespace

Part::Part(std::uint64_t remarks) : elapsed_ns_(profile::elapsed_ns()), remarks_(remarks) {
    const std::vector<Communicator*> kept = Communicators::instance().kept();
    communicators_.reserve(kept.size());
    for (const Communicator* communicator : kept) {
        communicators_.push_back(communicator->part());
    }
    remarks_ |= Communicators::instance().has_left_out() ? kLeftOutCommunicators : 0;
    if (counts_pairs) {
        pairs_ = Communicators::instance().pairs();
    }
    orders_ = Communicators::instance().orders();
    allowed_cpus_ = OwnCgroup().allowed_cpus().to_string();
}

PartHead Part::head(bool wants_peers) const {
    std::size_t num_bytes = pairs_ ? kPairsBytes + pairs_->pairs.counts().size() * kPairBytes : 0;
    num_bytes += kAllowedBytes + allowed_cpus_.size();
    num_bytes += orders_.kinds().size() * kOrderBytes;
    for (const CommunicatorPart& part : communicators_) {
        num_bytes += kEntryBytes + part.calls.size() * kCallBytes +
                     (wants_peers ? part.peers.size() * kPeerBytes : kPeerSumsBytes) +
                     part.served.size() * kServedBytes;
    }
    return {elapsed_ns_, remarks_, num_bytes, static_cast<std::uint32_t>(communicators_.size())};
}

std::vector<std::uint64_t> Part::keys() const {
    std::vector<std::uint64_t> keys;
    keys.reserve(communicators_.size());
    for (const CommunicatorPart& part : communicators_) {
        keys.push_back(part.communicator->key());
    }
    return keys;
}

std::string Part::descriptions(const std::vector<std::int32_t>& is_new) const {
    Json list = Json::array();
    for (std::size_t i = 0; i < communicators_.size(); ++i) {
        if (is_new[i] != 0) {
            list.push_back(describe(communicators_[i]));
        }
    }
    return to_text(list);
}

std::string Part::traffic(int rank, const std::vector<std::int32_t>& ids, const WorldTable& table,
                          bool wants_peers) const {
    Json list = Json::array();
    for (std::size_t i = 0; i < communicators_.size(); ++i) {
        list.push_back(describe_traffic(communicators_[i], ids[i], table, wants_peers));
    }
    Json process = {{"rank", rank}, {"communicators", std::move(list)}};
    if (!allowed_cpus_.empty()) {
        process["allowed"] = allowed_cpus_;
    }
    if (pairs_) {
        process.update(describe_pairs(*pairs_));
    }
    if (!orders_.kinds().empty()) {
        process.update(describe_orders(orders_));
    }
    return to_text(process);
}

}  // namespace hitopo::profile
