// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/report/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "ompi/tools/hitopo/report/equal_communicators.h"
#include "ompi/tools/hitopo/report/profile_sums.h"
#include "ompi/tools/hitopo/report/units.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

struct Summed {
    const Profile& profile;
    const std::vector<CommunicatorSums> sums;
};

std::map<CommunicatorKey, std::size_t> by_key(const Profile& profile) {
    std::map<CommunicatorKey, std::size_t> ids;
    for (std::size_t id = 0; id < profile.communicators.size(); ++id) {
        ids.emplace(key_of(profile.communicators[id]), id);
    }
    return ids;
}

ComparedLane& lane_of(ComparedTraffic& traffic, const std::string& name) {
    const auto found = std::find_if(traffic.lanes.begin(), traffic.lanes.end(),
                                    [&](const ComparedLane& lane) { return lane.name == name; });
    return found != traffic.lanes.end() ? *found : traffic.lanes.emplace_back(ComparedLane{name, {}});
}

void add(ComparedTraffic& traffic, std::size_t side, const Summed& summed, std::size_t id) {
    const CommunicatorSums& sums = summed.sums[id];
    for (std::size_t i = 0; i < sums.lanes.size(); ++i) {
        add_lane(lane_of(traffic, summed.profile.lanes[i]).sums[side], sums.lanes[i]);
    }
    add_to(traffic.calls[side], sums.calls);
    add_to(traffic.ns[side], sums.ns);
}

std::uint64_t weight(const ComparedTraffic& traffic) {
    std::uint64_t bytes = 0;
    for (const ComparedLane& lane : traffic.lanes) {
        for (const LaneSum& sum : lane.sums) {
            add_to(bytes, saturated_sum(sum.bytes, sum.collective_bytes));
        }
    }
    return bytes;
}

std::string size_of_both(const ProfiledCommunicator& a, const ProfiledCommunicator& b) {
    return a.count() == b.count() ? size_phrase(a)
                                  : fmt::format("{} and {} communicators of {}", a.count(), b.count(),
                                                processes_phrase(a.size, a.remote_size));
}

void match(const Both<Summed>& sides, Comparison& comparison) {
    const Both<std::map<CommunicatorKey, std::size_t>> ids = {by_key(sides[0].profile),
                                                              by_key(sides[1].profile)};
    const auto communicator = [&](std::size_t side, std::size_t id) -> const ProfiledCommunicator& {
        return sides[side].profile.communicators[id];
    };
    for (const auto& [key, of_a] : ids[0]) {
        const auto of_b = ids[1].find(key);
        if (of_b != ids[1].end()) {
            ComparedTraffic traffic;
            traffic.name = communicator(0, of_a).name;
            traffic.size = size_of_both(communicator(0, of_a), communicator(1, of_b->second));
            add(traffic, 0, sides[0], of_a);
            add(traffic, 1, sides[1], of_b->second);
            comparison.of_both.push_back(std::move(traffic));
        }
    }
    for (std::size_t side = 0; side < 2; ++side) {
        for (const auto& [key, own] : ids[side]) {
            if (ids[1 - side].count(key) == 0) {
                comparison.of_one[side].push_back(fmt::format("{} ({})", communicator(side, own).name,
                                                              size_phrase(communicator(side, own))));
            }
        }
    }
}

std::set<std::string> nodes_in(const TableDocument& table) {
    std::set<std::string> nodes;
    for (const RankRow& row : table.ranks) {
        nodes.insert(row.names[kNode].value_or(""));
    }
    return nodes;
}

std::size_t num_missing(const std::set<std::string>& from, const std::set<std::string>& in) {
    return static_cast<std::size_t>(std::count_if(
        from.begin(), from.end(), [&](const std::string& name) { return in.count(name) == 0; }));
}

