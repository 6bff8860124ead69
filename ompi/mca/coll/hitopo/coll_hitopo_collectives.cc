// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/coll_hitopo_collectives.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <utility>

#include "ompi/mca/coll/hitopo/core/plans.h"

namespace hitopo::coll {
namespace {

// Where segments of a message of bytes begin: basic datatypes are not cut there, which makes them cheap
// to pack.
constexpr std::size_t kByteUnit = 64;

// The call, for people: "ibcast".
std::string name_of(const hitopo_coll_wire_t& wire) {
    std::string name(wire.function + std::strlen("MPI_"));
    name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
    return name;
}

// It merges a byte of each process.
class ByteOperation : public Operation {
public:
    using Operation::Operation;

    char own = 0, merged = 0;
};

// As many segments as the choice has, but with `count` elements none that is empty.
int num_pieces(const Choice& choice, std::size_t num_bytes, std::size_t count) {
    const std::size_t num = (num_bytes + choice.segment_bytes - 1) / choice.segment_bytes;
    return static_cast<int>(std::max<std::size_t>(1, std::min(num, count)));
}

// A block of each rank, as one message that is merged: each contributes its own block, and zeros for
// those of others.
class GatheredTogether final : public Operation {
public:
    // bytes: of the caller's memory; the message itself is not packed.
    GatheredTogether(const hitopo_coll_wire_t& merging, const Choice& its_choice,
                     const hitopo_coll_wire_t& bytes, char* all, std::vector<Block> blocks,
                     std::size_t own)
        : Operation(merging, its_choice),
          bytes_(bytes),
          all_(all),
          blocks_(std::move(blocks)),
          own_(own) {
        begins_ = {0};
        for (const Block& block : blocks_) {
            begins_.push_back(begins_.back() + block.count);
        }
        input.resize(begins_.back());
        output.resize(begins_.back());
        begin();
    }

    std::vector<char> input, output;

private:
    char* memory_of(std::size_t rank) const { return advanced(all_, blocks_[rank].at, 1); }

    void begin() override {
        char* const to = input.data() + begins_[own_];
        own_error_ = bytes_.pack == nullptr
                         ? hitopo_coll_copy_bytes(to, memory_of(own_), blocks_[own_].count)
                         : bytes_.pack(bytes_.context, begins_[own_], blocks_[own_].count, to);
    }

    int end() override {
        int error = own_error_;
        for (std::size_t rank = 0; rank < blocks_.size(); ++rank) {
            const char* block = output.data() + begins_[rank];
            const int copied =
                bytes_.unpack == nullptr
                    ? hitopo_coll_copy_bytes(memory_of(rank), block, blocks_[rank].count)
                    : bytes_.unpack(bytes_.context, block, begins_[rank], blocks_[rank].count);
            error = copied != 0 ? copied : error;
        }
        return error;
    }

    const hitopo_coll_wire_t bytes_;
    char* const all_;
    const std::vector<Block> blocks_;  // in memory
    const std::size_t own_;
    std::vector<std::size_t> begins_;  // of each rank's block in the message
    int own_error_ = 0;
};

// One message that is merged, of which a process keeps its own block.
class ScatteredTogether : public Operation {
public:
    ScatteredTogether(const hitopo_coll_wire_t& wire, const Choice& its_choice, std::size_t count,
                      Block own, char* own_output)
        : Operation(wire, its_choice),
          output(count * wire.size),
          own_{own.at * wire.size, own.count * wire.size},
          own_output_(own_output) {}

    std::vector<char> output;

private:
    int end() override {
        return hitopo_coll_copy_bytes(own_output_, output.data() + own_.at, own_.count);
    }

