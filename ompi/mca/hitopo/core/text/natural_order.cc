// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/natural_order.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

// The run of digits at the start of `text`, leading zeros dropped; `text` moves past it.
std::string_view take_digits(std::string_view& text) {
    std::size_t length = 0;
    while (length < text.size() && is_digit(text[length])) {
        ++length;
    }
    std::string_view run = text.substr(0, length);
    text.remove_prefix(length);
    run.remove_prefix(std::min(run.find_first_not_of('0'), run.size()));
    return run;
}

int sign(bool is_less) { return is_less ? -1 : 1; }

}  // namespace

int compare_natural(std::string_view a, std::string_view b) {
    const std::string_view whole_a = a;
    const std::string_view whole_b = b;
    while (!a.empty() && !b.empty()) {
        if (is_digit(a.front()) && is_digit(b.front())) {
            const std::string_view x = take_digits(a);
            const std::string_view y = take_digits(b);
            if (x.size() != y.size()) {
                return sign(x.size() < y.size());
            }
            if (const int order = x.compare(y)) {
                return order;
            }
        } else {
            if (a.front() != b.front()) {
                return sign(static_cast<unsigned char>(a.front()) <
                            static_cast<unsigned char>(b.front()));
            }
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    if (a.empty() != b.empty()) {
        return sign(a.empty());
    }
    return whole_a.compare(whole_b);
}

NaturalHead natural_head(std::string_view text) {
    constexpr std::size_t kMaxDigits = 18;
    NaturalHead head;
    const auto* const digit = std::find_if(text.begin(), text.end(), is_digit);
    head.stem = text.substr(0, static_cast<std::size_t>(digit - text.begin()));
    std::string_view rest = text.substr(head.stem.size());
    head.has_number = !rest.empty();
    if (head.has_number) {
        const std::string_view digits = take_digits(rest);
        head.has_number = digits.size() <= kMaxDigits;
        for (std::size_t i = 0; head.has_number && i < digits.size(); ++i) {
            head.number = 10 * head.number + static_cast<std::uint64_t>(digits[i] - '0');
        }
    }
    return head;
}

}  // namespace hitopo