void compare_nodes(const TableDocument& a, const TableDocument& b, std::vector<std::string>& out) {
    const std::set<std::string> of_a = nodes_in(a);
    const std::set<std::string> of_b = nodes_in(b);
    if (of_a != of_b) {
        out.push_back(fmt::format("The jobs differ in their nodes: {} only A has, and {} only B.",
                                  num_missing(of_a, of_b), num_missing(of_b, of_a)));
    }
    std::size_t moved = 0;
    for (std::size_t rank = 0; rank < std::min(a.ranks.size(), b.ranks.size()); ++rank) {
        moved += a.ranks[rank].names[kNode] != b.ranks[rank].names[kNode] ? 1 : 0;
    }
    if (moved > 0 && a.ranks.size() == b.ranks.size()) {
        out.push_back(fmt::format("{} of {} ranks are on another node in B.", moved, a.ranks.size()));
    }
}

// Lanes mean the same only where the same levels are known.
void compare_levels(const TableDocument& a, const TableDocument& b, std::vector<std::string>& out) {
    for (std::size_t i = 0; i < kNumLevels; ++i) {
        const bool in_a = a.levels[i].known != Known::kNone;
        if (in_a != (b.levels[i].known != Known::kNone)) {
            out.push_back(fmt::format("Only {} knows the level {}: lanes do not mean the same.",
                                      in_a ? "A" : "B", level_name(static_cast<Level>(i))));
        }
    }
}

std::vector<std::string> differences(const Profile& a, const Profile& b) {
    std::vector<std::string> out;
    if (a.size != b.size) {
        out.push_back(fmt::format("The jobs differ in size: {} and {} processes.", a.size, b.size));
    }
    if (a.table.has_value() != b.table.has_value()) {
        out.push_back(fmt::format("Only {} has an address table: lanes do not mean the same.",
                                  a.table ? "A" : "B"));
    }
    if (a.table && b.table) {
        compare_nodes(*a.table, *b.table, out);
        compare_levels(*a.table, *b.table, out);
    }
    return out;
}

// ---- as text of 80 columns ----

constexpr std::size_t kMaxCompared = 20;
constexpr std::size_t kCompareColumns = 80;

std::string cell(const std::string& text) { return pad_left(text, 10); }

std::string compared_table(const ComparedTraffic& traffic, const ComparedColumns& columns,
                           Charset charset) {
    const bool has_messages = columns.messages != nullptr;
    std::vector<std::vector<std::string>> lines = {{"lane"}};
    const auto append = [&](const std::vector<std::string>& messages,
                            const std::vector<std::string>& bytes) {
        if (has_messages) {
            lines.back().insert(lines.back().end(), messages.begin(), messages.end());
        }
        lines.back().insert(lines.back().end(), bytes.begin(), bytes.end());
    };
    append({cell("messages A"), cell("B")},
           {cell("bytes A"), cell("B"), cell("B - A"), pad_left("B/A", 5)});
    const std::vector<ComparedRow> rows = rows_of(traffic, columns);
    for (const ComparedRow& row : rows) {
        lines.push_back({pad_right(cut(safe(row.name, charset), 10, charset), 10)});
        append({cell(human_count(row.messages[0])), cell(human_count(row.messages[1]))},
               {cell(human_bytes(row.bytes[0])), cell(human_bytes(row.bytes[1])),
                cell(difference_text(row.bytes)), pad_left(ratio_text(row.bytes), 5)});
    }
    return rows.empty() ? "" : fmt::format("  {}\n{}", columns.title, aligned(lines, "  "));
}

std::string compared_section(const std::string& title, const ComparedTraffic& traffic, Charset charset) {
    std::string text =
        fmt::format("\n{}\n  calls {} and {}; time {} and {}, B/A {}\n", title,
                    human_count(traffic.calls[0]), human_count(traffic.calls[1]),
                    human_ns(traffic.ns[0]), human_ns(traffic.ns[1]), ratio_text(traffic.ns));
    for (const ComparedColumns& columns : kComparedTables) {
        text += compared_table(traffic, columns, charset);
    }
    return text;
}

std::string compared_title(const ComparedTraffic& traffic, Charset charset) {
    return safe(traffic.name, charset) + ": " + traffic.size;
}

std::string only_in(const char* side, const std::vector<std::string>& names, Charset charset) {
    if (names.empty()) {
        return "";
    }
    const std::size_t shown = std::min(names.size(), kMaxCompared);
    const std::vector<std::string> first(names.begin(),
                                         names.begin() + static_cast<std::ptrdiff_t>(shown));
    const std::string rest =
        shown < names.size() ? fmt::format(", and {} more", names.size() - shown) : "";
    return '\n' + wrapped(fmt::format("Only in {}: {}{}", side,
                                      safe(fmt::format("{}", fmt::join(first, ", ")), charset), rest),
                          "", kCompareColumns);
}

