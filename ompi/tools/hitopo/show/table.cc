// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo show`: one line for each rank.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ompi/tools/hitopo/domain.h"
#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

// Heads of columns, then their origins, then a cell of each rank.
using Column = std::vector<std::string>;

Column column_of(const std::string& name, const std::vector<std::string>& components, Charset charset) {
    const std::string origin = safe(fmt::format("{}", fmt::join(components, "+")), charset);
    return {safe(name, charset), origin.empty() ? "-" : origin};
}

// "3 n4"; "3" where the name is the number or missing; "?"; "0 -".
Column level_column(const TableDocument& table, std::size_t level, Charset charset) {
    const LevelSummary& summary = table.levels[level];
    Column column = column_of(summary.name, summary.components, charset);
    int largest = 0;
    for (const RankRow& row : table.ranks) {
        largest = std::max(largest, row.address[level]);
    }
    for (const RankRow& row : table.ranks) {
        const std::string number = std::to_string(row.address[level]);
        const OptionalText& name = row.names[level];
        const bool is_unknown = row.address[level] < 0;
        std::string cell = pad_left(is_unknown ? "?" : number, std::to_string(largest).size());
        if (!is_unknown && summary.known == Known::kNone) {
            cell += " -";
        } else if (!is_unknown && name && *name != number) {
            cell += ' ' + safe(*name, charset);
        }
        column.push_back(std::move(cell));
    }
    return column;
}

// "0 rack7", "0" where the domain has no name, "-" for those that are in none.
Column side_column(const TableDocument& table, const SideResource& side, Charset charset) {
    Column column = column_of(side.type, side.components, charset);
    column.resize(2 + table.ranks.size(), "-");
    const std::size_t width = std::to_string(side.domains.size() - 1).size();
    for (std::size_t number = 0; number < side.domains.size(); ++number) {
        const SideDomain& domain = side.domains[number];
        std::string text = pad_left(std::to_string(number), width);
        if (domain.name) {
            text += ' ' + safe(*domain.name, charset);
        }
        for (const int rank : domain.ranks) {
            column[2 + static_cast<std::size_t>(rank)] = text;
        }
    }
    return column;
}

// Explains the marks that this table has.
std::string legend(const TableDocument& table) {
    std::string text = "Each cell: the number in the address, then the name if there is one.\n";
    if (table.levels[kHwThread].known != Known::kNone) {
        text += "hwthread: the number of the process among those of its core; cpus has the CPU itself\n";
    }
    if (std::any_of(table.ranks.begin(), table.ranks.end(), [](const RankRow& row) {
            return *std::min_element(row.address.begin(), row.address.end()) < 0;
        })) {
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
    std::vector<Column> columns = {{"rank", "from"}};
    for (std::size_t level = 0; level < kNumLevels; ++level) {
        columns.push_back(level_column(table, level, charset));
    }
    for (const SideResource& side : table.side) {
        columns.push_back(side_column(table, side, charset));
    }
    columns.push_back({"cpus", ""});
    for (std::size_t rank = 0; rank < table.ranks.size(); ++rank) {
        columns.front().push_back(rank_cell(rank, table.ranks.size()));
        columns.back().push_back(safe(table.ranks[rank].cpus.value_or("-"), charset));
    }
    std::vector<std::vector<std::string>> rows(2 + table.ranks.size());
    for (Column& column : columns) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            rows[row].push_back(std::move(column[row]));
        }
    }
    return heading(table, charset) + '\n' + aligned(rows, "") + '\n' + legend(table) +
           warnings(table, charset);
}

}  // namespace hitopo::tool