    const Block own_;  // bytes
    char* const own_output_;
};

}  // namespace

Collectives::Collectives(std::shared_ptr<const Positions> positions, int own_rank, const Links& links,
                         int num_leaders, int least_sharing, void (*tell)(const char*))
    : groups_(std::move(positions), own_rank),
      shape_(groups_.shape()),
      links_(links),
      num_leaders_(num_leaders),
      tell_(own_rank == 0 ? tell : nullptr) {
    shape_.shares_memory = shares_memory(shape_, least_sharing);
}

Choice Collectives::decide(Pattern pattern, std::size_t num_bytes, std::size_t unit_bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::uint64_t key = num_bytes * kNumPatterns + static_cast<std::uint64_t>(pattern);
    Decision& last = decisions_[key * 0x9e3779b97f4a7c15u >> (64 - kLogDecisions)];
    if (last.num_bytes != num_bytes || last.unit_bytes != unit_bytes || last.choice.pattern != pattern) {
        last.unit_bytes = 0;
        last.choice = coll::choose(shape_, links_, pattern, num_bytes, unit_bytes, num_leaders_);
        last.num_bytes = num_bytes;
        last.unit_bytes = unit_bytes;
    }
    return last.choice;
}

template <class Kind, class... Arguments>
OperationHolder<Kind> Collectives::begin(const hitopo_coll_wire_t& wire, Pattern pattern,
                                         std::size_t num_bytes, std::size_t unit_bytes,
                                         Arguments&&... arguments) {
    const Choice choice = decide(pattern, num_bytes, std::max<std::size_t>(1, unit_bytes));
    if (tell_ != nullptr) {
        tell(name_of(wire) + " of " + std::to_string(num_bytes) + " bytes: " + describe(choice, shape_));
    }
    OperationHolder<Kind> operation(new Kind(wire, choice, std::forward<Arguments>(arguments)...));
    wire.begin(wire.context);
    return operation;
}

OperationHolder<> Collectives::bcast(const hitopo_coll_wire_t& bytes, char* buffer,
                                     std::size_t num_bytes, int root, Route::Part part) {
    auto operation = begin(bytes, Pattern::kFromRoot, num_bytes, 1);
    const Choice& choice = operation->choice;
    auto& job = operation->emplace_job<CutMessage>(
        groups_, choice.trees, CutMessage::one_root(choice.has_proxies), groups_.position_of(root),
        num_bytes, 1, choice.num_segments, kByteUnit);
    job.comes_down = true;
    job.output = buffer;
    job.part = part;
    return operation;
}

OperationHolder<> Collectives::reduce(const hitopo_coll_wire_t& wire, const char* input, char* output,
                                      std::size_t count, int root, Route::Part part) {
    auto operation = begin(wire, Pattern::kToRoot, count * wire.size, wire.size);
    const Choice& choice = operation->choice;
    auto& job = operation->emplace_job<CutMessage>(
        groups_, choice.trees, CutMessage::one_root(choice.has_proxies), groups_.position_of(root),
        count, wire.extent, num_pieces(choice, count * wire.size, count));
    job.goes_up = true;
    job.input = input;
    job.output = output;
    // Among nodes, the memory of what they merge is the caller's.
    job.has_output =
        part == Route::Part::kAmongNodes || groups_.position_of(root) == groups_.own_position();
    job.part = part;
    return operation;
}

void Collectives::merge(Operation& operation, const char* input, char* output, std::size_t count,
                        Route::Part part) const {
    const Choice& choice = operation.choice;
    const Element& element = operation.wire.element;
    auto& job = operation.emplace_job<CutMessage>(groups_, choice.trees, CutMessage::Roots::kAll,
                                                  kNobody, count, element.extent,
                                                  num_pieces(choice, count * element.size, count));
    job.goes_up = job.comes_down = true;
    job.input = input;
    job.output = output;
    job.part = part;
}

OperationHolder<> Collectives::allreduce(const hitopo_coll_wire_t& wire, const char* input, char* output,
                                         std::size_t count, Route::Part part) {
    auto operation = begin(wire, Pattern::kThereAndBack, count * wire.size, wire.size);
    merge(*operation, input, output, count, part);
    return operation;
}

OperationHolder<> Collectives::barrier(const hitopo_coll_wire_t& wire, Route::Part part) {
    auto operation = begin<ByteOperation>(wire, Pattern::kThereAndBack, wire.size, wire.size);
    merge(*operation, &operation->own, &operation->merged, 1, part);
    return operation;
}

int Collectives::agree(const hitopo_coll_wire_t& bytes, bool own, bool& any) {
    const OperationHolder<ByteOperation> operation(
        new ByteOperation(bytes, decide(Pattern::kThereAndBack, bytes.size, bytes.size)));
    operation->own = own ? 1 : 0;
    merge(*operation, &operation->own, &operation->merged, 1);
    const int status = operation->move_on();
    any = operation->merged != 0;
    return status;
}

std::size_t Collectives::total_of(const hitopo_coll_blocks_t& blocks) const {
    const auto num = static_cast<std::size_t>(groups_.size());
    return blocks.counts == nullptr
               ? num * blocks.count
               : std::accumulate(blocks.counts, blocks.counts + num, std::size_t{0});
}

std::vector<Block> Collectives::blocks_of(const hitopo_coll_blocks_t& blocks) const {
    std::vector<Block> all = equal_blocks(groups_.size(), blocks.count);
    for (std::size_t rank = 0; blocks.begins != nullptr && rank < all.size(); ++rank) {
        all[rank] = {blocks.begins[rank], blocks.counts[rank]};
    }
    return all;
}

std::size_t Collectives::own_rank() const {
    return static_cast<std::size_t>(groups_.rank_of(groups_.own_position()));
}

OperationHolder<> Collectives::allgather(const hitopo_coll_wire_t& bytes, char* all,
                                         const hitopo_coll_blocks_t& blocks) {
    const std::size_t num_bytes = total_of(blocks);
    if (num_bytes <= kMostTogether) {
        hitopo_coll_wire_t merging = bytes;
        merging.pack = nullptr;
        merging.unpack = nullptr;
        auto operation = begin<GatheredTogether>(merging, Pattern::kThereAndBack, num_bytes, 1, bytes,
                                                 all, blocks_of(blocks), own_rank());
        merge(*operation, operation->input.data(), operation->output.data(), num_bytes);
        return operation;
    }
    auto operation = begin(bytes, Pattern::kFromEach, num_bytes, 1);
    auto& job = operation->emplace_job<RootedBlocks>(groups_, blocks_of(blocks), 1,
                                                     operation->choice.segment_bytes, kByteUnit);
    job.comes_down = true;
    job.output = all;
    return operation;
}

OperationHolder<> Collectives::reduce_scatter(const hitopo_coll_wire_t& wire, const char* input,
                                              char* own_output, const hitopo_coll_blocks_t& blocks) {
    const std::size_t count = total_of(blocks), num_bytes = count * wire.size;
    const bool has_holes = static_cast<std::size_t>(wire.extent) != wire.size || wire.true_lb != 0;
    if (num_bytes <= kMostTogether && !has_holes) {
        auto operation = begin<ScatteredTogether>(wire, Pattern::kThereAndBack, num_bytes, wire.size,
                                                  count, blocks_of(blocks)[own_rank()], own_output);
        merge(*operation, input, operation->output.data(), count);
        return operation;
    }
    auto operation = begin(wire, Pattern::kToEach, num_bytes, wire.size);
    auto& job = operation->emplace_job<RootedBlocks>(
        groups_, blocks_of(blocks), wire.extent,
        std::max<std::size_t>(1, operation->choice.segment_bytes / wire.size));
    job.goes_up = true;
    job.input = input;
    job.own_output = own_output;
    return operation;
}

OperationHolder<> Collectives::alltoall_bundled(const hitopo_coll_wire_t& bytes, const char* out,
                                                char* in, std::size_t block_bytes) {
    auto operation =
        begin(bytes, Pattern::kExchange, block_bytes * static_cast<std::size_t>(groups_.size()), 1);
    operation->emplace<Bundles>(groups_, out, in, block_bytes, operation->choice.num_sharing);
    return operation;
}

OperationHolder<> Collectives::alltoall(const hitopo_coll_wire_t& wire,
                                        const hitopo_coll_equal_blocks_t& out,
                                        const hitopo_coll_equal_blocks_t& in, std::size_t block_bytes) {
    auto operation =
        begin(wire, Pattern::kExchange, block_bytes * static_cast<std::size_t>(groups_.size()), 1);
    const BlockOfEach<const char> to_each{static_cast<const char*>(out.first), out.count, out.step};
    const BlockOfEach<char> from_each{static_cast<char*>(in.first), in.count, in.step};
    operation->emplace<Exchange>(groups_, to_each, from_each, operation->choice.window);
    return operation;
}

}  // namespace hitopo::coll
