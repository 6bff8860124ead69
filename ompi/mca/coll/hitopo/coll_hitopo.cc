// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The collectives of one communicator, each chosen and made for one call.
#include "ompi/mca/coll/hitopo/coll_hitopo.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/coll/hitopo/coll_hitopo_operation.h"
#include "ompi/mca/coll/hitopo/coll_hitopo_settings.h"
#include "ompi/mca/coll/hitopo/coll_hitopo_short.h"
#include "ompi/mca/coll/hitopo/coll_hitopo_together.h"
#include "ompi/mca/coll/hitopo/core/model.h"
#include "ompi/mca/coll/hitopo/core/settings.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo::coll {
namespace {

// The way of each collective. Blocks of all processes that are short together (kMostTogether) go like an
// allreduce.
struct Way {
    Pattern pattern;
    bool goes_up, comes_down;
    enum { kTheRoot, kAllInTurn, kEach, kNone } roots;  // of its segments
};
constexpr Way kWays[HITOPO_COLL_NONBLOCKING] = {
    /* bcast          */ {Pattern::kFromRoot, false, true, Way::kTheRoot},
    /* reduce         */ {Pattern::kToRoot, true, false, Way::kTheRoot},
    /* allreduce      */ {Pattern::kThereAndBack, true, true, Way::kAllInTurn},
    /* allgather      */ {Pattern::kFromEach, false, true, Way::kEach},
    /* reduce_scatter */ {Pattern::kToEach, true, false, Way::kEach},
    /* alltoall       */ {Pattern::kExchange, false, false, Way::kNone},
    /* barrier        */ {Pattern::kThereAndBack, true, true, Way::kAllInTurn},
    /* alltoallv      */ {Pattern::kExchange, false, false, Way::kNone},
};

// Segments of a message of bytes begin at multiples of it: they cut no basic datatype, so they are cheap
// to pack.
constexpr std::size_t kByteUnit = 64;

// The call, for people: "ibcast".
std::string name_of(const hitopo_coll_messages_t& messages) {
    std::string name(messages.function + std::strlen("MPI_"));
    name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
    return name;
}

// The number of segments of the choice, but none that is empty of `count` elements.
int num_pieces(const Choice& choice, std::size_t num_bytes, std::size_t count) {
    const std::size_t num = (num_bytes + choice.segment_bytes - 1) / choice.segment_bytes;
    return static_cast<int>(std::max<std::size_t>(1, std::min(num, count)));
}

std::size_t total_of(const std::vector<Block>& blocks) {
    return std::accumulate(blocks.begin(), blocks.end(), std::size_t{0},
                           [](std::size_t sum, const Block& block) { return sum + block.count; });
}

// One message that all contribute to, and all get.
hitopo_coll_arguments_t merged(const char* input, char* output, std::size_t count) {
    hitopo_coll_arguments_t arguments = {};
    arguments.kind = HITOPO_COLL_ALLREDUCE;
    arguments.input = input;
    arguments.output = output;
    arguments.count = count;
    return arguments;
}

// The positions of a communicator's tree, which are looked up there.
class TreePositions : public Positions {
public:
    explicit TreePositions(hitopo_base_positions_t* positions) : positions_(positions) {}
    TreePositions(const TreePositions&) = delete;
    TreePositions& operator=(const TreePositions&) = delete;
    ~TreePositions() override { ompi_hitopo_base_drop_positions(positions_); }

    int size() const override { return ompi_hitopo_base_num_positions(positions_); }
    int rank_of(int position) const override { return ompi_hitopo_base_rank_at(positions_, position); }
    int position_of(int rank) const override { return ompi_hitopo_base_position_of(positions_, rank); }
    int group_at(int level, int position) const override {
        return ompi_hitopo_base_interval_at(positions_, level, position);
    }
    int group_begin(int level, int group) const override {
        return ompi_hitopo_base_interval_begin(positions_, level, group);
    }

private:
    hitopo_base_positions_t* const positions_;
};

}  // namespace

// Functions that make an operation give one that has begun, but posted nothing; it lives no longer than
// this object. They throw where memory is short.
class Collectives {
public:
    Collectives(std::shared_ptr<const Positions> positions, int own_rank, const Links& links,
                const hitopo_coll_settings_t& settings)
        : groups(std::move(positions), own_rank),
          shape(shape_of(groups, settings)),
          short_calls(groups, shape.shares_memory, crossing()),
          verbose(own_rank == 0 ? settings.verbose : 0),
          links_(links),
          num_leaders_(std::max(1, settings.num_leaders)) {}

