// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/report/page.h"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/place.h"

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

// Without a table ranks are in their order.
void add_order(const Profile& profile, Json& json) {
    Json order = Json::array(), levels = Json::array();
    const PlaceTree tree = profile.table ? make_places(*profile.table) : PlaceTree();
    for (const int rank : tree.own_ranks) {
        order.push_back(rank);
    }
    append_places(tree.roots, order, levels);
    for (int rank = static_cast<int>(order.size()); rank < profile.size; ++rank) {
        order.push_back(rank);
    }
    json["order"] = std::move(order);
    json["levels"] = std::move(levels);
}

Json lanes_json(const Profile& profile, const TrafficSums& sums) {
    Json lanes = Json::array();
    for (std::size_t i = 0; i < sums.lanes.size(); ++i) {
        const LaneSum& lane = sums.lanes[i];
        if (lane.messages > 0 || lane.bytes > 0 || lane.collective_bytes > 0) {
            lanes.push_back(
                {name_of(profile.lanes[i]), lane.messages, lane.bytes, lane.collective_bytes});
        }
    }
    return lanes;
}

Json calls_json(const TrafficSums& sums) {
    Json calls = Json::array();
    for (const FunctionSum& call : sums.by_call) {
        calls.push_back(
            {name_of(call.name), call.count, call.bytes, call.ns, call.least_ns, call.most_ns});
    }
    return calls;
}

// The calls of the job, with the time of each process.
Json calls_by_rank(const Report& report) {
    Json calls = calls_json(report.sums.whole);
    const std::vector<ProfiledProcess>& processes = report.profile.processes;
    std::map<std::string, std::vector<std::uint64_t>> ns;
    for (std::size_t i = 0; i < processes.size(); ++i) {
        for (const Traffic& traffic : processes[i].kinds) {
            for (const Call& call : traffic.calls) {
                ns[call.name].resize(processes.size());
                add_to(ns[call.name][i], call.ns);
            }
        }
    }
    for (std::size_t i = 0; i < calls.size(); ++i) {
        calls[i].push_back(ns[report.sums.whole.by_call[i].name]);
    }
    return calls;
}

// What coll/hitopo served: absent where that is nothing.
void add_served(const Report& report, Json& json) {
    const TrafficSums& sums = report.sums.whole;
    if (sums.served.empty()) {
        return;
    }
    Json calls = Json::array(), lanes = Json::array();
    for (const auto& [name, count] : sums.served) {
        calls.push_back({name_of(name), count});
    }
    for (std::size_t i = 0; i < sums.lanes.size(); ++i) {
        const LaneSum& lane = sums.lanes[i];
        if (lane.served_messages > 0 || lane.served_flat_bytes > 0) {
            lanes.push_back({name_of(report.profile.lanes[i]), lane.served_messages, lane.served_bytes,
                             lane.served_flat_bytes});
        }
    }
    json["served"] = {{"calls", std::move(calls)}, {"lanes", std::move(lanes)}};
}

void add_time(const Report& report, Json& json) {
    const TrafficSums& whole = report.sums.whole;
    Json groups = Json::array(), ranks = Json::array();
    groups.push_back({"outside MPI", outside_ns(report.profile, whole)});
    for (const GroupSum& group : by_group(whole)) {
        groups.push_back({kGroupNames[static_cast<std::size_t>(group.group)], group.ns});
    }
    for (std::size_t i = 0; i < report.profile.processes.size(); ++i) {
        ranks.push_back({report.profile.processes[i].rank, report.sums.process_ns[i]});
    }
    json["run_ns"] = run_ns(report.profile);
    json["groups"] = std::move(groups);
    json["ranks"] = std::move(ranks);
    json["calls"] = calls_by_rank(report);
}

Json sizes_json(const TrafficSums& sums) {
    Json sizes = Json::array();
    for (std::size_t i = 0; i < kSizeNames.size(); ++i) {
        if (sums.sizes[i].messages > 0) {
            sizes.push_back({kSizeNames[i], sums.sizes[i].messages, sums.sizes[i].bytes});
        }
    }
    return sizes;
}

Json kinds_json(const Report& report) {
    Json kinds = Json::array();
    for (const KindSum& sums : report.sums.kinds) {
        const Kind& kind = report.profile.kinds[sums.kind];
        kinds.push_back({{"name", name_of(kind.name)},
                         {"number", sums.number},
                         {"size", kind.size},
                         {"remote_size", kind.remote_size},
                         {"calls", sums.calls},
                         {"messages", sums.messages},
                         {"call_bytes", sums.call_bytes},
                         {"ns", sums.ns},
                         {"lanes", lanes_json(report.profile, sums)},
                         {"by_call", calls_json(sums)}});
    }
    return kinds;
}

Json next_json(const Next& next) {
    Json advice = Json::array();
    for (const Advice& one : next.advice) {
        advice.push_back({name_of(one.text), name_of(one.command)});
    }
    return {{"advice", std::move(advice)}, {"sentences", names_of(next.sentences)}};
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

// ",[1,2,3]" of one member of all pairs.
template <class Of>
void append_column(const ProfiledProcess& process, Of of, std::string& out) {
    out += ",[";
    for (std::size_t i = 0; i < process.pairs.size(); ++i) {
        fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : ",", of(process.pairs[i]));
    }
    out += ']';
}

}  // namespace

std::string page_data(const Report& report) {
    const Profile& profile = report.profile;
    Json data = {{"job", job_phrase(profile)},
                 {"hitopo", name_of(profile.version)},
                 {"moment", moment_phrase(profile)},
                 {"warnings", names_of(profile.warnings)},
                 {"next", next_json(report.next)},
                 {"lanes", lanes_json(profile, report.sums.whole)},
                 {"sizes", sizes_json(report.sums.whole)},
                 {"places", places_json(profile)},
                 {"kinds", kinds_json(report)}};
    add_time(report, data);
    add_served(report, data);
    add_order(profile, data);
    add_orders(profile, data);
    if (profile.max_peers && !profile.has_pairs) {
        data["without_pairs"] = no_pairs_phrase(*profile.max_peers);
    }
    return without_markup(data.dump(-1, ' ', true, Json::error_handler_t::replace));
}

std::string page_pairs(const Profile& profile) {
    const RankLanes lanes(profile.table);
    std::string out = "[";
    for (const ProfiledProcess& process : profile.processes) {
        out += fmt::format("{}[{}", out.size() == 1 ? "" : ",\n", process.rank);
        append_column(
            process, [](const PairTraffic& pair) { return pair.rank; }, out);
        append_column(
            process,
            [&](const PairTraffic& pair) {
                return fmt::format("\"{}\"", lanes.between(process.rank, pair.rank));
            },
            out);
        append_column(
            process, [](const PairTraffic& pair) { return pair.messages; }, out);
        append_column(
            process, [](const PairTraffic& pair) { return pair.bytes; }, out);
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

std::string format_report_page(const Report& report) {
    const std::string data = page_data(report);
    const std::string nonce = nonce_of(data);
    return page_head("HiTopo profile", nonce, true) +
           filled(kPageBody, {{"nonce", nonce},
                              {"script", kPageScript},
                              {"data", data},
                              {"pairs", page_pairs(report.profile)}});
}

}  // namespace hitopo::tool
