// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Host names, and lists of them with brackets, as Slurm, topology files and maps write them:
// "node[1-16,20]".
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_HOSTLIST_H
#define OMPI_MCA_HITOPO_CORE_TEXT_HOSTLIST_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {

// Whether names of hosts may contain it.
constexpr bool is_host_char(char c) {
    return is_digit(c) || is_letter(c) || c == '.' || c == '-' || c == '_';
}

// "n1" of "n1.example.org": the part before the first dot.
inline std::string_view short_host_name(std::string_view name) { return name.substr(0, name.find('.')); }

// Equal for all names of one host (is_same_host), and for some others.
inline std::string host_key(std::string_view name) { return in_lower_case(short_host_name(name)); }

// Equal but for case, or one is the short form of the other. Two full names of different domains are
// two hosts. The empty name is no host.
inline bool is_same_host(std::string_view a, std::string_view b) {
    return !a.empty() && (equals_ignoring_case(a, b) || equals_ignoring_case(a, short_host_name(b)) ||
                          equals_ignoring_case(short_host_name(a), b));
}

// ---- lists ----

// Numbers first..last, printed with at least `width` digits (0: no padding).
struct HostRange {
    std::uint64_t first = 0, last = 0;
    std::size_t width = 0;
};

// Either plain text, or one bracket where `ranges` is not empty.
struct HostPiece {
    std::string text;
    std::vector<HostRange> ranges;
};

class Hostlist {
public:
    // Limits of expand(); the others have none.
    static constexpr std::uint64_t kMaxHosts = 65536;
    static constexpr std::uint64_t kMaxBytes = 16 << 20;
    // Digits of one number in a bracket.
    static constexpr std::size_t kMaxDigits = 18;

    // Separated as in Slurm, by any number of commas, blanks and ends of lines. Errors are kMalformed
    // with the column in `expression`.
    static Result<Hostlist> parse(std::string_view expression);

    // Whether the list names `host`, by the rule of is_same_host, without expanding anything.
    bool contains_host(std::string_view host) const;

    // Names with repetitions, saturated at UINT64_MAX.
    std::uint64_t count() const;

    // All names in the order written, repetitions kept; kTooLarge over kMaxHosts or kMaxBytes.
    Result<std::vector<std::string>> expand() const;

private:
    using Item = std::vector<HostPiece>;
    explicit Hostlist(std::vector<Item> items) : items_(std::move(items)) {}

    std::vector<Item> items_;
};

// All names of the list `text`; the errors of parse() and expand().
Result<std::vector<std::string>> expand_hosts(std::string_view text);

// The canonical list of a set of hosts: natural order, each once, runs of the last number in one
// bracket ("r1n[1-4],r2n1"). Equal sets give equal texts.
std::string compress_hosts(std::vector<std::string> hosts);

}  // namespace hitopo

#endif