    const Groups groups;
    const Shape shape;
    ShortCalls short_calls;
    const int verbose;  // hitopo_coll_settings_t, at rank 0

    int run(hitopo_coll_messages_t& messages, const hitopo_coll_arguments_t& arguments);

private:
    // The decisions for the last messages: programs repeat theirs. By a hash of pattern and bytes.
    static constexpr int kLogDecisions = 5;
    struct Decision {
        std::size_t num_bytes = 0, unit_bytes = 0;  // 0: none
        Choice choice;
    };

    static Shape shape_of(const Groups& groups, const hitopo_coll_settings_t& settings) {
        Shape shape = groups.shape();
        shape.shares_memory = shares_memory(shape, settings.least_sharing);
        return shape;
    }

    ShortCalls::Crossing crossing() {
        return !has_several_nodes(shape)
                   ? ShortCalls::Crossing()
                   : [this](hitopo_coll_messages_t& messages, const hitopo_coll_arguments_t& arguments) {
                         return make(messages, arguments, Route::Part::kAmongNodes)->move_on();
                     };
    }
    // Thread safe. Whether the call is to be printed.
    bool prints(const hitopo_coll_messages_t& messages, std::size_t num_bytes);

    // Thread safe: progress, in any thread, begins calls, too.
    Choice decide(Pattern pattern, std::size_t num_bytes, std::size_t unit_bytes);
    template <class Kind = Operation, class... Arguments>
    std::unique_ptr<Kind, EndOperation> begin(hitopo_coll_messages_t& messages, Pattern pattern,
                                              std::size_t num_bytes, Arguments&&... arguments);
    void cut(Operation& operation, const hitopo_coll_arguments_t& message, Route::Part part) const;

    OperationHolder<> make(hitopo_coll_messages_t& messages, const hitopo_coll_arguments_t& arguments,
                           Route::Part part = Route::Part::kWhole);
    OperationHolder<> allgather(hitopo_coll_messages_t& bytes, const hitopo_coll_arguments_t& arguments);
    OperationHolder<> reduce_scatter(hitopo_coll_messages_t& messages,
                                     const hitopo_coll_arguments_t& arguments);
    OperationHolder<> by_blocks(hitopo_coll_messages_t& messages,
                                const hitopo_coll_arguments_t& arguments,
                                const std::vector<Block>& blocks);
    OperationHolder<> alltoall(hitopo_coll_messages_t& messages,
                               const hitopo_coll_arguments_t& arguments);
    std::vector<Block> blocks_of(const hitopo_coll_blocks_t& blocks) const;
    std::size_t own_rank() const {
        return static_cast<std::size_t>(groups.rank_of(groups.own_position()));
    }

    const Links links_;
    const int num_leaders_;
    std::mutex mutex_;
    std::array<Decision, 1 << kLogDecisions> decisions_;  // guarded by mutex_
    std::set<std::pair<std::string, int>> printed_;       // likewise: call, and log2 of its length
};

int Collectives::run(hitopo_coll_messages_t& messages, const hitopo_coll_arguments_t& arguments) {
    const bool may_be_short = ShortCalls::fits(messages, arguments);
    if (may_be_short && short_calls.has_memory(messages, verbose > 0)) {
        return short_calls.run(messages, arguments);
    }
    const bool is_merged = kWays[arguments.kind].goes_up && arguments.kind != HITOPO_COLL_BARRIER;
    if (!has_several_nodes(shape) && !(may_be_short && is_merged)) {
        return HITOPO_COLL_HANDED_ON;
    }
    OperationHolder<> operation = make(messages, arguments);
    if (messages.is_persistent) {
        operation->prepare();
    }
    messages.operation = operation.release();
    return messages.is_persistent ? HITOPO_COLL_PENDING : hitopo_coll_move_on(&messages);
}

Choice Collectives::decide(Pattern pattern, std::size_t num_bytes, std::size_t unit_bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::uint64_t key = num_bytes * kNumPatterns + static_cast<std::uint64_t>(pattern);
    Decision& last = decisions_[key * 0x9e3779b97f4a7c15u >> (64 - kLogDecisions)];
    if (last.num_bytes != num_bytes || last.unit_bytes != unit_bytes || last.choice.pattern != pattern) {
        last.unit_bytes = 0;
        last.choice = coll::choose(shape, links_, pattern, num_bytes, unit_bytes, num_leaders_);
        last.num_bytes = num_bytes;
        last.unit_bytes = unit_bytes;
    }
    return last.choice;
}

