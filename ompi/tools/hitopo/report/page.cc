// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/place.h"
#include "ompi/tools/hitopo/report/equal_communicators.h"
#include "ompi/tools/hitopo/report/profile_sums.h"

namespace hitopo::tool {
namespace {

std::string name_of(const std::string& text) { return safe(text, Charset::kUtf8); }

Json names_of(const std::vector<std::string>& texts) {
    Json names = Json::array();
    for (const std::string& text : texts) {
        names.push_back(name_of(text));
    }
    return names;
}

// The rows of `table` that the communicator's processes have; those without one know nothing.
TableDocument table_of(const ProfiledCommunicator& communicator, const TableDocument& table) {
    TableDocument own;
    own.levels = table.levels;
    RankRow nowhere;
    nowhere.address.fill(-1);
    for (const int rank : communicator.ranks) {
        own.ranks.push_back(rank < 0 ? nowhere : table.ranks[static_cast<std::size_t>(rank)]);
    }
    return own;
}

// Appends the ranks below, and the places as groups of them.
void append_places(const std::vector<Place>& places, Json& order, Json& groups) {
    for (const Place& place : places) {
        const std::size_t index = groups.size();
        groups.push_back({level_name(place.level), order.size(), 0, name_of(place.name)});
        for (const int rank : place.own_ranks) {
            order.push_back(rank);
        }
        append_places(place.children, order, groups);
        groups[index][2] = order.size();
    }
}

void add_order(const Profile& profile, const ProfiledCommunicator& communicator, Json& json) {
    Json order = Json::array();
    Json groups = Json::array();
    PlaceTree tree;
    if (profile.table) {
        tree = make_places(table_of(communicator, *profile.table));
    } else {
        tree.own_ranks.resize(communicator.ranks.size());
        std::iota(tree.own_ranks.begin(), tree.own_ranks.end(), 0);
    }
    for (const int rank : tree.own_ranks) {
        order.push_back(rank);
    }
    append_places(tree.roots, order, groups);
    json["order"] = std::move(order);
    json["groups"] = std::move(groups);
}

Json lanes_json(const TrafficSums& sums) {
    Json lanes = Json::array();
    for (const LaneSum& lane : sums.lanes) {
        lanes.push_back({lane.messages, lane.bytes, lane.collective_bytes});
    }
    return lanes;
}

Json calls_json(const CommunicatorSums& sums) {
    Json calls = Json::array();
    for (const Call& call : sums.by_call) {
        calls.push_back({name_of(call.name), call.count, call.bytes, call.ns});
    }
    return calls;
}

// What coll/hitopo served: absent where that is nothing.
void add_served(const CommunicatorSums& sums, Json& json) {
    if (sums.served.empty()) {
        return;
    }
    Json calls = Json::array(), lanes = Json::array();
    for (const auto& [name, count] : sums.served) {
        calls.push_back({name_of(name), count});
    }
    for (const LaneSum& lane : sums.lanes) {
        lanes.push_back({lane.served_messages, lane.served_bytes, lane.served_flat_bytes});
    }
    json["served"] = {{"calls", std::move(calls)}, {"lanes", std::move(lanes)}};
}

Json page_whole(const Profile& profile, const std::vector<CommunicatorSums>& sums) {
    const TrafficSums whole = whole_job(profile, sums);
    return {{"run_time", run_time_phrase(profile)},
            {"in_mpi", share_phrase(profile, whole)},
            {"spans", spans_of(whole)},
            {"lanes", lanes_json(whole)}};
}

Json page_communicator(const Profile& profile, const ProfiledCommunicator& communicator,
                       const CommunicatorSums& sums) {
    Json json = {{"name", name_of(communicator.name)},
                 {"count", communicator.count()},
                 {"size", communicator.size},
                 {"remote_size", communicator.remote_size},
                 {"sizes", size_phrase(communicator)},
                 {"state", state_phrase(communicator)},
                 {"calls", sums.calls},
                 {"messages", sums.messages},
                 {"call_bytes", sums.call_bytes},
                 {"bytes", sums.bytes},
                 {"collective_bytes", sums.collective_bytes},
                 {"ns", sums.ns},
                 {"spans", communicator.spans},
                 {"lanes", lanes_json(sums)},
                 {"by_call", calls_json(sums)},
                 {"ranks", communicator.ranks}};
    add_served(sums, json);
    add_order(profile, communicator, json);
    return json;
}

// "n3 socket 0 core 2": the node and what is inside.
std::string place_name(const TableDocument& table, const RankRow& row) {
    std::string place = row.names[kNode] ? name_of(*row.names[kNode]) : "";
    for (const Level level : {kSocket, kCore}) {
        if (table.levels[level].known != Known::kNone && row.address[level] >= 0) {
            place +=
                fmt::format("{}{} {}", place.empty() ? "" : " ", level_name(level), row.address[level]);
        }
    }
    return place;
}

Json places_json(const Profile& profile) {
    Json places = Json::array();
    if (profile.table) {
        for (const RankRow& row : profile.table->ranks) {
            places.push_back(place_name(*profile.table, row));
        }
    }
    return places;
}

// Absent where nobody told of any.
void add_orders(const Profile& profile, Json& data) {
    Json orders = Json::array();
    for (const ReportedOrder& order : merged_orders(profile)) {
        orders.push_back({name_of(order.call), order.count, order.size,
                          outcome_phrase(order, Charset::kUtf8), unit_phrase(order),
                          crossings_phrase(order, Charset::kUtf8)});
    }
    if (!orders.empty()) {
        data["orders"] = std::move(orders);
        data["other_orders"] = profile.other_orders;
    }
}

std::string without_markup(std::string json) {
    for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at)) {
        json.replace(at, 1, "\\u003c");
    }
    return json;
}

