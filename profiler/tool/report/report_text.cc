// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo report`: a profile as text of 80 columns.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "ompi/tools/hitopo/words.h"
#include "profiler/tool/profile/phrases.h"
#include "profiler/tool/report/report.h"

namespace hitopo::tool {
namespace {

using Row = std::vector<std::string>;

constexpr std::size_t kMaxCalls = 8;
constexpr std::size_t kMaxKinds = 8;
constexpr std::size_t kMaxPairs = 3;
constexpr std::size_t kMaxOrders = 12;
constexpr std::size_t kTimeBarColumns = 30, kLaneBarColumns = 18;  // of the whole
constexpr std::size_t kColumns = 80;
constexpr std::size_t kMaxNameColumns = 20;  // of a place

std::string bar(double share, std::size_t columns, Charset charset) {
    std::string text;
    for (long i = std::lround(std::min(share, 1.0) * static_cast<double>(columns)); i > 0; --i) {
        text += charset == Charset::kUtf8 ? "\u2588" : "#";
    }
    return text;
}

std::string and_more(std::size_t all, std::size_t shown) {
    return all > shown ? fmt::format("  and {} more; --format html has all\n", all - shown) : "";
}

// A paragraph behind a word: "sizes     ..".
std::string paragraph(const char* name, const std::string& text) {
    std::string lines = wrapped(text, std::string(12, ' '), kColumns);
    return lines.replace(2, std::char_traits<char>::length(name), name);
}

// No line ends inside of an item.
std::string list(const char* name, std::vector<std::string> items, const char* separator = "; ") {
    if (items.empty()) {
        return "";
    }
    for (std::string& one : items) {
        std::replace(one.begin(), one.end(), ' ', '\x01');
    }
    std::string text = paragraph(name, fmt::format("{}", fmt::join(items, separator)));
    std::replace(text.begin(), text.end(), '\x01', ' ');
    return text;
}

std::string title(const Report& report, Charset charset) {
    const Profile& profile = report.profile;
    return fmt::format("Profile of {}\n", job_phrase(profile)) +
           wrapped(fmt::format("Written {} by HiTopo {}; times are of all processes together",
                               moment_phrase(profile), cut(safe(profile.version, charset), 20, charset)),
                   "", kColumns);
}

// ---- time ----

std::string groups(const Report& report, Charset charset) {
    const Profile& profile = report.profile;
    const std::uint64_t run = run_ns(profile);
    std::string text =
        fmt::format("\nTime                    {} = {} x {}\n", human_ns(run), profile.processes.size(),
                    human_ns(run / std::max<std::size_t>(profile.processes.size(), 1)));
    const auto line = [&](const std::string& name, std::uint64_t ns) {
        const double share = share_of(ns, run);
        std::string whole = fmt::format("  {:<20}  {:>8}  {:>5}  {}", name, human_ns(ns),
                                        percent_text(share), bar(share, kTimeBarColumns, charset));
        text += whole.erase(whole.find_last_not_of(' ') + 1) + '\n';
    };
    line("outside MPI", outside_ns(profile, report.sums.whole));
    for (const CallCount& group : by_group(report.sums.whole)) {
        line(group.name, group.ns);
    }
    return text;
}

std::string calls(const Report& report, Charset charset) {
    const std::vector<FunctionSum>& all = report.sums.whole.by_call;
    const std::uint64_t run = run_ns(report.profile);
    std::vector<Row> rows = {{"call", "count", "bytes", "time", "share", "least .. most a rank"}};
    for (std::size_t i = 0; i < all.size() && i < kMaxCalls; ++i) {
        const FunctionSum& call = all[i];
        rows.push_back({safe(call.name, charset), human_count(call.count), human_bytes(call.bytes),
                        human_ns(call.ns), percent_text(share_of(call.ns, run)),
                        human_ns(call.least_ns) + " .. " + human_ns(call.most_ns)});
    }
    return rows.size() == 1
               ? "\nNo call was counted.\n"
               : '\n' + fitted(std::move(rows), kColumns, charset) + and_more(all.size(), kMaxCalls);
}

// ---- waiting ----

// "node7", short enough for a line.
std::string place_name(const std::string& name, Charset charset) {
    return cut(safe(name, charset), kMaxNameColumns, charset);
}

std::string place_line(const char* name, const std::vector<PlaceTime>& places, Charset charset) {
    const auto place = [&](const char* which, const PlaceTime& one) {
        return fmt::format("{} {} ({})", which, human_ns(one.ns), place_name(one.name, charset));
    };
    return places.size() < 2
               ? ""
               : list(name, {place("least", places.front()), place("most", places.back())}, ", ");
}

std::string who_waits(const Report& report, Charset charset) {
    const auto& [ranks, nodes, switches] = report.waits;
    const std::optional<TableDocument>& table = report.profile.table;
    if (ranks.size() < 2) {
        return "";
    }
    const auto rank = [&](const char* which, const RankTime& time) {
        const OptionalText node =
            table ? table->ranks[static_cast<std::size_t>(time.rank)].names[kNode] : OptionalText();
        return fmt::format("{} {} (rank {}{})", which, human_ns(time.ns), time.rank,
                           node && !node->empty() ? ", " + place_name(*node, charset) : "");
    };
    return "\nWho waits (time in MPI a process; who has least comes late)\n" +
           list("ranks",
                {"median " + human_ns(median_ns(ranks)), rank("least", ranks.front()),
                 rank("most", ranks.back())},
                ", ") +
           place_line("nodes", nodes, charset) + place_line("switches", switches, charset);
}

// ---- bytes ----

std::string lane_cell(const Report& report, std::size_t lane, Charset charset) {
    return cut(safe(report.profile.lanes[lane], charset), 10, charset);
}

std::string lanes(const Report& report, Charset charset) {
    const TrafficSums& whole = report.sums.whole;
    std::string text = fmt::format("  {:<10} {:>8}  {:<35}  collectives (est.)\n", "lane", "messages",
                                   "point-to-point");
    for (std::size_t i = 0; i < whole.lanes.size(); ++i) {
        const LaneSum& lane = whole.lanes[i];
        if (lane.messages > 0 || lane.bytes > 0 || lane.collective_bytes > 0) {
            const double share = share_of(lane.bytes, whole.bytes);
            text += fmt::format("  {} {:>8}  {:>8}  {:>5}  {}  {:>18}\n",
                                pad_right(lane_cell(report, i, charset), 10), human_count(lane.messages),
                                human_bytes(lane.bytes), percent_text(share),
                                pad_right(bar(share, kLaneBarColumns, charset), kLaneBarColumns),
                                human_bytes(lane.collective_bytes));
        }
    }
    return text;
}

std::string sizes(const TrafficSums& whole) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < kSizeNames.size(); ++i) {
        const MessageCount& size = whole.sizes[i];
        if (size.messages > 0) {
            all.push_back(fmt::format("{}{}: {}{}", all.empty() ? "messages " : "", kSizeNames[i],
                                      human_count(size.messages),
                                      size.bytes > 0 ? ", " + human_bytes(size.bytes) : ""));
        }
    }
    return list("sizes", std::move(all));
}

