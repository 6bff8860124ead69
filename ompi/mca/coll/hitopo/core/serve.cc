// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <optional>

#include "ompi/mca/coll/hitopo/core/settings.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo::coll {
namespace {

constexpr std::string_view kServeVariable = "coll_hitopo_serve";

// Two nodes of two processes have a hop more than recursive doubling; alltoall of fewer than 16
// processes takes longer in bundles (docs/measurements.md).
constexpr int kFewProcesses = 4, kFewestBundled = 16;

std::optional<ByteRange> parse_range(std::string_view text) {
    const std::size_t dash = text.find('-');
    const std::optional<std::uint64_t> first = parse_number(trim(text.substr(0, dash)));
    if (!first || dash == std::string_view::npos) {
        return std::nullopt;
    }
    ByteRange range{*first};
    const std::string_view end = trim(text.substr(dash + 1));
    if (!end.empty()) {
        const std::optional<std::uint64_t> last = parse_number(end);
        if (!last || *last < range.first) {
            return std::nullopt;
        }
        range.last = *last;
    }
    return range;
}

std::optional<Error> read_entry(std::string_view text, std::string_view whole, Served& served) {
    const std::size_t colon = text.find(':');
    const std::string_view name = trim(text.substr(0, colon));
    const auto kind =
        std::find_if(kServedKinds.begin(), kServedKinds.end(),
                     [&](std::string_view known) { return equals_ignoring_case(name, known); });
    if (kind == kServedKinds.end()) {
        if (equals_ignoring_case(name, "all") || equals_ignoring_case(name, "none")) {
            return wrong_value(name, whole, kServeVariable,
                               "all and none stand alone; remove this word or all others");
        }
        std::string known = "all, none";
        for (const std::string_view one : kServedKinds) {
            known.append(", ").append(one);
        }
        return wrong_value(name, whole, kServeVariable,
                           "this is not a collective; write one of " + known);
    }
    ByteRanges& ranges = served[static_cast<std::size_t>(kind - kServedKinds.begin())];
    if (!ranges.empty()) {
        return wrong_value(name, whole, kServeVariable,
                           "this collective is listed twice; write all its ranges with / between them");
    }
    if (colon == std::string_view::npos) {
        ranges.push_back({});
        return std::nullopt;
    }
    for (const std::string_view part : split(text.substr(colon + 1), '/')) {
        const std::optional<ByteRange> range = parse_range(part);
        if (!range || ranges.size() == kMaxRanges) {
            return wrong_value(part, whole, kServeVariable,
                               range ? "a collective has at most four ranges; leave out the smallest"
                                     : "this is not a range of bytes; write it as 0-2048 or 8192-");
        }
        ranges.push_back(*range);
    }
    return std::nullopt;
}

}  // namespace

std::string default_serve(const Shape& shape) {
    if (shape.num_processes == 0) {
        return "bcast,reduce,allreduce,allgather,reduce_scatter,alltoall:0-65536,barrier,"
               "ibcast,ireduce,iallreduce,iallgather,ireduce_scatter,ialltoall:0-65536,ibarrier";
    }
    if (!has_several_nodes(shape)) {
        return "bcast:512-,reduce:512-,allreduce,barrier";
    }
    const bool has_one_each = shape.max_children[kProcess] == 0;
    if (has_one_each || shape.num_processes <= kFewProcesses) {
        // Where recursive doubling has as few hops, or fewer, short calls are left to others.
        const bool has_fewer_hops = has_one_each && shape.num_processes > 2 && shape.may_exchange;
        return std::string(has_fewer_hops ? "allreduce:0-2048,barrier," : "") +
               "bcast:1048576-,reduce:1048576-,allgather:1048576-,reduce_scatter:262144-,"
               "ibcast:1048576-,ireduce:1048576-,iallgather:1048576-,ireduce_scatter:262144-";
    }
    const std::string shared = shape.shares_memory ? "0-2048/" : "";
    const std::string alltoall =
        shape.num_processes < kFewestBundled ? "" : ",alltoall:0-65536,ialltoall:0-65536";
    return (shape.is_by_slot
                ? "bcast:" + shared + "16384-,reduce:" + shared +
                      "262144-,allreduce:0-16384/1048576-,"
                      "allgather:0-4096/262144-,reduce_scatter:0-4096/1048576-,barrier,"
                      "ibcast,ireduce:0-16384/262144-,iallreduce:0-16384/1048576-,"
                      "iallgather:0-4096/32768-,ireduce_scatter:0-4096/262144-,ibarrier"
                : "bcast:" + shared + "4096-,reduce:" + shared +
                      "4096-,allreduce,allgather:0-4096/65536-,reduce_scatter:0-4096/262144-,"
                      "barrier,ibcast,ireduce,iallreduce,iallgather:0-4096/32768-,"
                      "ireduce_scatter:0-4096/32768-,ibarrier") +
           alltoall;
}

