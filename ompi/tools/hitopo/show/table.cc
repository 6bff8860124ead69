// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo show`: one line for each rank.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/place.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

using Row = std::vector<std::string>;

constexpr std::string_view kUnknownMark = "?";
constexpr std::string_view kNobodyMark = "-";

// The columns that a level's numbers take, so that they end below each other.
std::size_t number_width(const TableDocument& table, std::size_t level) {
    int largest = 0;
    for (const RankRow& row : table.ranks) {
        largest = std::max(largest, row.address[level]);
    }
    return std::to_string(largest).size();
}

// "3 n4"; "3" where the name is the number or missing; "?"; "0 -".
std::string cell(const TableDocument& table, const RankRow& row, std::size_t level, std::size_t width,
                 Charset charset) {
    if (row.address[level] < 0) {
        return pad_left(std::string(kUnknownMark), width);
    }
    const std::string number = std::to_string(row.address[level]);
    if (table.levels[level].known == Known::kNone) {
        return fmt::format("{} {}", pad_left(number, width), kNobodyMark);
    }
    const OptionalText& name = row.names[level];
    const bool says_more = name && *name != number;
    return says_more ? fmt::format("{} {}", pad_left(number, width), safe(*name, charset))
                     : pad_left(number, width);
}

// By rank: "0 rack7", "0" where the domain has no name, "-" for those that are in none.
Row side_cells(const TableDocument& table, const SideResource& side, Charset charset) {
    Row cells(table.ranks.size(), std::string(kNobodyMark));
    const std::size_t width = std::to_string(side.domains.size() - 1).size();
    for (std::size_t number = 0; number < side.domains.size(); ++number) {
        const SideDomain& domain = side.domains[number];
        std::string text = pad_left(std::to_string(number), width);
        if (domain.name) {
            text += ' ' + safe(*domain.name, charset);
        }
        for (const int rank : domain.ranks) {
            cells[static_cast<std::size_t>(rank)] = text;
        }
    }
    return cells;
}

// cell_of(name, components): of each level and each type of side resources.
template <class CellOf>
Row row_of(const char* first, const TableDocument& table, CellOf cell_of) {
    Row row = {first};
    for (const LevelSummary& level : table.levels) {
        row.push_back(cell_of(level.name, level.components));
    }
    for (const SideResource& side : table.side) {
        row.push_back(cell_of(side.type, side.components));
    }
    return row;
}

Row header(const TableDocument& table, Charset charset) {
    Row row = row_of("rank", table,
                     [charset](const std::string& name, const auto&) { return safe(name, charset); });
    row.emplace_back("cpus");
    return row;
}

std::string joined(const std::vector<std::string>& components, Charset charset) {
    const std::string names = safe(fmt::format("{}", fmt::join(components, "+")), charset);
    return names.empty() ? std::string(kNobodyMark) : names;
}

// Which components gave each level's values.
Row origins(const TableDocument& table, Charset charset) {
    return row_of("from", table, [charset](const std::string&, const auto& components) {
        return joined(components, charset);
    });
}

std::vector<Row> rank_rows(const TableDocument& table, Charset charset) {
    std::array<std::size_t, kNumLevels> widths{};
    for (std::size_t level = 0; level < kNumLevels; ++level) {
        widths[level] = number_width(table, level);
    }
    std::vector<Row> side;
    for (const SideResource& resource : table.side) {
        side.push_back(side_cells(table, resource, charset));
    }
    const std::size_t rank_width = std::max<std::size_t>(4, std::to_string(table.ranks.size()).size());
    std::vector<Row> rows;
    for (const RankRow& rank : table.ranks) {
        Row row = {pad_left(std::to_string(rows.size()), rank_width)};
        for (std::size_t level = 0; level < kNumLevels; ++level) {
            row.push_back(cell(table, rank, level, widths[level], charset));
        }
        for (const Row& cells : side) {
            row.push_back(cells[rows.size()]);
        }
        row.push_back(rank.cpus ? safe(*rank.cpus, charset) : std::string(kNobodyMark));
        rows.push_back(std::move(row));
    }
    return rows;
}

bool has_unknown(const RankRow& row) {
    return std::any_of(row.address.begin(), row.address.end(), [](int value) { return value < 0; });
}

// Explains the marks that this table has.
std::string legend(const TableDocument& table) {
    std::string text =
        "Each level: its number in the address, and its name if it differs from the number.\n";
    if (std::any_of(table.ranks.begin(), table.ranks.end(), has_unknown)) {
        text += "?    only other processes know this level (HITOPO_UNKNOWN, -1)\n";
    }
    if (std::any_of(table.levels.begin(), table.levels.end(),
                    [](const LevelSummary& level) { return level.known == Known::kNone; })) {
        text += "0 -  no process knows this level: it is 0 in all addresses\n";
    }
    if (!table.side.empty()) {
        text += "Columns with :// are side resources: the domain of the process, or - for none.\n";
    }
    return text;
}

}  // namespace

std::string format_table(const TableDocument& table, Charset charset) {
    std::vector<Row> rows = rank_rows(table, charset);
    rows.insert(rows.begin(), {header(table, charset), origins(table, charset)});
    std::string text = fmt::format("{}: {}\n\n{}\n{}", safe(table.communicator, charset),
                                   fmt::join(job_counts(table), ", "), aligned(rows, ""), legend(table));
    for (const std::string& warning : table.warnings) {
        text += fmt::format("warning: {}\n", safe(warning, charset));
    }
    return text;
}

}  // namespace hitopo::tool
