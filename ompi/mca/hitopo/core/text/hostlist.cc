// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/hostlist.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

constexpr std::uint64_t kMany = std::numeric_limits<std::uint64_t>::max();

std::uint64_t add(std::uint64_t a, std::uint64_t b) { return a > kMany - b ? kMany : a + b; }
std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
    return b != 0 && a > kMany / b ? kMany : a * b;
}

// To which the first number of a range pads all of them; 0: no padding.
std::size_t width_of(std::string_view first) {
    return first.size() > 1 && first[0] == '0' ? first.size() : 0;
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

// Adds the positions in `host` where a match of `piece` that starts at `begin` can end.
void add_ends(const HostPiece& piece, std::string_view text, std::string_view host, std::size_t begin,
              std::vector<std::size_t>& ends) {
    if (piece.ranges.empty()) {
        if (equals_ignoring_case(host.substr(begin, text.size()), text)) {
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
bool matches(const std::vector<HostPiece>& item, bool is_short, std::string_view host) {
    std::vector<std::size_t> begins = {0};
    for (std::size_t i = 0, end = item.size(); i < end; ++i) {
        const HostPiece& piece = item[i];
        const std::string_view text = is_short ? short_host_name(piece.text) : piece.text;
        if (text.size() < piece.text.size()) {
            end = i;  // a domain begins here
        }
        std::vector<std::size_t> ends;
        for (const std::size_t begin : begins) {
            add_ends(piece, text, host, begin, ends);
        }
        if (ends.empty()) {
            return false;
        }
        begins = distinct(std::move(ends));
    }
    return begins.back() == host.size();
}

}  // namespace

bool Hostlist::contains_host(std::string_view host) const {
    const std::string_view short_name = short_host_name(host);
    return !host.empty() && std::any_of(items_.begin(), items_.end(), [&](const Item& item) {
        return matches(item, false, host) ||
               (short_name.size() < host.size() ? matches(item, false, short_name)
                                                : matches(item, true, host));
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
        return Error{Errc::kTooLarge, std::to_string(count()) + " hosts",
                     "a host list has at most 65536 hosts in 16 MiB; write several lists"};
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

// ---- the grammar ----

namespace {

// list  = { separator } item { separator { separator } item } { separator }
// item  = piece { piece }
// piece = text | "[" range { "," range } "]"      text: anything but separators, "[" and "]"
// range = number [ "-" number ]                   a leading zero pads all to its width
//
//   r[1-2]n[001-010,20],login1    c1, c2
class HostlistParser {
public:
    explicit HostlistParser(std::string_view text) : text_(text) {}

    std::vector<std::vector<HostPiece>> parse() {
        std::vector<std::vector<HostPiece>> items;
        for (skip_separators(); !error_ && at_ < text_.size(); skip_separators()) {
            items.push_back(parse_item());
        }
        if (items.empty()) {
            fail(0, "this list has no host name; write it as in n[1-4],n7");
        }
        return items;
    }

    const std::optional<Error>& error() const { return error_; }

private:
    static constexpr std::string_view kSeparators = ", \t\r\n";  // Slurm's, and of files with \r\n
    static constexpr std::string_view kEndsOfText = ", \t\r\n[]";

    void skip_separators() { at_ = std::min(text_.find_first_not_of(kSeparators, at_), text_.size()); }

    std::vector<HostPiece> parse_item() {
        std::vector<HostPiece> pieces;
        while (!error_ && at_ < text_.size() && kSeparators.find(text_[at_]) == std::string_view::npos) {
            pieces.push_back(take('[') ? parse_bracket() : parse_text());
        }
        return pieces;
    }

    HostPiece parse_text() {
        const std::size_t end = std::min(text_.find_first_of(kEndsOfText, at_), text_.size());
        if (end < text_.size() && text_[end] == ']') {
            fail(end, "this ']' has no '['; remove it or write '[' before it");
        }
        HostPiece piece;
        piece.text = text_.substr(at_, end - at_);
        at_ = end;
        return piece;
    }

    HostPiece parse_bracket() {
        const std::size_t open = at_ - 1;
        HostPiece piece;
        do {
            piece.ranges.push_back(parse_range());
        } while (!error_ && take(','));
        if (!error_ && !take(']')) {
            fail(
                at_ < text_.size() ? at_ : open,
                "a bracket contains numbers and ranges only, and ends with ']'; write it as in [1-4,7]");
        }
        return piece;
    }

    HostRange parse_range() {
        const std::size_t begin = at_;
        const std::string_view first = take_digits();
        const std::string_view last = take('-') ? take_digits() : first;
        if (error_) {
            return {};
        }
        const HostRange range = {*parse_number(first), *parse_number(last), width_of(first)};
        if (range.first > range.last) {
            fail(begin, "this range is descending; write the smaller number first");
        }
        return range;
    }

    std::string_view take_digits() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_digit(text_[at_])) {
            ++at_;
        }
        const std::string_view digits = text_.substr(begin, at_ - begin);
        if (digits.empty()) {
            fail(begin, "a number is missing in this bracket; write it as in [1-4,7]");
        } else if (digits.size() > Hostlist::kMaxDigits) {
            fail(begin,
                 "this number has more than 18 digits; write its first digits before the bracket");
        }
        return digits;
    }

    bool take(char c) {
        if (at_ == text_.size() || text_[at_] != c) {
            return false;
        }
        ++at_;
        return true;
    }

    void fail(std::size_t at, const char* message) {
        error_ = error_ ? error_ : malformed_at(text_, at, message);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::optional<Error> error_;
};

}  // namespace

Result<Hostlist> Hostlist::parse(std::string_view expression) {
    HostlistParser parser(expression);
    std::vector<Item> items = parser.parse();
    if (parser.error()) {
        return *parser.error();
    }
    return Hostlist(std::move(items));
}

// ---- from host names back to the list with brackets ----

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
    return print(*parse_number(previous) + 1, width_of(first)) == next &&
           next.size() <= Hostlist::kMaxDigits;
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
