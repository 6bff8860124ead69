// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo show --collectives`: the algorithms that component coll/hitopo would use, by its own core.
#include <fmt/format.h>

#include <memory>

#include "ompi/mca/coll/hitopo/core/groups.h"
#include "ompi/mca/coll/hitopo/core/node_stage.h"
#include "ompi/mca/coll/hitopo/core/settings.h"
#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/tune/tuning.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

constexpr std::size_t kWidth = 80;

// "16 processes: 2 islands of up to 2 switches of up to 2 nodes of up to 2 processes"
std::string shape_text(const coll::Shape& shape) {
    const std::string whole = counted(static_cast<std::size_t>(shape.num_processes), "process");
    std::string text;
    for (int level = 0; level < coll::kNumDivisions; ++level) {
        const int num = shape.max_children[static_cast<std::size_t>(level)];
        if (num > 0) {
            text += (text.empty() ? "" : " of up to ") +
                    counted(static_cast<std::size_t>(num), coll::division_name(level));
        }
    }
    return text.empty() || text == whole ? whole : whole + ": " + text;
}

// "" if it is served.
std::string unused_text(const coll::Served& served, std::size_t kind, std::size_t bytes) {
    const coll::ByteRanges& ranges = served[kind];
    return coll::has(ranges, bytes)
               ? ""
               : wrapped(fmt::format("Not used for {}: coll_hitopo_serve {}", coll::kServedKinds[kind],
                                     ranges.empty() ? "does not contain it"
                                                    : "has " + coll::format_ranges(ranges)),
                         "  ", kWidth);
}

}  // namespace

Result<std::string> format_collectives(const TableDocument& table, const FrameworkDocument& framework,
                                       std::size_t bytes) {
    const CollSettings settings = coll_settings(framework);
    const Result<coll::Links> links = coll::parse_links(settings.links);
    if (!links) {
        return links.error();
    }
    const std::vector<std::int32_t> addresses = addresses_in(table);
    const std::vector<const std::int32_t*> rows = rows_in(addresses);
    const coll::Groups groups(
        std::make_shared<coll::RowPositions>(rows.data(), static_cast<int>(rows.size())), 0);
    coll::Shape shape = groups.shape();
    shape.shares_memory = coll::shares_memory(shape, settings.share);
    shape.may_exchange = settings.may_exchange;
    const Result<coll::Served> served = coll::parse_serve(settings.serve, shape);
    if (!served) {
        return served.error();
    }
    const char* why = !coll::has_several_nodes(shape) && !shape.shares_memory
                          ? "the processes are not on several nodes"
                      : settings.priority < 0 ? "coll_hitopo_priority is below 0. With 40 it would use:"
                                              : nullptr;
    std::string text = wrapped(fmt::format("{} bytes, {}", bytes, shape_text(shape)), "", kWidth);
    text += why == nullptr ? "" : wrapped(fmt::format("coll/hitopo is not used: {}", why), "", kWidth);
    if (shape.shares_memory) {
        text += wrapped(
            fmt::format("bcast, reduce and allreduce of up to {} bytes and barrier pass through shared "
                        "memory within a node",
                        coll::kMostShared),
            "", kWidth);
    }
    if (!coll::has_several_nodes(shape)) {
        return text;
    }
    for (const coll::Plan& plan : coll::plans(shape, *links, bytes, settings.num_leaders)) {
        text += fmt::format("{}\n{}", plan.collectives, wrapped(plan.how, "  ", kWidth));
        text += unused_text(*served, plan.kind, plan.bytes) +
                unused_text(*served, plan.kind + coll::kNumBlocking, plan.bytes);
    }
    return text + "Open MPI's own components run all others.\n";
}

}  // namespace hitopo::tool
