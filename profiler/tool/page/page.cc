// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/domain.h"
#include "profiler/tool/profile/phrases.h"
#include "profiler/tool/report/report.h"

namespace hitopo::tool {
namespace {

std::string name_of(const std::string& text) { return safe(text, Charset::kUtf8); }

// Appends the ranks of a domain, and those inside it as groups of them.
void append_domains(const Domain& domain, Json& order, Json& groups) {
    for (const int rank : domain.own_ranks) {
        order.push_back(rank);
    }
    for (const Domain& child : domain.children) {
        const std::size_t index = groups.size();
        groups.push_back({level_name(child.level), order.size(), 0, name_of(child.name)});
        append_domains(child, order, groups);
        groups[index][2] = order.size();
    }
}

// Without a table ranks are in their order.
void add_order(const Profile& profile, Json& json) {
    Json order = Json::array(), levels = Json::array();
    append_domains(profile.table ? make_domains(*profile.table) : Domain(), order, levels);
    for (int rank = static_cast<int>(order.size()); rank < profile.size; ++rank) {
        order.push_back(rank);
    }
    json["order"] = std::move(order);
    json["levels"] = std::move(levels);
}

// The time of each process in each function.
Json ns_by_call(const Report& report) {
    const std::vector<ProcessRecord>& processes = report.profile.processes;
    std::map<std::string, std::vector<std::uint64_t>> ns;
    for (std::size_t i = 0; i < processes.size(); ++i) {
        for (const CallCount& call : of_all_kinds(processes[i]).calls) {
            ns[call.name].resize(processes.size());
            ns[call.name][i] = call.ns;
        }
    }
    return ns;
}

// "n3 socket 0 core 2": the node and the places inside.
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

Json order_rows(const Profile& profile) {
    Json orders = Json::array();
    for (const OrderCount& order : merged_orders(profile)) {
        orders.push_back({name_of(order.call), order.count, order.size,
                          outcome_phrase(order, Charset::kUtf8), unit_phrase(order),
                          crossings_phrase(order, Charset::kUtf8)});
    }
    return orders;
}

// `text` with each {{name}} replaced by the piece of that name; pieces are not looked into.
using Pieces = std::map<std::string_view, std::string>;
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

std::string without_markup(std::string json) {
    for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at)) {
        json.replace(at, 1, "\\u003c");
    }
    return json;
}

}  // namespace

std::string page_data(const Report& report) {
    const Profile& profile = report.profile;
    Json data = report_document(report);
    data["moment"] = moment_phrase(profile);
    data["run_ns"] = run_ns(profile);
    data["ranks"] = Json::array();
    for (const ProcessRecord& process : profile.processes) {
        data["ranks"].push_back(process.rank);
    }
    data["ranks_ns"] = ns_by_call(report);
    data["places"] = places_json(profile);
    data["order_rows"] = order_rows(profile);
    add_order(profile, data);
    if (profile.max_peers && !profile.has_pairs) {
        data["without_pairs"] = no_pairs_phrase(*profile.max_peers);
    }
    return without_markup(data.dump(-1, ' ', true, Json::error_handler_t::replace));
}

std::string page_pairs(const Profile& profile) {
    const RankLanes rank_lanes(profile.table);
    std::string out = "[";
    for (const ProcessRecord& process : profile.processes) {
        Json ranks = Json::array(), lanes = ranks, messages = ranks, bytes = ranks;
        for (const PeerCount& pair : process.pairs) {
            ranks.push_back(pair.rank);
            lanes.push_back(rank_lanes.between(process.rank, pair.rank));
            messages.push_back(pair.messages);
            bytes.push_back(pair.bytes);
        }
        out += (out.size() == 1 ? "" : ",\n") + Json{process.rank, ranks, lanes, messages, bytes}.dump();
    }
    return out + ']';
}

std::string nonce_of(std::string_view content) { return fmt::format("{:016x}", hash_bytes(content)); }

std::string page_head(const std::string& title, const std::string& nonce, bool has_scripts) {
    const std::string scripts = has_scripts ? fmt::format("script-src 'nonce-{}'; ", nonce) : "";
    return filled(kPageHead,
                  {{"title", title}, {"nonce", nonce}, {"scripts", scripts}, {"style", kPageStyle}});
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