// ",[1,2,3]" of one member of all peers; ",[]" if all are 0 and `may_be_empty`.
template <class T>
void append_column(const std::vector<Peer>& peers, T Peer::*column, bool may_be_empty,
                   std::string& out) {
    const bool is_empty = may_be_empty && std::all_of(peers.begin(), peers.end(), [&](const Peer& peer) {
                              return peer.*column == 0;
                          });
    out += ",[";
    for (std::size_t i = 0; i < peers.size() && !is_empty; ++i) {
        fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : ",", peers[i].*column);
    }
    out += ']';
}

}  // namespace

std::string page_data(const Profile& profile, const std::vector<CommunicatorSums>& sums) {
    Json communicators = Json::array();
    for (std::size_t i = 0; i < sums.size(); ++i) {
        communicators.push_back(page_communicator(profile, profile.communicators[i], sums[i]));
    }
    Json data = {{"job", job_phrase(profile)},       {"hitopo", name_of(profile.version)},
                 {"moment", moment_phrase(profile)}, {"whole", page_whole(profile, sums)},
                 {"lanes", names_of(profile.lanes)}, {"warnings", names_of(profile.warnings)},
                 {"places", places_json(profile)},   {"communicators", std::move(communicators)}};
    add_orders(profile, data);
    if (profile.max_peers) {
        data["without_peers"] = no_peers_phrase(*profile.max_peers);
    }
    return without_markup(data.dump(-1, ' ', true, Json::error_handler_t::replace));
}

std::string page_peers(const CommunicatorSums& sums) {
    std::string out = "[";
    for (const Traffic* traffic : sums.processes) {
        out += fmt::format("{}[{}", out.size() == 1 ? "" : ",\n", traffic->rank);
        append_column(traffic->peers, &Peer::rank, false, out);
        append_column(traffic->peers, &Peer::lane, false, out);
        append_column(traffic->peers, &Peer::messages, false, out);
        append_column(traffic->peers, &Peer::bytes, false, out);
        append_column(traffic->peers, &Peer::ns, false, out);
        append_column(traffic->peers, &Peer::fetches, true, out);
        append_column(traffic->peers, &Peer::fetched_bytes, true, out);
        out += ']';
    }
    return out + ']';
}

std::string filled(std::string_view text, const Pieces& pieces) {
    std::string out;
    for (;;) {
        const std::size_t start = text.find("{{");
        out += text.substr(0, start);
        if (start == std::string_view::npos) {
            return out;
        }
        const std::size_t end = text.find("}}", start);
        out += pieces.at(text.substr(start + 2, end - start - 2));
        text.remove_prefix(end + 2);
    }
}

std::string nonce_of(std::string_view content) { return fmt::format("{:016x}", hash_bytes(content)); }

std::string page_head(const std::string& title, const std::string& nonce, bool has_scripts,
                      const std::string& style) {
    const std::string scripts = has_scripts ? fmt::format("script-src 'nonce-{}'; ", nonce) : "";
    return filled(
        kPageHead,
        {{"title", title}, {"nonce", nonce}, {"scripts", scripts}, {"style", kPageStyle + style}});
}

std::string format_report_page(const Profile& profile) {
    const std::vector<CommunicatorSums> sums = sum_up(profile);
    std::string peers;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        peers += fmt::format("<script type=\"application/json\" id=\"peers-{}\">{}</script>\n", i,
                             page_peers(sums[i]));
    }
    const std::string data = page_data(profile, sums);
    const std::string nonce = nonce_of(data);
    return page_head("HiTopo profile", nonce, true) +
           filled(kPageBody,
                  {{"nonce", nonce}, {"script", kPageScript}, {"data", data}, {"peers", peers}});
}

}  // namespace hitopo::tool