std::string pairs(const Report& report) {
    const Profile& profile = report.profile;
    if (profile.max_peers && !profile.has_pairs) {
        return paragraph("pairs", no_pairs_phrase(*profile.max_peers));
    }
    const HeaviestPairs heaviest = heaviest_pairs(profile, kMaxPairs);
    const RankLanes rank_lanes(profile.table);
    std::vector<std::string> all;
    for (const Pair& pair : heaviest.pairs) {
        all.push_back(fmt::format("{} -> {} ({}) {}", pair.from, pair.to,
                                  rank_lanes.between(pair.from, pair.to), human_bytes(pair.bytes)));
    }
    if (heaviest.num_pairs > all.size()) {
        all.push_back(fmt::format("and {} more", heaviest.num_pairs - all.size()));
    }
    return list("pairs", std::move(all));
}

// Bytes that were sent, and those of flat algorithms for the same calls.
std::string served(const Report& report, Charset charset) {
    const TrafficSums& whole = report.sums.whole;
    if (whole.served.empty()) {
        return "";
    }
    std::vector<std::string> calls;
    for (const auto& [name, count] : whole.served) {
        calls.push_back(fmt::format("{} {}", human_count(count), safe(name, charset)));
    }
    std::vector<Row> rows = {{"lane", "messages", "sent", "flat algorithms"}};
    for (std::size_t i = 0; i < whole.lanes.size(); ++i) {
        const LaneSum& lane = whole.lanes[i];
        if (lane.served_messages > 0 || lane.served_flat_bytes > 0) {
            rows.push_back({pad_right(lane_cell(report, i, charset), 10),
                            human_count(lane.served_messages), human_bytes(lane.served_bytes),
                            human_bytes(lane.served_flat_bytes)});
        }
    }
    return "\nCollectives that HiTopo served\n" +
           wrapped(fmt::format("{}", fmt::join(calls, ", ")), "  ", kColumns) +
           fitted(std::move(rows), kColumns, charset);
}

