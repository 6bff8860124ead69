// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/report/equal_communicators.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "ompi/tools/hitopo/report/profile_sums.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

using Communicators = std::vector<ProfiledCommunicator>;

void add(std::vector<std::uint64_t>& totals, const std::vector<std::uint64_t>& more) {
    for (std::size_t i = 0; i < totals.size(); ++i) {
        add_to(totals[i], more[i]);
    }
}

// For each communicator the first one that is equal.
std::vector<std::size_t> first_equals(const Communicators& communicators) {
    std::map<CommunicatorKey, std::size_t> firsts;
    std::vector<std::size_t> first_of;
    for (const ProfiledCommunicator& one : communicators) {
        first_of.push_back(firsts.try_emplace(key_of(one), first_of.size()).first->second);
    }
    return first_of;
}

// The same with the places that the first ones get, by their bytes.
std::vector<std::size_t> new_ids(const Profile& profile) {
    const std::vector<std::size_t> first_of = first_equals(profile.communicators);
    std::vector<std::uint64_t> bytes(first_of.size());
    for (const Traffic& traffic : profile.traffic) {
        for (const Call& call : traffic.calls) {
            add_to(bytes[first_of[static_cast<std::size_t>(traffic.communicator)]], call.bytes);
        }
    }
    std::set<std::size_t> distinct(first_of.begin(), first_of.end());
    std::vector<std::size_t> firsts(distinct.begin(), distinct.end());
    std::stable_sort(firsts.begin(), firsts.end(),
                     [&](std::size_t a, std::size_t b) { return bytes[a] > bytes[b]; });
    std::vector<std::size_t> place_of(first_of.size()), ids;
    for (std::size_t place = 0; place < firsts.size(); ++place) {
        place_of[firsts[place]] = place;
    }
    for (const std::size_t first : first_of) {
        ids.push_back(place_of[first]);
    }
    return ids;
}

// -1 is the last.
bool comes_before(int a, int b) { return static_cast<unsigned>(a) < static_cast<unsigned>(b); }

std::vector<int> united(std::vector<int> numbers, const std::vector<int>& more) {
    numbers.insert(numbers.end(), more.begin(), more.end());
    std::sort(numbers.begin(), numbers.end(), comes_before);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

void add(ProfiledCommunicator& whole, const ProfiledCommunicator& member) {
    if (whole.count() == 0) {
        whole = member;
        return;
    }
    whole.ids.insert(whole.ids.end(), member.ids.begin(), member.ids.end());
    whole.ranks = united(std::move(whole.ranks), member.ranks);
    whole.spans = united(std::move(whole.spans), member.spans);
    whole.num_registered += member.num_registered;
    whole.num_freed += member.num_freed;
}

int place_in(const std::vector<int>& ranks, int world_rank) {
    return static_cast<int>(std::lower_bound(ranks.begin(), ranks.end(), world_rank, comes_before) -
                            ranks.begin());
}

// From the numbers of `own` to those of `whole`.
void renumber(Traffic& traffic, const std::vector<int>& own, const ProfiledCommunicator& whole) {
    const auto place_of = [&](int rank) {
        return place_in(whole.ranks, own[static_cast<std::size_t>(rank)]);
    };
    traffic.rank = place_of(traffic.rank);
    for (Peer& peer : traffic.peers) {
        peer.rank = whole.remote_size > 0 ? peer.rank : place_of(peer.rank);
    }
}

// What one process counted for two of the equal ones. Calls of one name may stand twice.
void add(Traffic& whole, Traffic&& more) {
    append(whole.calls, std::move(more.calls));
    append(whole.peers, std::move(more.peers));
    append(whole.served, std::move(more.served));
    add(whole.collective_bytes, more.collective_bytes);
    if (whole.peer_sums && more.peer_sums) {
        for (const auto sums : {&PeerSums::messages, &PeerSums::bytes, &PeerSums::ns, &PeerSums::fetches,
                                &PeerSums::fetched_bytes}) {
            add((*whole.peer_sums).*sums, (*more.peer_sums).*sums);
        }
    }
}

auto identity(const Peer& peer) { return std::tie(peer.rank, peer.world_rank, peer.lane); }

void join_peers(std::vector<Peer>& peers) {
    std::sort(peers.begin(), peers.end(),
              [](const Peer& a, const Peer& b) { return identity(a) < identity(b); });
    std::vector<Peer> joined;
    for (const Peer& peer : peers) {
        if (joined.empty() || identity(joined.back()) != identity(peer)) {
            joined.push_back(peer);
            continue;
        }
        for (const auto sum :
             {&Peer::messages, &Peer::bytes, &Peer::ns, &Peer::fetches, &Peer::fetched_bytes}) {
            add_to(joined.back().*sum, peer.*sum);
        }
    }
    peers = std::move(joined);
}

void join_traffic(const Communicators& communicators, std::vector<Traffic>& all) {
    const auto process = [](const Traffic& one) { return std::tie(one.communicator, one.rank); };
    std::stable_sort(all.begin(), all.end(),
                     [&](const Traffic& a, const Traffic& b) { return process(a) < process(b); });
    std::vector<Traffic> joined;
    for (Traffic& one : all) {
        if (joined.empty() || process(joined.back()) != process(one)) {
            joined.push_back(std::move(one));
        } else {
            add(joined.back(), std::move(one));
        }
    }
    for (Traffic& one : joined) {
        if (communicators[static_cast<std::size_t>(one.communicator)].count() > 1) {
            join_peers(one.peers);
        }
    }
    all = std::move(joined);
}

}  // namespace

CommunicatorKey key_of(const ProfiledCommunicator& communicator) {
    return {communicator.name, communicator.size, communicator.remote_size};
}

Profile join_equal_communicators(Profile profile) {
    const std::vector<std::size_t> ids = new_ids(profile);
    const Communicators members = std::exchange(profile.communicators, {});
    Communicators& communicators = profile.communicators;
    for (std::size_t id = 0; id < ids.size(); ++id) {
        communicators.resize(std::max(communicators.size(), ids[id] + 1));
        add(communicators[ids[id]], members[id]);
    }
    for (Traffic& traffic : profile.traffic) {
        const auto id = static_cast<std::size_t>(traffic.communicator);
        const ProfiledCommunicator& whole = communicators[ids[id]];
        if (whole.count() > 1) {
            renumber(traffic, members[id].ranks, whole);
        }
        traffic.communicator = static_cast<int>(ids[id]);
    }
    join_traffic(communicators, profile.traffic);
    return profile;
}

std::string size_text(const ProfiledCommunicator& communicator) {
    return communicator.remote_size > 0
               ? fmt::format("{}+{}", communicator.size, communicator.remote_size)
               : std::to_string(communicator.size);
}

std::string size_phrase(const ProfiledCommunicator& communicator) {
    return communicators_phrase(communicator.count(), communicator.size, communicator.remote_size);
}

std::string state_phrase(const ProfiledCommunicator& communicator) {
    const auto num_all = static_cast<int>(communicator.count());
    const std::pair<int, const char*> states[] = {
        {communicator.num_registered, "registered"},
        {communicator.num_freed, "freed"},
        {num_all - communicator.num_registered - communicator.num_freed, "no longer registered"}};
    std::vector<std::string> phrases;
    for (const auto& [number, name] : states) {
        if (number == num_all) {
            return name;
        }
        if (number > 0) {
            phrases.push_back(fmt::format("{} {}", number, name));
        }
    }
    return fmt::format("{}", fmt::join(phrases, ", "));
}

}  // namespace hitopo::tool
