// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// From host names back to the list with brackets.
#include <algorithm>
#include <map>
#include <utility>

#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/natural_order.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

// A host name around its last number.
struct Parts {
    std::string_view prefix, digits, suffix;
};

Parts parts_of(std::string_view host) {
    std::size_t end = host.size();
    while (end > 0 && !is_digit(host[end - 1])) {
        --end;
    }
    std::size_t begin = end;
    while (begin > 0 && is_digit(host[begin - 1]) && end - begin < Hostlist::kMaxDigits) {
        --begin;
    }
    return {host.substr(0, begin), host.substr(begin, end - begin), host.substr(end)};
}

// Whether a range that starts with `first` prints `next` right after `previous`.
bool continues(std::string_view first, std::string_view previous, std::string_view next) {
    const bool is_padded = first.size() > 1 && first[0] == '0';
    std::string expected = std::to_string(*parse_number(previous) + 1);
    if (is_padded && expected.size() < first.size()) {
        expected.insert(0, first.size() - expected.size(), '0');
    }
    return expected == next && next.size() <= Hostlist::kMaxDigits;
}

std::string print_ranges(const std::vector<std::string_view>& digits) {
    std::string text;
    for (std::size_t begin = 0, end = 0; begin < digits.size(); begin = end) {
        for (end = begin + 1;
             end < digits.size() && continues(digits[begin], digits[end - 1], digits[end]);) {
            ++end;
        }
        add_item(text, ",", digits[begin]);
        if (end - begin > 1) {
            text += '-';
            text += digits[end - 1];
        }
    }
    return text;
}

std::string print_group(const Parts& parts, const std::vector<std::string_view>& digits) {
    std::string text(parts.prefix);
    text += digits.size() > 1 ? '[' + print_ranges(digits) + ']' : std::string(digits.front());
    text += parts.suffix;
    return text;
}

}  // namespace

std::string compress_hosts(std::vector<std::string> hosts) {
    std::sort(hosts.begin(), hosts.end(),
              [](const std::string& a, const std::string& b) { return compare_natural(a, b) < 0; });
    hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());

    std::vector<std::pair<Parts, std::vector<std::string_view>>> groups;
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> group_of;
    for (const std::string& host : hosts) {
        const Parts parts = parts_of(host);
        if (parts.digits.empty()) {
            groups.push_back({parts, {parts.digits}});
            continue;
        }
        const auto [place, is_new] = group_of.try_emplace({parts.prefix, parts.suffix}, groups.size());
        if (is_new) {
            groups.push_back({parts, {}});
        }
        groups[place->second].second.push_back(parts.digits);
    }

    std::string text;
    for (const auto& [parts, digits] : groups) {
        add_item(text, ",", print_group(parts, digits));
    }
    return text;
}

}  // namespace hitopo
