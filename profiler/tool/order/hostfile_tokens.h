// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The words of a hostfile, cut as Open MPI's hostfile_lex.l cuts them.
#ifndef PROFILER_TOOL_ORDER_HOSTFILE_TOKENS_H
#define PROFILER_TOOL_ORDER_HOSTFILE_TOKENS_H

#include <cstddef>
#include <string_view>

namespace hitopo::tool {

enum class HostfileToken {
    kEnd,
    kNewline,  // a comment ends a line, too
    kEqual,
    kNumber,    // "16"
    kString,    // "node1", "user@node1", "node1:2", "fe80::1": no dots
    kHostName,  // "node1.example.org", "user@10.0.0.1"
    kRelative,  // "+n0", "+e:2": hosts of an allocation
    kSlots,     // slots, cpu, count
    kMaxSlots,  // max_slots, slots-max, cpu_max, ..
    kUser,      // username, user-name, user_name
    kPort,
    kRank,
    kOther,  // any other: a word that means something elsewhere, or a character that means nothing
};

struct HostfileWord {
    HostfileToken token = HostfileToken::kEnd;
    std::string_view text;
    std::size_t offset = 0;  // in the file
};

// Reads one word after the other, of any bytes.
class HostfileWords {
public:
    explicit HostfileWords(std::string_view text) : text_(text) {}
    HostfileWord next();

private:
    HostfileWord take(HostfileToken token, std::size_t num_bytes);
    HostfileWord take_comment();

    std::string_view text_;
    std::size_t at_ = 0;
    bool is_comment_ = false;  // inside of one over several lines
};

}  // namespace hitopo::tool

#endif
