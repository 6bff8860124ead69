// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/hostlist.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "ompi/mca/hitopo/core/text/host_name.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

constexpr std::uint64_t kMany = std::numeric_limits<std::uint64_t>::max();

std::uint64_t add(std::uint64_t a, std::uint64_t b) { return a > kMany - b ? kMany : a + b; }
std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
    return b != 0 && a > kMany / b ? kMany : a * b;
}

std::string print(std::uint64_t number, std::size_t width) {
    std::string digits = std::to_string(number);
    if (digits.size() < width) {
        digits.insert(0, width - digits.size(), '0');
    }
    return digits;
}

bool is_in(const HostRange& range, std::string_view digits) {
    const std::optional<std::uint64_t> number = parse_number(digits);
    return number && *number >= range.first && *number <= range.last &&
           print(*number, range.width) == digits;
}

std::uint64_t count_of(const HostPiece& piece) {
    std::uint64_t count = piece.ranges.empty() ? 1 : 0;
    for (const HostRange& range : piece.ranges) {
        count = add(count, range.last - range.first + 1);
    }
    return count;
}

std::uint64_t longest(const HostPiece& piece) {
    std::size_t length = piece.text.size();
    for (const HostRange& range : piece.ranges) {
        length = std::max(length, print(range.last, range.width).size());
    }
    return length;
}

struct Size {
    std::uint64_t hosts = 1;
    std::uint64_t bytes = 0;
};

Size size_of(const std::vector<HostPiece>& item) {
    Size size;
    for (const HostPiece& piece : item) {
        size.hosts = multiply(size.hosts, count_of(piece));
        size.bytes = add(size.bytes, longest(piece));
    }
    size.bytes = multiply(size.bytes, size.hosts);
    return size;
}

std::vector<std::string> options_of(const HostPiece& piece) {
    if (piece.ranges.empty()) {
        return {piece.text};
    }
    std::vector<std::string> options;
    for (const HostRange& range : piece.ranges) {
        for (std::uint64_t number = range.first; number <= range.last; ++number) {
            options.push_back(print(number, range.width));
        }
    }
    return options;
}

void append(std::vector<std::string>& names, const std::vector<std::string>& options) {
    if (options.size() == 1) {  // in place: an item may have very many such pieces
        for (std::string& name : names) {
            name += options.front();
        }
        return;
    }
    std::vector<std::string> longer;
    longer.reserve(names.size() * options.size());
    for (const std::string& name : names) {
        for (const std::string& option : options) {
            longer.push_back(name + option);
        }
    }
    names = std::move(longer);
}

using IsEqual = bool (*)(std::string_view, std::string_view);

bool is_equal(std::string_view a, std::string_view b) { return a == b; }

// Where in `host` a match of `piece` that starts at `begin` can end.
void add_ends(const HostPiece& piece, std::string_view text, std::string_view host, IsEqual equals,
              std::size_t begin, std::vector<std::size_t>& ends) {
    if (piece.ranges.empty()) {
        if (equals(host.substr(begin, text.size()), text)) {
            ends.push_back(begin + text.size());
        }
        return;
    }
    for (std::size_t end = begin;
         end < host.size() && is_digit(host[end]) && end - begin < Hostlist::kMaxDigits;) {
        const std::string_view digits = host.substr(begin, ++end - begin);
        if (std::any_of(piece.ranges.begin(), piece.ranges.end(),
                        [&](const HostRange& range) { return is_in(range, digits); })) {
            ends.push_back(end);
        }
    }
}

// All positions together instead of one after the other: "[1-9][1-9][1-9].." has very many ways to
// match a long run of digits.
//
// is_short: the item's names in their short form.
bool matches(const std::vector<HostPiece>& item, bool is_short, std::string_view host, IsEqual equals) {
    std::vector<std::size_t> begins = {0};
    for (std::size_t i = 0, end = item.size(); i < end; ++i) {
        const HostPiece& piece = item[i];
        const std::string_view text = is_short ? short_host_name(piece.text) : piece.text;
        if (text.size() < piece.text.size()) {
            end = i;  // a domain begins here
        }
        std::vector<std::size_t> ends;
        for (const std::size_t begin : begins) {
            add_ends(piece, text, host, equals, begin, ends);
        }
        std::sort(ends.begin(), ends.end());
        ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
        if (ends.empty()) {
            return false;
        }
        begins = std::move(ends);
    }
    return begins.back() == host.size();
}

}  // namespace

bool Hostlist::contains(std::string_view host) const {
    return std::any_of(items_.begin(), items_.end(),
                       [host](const Item& item) { return matches(item, false, host, is_equal); });
}

bool Hostlist::contains_host(std::string_view host) const {
    const std::string_view short_name = short_host_name(host);
    const auto names = [&](const Item& item, bool is_short, std::string_view name) {
        return matches(item, is_short, name, equals_ignoring_case);
    };
    return !host.empty() && std::any_of(items_.begin(), items_.end(), [&](const Item& item) {
        return names(item, false, host) ||
               (short_name.size() < host.size() ? names(item, false, short_name)
                                                : names(item, true, host));
    });
}

std::uint64_t Hostlist::count() const {
    std::uint64_t count = 0;
    for (const Item& item : items_) {
        count = add(count, size_of(item).hosts);
    }
    return count;
}

Result<std::vector<std::string>> Hostlist::expand() const {
    std::uint64_t bytes = 0;
    for (const Item& item : items_) {
        bytes = add(bytes, size_of(item).bytes);
    }
    if (count() > kMaxHosts || bytes > kMaxBytes) {
        return Error{Errc::kTooLarge,
                     std::to_string(count()) + " hosts",
                     "a host list has at most 65536 hosts in 16 MiB; write several lists",
                     "",
                     0,
                     0};
    }
    std::vector<std::string> hosts;
    for (const Item& item : items_) {
        std::vector<std::string> names = {""};
        for (const HostPiece& piece : item) {
            append(names, options_of(piece));
        }
        hosts.insert(hosts.end(), names.begin(), names.end());
    }
    return hosts;
}

Result<std::vector<std::string>> expand_hosts(std::string_view text) {
    const Result<Hostlist> list = Hostlist::parse(text);
    return list ? list->expand() : list.error();
}

}  // namespace hitopo
