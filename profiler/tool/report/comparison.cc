// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "ompi/tools/hitopo/words.h"
#include "profiler/tool/profile/phrases.h"
#include "profiler/tool/report/report.h"

namespace hitopo::tool {
namespace {

// The size of a communicator: "4 processes", "1 process to 3" where a remote group has so many.
std::string processes_phrase(int size, int remote_size) {
    return counted(static_cast<std::size_t>(size), "process") +
           (remote_size > 0 ? " to " + std::to_string(remote_size) : "");
}

using Numbers = Both<std::uint64_t>;

struct Side {
    const Profile& profile;
    const ProfileSums sums;
};

// ---- functions, lanes and kinds that either has ----

struct ComparedRow {
    Numbers ns{};
    std::vector<std::string> cells;
};

// The rows by the larger time, those below 1 % left out unless has_all.
ComparedTable by_time(std::vector<std::string> heads, std::vector<ComparedRow> rows,
                      const Both<Side>& sides, bool has_all) {
    constexpr double kMinShare = 0.01;
    std::stable_sort(rows.begin(), rows.end(), [](const ComparedRow& x, const ComparedRow& y) {
        return *std::max_element(x.ns.begin(), x.ns.end()) > *std::max_element(y.ns.begin(), y.ns.end());
    });
    ComparedTable table{std::move(heads), {}};
    for (ComparedRow& row : rows) {
        if (has_all || share_of(row.ns[0], run_ns(sides[0].profile)) >= kMinShare ||
            share_of(row.ns[1], run_ns(sides[1].profile)) >= kMinShare) {
            table.rows.push_back(std::move(row.cells));
        } else {
            ++table.num_left_out;
        }
    }
    return table;
}

ComparedTable functions(const Both<Side>& sides, bool has_all) {
    std::map<std::string, Both<CallCount>> calls;
    for (std::size_t side = 0; side < 2; ++side) {
        for (const FunctionSum& call : sides[side].sums.whole.by_call) {
            calls[call.name][side] = call;
        }
    }
    std::vector<ComparedRow> rows;
    for (const auto& [name, call] : calls) {
        const Numbers ns = {call[0].ns, call[1].ns};
        rows.push_back({ns,
                        {name, human_count(call[0].count), human_count(call[1].count), human_ns(ns[0]),
                         human_ns(ns[1]), ratio_text(ns)}});
    }
    return by_time({"call", "count A", "count B", "time A", "time B", "ratio"}, std::move(rows), sides,
                   has_all);
}

ComparedTable lanes(const char* head, const Both<Side>& sides, std::uint64_t LaneSum::*bytes) {
    std::vector<std::pair<std::string, Numbers>> lanes;  // A's, then those that B alone has
    Numbers all{};
    for (std::size_t side = 0; side < 2; ++side) {
        const std::vector<LaneSum>& sums = sides[side].sums.whole.lanes;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const std::string& name = sides[side].profile.lanes[i];
            auto lane = std::find_if(lanes.begin(), lanes.end(),
                                     [&](const auto& other) { return other.first == name; });
            lane = lane == lanes.end() ? lanes.insert(lane, {name, {}}) : lane;
            add_to(lane->second[side], sums[i].*bytes);
            add_to(all[side], sums[i].*bytes);
        }
    }
    lanes.emplace_back("all", all);
    ComparedTable table{{head, "bytes A", "bytes B", "ratio"}, {}};
    for (const auto& [name, sums] : lanes) {
        if (sums != Numbers{}) {
            table.rows.push_back({name, human_bytes(sums[0]), human_bytes(sums[1]), ratio_text(sums)});
        }
    }
    return table;
}

struct ComparedKind {
    const KindRecord* kind = nullptr;
    Both<bool> is_in{};
    Numbers ns{}, bytes{};
};

// Kinds of both by their key, others by their name.
std::map<std::string, ComparedKind> kinds_of(const Both<Side>& sides) {
    std::map<std::string, int> num_with_key;
    for (const Side& side : sides) {
        for (const KindSum& sums : side.sums.kinds) {
            ++num_with_key[side.profile.kinds[sums.kind].key];
        }
    }
    std::map<std::string, ComparedKind> kinds;
    for (std::size_t side = 0; side < 2; ++side) {
        for (const KindSum& sums : sides[side].sums.kinds) {
            const KindRecord& kind = sides[side].profile.kinds[sums.kind];
            ComparedKind& both = kinds[num_with_key[kind.key] > 1 ? "key " + kind.key : kind.name];
            both.kind = both.kind == nullptr ? &kind : both.kind;
            both.is_in[side] = true;
            add_to(both.ns[side], sums.ns);
            add_to(both.bytes[side], sums.call_bytes);
        }
    }
    return kinds;
}

void add_kinds(const Both<Side>& sides, bool has_all, Comparison& comparison) {
    std::vector<ComparedRow> rows;
    for (const auto& [id, both] : kinds_of(sides)) {
        const auto& [kind, is_in, ns, bytes] = both;
        if (!is_in[0] || !is_in[1]) {
            comparison.of_one[is_in[0] ? 0 : 1].push_back(
                kind->size == 0 ? kind->name
                                : fmt::format("{} ({})", kind->name,
                                              processes_phrase(kind->size, kind->remote_size)));
        } else {
            rows.push_back({ns,
                            {kind->name, human_ns(ns[0]), human_ns(ns[1]), ratio_text(ns),
                             human_bytes(bytes[0]), human_bytes(bytes[1]), ratio_text(bytes)}});
        }
    }
    comparison.tables.push_back(
        by_time({"communicators", "time A", "time B", "ratio", "bytes A", "bytes B", "ratio"},
                std::move(rows), sides, has_all));
}

// ---- differences of the jobs ----

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

constexpr std::size_t kMaxRows = 12, kMaxNames = 20;
constexpr std::size_t kCompareColumns = 80;

std::string table_text(const ComparedTable& table, bool has_all, Charset charset) {
    std::vector<std::vector<std::string>> rows = {table.heads};
    for (std::size_t i = 0; i < table.rows.size() && (i < kMaxRows || has_all); ++i) {
        rows.push_back(table.rows[i]);
        rows.back()[0] = safe(rows.back()[0], charset);
    }
    const std::size_t more = table.num_left_out + table.rows.size() - (rows.size() - 1);
    return '\n' + fitted(std::move(rows), kCompareColumns, charset) +
           (more > 0 ? fmt::format("  and {} more; --format html has all\n", more) : "");
}

std::string only_in(const char* side, const std::vector<std::string>& names, Charset charset) {
    if (names.empty()) {
        return "";
    }
    const std::size_t shown = std::min(names.size(), kMaxNames);
    const std::string first = fmt::format("{}", fmt::join(names.data(), names.data() + shown, ", "));
    const std::string rest =
        shown < names.size() ? fmt::format(", and {} more", names.size() - shown) : "";
    return '\n' + wrapped(fmt::format("Only in {}: {}{}", side, safe(first, charset), rest), "",
                          kCompareColumns);
}

// "4 processes, 2 nodes, written at MPI_Finalize": a line about one side.
std::string side_phrase(const Profile& profile) {
    return fmt::format("{}, written {}", job_phrase(profile), moment_phrase(profile));
}

std::string warnings_of(const char* side, const Profile& profile, Charset charset) {
    std::string text;
    for (const std::string& warning : profile.warnings) {
        text += '\n' + wrapped(fmt::format("warning of {}: {}", side, safe(warning, charset)), "",
                               kCompareColumns);
    }
    return text;
}

}  // namespace

