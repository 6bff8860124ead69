// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo report`: a profile as text of 80 columns.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/place.h"
#include "ompi/tools/hitopo/report/equal_communicators.h"
#include "ompi/tools/hitopo/report/profile_sums.h"
#include "ompi/tools/hitopo/report/units.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

using Row = std::vector<std::string>;

constexpr std::size_t kMaxSections = 20;
constexpr std::size_t kMaxCalls = 12;
constexpr std::size_t kMaxPairs = 8;
constexpr std::size_t kMaxOrders = 12;
constexpr std::size_t kBarColumns = 18;
constexpr std::size_t kColumns = 80;

// Where the text goes, and what it is about.
struct Report {
    const Profile& profile;
    const std::vector<CommunicatorSums> sums;
    const Charset charset;
};

std::string title(const Report& report) {
    const Profile& profile = report.profile;
    return fmt::format("Profile of {}\nWritten {} by HiTopo {}; times are of all processes together\n",
                       job_phrase(profile), moment_phrase(profile),
                       safe(profile.version, report.charset));
}

std::string lane_name(const Report& report, int lane) {
    return cut(safe(report.profile.lanes[static_cast<std::size_t>(lane)], report.charset), 10,
               report.charset);
}

// "core-switch", "node", "-".
std::string span_range(const Report& report, const ProfiledCommunicator& communicator) {
    const std::vector<int>& spans = communicator.spans;
    if (spans.empty()) {
        return "-";
    }
    const auto [first, last] = std::minmax_element(spans.begin(), spans.end());
    return *first == *last ? lane_name(report, *first)
                           : lane_name(report, *first) + '-' + lane_name(report, *last);
}

Row list_row(const Report& report, std::size_t id) {
    const ProfiledCommunicator& communicator = report.profile.communicators[id];
    const CommunicatorSums& sums = report.sums[id];
    return {cut(safe(communicator.name, report.charset), 14, report.charset),
            pad_left(std::to_string(communicator.count()), 5),
            pad_left(size_text(communicator), 4),
            span_range(report, communicator),
            pad_left(human_count(sums.calls), 6),
            pad_left(human_count(sums.messages), 8),
            pad_left(human_bytes(sums.call_bytes), 8),
            pad_left(human_ns(sums.ns), 7)};
}

std::string list(const Report& report) {
    std::vector<Row> rows = {
        {"name", "count", "size", "spans", " calls", "messages", "   bytes", "   time"}};
    for (std::size_t id = 0; id < report.sums.size(); ++id) {
        rows.push_back(list_row(report, id));
    }
    return rows.size() == 1 ? "\nNo communicator was registered.\n"
                            : "\nCommunicators\n" + aligned(rows, "  ");
}

// `value` of `largest` as a bar; anything above 0 shows.
std::string bar(std::uint64_t value, std::uint64_t largest, Charset charset) {
    if (value == 0) {
        return "";
    }
    const double columns =
        static_cast<double>(value) / static_cast<double>(largest) * static_cast<double>(kBarColumns);
    std::string text;
    for (long i = std::max(1L, std::lround(columns)); i > 0; --i) {
        text += charset == Charset::kUtf8 ? "\u2588" : "#";
    }
    return text;
}

using LaneBytes = std::uint64_t LaneSum::*;

std::uint64_t largest(const TrafficSums& sums, LaneBytes bytes) {
    std::uint64_t most = 0;
    for (const LaneSum& lane : sums.lanes) {
        most = std::max(most, lane.*bytes);
    }
    return most;
}

bool is_shown(const LaneSum& lane) {
    return lane.is_spanned || lane.messages > 0 || lane.bytes > 0 || lane.collective_bytes > 0 ||
           lane.served_messages > 0;
}

// A number of each lane, and two kinds of bytes with bars, whose lengths are parts of `most`.
struct LaneColumns {
    std::uint64_t LaneSum::*messages;
    LaneBytes first, second;
    const char *first_title, *second_title;
    std::uint64_t first_most, second_most;
};

