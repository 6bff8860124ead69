// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Short blocks of all processes, which travel as one message.
#ifndef MCA_COLL_HITOPO_TOGETHER_H
#define MCA_COLL_HITOPO_TOGETHER_H

#include <cstddef>
#include <utility>
#include <vector>

#include "ompi/mca/coll/hitopo/coll_hitopo_operation.h"

namespace hitopo::coll {

// A block of each rank, as one message that is merged: each contributes its own block, and zeros for
// those of others. The message itself is not packed.
class GatheredTogether final : public Operation {
public:
    GatheredTogether(hitopo_coll_messages_t& messages, const Choice& its_choice, char* all,
                     std::vector<Block> blocks, std::size_t own)
        : Operation(messages, its_choice, false),
          messages_(messages),
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
        own_error_ = messages_.is_packed
                         ? hitopo_coll_pack(&messages_, begins_[own_], blocks_[own_].count, to)
                         : hitopo_coll_copy_bytes(to, memory_of(own_), blocks_[own_].count);
    }

    int end() override {
        int error = own_error_;
        for (std::size_t rank = 0; rank < blocks_.size(); ++rank) {
            const char* block = output.data() + begins_[rank];
            const int copied =
                messages_.is_packed
                    ? hitopo_coll_unpack(&messages_, block, begins_[rank], blocks_[rank].count)
                    : hitopo_coll_copy_bytes(memory_of(rank), block, blocks_[rank].count);
            error = copied != 0 ? copied : error;
        }
        return error;
    }

    hitopo_coll_messages_t& messages_;
    char* const all_;
    const std::vector<Block> blocks_;  // in memory
    const std::size_t own_;
    std::vector<std::size_t> begins_;  // of each rank's block in the message
    int own_error_ = 0;
};

// One message that is merged, of which a process keeps its own block.
class ScatteredTogether final : public Operation {
public:
    ScatteredTogether(hitopo_coll_messages_t& messages, const Choice& its_choice, std::size_t count,
                      Block own, char* own_output)
        : Operation(messages, its_choice, false),
          output(count * messages.size),
          own_{own.at * messages.size, own.count * messages.size},
          own_output_(own_output) {}

    std::vector<char> output;

private:
    int end() override {
        return hitopo_coll_copy_bytes(own_output_, output.data() + own_.at, own_.count);
    }

    const Block own_;  // bytes
    char* const own_output_;
};

}  // namespace hitopo::coll

#endif