std::string warnings_of(const char* side, const Profile& profile, Charset charset) {
    std::string text;
    for (const std::string& warning : profile.warnings) {
        text += fmt::format("\nwarning of {}: {}\n", side, safe(warning, charset));
    }
    return text;
}

}  // namespace

Comparison compare(const Profile& a, const Profile& b) {
    const Both<Summed> sides = {{{a, sum_up(a)}, {b, sum_up(b)}}};
    Comparison comparison;
    comparison.differences = differences(a, b);
    for (std::size_t side = 0; side < 2; ++side) {
        for (std::size_t id = 0; id < sides[side].sums.size(); ++id) {
            add(comparison.all, side, sides[side], id);
        }
    }
    match(sides, comparison);
    std::stable_sort(
        comparison.of_both.begin(), comparison.of_both.end(),
        [](const ComparedTraffic& x, const ComparedTraffic& y) { return weight(x) > weight(y); });
    return comparison;
}

std::string difference_text(const Both<std::uint64_t>& bytes) {
    const auto [a, b] = bytes;
    return a == b ? "0 B" : a < b ? "+" + human_bytes(b - a) : "-" + human_bytes(a - b);
}

std::string ratio_text(const Both<std::uint64_t>& values) {
    if (values[0] == 0) {
        return "-";
    }
    const double ratio = static_cast<double>(values[1]) / static_cast<double>(values[0]);
    return values[1] > 0 && ratio < 0.005 ? "<0.01"
           : ratio > 999.5                ? ">999"
                                          : fmt::format("{:.2f}", ratio);
}

std::vector<ComparedRow> rows_of(const ComparedTraffic& traffic, const ComparedColumns& columns) {
    std::vector<ComparedRow> rows;
    ComparedRow all{"all", {}, {}};
    for (const ComparedLane& lane : traffic.lanes) {
        ComparedRow row{lane.name, {}, {}};
        for (std::size_t side = 0; side < 2; ++side) {
            const LaneSum& sums = lane.sums[side];
            row.messages[side] = columns.messages != nullptr ? sums.*columns.messages : 0;
            row.bytes[side] = sums.*columns.bytes;
            add_to(all.messages[side], row.messages[side]);
            add_to(all.bytes[side], row.bytes[side]);
        }
        if (row.messages != Both<std::uint64_t>{} || row.bytes != Both<std::uint64_t>{}) {
            rows.push_back(std::move(row));
        }
    }
    if (!rows.empty()) {
        rows.push_back(std::move(all));
    }
    return rows;
}

std::string side_phrase(const Profile& profile) {
    return fmt::format("{}; {}, written {}", job_phrase(profile), run_time_phrase(profile),
                       moment_phrase(profile));
}

std::string format_comparison(const NamedProfile& a, const NamedProfile& b, Charset charset) {
    const Comparison comparison = compare(a.profile, b.profile);
    std::string text = fmt::format(
        "Two profiles, times of all processes together\nA  {}\n   {}\nB  {}\n   {}\n",
        safe(a.name, charset), side_phrase(a.profile), safe(b.name, charset), side_phrase(b.profile));
    for (const std::string& difference : comparison.differences) {
        text += safe(difference, charset) + '\n';
    }
    text += compared_section("Whole job", comparison.all, charset);
    const std::size_t shown = std::min(comparison.of_both.size(), kMaxCompared);
    for (std::size_t i = 0; i < shown; ++i) {
        const ComparedTraffic& traffic = comparison.of_both[i];
        text += compared_section(compared_title(traffic, charset), traffic, charset);
    }
    if (shown < comparison.of_both.size()) {
        text += fmt::format("\nThese are the {} with the most bytes; --format html has all {}.\n", shown,
                            comparison.of_both.size());
    }
    text += only_in("A", comparison.of_one[0], charset) + only_in("B", comparison.of_one[1], charset);
    return text + warnings_of("A", a.profile, charset) + warnings_of("B", b.profile, charset);
}

}  // namespace hitopo::tool