bool Collectives::prints(const hitopo_coll_messages_t& messages, std::size_t num_bytes) {
    const int length = num_bytes == 0 ? 0 : std::ilogb(static_cast<double>(num_bytes));
    const std::lock_guard<std::mutex> lock(mutex_);
    return verbose > 1 ||
           (!messages.is_of_open_mpi && printed_.emplace(name_of(messages), length).second);
}

// Makes the operation of a call that begins, or of a part of one that has begun.
template <class Kind, class... Arguments>
std::unique_ptr<Kind, EndOperation> Collectives::begin(hitopo_coll_messages_t& messages, Pattern pattern,
                                                       std::size_t num_bytes, Arguments&&... arguments) {
    const Choice choice = decide(pattern, num_bytes, std::max<std::size_t>(1, messages.size));
    if (verbose > 0 && prints(messages, num_bytes)) {
        hitopo_coll_print(&messages,
                          (name_of(messages) + " of " + std::to_string(num_bytes) + " bytes").c_str(),
                          describe(choice, shape).c_str());
    }
    return std::unique_ptr<Kind, EndOperation>(
        new Kind(messages, choice, std::forward<Arguments>(arguments)...));
}

// Makes the segments of one message.
void Collectives::cut(Operation& operation, const hitopo_coll_arguments_t& message,
                      Route::Part part) const {
    const Way& way = kWays[message.kind];
    const Choice& choice = operation.choice;
    const Element& element = operation.messages.element;
    const bool has_root = way.roots == Way::kTheRoot;
    const int root = has_root ? groups.position_of(message.root) : kNobody;
    auto& segments = operation.emplace_segments<MessageSegments>(
        groups, choice.trees,
        has_root ? MessageSegments::one_root(choice.has_proxies) : MessageSegments::Roots::kAll, root,
        message.count, element.extent, num_pieces(choice, message.count * element.size, message.count),
        way.goes_up ? 1 : kByteUnit);
    segments.goes_up = way.goes_up;
    segments.comes_down = way.comes_down;
    segments.input = message.input;
    segments.output = message.output;
    // Among nodes, the memory for the sum is the caller's.
    segments.has_output =
        way.comes_down || part == Route::Part::kAmongNodes || root == groups.own_position();
    segments.part = part;
}

OperationHolder<> Collectives::make(hitopo_coll_messages_t& messages,
                                    const hitopo_coll_arguments_t& arguments, Route::Part part) {
    const bool is_whole = part == Route::Part::kWhole;
    if (is_whole) {
        hitopo_coll_begin_messages(&messages);
    }
    switch (kWays[arguments.kind].roots) {
        case Way::kNone:
            return alltoall(messages, arguments);
        case Way::kEach:
            return arguments.kind == HITOPO_COLL_ALLGATHER ? allgather(messages, arguments)
                                                           : reduce_scatter(messages, arguments);
        default:
            auto operation = begin(messages, kWays[arguments.kind].pattern,
                                   arguments.count * messages.size, is_whole && messages.is_packed);
            cut(*operation, arguments, part);
            return operation;
    }
}

std::vector<Block> Collectives::blocks_of(const hitopo_coll_blocks_t& blocks) const {
    std::vector<Block> all = equal_blocks(groups.size(), blocks.count);
    for (std::size_t rank = 0; blocks.begins != nullptr && rank < all.size(); ++rank) {
        all[rank] = {blocks.begins[rank], blocks.counts[rank]};
    }
    return all;
}

// Blocks that are long together, each in pieces of its own.
OperationHolder<> Collectives::by_blocks(hitopo_coll_messages_t& messages,
                                         const hitopo_coll_arguments_t& arguments,
                                         const std::vector<Block>& blocks) {
    const Way& way = kWays[arguments.kind];
    auto operation = begin(messages, way.pattern, total_of(blocks) * messages.size, messages.is_packed);
    auto& segments = operation->emplace_segments<BlockSegments>(
        groups, blocks, messages.extent,
        std::max<std::size_t>(1, operation->choice.segment_bytes / messages.size),
        way.goes_up ? 1 : kByteUnit);
    segments.goes_up = way.goes_up;
    segments.comes_down = way.comes_down;
    segments.input = arguments.input;
    segments.output = segments.own_output = arguments.output;
    return operation;
}

