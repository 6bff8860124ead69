// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The grammar of host lists.
#include <algorithm>
#include <optional>
#include <utility>

#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

// list  = item { "," item }
// item  = piece { piece }
// piece = text | "[" range { "," range } "]"      text: anything but "," "[" "]"
// range = number [ "-" number ]                   a leading zero pads all to its width
//
//   r[1-2]n[001-010,20],login1
class HostlistParser {
public:
    explicit HostlistParser(std::string_view text) : text_(text) {}

    std::vector<std::vector<HostPiece>> parse() {
        std::vector<std::vector<HostPiece>> items;
        do {
            items.push_back(parse_item());
        } while (!error_ && take(','));
        return items;
    }

    const std::optional<Error>& error() const { return error_; }

private:
    std::vector<HostPiece> parse_item() {
        std::vector<HostPiece> pieces;
        while (!error_ && at_ < text_.size() && text_[at_] != ',') {
            pieces.push_back(take('[') ? parse_bracket() : parse_text());
        }
        if (pieces.empty()) {
            fail(at_, "a host name is missing here; remove the extra comma or write a host name");
        }
        return pieces;
    }

    HostPiece parse_text() {
        const std::size_t end = std::min(text_.find_first_of(",[]", at_), text_.size());
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
        const HostRange range = {*parse_number(first), *parse_number(last),
                                 first.size() > 1 && first[0] == '0' ? first.size() : 0};
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
        if (!error_) {
            error_ =
                Error{Errc::kMalformed, std::string(text_), message, "", 0, static_cast<int>(at) + 1};
        }
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

}  // namespace hitopo