Result<Served> parse_serve(std::string_view text, const Shape& shape) {
    text = trim(text);
    const std::string default_text = default_serve(shape);
    text = text.empty() ? default_text : text;
    Served served;
    if (equals_ignoring_case(text, "all")) {
        served.fill({ByteRange{}});
        return served;
    }
    if (equals_ignoring_case(text, "none")) {
        return served;
    }
    for (const std::string_view entry : split(text, ',')) {
        if (const std::optional<Error> error = read_entry(trim(entry), text, served)) {
            return *error;
        }
    }
    return served;
}

std::string format_ranges(const ByteRanges& ranges) {
    std::string text;
    for (const ByteRange& range : ranges) {
        text.append(text.empty() ? "" : "/").append(std::to_string(range.first)).append("-");
        text += range.last == SIZE_MAX ? "" : std::to_string(range.last);
    }
    return text;
}

std::string format_serve(const Served& served) {
    std::string text;
    for (std::size_t kind = 0; kind < served.size(); ++kind) {
        if (!served[kind].empty()) {
            text.append(text.empty() ? "" : ",").append(kServedKinds[kind]);
            text.append(":").append(format_ranges(served[kind]));
        }
    }
    return text.empty() ? "none" : text;
}

bool has(const ByteRanges& ranges, std::size_t bytes) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [bytes](const ByteRange& range) { return range.has(bytes); });
}

std::vector<Plan> plans(const Shape& shape, const Links& links, std::size_t bytes, int num_leaders) {
    constexpr std::size_t kNumberBytes = 8;
    const auto plan_of = [&](std::size_t kind, std::string_view collectives, Pattern pattern,
                             std::size_t num_bytes, std::size_t unit) {
        return Plan{kind, collectives, has_length(kind) ? num_bytes : 1,
                    describe(choose(shape, links, pattern, num_bytes, unit, num_leaders), shape)};
    };
    const auto plan = [&](std::string_view collectives, Pattern pattern, std::size_t unit) {
        const bool is_together = has_blocks(pattern) && bytes <= kMostTogether;
        return plan_of(static_cast<std::size_t>(pattern), collectives,
                       is_together ? Pattern::kThereAndBack : pattern, bytes, unit);
    };
    std::vector<Plan> all = {
        plan("bcast", Pattern::kFromRoot, 1),
        plan("reduce", Pattern::kToRoot, kNumberBytes),
        plan("allreduce", Pattern::kThereAndBack, kNumberBytes),
        plan("allgather, allgatherv", Pattern::kFromEach, 1),
        plan("reduce_scatter, reduce_scatter_block", Pattern::kToEach, kNumberBytes),
        plan_of(kBarrier, "barrier", Pattern::kThereAndBack, 1, 1)};
    if (is_bundled(shape.num_processes, bytes)) {
        all.insert(all.end() - 1, plan("alltoall", Pattern::kExchange, 1));
    }
    if (const std::size_t cell = cell_bytes(shape.num_processes)) {
        all.push_back(plan_of(kAlltoallv, "alltoallv, alltoallw", Pattern::kExchange,
                              cell * static_cast<std::size_t>(shape.num_processes), 1));
    }
    return all;
}

}  // namespace hitopo::coll