Comparison compare(const Profile& a, const Profile& b, bool has_all) {
    const Both<Side> sides = {{{a, sum_up(a)}, {b, sum_up(b)}}};
    Comparison comparison;
    comparison.differences = differences(a, b);
    Numbers run{};
    for (std::size_t i = 0; i < 2; ++i) {
        const Profile& profile = sides[i].profile;
        const std::size_t num_processes = profile.processes.size();
        run[i] = num_processes == 0 ? 0 : run_ns(profile) / num_processes;
        comparison.run_time[i] = human_ns(run[i]);
        comparison.in_mpi[i] = percent_text(share_of(sides[i].sums.whole.ns, run_ns(profile)));
    }
    comparison.run_time_ratio = ratio_text(run);
    comparison.tables = {functions(sides, has_all),
                         lanes("lane, point-to-point", sides, &LaneSum::bytes),
                         lanes("lane, collectives (est.)", sides, &LaneSum::collective_bytes),
                         lanes("lane, HiTopo's collectives", sides, &LaneSum::served_bytes)};
    add_kinds(sides, has_all, comparison);
    comparison.tables.erase(std::remove_if(comparison.tables.begin(), comparison.tables.end(),
                                           [](const ComparedTable& table) {
                                               return table.rows.empty() && table.num_left_out == 0;
                                           }),
                            comparison.tables.end());
    return comparison;
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

std::string format_comparison(const NamedProfile& a, const NamedProfile& b, bool has_all,
                              Charset charset) {
    const Comparison comparison = compare(a.profile, b.profile, has_all);
    const auto shown = [&](const std::string& name) {
        return cut(safe(name, charset), kCompareColumns - 3, charset);
    };
    std::string text = fmt::format("A  {}\n   {}\nB  {}\n   {}\n", shown(a.name), side_phrase(a.profile),
                                   shown(b.name), side_phrase(b.profile));
    for (const std::string& difference : comparison.differences) {
        text += wrapped(safe(difference, charset), "", kCompareColumns);
    }
    text += fmt::format("\nrun time  {:>8} -> {:>8}   {}\nin MPI    {:>8} -> {:>8}\n",
                        comparison.run_time[0], comparison.run_time[1], comparison.run_time_ratio,
                        comparison.in_mpi[0], comparison.in_mpi[1]);
    for (const ComparedTable& table : comparison.tables) {
        text += table_text(table, has_all, charset);
    }
    return text + only_in("A", comparison.of_one[0], charset) +
           only_in("B", comparison.of_one[1], charset) + warnings_of("A", a.profile, charset) +
           warnings_of("B", b.profile, charset);
}

std::string format_comparison_page(const NamedProfile& a, const NamedProfile& b) {
    const std::string body =
        fmt::format("<body>\n<h1>Two profiles side by side</h1>\n<pre>{}</pre>\n</body>\n</html>\n",
                    escape_xml(format_comparison(a, b, true, Charset::kUtf8)));
    return page_head("Two HiTopo profiles", nonce_of(body), false) + body;
}

}  // namespace hitopo::tool
