// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The functions that coll_hitopo.h declares.
#include <string.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "ompi/mca/coll/hitopo/coll_hitopo.h"
#include "ompi/mca/coll/hitopo/coll_hitopo_collectives.h"
#include "ompi/mca/coll/hitopo/coll_hitopo_short.h"
#include "ompi/mca/coll/hitopo/core/links.h"
#include "ompi/mca/coll/hitopo/core/serve.h"
#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"

struct hitopo_coll_t {
    hitopo_coll_t(const std::shared_ptr<const hitopo::coll::Positions>& positions, int own_rank,
                  const hitopo::coll::Links& links, int num_leaders,
                  const hitopo_coll_settings_t& settings)
        : collectives(positions, own_rank, links, num_leaders, settings.least_sharing, settings.tell),
          short_calls(collectives) {}

    hitopo::coll::Collectives collectives;
    hitopo::coll::ShortCalls short_calls;
};

namespace hitopo::coll {
namespace {

// Processes of another one form other trees.
constexpr int kVersion = 10;

struct Drop {
    void operator()(hitopo_base_positions_t* positions) const {
        ompi_hitopo_base_drop_positions(positions);
    }
};
using PositionsHolder = std::unique_ptr<hitopo_base_positions_t, Drop>;

// Those of a communicator's tree, which are looked up there.
class TreePositions : public Positions {
public:
    explicit TreePositions(PositionsHolder positions) : positions_(std::move(positions)) {}

    int size() const override { return ompi_hitopo_base_num_positions(positions_.get()); }
    int rank_of(int position) const override {
        return ompi_hitopo_base_rank_at(positions_.get(), position);
    }
    int position_of(int rank) const override {
        return ompi_hitopo_base_position_of(positions_.get(), rank);
    }
    Interval group(int level, int position) const override {
        const int interval = ompi_hitopo_base_interval_at(positions_.get(), level, position);
        return {ompi_hitopo_base_interval_begin(positions_.get(), level, interval),
                ompi_hitopo_base_interval_begin(positions_.get(), level, interval + 1)};
    }

private:
    PositionsHolder positions_;
};

// A persistent operation has yet to be started.
int run(OperationHolder<> operation, hitopo_coll_operation_t** open) {
    if (operation->is_persistent()) {
        operation->prepare();
        *open = operation.release();
        return HITOPO_COLL_PENDING;
    }
    const int status = operation->move_on();
    if (status == HITOPO_COLL_PENDING) {
        *open = operation.release();
    }
    return status;
}

std::string_view text_of(const char* text) { return text == nullptr ? "" : text; }

std::string line_of(const Error& error) {
    return safe(error.value + " (" + error.position() + "): " + error.message, Charset::kAscii);
}

using Ranges = std::array<hitopo_coll_ranges_t, HITOPO_COLL_NUM_KINDS>;

// coll: NULL before it is made, for what any communicator may need.
Ranges read_ranges(std::string_view text, const hitopo_coll_t* coll) {
    const Shape shape = coll != nullptr ? coll->collectives.shape() : Shape();
    const bool is_on_one_node = coll != nullptr && !coll->collectives.is_on_several_nodes();
    const auto read = parse_serve(text, shape);
    const Served served = read ? *read : *parse_serve("", shape);
    Ranges ranges = {};
    for (std::size_t kind = 0; kind < served.size(); ++kind) {
        for (const ByteRange& range : served[kind]) {
            if (is_on_one_node && !may_be_shared(kind, range.first)) {
                continue;
            }
            ranges[kind].first[ranges[kind].num] = range.first;
            ranges[kind].last[ranges[kind].num++] =
                is_on_one_node ? std::min(range.last, kMostShared) : range.last;
        }
    }
    return ranges;
}

// Each new communicator asks, and the variable is seldom written.
Ranges ranges_before_made(std::string_view text) {
    static std::mutex& mutex = *new std::mutex;  // callers outlive static destructors
    static std::string& last_text = *new std::string;
    static std::optional<Ranges> last;
    const std::lock_guard<std::mutex> lock(mutex);
    if (!last || last_text != text) {
        last = read_ranges(text, nullptr);
        last_text = text;
    }
    return *last;
}

}  // namespace
}  // namespace hitopo::coll

