// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/coll_hitopo_collectives.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>

#include "ompi/mca/coll/hitopo/core/bundles.h"
#include "ompi/mca/coll/hitopo/core/exchange.h"
#include "ompi/mca/coll/hitopo/core/plans.h"

namespace hitopo::coll {
namespace {

// Where segments of a message of bytes begin: basic datatypes are not cut there, which makes them cheap
// to pack.
constexpr std::size_t kByteUnit = 64;

// The engine's messages as requests of a C wire.
class RequestWire : public Wire, private Packing {
public:
    explicit RequestWire(const hitopo_coll_wire_t& wire) : wire_(wire) {
        element = {wire.size, wire.extent, wire.true_lb, wire.true_extent};
        num_tags = wire.num_tags;
        packing = wire.pack == nullptr ? nullptr : this;
    }
    RequestWire(const RequestWire&) = delete;
    RequestWire& operator=(const RequestWire&) = delete;

    int send(const char* from, std::size_t count, int peer, int tag, bool must_match,
             const Ticket& ticket) override {
        return post({ticket, kAnyLength}, [&](void** request) {
            return wire_.send(wire_.context, from, count, peer, tag, must_match ? 1 : 0, request);
        });
    }
    int receive(char* to, std::size_t count, int peer, int tag, const Ticket& ticket) override {
        return post({ticket, count * element.size}, [&](void** request) {
            return wire_.receive(wire_.context, to, count, peer, tag, request);
        });
    }
    int reduce(const char* in, char* inout, std::size_t count) override {
        return wire_.reduce(wire_.context, in, inout, count);
    }

    // What has completed, one or more.
    int wait_some(std::vector<Ticket>& tickets) {
        int num_done = 0;
        done_.resize(requests_.size());
        bytes_.resize(requests_.size());
        const int error = wire_.wait_some(wire_.context, static_cast<int>(requests_.size()),
                                          requests_.data(), &num_done, done_.data(), bytes_.data());
        tickets.clear();
        for (int i = 0; i < num_done; ++i) {
            Posted& posted = posted_[static_cast<std::size_t>(done_[static_cast<std::size_t>(i)])];
            const std::size_t bytes = bytes_[static_cast<std::size_t>(i)];
            posted.ticket.has_failed = posted.num_bytes != kAnyLength && posted.num_bytes != bytes;
            has_failed_ = has_failed_ || posted.ticket.has_failed;
        }
        std::sort(done_.begin(), done_.begin() + num_done);
        // From the end, as the last one takes the place of one that is done.
        for (int i = num_done; i-- > 0;) {
            const auto at = static_cast<std::size_t>(done_[static_cast<std::size_t>(i)]);
            tickets.push_back(posted_[at].ticket);
            posted_[at] = posted_.back();
            requests_[at] = requests_.back();
            posted_.pop_back();
            requests_.pop_back();
        }
        return error;
    }

    // The wire's length_error if a message had another length than was expected, else 0.
    int length_error() const { return has_failed_ ? wire_.length_error : 0; }

    // Ends what is open. Returns whether a peer may still read what was sent.
    bool abandon() {
        bool is_read = false;
        for (std::size_t i = 0; i < requests_.size(); ++i) {
            const bool is_send = posted_[i].num_bytes == kAnyLength;
            is_read = wire_.abandon(wire_.context, requests_[i], is_send ? 1 : 0) != 0 || is_read;
        }
        requests_.clear();
        posted_.clear();
        return is_read;
    }

private:
    static constexpr std::size_t kAnyLength = HITOPO_COLL_TOO_LONG;
    struct Posted {
        Ticket ticket;
        std::size_t num_bytes;  // of what is received; kAnyLength where it is sent
    };

    int pack(std::size_t at, std::size_t count, char* to) override {
        return wire_.pack(wire_.context, at, count, to);
    }
    int unpack(const char* from, std::size_t at, std::size_t count) override {
        return wire_.unpack(wire_.context, from, at, count);
    }

    // A request that was posted has its place already: nothing is lost where memory is short.
    template <class Post>
    int post(const Posted& posted, Post post_to) {
        posted_.push_back(posted);
        requests_.push_back(nullptr);
        const int error = post_to(&requests_.back());
        if (error != 0) {
            posted_.pop_back();
            requests_.pop_back();
        }
        return error;
    }

