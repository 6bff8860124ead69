// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// MCA variables as text.
//
// coll_hitopo_links:
//     links  = link *( "," link )
//     link   = level ":" latency ":" bandwidth ":" message
//     level  = one of the eight words of an address, or "process"
// Latency and message in microseconds, bandwidth in bytes a microsecond (which is MB/s):
//     switch:150:12:100,node:170:80:95,process:80:70:10
//
// coll_hitopo_serve, the collectives and lengths that the component serves:
//     serve  = "all" / "none" / entry *( "," entry )
//     entry  = kind [ ":" range *( "/" range ) ]                all lengths, or these
//     range  = first "-" [ last ]                               last: included; none: no end
//     kind   = one of kServedKinds, each at most once
// Bytes are those of the message; of a collective with a block for each process, those of all blocks of
// one process:
//     allreduce:0-,bcast:0-2048/8192-,barrier
// A kind that is absent is not served.
#ifndef OMPI_MCA_COLL_HITOPO_CORE_SETTINGS_H
#define OMPI_MCA_COLL_HITOPO_CORE_SETTINGS_H

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/coll/hitopo/core/groups.h"
#include "ompi/mca/coll/hitopo/core/model.h"
#include "ompi/mca/coll/hitopo/core/node_stage.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo::coll {

// ---- links.cc ----

// An error about `value`, which is a part of `whole`, the text of that MCA variable.
Error wrong_value(std::string_view value, std::string_view whole, std::string_view variable,
                  std::string message);

// Figures of clusters of today: within a node through memory, beyond it 100 Gbit/s.
Links default_links();

// The default ones but for those in the text, which may be empty. An error has column, value and remedy.
Result<Links> parse_links(std::string_view text);

// Those of the levels at which the shape has groups, as text that parse_links() reads; "" where none
// are.
std::string format_links(const Links& links, const Shape& shape);

// ---- serve.cc ----

// In the order of hitopo_coll_kind_t; those that do not block, and persistent ones, follow in the same
// order. allgather includes allgatherv, reduce_scatter reduce_scatter_block, and alltoallv alltoallw.
inline constexpr std::size_t kNumBlocking = 8;
inline constexpr std::array<std::string_view, 2 * kNumBlocking> kServedKinds = {
    "bcast",           "reduce",    "allreduce", "allgather", "reduce_scatter", "alltoall",
    "barrier",         "alltoallv", "ibcast",    "ireduce",   "iallreduce",     "iallgather",
    "ireduce_scatter", "ialltoall", "ibarrier",  "ialltoallv"};

// The last ones of those that block have no length, or none that all processes know: they have one
// byte.
inline constexpr std::size_t kBarrier = 6, kAlltoallv = 7;
constexpr bool has_length(std::size_t kind) { return kind % kNumBlocking < kBarrier; }

// Whether so many bytes of that kind pass through memory that a node's processes share: those that block
// of bcast, reduce, allreduce and barrier.
constexpr bool may_be_shared(std::size_t kind, std::size_t bytes) {
    return (kind <= 2 || kind == kBarrier) && bytes <= kMostShared;
}

struct ByteRange {
    std::size_t first = 0;
    std::size_t last = SIZE_MAX;  // included

    bool has(std::size_t bytes) const { return first <= bytes && bytes <= last; }
};
using ByteRanges = std::vector<ByteRange>;

// By kind.
using Served = std::array<ByteRanges, kServedKinds.size()>;

// More ranges of one kind are an error.
inline constexpr std::size_t kMaxRanges = 4;

// The ranges that were faster than Open MPI's own in measurements (docs/measurements.md). Without a
// shape yet, those of any shape: whether a call is served does not depend on the knowledge by then.
std::string default_serve(const Shape& shape);

// text: empty: the default. An error has column, value and remedy.
Result<Served> parse_serve(std::string_view text, const Shape& shape);

// Text that parse_serve() reads as the same.
std::string format_serve(const Served& served);
std::string format_ranges(const ByteRanges& ranges);  // "0-2048/8192-"

bool has(const ByteRanges& ranges, std::size_t bytes);

// The way in which collectives would be served, for people.
struct Plan {
    std::size_t kind = 0;          // of kServedKinds that block
    std::string_view collectives;  // that go alike
    std::size_t bytes = 0;         // 1: of one without a length
    std::string how;               // describe()
};

// bytes: of the whole message; where there are blocks, of all blocks of a process together. Numbers that
// are merged have eight bytes.
std::vector<Plan> plans(const Shape& shape, const Links& links, std::size_t bytes, int num_leaders);

}  // namespace hitopo::coll

#endif