using hitopo::guarded;
using hitopo::kSuccess;
using hitopo::coll::OperationHolder;
using hitopo::coll::parse_links;
using hitopo::coll::parse_serve;
using hitopo::coll::run;
using hitopo::coll::text_of;

int hitopo_coll_make(hitopo_base_positions_t* positions, int own_rank,
                     const hitopo_coll_settings_t* settings, hitopo_coll_t** coll) noexcept {
    *coll = nullptr;
    return guarded([=] {
        hitopo::coll::PositionsHolder holder(positions);
        const auto shared = std::make_shared<hitopo::coll::TreePositions>(std::move(holder));
        const auto read = parse_links(text_of(settings->links));
        const hitopo::coll::Links links = read ? *read : hitopo::coll::default_links();
        const int num_leaders = std::max(1, settings->num_leaders);
        auto made = std::make_unique<hitopo_coll_t>(shared, own_rank, links, num_leaders, *settings);
        const bool is_worthwhile =
            made->collectives.is_on_several_nodes() || made->collectives.shape().shares_memory;
        *coll = is_worthwhile ? made.release() : nullptr;
    });
}

void hitopo_coll_free(hitopo_coll_t* coll) noexcept { delete coll; }

std::uint32_t hitopo_coll_digest(const hitopo_coll_settings_t* settings) noexcept {
    std::uint32_t digest = 0;
    (void)guarded([&] {
        const std::string all =
            std::to_string(hitopo::coll::kVersion) + ' ' + std::to_string(settings->num_leaders) + ' ' +
            std::to_string(settings->least_sharing) + ' ' + std::string(text_of(settings->serve)) + ' ' +
            std::string(text_of(settings->links));
        digest = static_cast<std::uint32_t>(hitopo::hash_bytes(all));
    });
    return digest;
}

int hitopo_coll_read_serve(const char* serve, const hitopo_coll_t* coll,
                           hitopo_coll_ranges_t* ranges) noexcept {
    static_assert(hitopo::coll::kNumBlocking == HITOPO_COLL_NONBLOCKING);
    static_assert(hitopo::coll::kServedKinds.size() == HITOPO_COLL_NUM_KINDS);
    static_assert(hitopo::coll::kMaxRanges == HITOPO_COLL_MAX_RANGES);
    return guarded([=] {
        const auto all = coll == nullptr ? hitopo::coll::ranges_before_made(text_of(serve))
                                         : hitopo::coll::read_ranges(text_of(serve), coll);
        std::copy(all.begin(), all.end(), ranges);
    });
}

char* hitopo_coll_wrong_setting(const hitopo_coll_settings_t* settings) noexcept {
    char* what = nullptr;
    (void)guarded([&] {
        const auto links = parse_links(text_of(settings->links));
        const auto serve = parse_serve(text_of(settings->serve), hitopo::coll::Shape());
        if (!links || !serve) {
            what = strdup(hitopo::coll::line_of(links ? serve.error() : links.error()).c_str());
        }
    });
    return what;
}

std::size_t hitopo_coll_wants_memory(hitopo_coll_t* coll, std::size_t num_bytes) noexcept {
    return coll->short_calls.wants_memory(num_bytes);
}

int hitopo_coll_node_rank(const hitopo_coll_t* coll, int process) noexcept {
    return coll->short_calls.rank_in_node(process);
}

int hitopo_coll_use_memory(hitopo_coll_t* coll, const hitopo_coll_wire_t* bytes, void* memory,
                           int* is_used) noexcept {
    bool some_lack = true;
    const int status = guarded([&] {
        const int agreed = coll->collectives.agree(*bytes, memory == nullptr, some_lack);
        if (agreed == kSuccess && !some_lack) {
            coll->short_calls.use(static_cast<hitopo::coll::NodeCell*>(memory));
        }
        return agreed;
    });
    *is_used = status == kSuccess && !some_lack ? 1 : 0;
    return status;
}

int hitopo_coll_serves(const hitopo_coll_t* coll, const hitopo_coll_wire_t* wire, std::size_t num_bytes,
                       int is_merged) noexcept {
    return coll->collectives.is_on_several_nodes() || coll->short_calls.serves(*wire, num_bytes) ||
           (is_merged != 0 && hitopo::coll::ShortCalls::fits(*wire, num_bytes));
}