// ---- communicators ----

std::string size_text(const KindRecord& kind) {
    return kind.size == 0         ? "-"
           : kind.remote_size > 0 ? fmt::format("{}+{}", kind.size, kind.remote_size)
                                  : std::to_string(kind.size);
}

std::string kinds(const Report& report, Charset charset) {
    const std::vector<KindSum>& all = report.sums.kinds;
    std::vector<Row> rows = {{"made by", "number", "size", "calls", "messages", "bytes", "time"}};
    for (std::size_t i = 0; i < all.size() && i < kMaxKinds; ++i) {
        const KindRecord& kind = report.profile.kinds[all[i].kind];
        rows.push_back({safe(kind.name, charset), all[i].number == 0 ? "-" : human_count(all[i].number),
                        size_text(kind), human_count(all[i].calls), human_count(all[i].messages),
                        human_bytes(all[i].call_bytes), human_ns(all[i].ns)});
    }
    return rows.size() == 1 ? ""
                            : "\nCommunicators\n" + fitted(std::move(rows), kColumns, charset) +
                                  and_more(all.size(), kMaxKinds);
}

std::string order_lines(const OrderCount& order, Charset charset) {
    std::string text =
        wrapped(fmt::format("{} {} of {}: {}", human_count(order.count), safe(order.call, charset),
                            counted(static_cast<std::size_t>(order.size), "process"),
                            outcome_phrase(order, charset)),
                "  ", kColumns);
    return order.levels.empty() ? text
                                : text + wrapped(fmt::format("{} across {}", unit_phrase(order),
                                                             crossings_phrase(order, charset)),
                                                 "    ", kColumns);
}

std::string orders(const Report& report, Charset charset) {
    const std::vector<OrderCount> all = merged_orders(report.profile);
    std::string text = "\nOrders of grids and graphs (MCA variable topo_hitopo_reorder)\n";
    for (std::size_t i = 0; i < all.size() && i < kMaxOrders; ++i) {
        text += order_lines(all[i], charset);
    }
    if (all.size() > kMaxOrders) {
        text += fmt::format("  and {} more kinds; --format html has all\n", all.size() - kMaxOrders);
    }
    if (report.sums.other_orders > 0) {
        text += fmt::format("  and {} of further kinds\n", human_count(report.sums.other_orders));
    }
    return all.empty() ? "" : text;
}

// ---- advice ----

// Lines end in a backslash where the command goes on.
std::string command_lines(const std::string& command, Charset charset) {
    std::string lines = wrapped(safe(command, charset), "      ", kColumns - 2);
    lines.pop_back();
    for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += 3) {
        lines.insert(at, " \\");
    }
    return lines + '\n';
}

std::string next(const Report& report, Charset charset) {
    std::string text;
    for (const Advice& advice : report.next.advice) {
        text += wrapped(safe(advice.text, charset) + ':', "  ", kColumns) +
                command_lines(advice.command, charset);
    }
    for (const std::string& sentence : report.next.sentences) {
        text += wrapped(safe(sentence, charset), "  ", kColumns);
    }
    return text.empty() ? "" : "\nWhat to do next\n" + text;
}

}  // namespace

std::string format_report(const Report& report, Charset charset) {
    std::string text = title(report, charset) + groups(report, charset) + calls(report, charset) +
                       who_waits(report, charset) +
                       "\nBytes (lane: the innermost level that both processes share; beyond: none)\n" +
                       lanes(report, charset) + sizes(report.sums.whole) + pairs(report) +
                       kinds(report, charset) + served(report, charset) + orders(report, charset) +
                       next(report, charset);
    for (const std::string& warning : report.profile.warnings) {
        text += '\n' + wrapped("warning: " + safe(warning, charset), "", kColumns);
    }
    return text;
}

}  // namespace hitopo::tool