    const hitopo_coll_wire_t& wire_;
    std::vector<void*> requests_;
    std::vector<Posted> posted_;  // of each request
    std::vector<int> done_;
    std::vector<std::size_t> bytes_;
    bool has_failed_ = false;
};

// Leaves no message open, however a call ends. Memory that a peer may read from later is kept for ever:
// no completion is ever signalled.
class Ending {
public:
    Ending(RequestWire& wire, std::unique_ptr<Activity>& activity) : wire_(wire), activity_(activity) {}
    ~Ending() {
        if (wire_.abandon()) {
            (void)activity_.release();
        }
    }
    Ending(const Ending&) = delete;
    Ending& operator=(const Ending&) = delete;

private:
    RequestWire& wire_;
    std::unique_ptr<Activity>& activity_;
};

int drive(RequestWire& wire, std::unique_ptr<Activity> activity) {
    const Ending ending(wire, activity);
    std::vector<Ticket> tickets;
    for (activity->advance(); !activity->is_finished(); activity->advance()) {
        if (const int error = wire.wait_some(tickets)) {
            return error;
        }
        activity->complete(tickets);
    }
    return activity->error() != 0 ? activity->error() : wire.length_error();
}

// As many segments as the choice has, but with `count` elements none that is empty.
int num_pieces(const Choice& choice, std::size_t num_bytes, std::size_t count) {
    const std::size_t num = (num_bytes + choice.segment_bytes - 1) / choice.segment_bytes;
    return static_cast<int>(std::max<std::size_t>(1, std::min(num, count)));
}

}  // namespace

Collectives::Collectives(std::shared_ptr<const Positions> positions, int own_rank, const Links& links,
                         int num_leaders, void (*tell)(const char*))
    : groups_(std::move(positions), own_rank),
      links_(links),
      num_leaders_(num_leaders),
      tell_(own_rank == 0 ? tell : nullptr) {}

bool Collectives::is_on_several_nodes() const { return has_several_nodes(groups_); }

const Choice& Collectives::decide(Pattern pattern, std::size_t num_bytes, std::size_t unit_bytes) {
    const std::uint64_t key = num_bytes * kNumPatterns + static_cast<std::uint64_t>(pattern);
    Decision& last = decisions_[key * 0x9e3779b97f4a7c15u >> (64 - kLogDecisions)];
    if (last.num_bytes != num_bytes || last.unit_bytes != unit_bytes || last.choice.pattern != pattern) {
        last.unit_bytes = 0;
        last.choice =
            coll::choose(groups_.shape(), links_, pattern, num_bytes, unit_bytes, num_leaders_);
        last.num_bytes = num_bytes;
        last.unit_bytes = unit_bytes;
    }
    return last.choice;
}

const Choice& Collectives::begin(const hitopo_coll_wire_t& wire, const char* name, Pattern pattern,
                                 std::size_t num_bytes, std::size_t unit_bytes) {
    const Choice& choice = decide(pattern, num_bytes, std::max<std::size_t>(1, unit_bytes));
    if (tell_ != nullptr) {
        const std::string how = describe(choice, groups_.shape());
        tell_((std::string(name) + " of " + std::to_string(num_bytes) + " bytes: " + how).c_str());
    }
    wire.begin(wire.context);
    return choice;
}

int Collectives::run(const hitopo_coll_wire_t& c_wire, const Job& job, const Choice& choice) const {
    RequestWire wire(c_wire);
    return drive(wire, std::make_unique<Engine>(wire, groups_, choice.trees, job, choice.window));
}

int Collectives::bcast(const hitopo_coll_wire_t& bytes, char* buffer, std::size_t num_bytes, int root) {
    const Choice& choice = begin(bytes, "bcast", Pattern::kFromRoot, num_bytes, 1);
    CutMessage job(groups_, choice.trees, CutMessage::one_root(choice.has_proxies),
                   groups_.position_of(root), num_bytes, 1, choice.num_segments, kByteUnit);
    job.comes_down = true;
    job.output = buffer;
    return run(bytes, job, choice);
}

int Collectives::reduce(const hitopo_coll_wire_t& wire, const char* input, char* output,
                        std::size_t count, int root) {
    const Choice& choice = begin(wire, "reduce", Pattern::kToRoot, count * wire.size, wire.size);
    CutMessage job(groups_, choice.trees, CutMessage::one_root(choice.has_proxies),
                   groups_.position_of(root), count, wire.extent,
                   num_pieces(choice, count * wire.size, count));
    job.goes_up = true;
    job.input = input;
    job.output = output;
    job.has_output = groups_.position_of(root) == groups_.own_position();
    return run(wire, job, choice);
}

int Collectives::merge_at_all(const char* name, const hitopo_coll_wire_t& wire, const char* input,
                              char* output, std::size_t count) {
    begin(wire, name, Pattern::kThereAndBack, count * wire.size, wire.size);
    return merge(wire, input, output, count);
}

int Collectives::merge(const hitopo_coll_wire_t& wire, const char* input, char* output,
                       std::size_t count) {
    const Choice& choice =
        decide(Pattern::kThereAndBack, count * wire.size, std::max<std::size_t>(1, wire.size));
    CutMessage job(groups_, choice.trees, CutMessage::Roots::kAll, kNobody, count, wire.extent,
                   num_pieces(choice, count * wire.size, count));
    job.goes_up = job.comes_down = true;
    job.input = input;
    job.output = output;
    return run(wire, job, choice);
}

int Collectives::allreduce(const hitopo_coll_wire_t& wire, const char* input, char* output,
                           std::size_t count) {
    return merge_at_all("allreduce", wire, input, output, count);
}

int Collectives::barrier(const hitopo_coll_wire_t& wire) {
    const char input = 0;
    char output = 0;
    return merge_at_all("barrier", wire, &input, &output, 1);
}

int Collectives::agree(const hitopo_coll_wire_t& bytes, bool own, bool& any) {
    const char input = own ? 1 : 0;
    char output = 0;
    const int status = merge(bytes, &input, &output, 1);
    any = output != 0;
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

// Each process contributes its own block, and zeros for those of others.
int Collectives::gather_together(const hitopo_coll_wire_t& bytes, char* all,
                                 const hitopo_coll_blocks_t& blocks, std::size_t num_bytes) {
    std::vector<char> input(num_bytes), output(num_bytes);
    const std::vector<Block> in_memory = blocks_of(blocks);
    std::vector<std::size_t> begins = {0};  // of each rank's block in the message
    for (const Block& block : in_memory) {
        begins.push_back(begins.back() + block.count);
    }
    const auto own = static_cast<std::size_t>(groups_.rank_of(groups_.own_position()));
    const auto memory_of = [&](std::size_t rank) { return advanced(all, in_memory[rank].at, 1); };
    int error = 0;
    if (bytes.pack != nullptr) {
        error = bytes.pack(bytes.context, begins[own], in_memory[own].count, input.data() + begins[own]);
    } else {
        std::copy_n(memory_of(own), in_memory[own].count, input.data() + begins[own]);
    }
    hitopo_coll_wire_t merging = bytes;
    merging.pack = nullptr;
    merging.unpack = nullptr;
    const int merged = merge_at_all("allgather", merging, input.data(), output.data(), num_bytes);
    error = merged != 0 ? merged : error;
    for (std::size_t rank = 0; merged == 0 && rank < in_memory.size(); ++rank) {
        const char* block = output.data() + begins[rank];
        if (bytes.unpack == nullptr) {
            std::copy_n(block, in_memory[rank].count, memory_of(rank));
        } else if (const int unpacked =
                       bytes.unpack(bytes.context, block, begins[rank], in_memory[rank].count)) {
            error = unpacked;
        }
    }
    return error;
}

int Collectives::allgather(const hitopo_coll_wire_t& bytes, char* all,
                           const hitopo_coll_blocks_t& blocks) {
    const std::size_t num_bytes = total_of(blocks);
    if (num_bytes <= kMostTogether) {
        return gather_together(bytes, all, blocks, num_bytes);
    }
    const Choice& choice = begin(bytes, "allgather", Pattern::kFromEach, num_bytes, 1);
    RootedBlocks job(groups_, blocks_of(blocks), 1, choice.segment_bytes, kByteUnit);
    job.comes_down = true;
    job.output = all;
    return run(bytes, job, choice);
}

int Collectives::reduce_scatter(const hitopo_coll_wire_t& wire, const char* input, char* own_output,
                                const hitopo_coll_blocks_t& blocks) {
    const std::size_t count = total_of(blocks), num_bytes = count * wire.size;
    const bool has_holes = static_cast<std::size_t>(wire.extent) != wire.size || wire.true_lb != 0;
    if (num_bytes <= kMostTogether && !has_holes) {
        std::vector<char> output(num_bytes);
        const Block own =
            blocks_of(blocks)[static_cast<std::size_t>(groups_.rank_of(groups_.own_position()))];
        const int status = merge_at_all("reduce_scatter", wire, input, output.data(), count);
        if (status == 0) {
            std::copy_n(output.data() + own.at * wire.size, own.count * wire.size, own_output);
        }
        return status;
    }
    const Choice& choice = begin(wire, "reduce_scatter", Pattern::kToEach, num_bytes, wire.size);
    RootedBlocks job(groups_, blocks_of(blocks), wire.extent,
                     std::max<std::size_t>(1, choice.segment_bytes / wire.size));
    job.goes_up = true;
    job.input = input;
    job.own_output = own_output;
    return run(wire, job, choice);
}

int Collectives::alltoall_bundled(const hitopo_coll_wire_t& bytes, const char* name, const char* out,
                                  char* in, std::size_t block_bytes) {
    const Choice& choice = begin(bytes, name, Pattern::kExchange,
                                 block_bytes * static_cast<std::size_t>(groups_.size()), 1);
    RequestWire wire(bytes);
    return drive(wire,
                 std::make_unique<Bundles>(wire, groups_, out, in, block_bytes, choice.num_sharing));
}

int Collectives::alltoall(const hitopo_coll_wire_t& c_wire, const hitopo_coll_equal_blocks_t& out,
                          const hitopo_coll_equal_blocks_t& in, std::size_t block_bytes) {
    const Choice& choice = begin(c_wire, "alltoall", Pattern::kExchange,
                                 block_bytes * static_cast<std::size_t>(groups_.size()), 1);
    const BlockOfEach<const char> to_each{static_cast<const char*>(out.first), out.count, out.step};
    const BlockOfEach<char> from_each{static_cast<char*>(in.first), in.count, in.step};
    RequestWire wire(c_wire);
    return drive(wire, std::make_unique<Exchange>(wire, groups_, to_each, from_each, choice.window));
}

}  // namespace hitopo::coll