int hitopo_coll_bcast(hitopo_coll_t* coll, const hitopo_coll_wire_t* bytes, char* buffer,
                      std::size_t num_bytes, int root, hitopo_coll_operation_t** open) noexcept {
    return guarded([=] {
        return coll->short_calls.serves(*bytes, num_bytes)
                   ? coll->short_calls.bcast(*bytes, buffer, num_bytes, root)
                   : run(coll->collectives.bcast(*bytes, buffer, num_bytes, root), open);
    });
}

int hitopo_coll_reduce(hitopo_coll_t* coll, const hitopo_coll_wire_t* wire, const char* input,
                       char* output, std::size_t count, int root,
                       hitopo_coll_operation_t** open) noexcept {
    return guarded([=] {
        return coll->short_calls.serves(*wire, count * wire->size)
                   ? coll->short_calls.reduce(*wire, input, output, count, root)
                   : run(coll->collectives.reduce(*wire, input, output, count, root), open);
    });
}

int hitopo_coll_allreduce(hitopo_coll_t* coll, const hitopo_coll_wire_t* wire, const char* input,
                          char* output, std::size_t count, hitopo_coll_operation_t** open) noexcept {
    return guarded([=] {
        return coll->short_calls.serves(*wire, count * wire->size)
                   ? coll->short_calls.allreduce(*wire, input, output, count)
                   : run(coll->collectives.allreduce(*wire, input, output, count), open);
    });
}

int hitopo_coll_barrier(hitopo_coll_t* coll, const hitopo_coll_wire_t* wire,
                        hitopo_coll_operation_t** open) noexcept {
    return guarded([=] {
        return coll->short_calls.serves(*wire, 1) ? coll->short_calls.barrier(*wire)
                                                  : run(coll->collectives.barrier(*wire), open);
    });
}

int hitopo_coll_allgather(hitopo_coll_t* coll, const hitopo_coll_wire_t* bytes, char* all,
                          const hitopo_coll_blocks_t* blocks, hitopo_coll_operation_t** open) noexcept {
    return guarded([=] { return run(coll->collectives.allgather(*bytes, all, *blocks), open); });
}

int hitopo_coll_reduce_scatter(hitopo_coll_t* coll, const hitopo_coll_wire_t* wire, const char* input,
                               char* own_output, const hitopo_coll_blocks_t* blocks,
                               hitopo_coll_operation_t** open) noexcept {
    return guarded(
        [=] { return run(coll->collectives.reduce_scatter(*wire, input, own_output, *blocks), open); });
}

int hitopo_coll_is_bundled(int num_ranks, std::size_t num_bytes) noexcept {
    return hitopo::coll::is_bundled(num_ranks, num_bytes) ? 1 : 0;
}

std::size_t hitopo_coll_cell_bytes(int num_ranks) noexcept {
    return hitopo::coll::cell_bytes(num_ranks);
}

int hitopo_coll_alltoall_bundled(hitopo_coll_t* coll, const hitopo_coll_wire_t* bytes, const char* out,
                                 char* in, std::size_t block_bytes,
                                 hitopo_coll_operation_t** open) noexcept {
    return guarded(
        [=] { return run(coll->collectives.alltoall_bundled(*bytes, out, in, block_bytes), open); });
}

int hitopo_coll_alltoall(hitopo_coll_t* coll, const hitopo_coll_wire_t* wire,
                         const hitopo_coll_equal_blocks_t* out, const hitopo_coll_equal_blocks_t* in,
                         std::size_t block_bytes, hitopo_coll_operation_t** open) noexcept {
    return guarded([=] { return run(coll->collectives.alltoall(*wire, *out, *in, block_bytes), open); });
}

int hitopo_coll_move_on(hitopo_coll_operation_t** open) noexcept {
    return guarded([=] {
        OperationHolder<> operation(
            static_cast<hitopo::coll::Operation*>(std::exchange(*open, nullptr)));
        const int status = operation->move_on();
        if (status == HITOPO_COLL_PENDING || (status == 0 && operation->is_persistent())) {
            *open = operation.release();
        }
        return status;
    });
}

void hitopo_coll_restart(hitopo_coll_operation_t* operation) noexcept {
    static_cast<hitopo::coll::Operation*>(operation)->restart();
}

void hitopo_coll_free_operation(hitopo_coll_operation_t* operation) noexcept {
    const OperationHolder<> freed(static_cast<hitopo::coll::Operation*>(operation));
}