std::string lane_table(const Report& report, const TrafficSums& sums, const LaneColumns& columns) {
    const auto cell = [&](std::uint64_t bytes, std::uint64_t most) {
        return pad_left(human_bytes(bytes), 8) + ' ' +
               pad_right(bar(bytes, most, report.charset), kBarColumns);
    };
    std::string text = fmt::format("  {:<10} {:>8}  {:<27}  {}\n", "lane", "messages",
                                   columns.first_title, columns.second_title);
    for (std::size_t i = 0; i < sums.lanes.size(); ++i) {
        const LaneSum& lane = sums.lanes[i];
        if (is_shown(lane)) {
            text += fmt::format(
                "  {} {:>8}  {}  {}", pad_right(lane_name(report, static_cast<int>(i)), 10),
                human_count(lane.*columns.messages), cell(lane.*columns.first, columns.first_most),
                cell(lane.*columns.second, columns.second_most));
            text.erase(text.find_last_not_of(' ') + 1);
            text += '\n';
        }
    }
    return text;
}

std::string lanes(const Report& report, const TrafficSums& sums) {
    return lane_table(report, sums,
                      {&LaneSum::messages, &LaneSum::bytes, &LaneSum::collective_bytes,
                       "bytes to single peers", "collective bytes (estimated)",
                       largest(sums, &LaneSum::bytes), largest(sums, &LaneSum::collective_bytes)});
}

// Both columns are of the same calls, so their bars have one scale.
std::string served(const Report& report, const CommunicatorSums& sums) {
    if (sums.served.empty()) {
        return "";
    }
    std::vector<std::string> calls;
    for (const auto& [name, count] : sums.served) {
        calls.push_back(fmt::format("{} {}", human_count(count), safe(name, report.charset)));
    }
    const std::uint64_t most =
        std::max(largest(sums, &LaneSum::served_bytes), largest(sums, &LaneSum::served_flat_bytes));
    return '\n' +
           wrapped(fmt::format("Served by coll/hitopo: {}", fmt::join(calls, ", ")), "  ", kColumns) +
           lane_table(report, sums,
                      {&LaneSum::served_messages, &LaneSum::served_bytes, &LaneSum::served_flat_bytes,
                       "bytes that it sent", "bytes of these, if flat", most, most});
}

std::string calls(const Report& report, const CommunicatorSums& sums) {
    std::vector<Row> rows = {
        {pad_right("call", 26), "   count", "   bytes", "   time", "time each", "share"}};
    for (const Call& call : sums.by_call) {
        if (rows.size() > kMaxCalls) {
            break;
        }
        rows.push_back({cut(safe(call.name, report.charset), 26, report.charset),
                        pad_left(human_count(call.count), 8), pad_left(human_bytes(call.bytes), 8),
                        pad_left(human_ns(call.ns), 7),
                        pad_left(call.count == 0 ? "-" : human_ns(call.ns / call.count), 9),
                        pad_left(percent_text(sums.ns == 0 ? 0
                                                           : static_cast<double>(call.ns) /
                                                                 static_cast<double>(sums.ns)),
                                 5)});
    }
    const std::size_t shown = rows.size() - 1;
    const std::string rest =
        sums.by_call.size() > shown ? fmt::format("  and {} more\n", sums.by_call.size() - shown) : "";
    return shown == 0 ? "" : '\n' + aligned(rows, "  ") + rest;
}

// "3 n1"; the rank alone where nobody knows its node.
std::string rank_text(const Report& report, int rank, int world_rank) {
    std::string text = pad_left(rank < 0 ? "outside" : std::to_string(rank), 5);
    if (report.profile.table && world_rank >= 0) {
        const RankRow& row = report.profile.table->ranks[static_cast<std::size_t>(world_rank)];
        text += row.names[kNode] ? ' ' + safe(*row.names[kNode], report.charset) : "";
    }
    return cut(text, 18, report.charset);
}