OperationHolder<> Collectives::allgather(hitopo_coll_messages_t& bytes,
                                         const hitopo_coll_arguments_t& arguments) {
    const std::vector<Block> blocks = blocks_of(arguments.blocks);
    const std::size_t num_bytes = total_of(blocks);
    if (num_bytes <= kMostTogether) {
        auto together = begin<GatheredTogether>(bytes, Pattern::kThereAndBack, num_bytes,
                                                arguments.output, blocks, own_rank());
        cut(*together, merged(together->input.data(), together->output.data(), num_bytes),
            Route::Part::kWhole);
        return together;
    }
    return by_blocks(bytes, arguments, blocks);
}

OperationHolder<> Collectives::reduce_scatter(hitopo_coll_messages_t& messages,
                                              const hitopo_coll_arguments_t& arguments) {
    const std::vector<Block> blocks = blocks_of(arguments.blocks);
    const std::size_t count = total_of(blocks), num_bytes = count * messages.size;
    if (num_bytes <= kMostTogether && !has_holes(messages)) {
        auto together = begin<ScatteredTogether>(messages, Pattern::kThereAndBack, num_bytes, count,
                                                 blocks[own_rank()], arguments.output);
        cut(*together, merged(arguments.input, together->output.data(), count), Route::Part::kWhole);
        return together;
    }
    return by_blocks(messages, arguments, blocks);
}

OperationHolder<> Collectives::alltoall(hitopo_coll_messages_t& messages,
                                        const hitopo_coll_arguments_t& arguments) {
    auto operation = begin(messages, kWays[arguments.kind].pattern,
                           arguments.count * static_cast<std::size_t>(groups.size()), false);
    operation->emplace<Bundles>(groups, arguments.input, arguments.output, arguments.count,
                                operation->choice.num_sharing);
    return operation;
}

}  // namespace hitopo::coll

struct hitopo_coll_t : hitopo::coll::Collectives {
    using Collectives::Collectives;
};

using hitopo::guarded;
using hitopo::kSuccess;
using hitopo::text_or_empty;
using hitopo::coll::OperationHolder;

int hitopo_coll_make(hitopo_base_positions_t* positions, int own_rank,
                     const hitopo_coll_settings_t* settings, hitopo_coll_t** coll,
                     hitopo_coll_ranges_t* ranges) noexcept {
    *coll = nullptr;
    return guarded([=] {
        const auto shared = std::make_shared<hitopo::coll::TreePositions>(positions);
        const auto links = hitopo::coll::parse_links(text_or_empty(settings->links));
        auto made = std::make_unique<hitopo_coll_t>(
            shared, own_rank, links ? *links : hitopo::coll::default_links(), *settings);
        if (has_several_nodes(made->shape) || made->shape.shares_memory) {
            const auto read = hitopo::coll::read_ranges(text_or_empty(settings->serve), made->shape);
            std::copy(read.begin(), read.end(), ranges);
            *coll = made.release();
        }
    });
}

void hitopo_coll_free(hitopo_coll_t* coll) noexcept { delete coll; }

bool hitopo_coll_is_bundled(int num_ranks, std::size_t num_bytes) noexcept {
    return hitopo::coll::is_bundled(num_ranks, num_bytes);
}

std::size_t hitopo_coll_cell_bytes(int num_ranks) noexcept {
    return hitopo::coll::cell_bytes(num_ranks);
}

int hitopo_coll_run(hitopo_coll_t* coll, hitopo_coll_messages_t* messages,
                    const hitopo_coll_arguments_t* arguments) noexcept {
    return guarded([=] { return coll->run(*messages, *arguments); });
}

int hitopo_coll_move_on(hitopo_coll_messages_t* messages) noexcept {
    if (messages->operation == nullptr) {
        return 0;
    }
    return guarded([=] {
        OperationHolder<> operation(
            static_cast<hitopo::coll::Operation*>(std::exchange(messages->operation, nullptr)));
        const int status = operation->move_on();
        if (status == HITOPO_COLL_PENDING || (status == 0 && messages->is_persistent)) {
            messages->operation = operation.release();
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