std::string pairs(const Report& report, std::size_t id) {
    const ProfiledCommunicator& communicator = report.profile.communicators[id];
    const bool is_several = communicator.count() > 1;
    std::vector<Row> rows = {
        {pad_right(" rank", 18), pad_right(" peer", 18), "lane", "messages", "   bytes", "   time"}};
    for (const Pair& pair : heaviest_pairs(report.sums[id], kMaxPairs)) {
        const Peer& peer = *pair.peer;
        const int world_rank = communicator.ranks[static_cast<std::size_t>(pair.rank)];
        rows.push_back({rank_text(report, is_several ? world_rank : pair.rank, world_rank),
                        rank_text(report, is_several ? peer.world_rank : peer.rank, peer.world_rank),
                        lane_name(report, peer.lane), pad_left(human_count(pair.messages()), 8),
                        pad_left(human_bytes(pair.bytes()), 8), pad_left(human_ns(peer.ns), 7)});
    }
    const char* const numbers = is_several ? ", by rank in MPI_COMM_WORLD" : "";
    return rows.size() == 1 ? "" : fmt::format("\n  Heaviest pairs{}\n{}", numbers, aligned(rows, "  "));
}

std::string order_lines(const ReportedOrder& order, Charset charset) {
    std::string text = fmt::format(
        "  {} {} of {}: {}\n", human_count(order.count), safe(order.call, charset),
        counted(static_cast<std::size_t>(order.size), "process"), outcome_phrase(order, charset));
    return order.levels.empty() ? text
                                : text + wrapped(fmt::format("{} across {}", unit_phrase(order),
                                                             crossings_phrase(order, charset)),
                                                 "    ", kColumns);
}

std::string orders(const Report& report) {
    const std::vector<ReportedOrder> all = merged_orders(report.profile);
    std::string text = "\nOrders of grids and graphs (MCA variable topo_hitopo_reorder)\n";
    for (std::size_t i = 0; i < all.size() && i < kMaxOrders; ++i) {
        text += order_lines(all[i], report.charset);
    }
    if (all.size() > kMaxOrders) {
        text += fmt::format("  and {} more kinds; --format html has all\n", all.size() - kMaxOrders);
    }
    if (report.profile.other_orders > 0) {
        text += fmt::format("  and {} of further kinds\n", human_count(report.profile.other_orders));
    }
    return all.empty() ? "" : text;
}

std::string without_peers(const Report& report) {
    return report.profile.max_peers
               ? '\n' + wrapped(no_peers_phrase(*report.profile.max_peers), "", kColumns)
               : "";
}

std::string unless_registered(const ProfiledCommunicator& communicator) {
    const std::string state = state_phrase(communicator);
    return state == "registered" ? "" : ", " + state;
}

// Lanes of the only one are those of the whole job.
std::string section(const Report& report, std::size_t id) {
    const ProfiledCommunicator& communicator = report.profile.communicators[id];
    const bool is_only_one = report.sums.size() == 1;
    const std::string heading = fmt::format("\n{}: {}{}\n", safe(communicator.name, report.charset),
                                            size_phrase(communicator), unless_registered(communicator));
    if (report.sums[id].calls == 0) {
        return heading + "  no calls\n";
    }
    return heading + (is_only_one ? "" : lanes(report, report.sums[id])) +
           served(report, report.sums[id]) + calls(report, report.sums[id]) + pairs(report, id);
}

std::string sections(const Report& report) {
    std::string text;
    const std::size_t shown = std::min(report.sums.size(), kMaxSections);
    for (std::size_t id = 0; id < shown; ++id) {
        text += section(report, id);
    }
    return shown == report.sums.size()
               ? text
               : text +
                     fmt::format("\nThese are the {} with the most bytes; --format html has all {}.\n",
                                 shown, report.sums.size());
}

std::string whole(const Report& report) {
    const TrafficSums sums = whole_job(report.profile, report.sums);
    const std::string run_time =
        fmt::format("\nWhole job\n  run time  {}\n", run_time_phrase(report.profile));
    return report.sums.empty() ? run_time
                               : fmt::format("{}  in MPI    {}\n\n{}", run_time,
                                             share_phrase(report.profile, sums), lanes(report, sums));
}

}  // namespace

std::string format_report(const Profile& profile, Charset charset) {
    const Report report = {profile, sum_up(profile), charset};
    std::string text = title(report) + whole(report) + list(report) + sections(report) + orders(report) +
                       without_peers(report);
    for (const std::string& warning : profile.warnings) {
        text += fmt::format("\nwarning: {}\n", safe(warning, charset));
    }
    return text;
}

}  // namespace hitopo::tool
