// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/host_pattern.h"

#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

bool is_field(const PatternPiece& piece) {
    return piece.kind != PatternPiece::kText && piece.kind != PatternPiece::kAnything;
}

bool takes(PatternPiece::Kind kind, char c) {
    switch (kind) {
        case PatternPiece::kAnything:
            return true;
        case PatternPiece::kDigits:
            return is_digit(c);
        case PatternPiece::kLetters:
            return is_letter(c);
        case PatternPiece::kWord:
            return is_digit(c) || is_letter(c);
        case PatternPiece::kText:
            break;
    }
    return false;
}

// Matches pieces against one host name and remembers where each piece begins. Each (piece, position)
// is tried once: several "*" have very many ways not to match.
class Matcher {
public:
    Matcher(const std::vector<PatternPiece>& pieces, std::string_view host)
        : pieces_(pieces),
          host_(host),
          begins_(pieces.size() + 1),
          has_failed_((pieces.size() + 1) * (host.size() + 1)) {}

    bool match(std::size_t piece = 0, std::size_t at = 0) {
        begins_[piece] = at;
        if (piece == pieces_.size()) {
            return at == host_.size();
        }
        const std::size_t state = piece * (host_.size() + 1) + at;
        if (has_failed_[state]) {
            return false;
        }
        has_failed_[state] = !match_piece(piece, at);
        return !has_failed_[state];
    }

    std::size_t begin_of(std::size_t piece) const { return begins_[piece]; }

private:
    bool match_piece(std::size_t piece, std::size_t at) {
        const PatternPiece& wanted = pieces_[piece];
        const std::string_view rest = host_.substr(at);
        if (wanted.kind == PatternPiece::kText) {
            return rest.substr(0, wanted.text.size()) == wanted.text &&
                   match(piece + 1, at + wanted.text.size());
        }
        const auto stop =
            std::find_if(rest.begin(), rest.end(), [&](char c) { return !takes(wanted.kind, c); });
        const std::size_t run = static_cast<std::size_t>(stop - rest.begin());
        if (wanted.num_chars != 0) {
            return run >= wanted.num_chars && match(piece + 1, at + wanted.num_chars);
        }
        // "*" takes as little as it can, none too; a field takes all that it can, and something.
        const bool is_lazy = wanted.kind == PatternPiece::kAnything;
        for (std::size_t i = 0; i < run + (is_lazy ? 1 : 0); ++i) {
            if (match(piece + 1, at + (is_lazy ? i : run - i))) {
                return true;
            }
        }
        return false;
    }

    const std::vector<PatternPiece>& pieces_;
    std::string_view host_;
    std::vector<std::size_t> begins_;
    std::vector<bool> has_failed_;
};

// The field and the text before it, without the separators at its beginning: "-rack" and 7 are "rack7".
std::string visible_name(const std::vector<PatternPiece>& pieces, std::size_t field,
                         std::string_view value) {
    std::string_view label;
    if (field > 0 && pieces[field - 1].kind == PatternPiece::kText) {
        label = pieces[field - 1].text;
        label.remove_prefix(std::min(label.find_first_not_of("-_."), label.size()));
    }
    return std::string(label) + std::string(value);
}

std::optional<RawAddress> match_one(const std::vector<PatternPiece>& pieces, std::string_view host) {
    Matcher matcher(pieces, host);
    if (host.size() > HostPattern::kMaxHostBytes || !matcher.match()) {
        return std::nullopt;
    }
    RawAddress address;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (is_field(pieces[i])) {
            const std::size_t begin = matcher.begin_of(i);
            const std::string_view value = host.substr(begin, matcher.begin_of(i + 1) - begin);
            address[pieces[i].level] = Name(visible_name(pieces, i, value));
        }
    }
    make_relative(address);
    return address;
}

}  // namespace

std::optional<RawAddress> HostPattern::match(std::string_view host) const {
    for (const Pieces& pieces : patterns_) {
        for (const std::string_view name : {host, short_host_name(host)}) {
            if (std::optional<RawAddress> address = match_one(pieces, name)) {
                return address;
            }
        }
    }
    return std::nullopt;
}

// ---- the grammar ----

namespace {

// Whether one character could belong to either field.
bool overlap(const PatternPiece& a, const PatternPiece& b) {
    return a.kind == b.kind || a.kind == PatternPiece::kWord || b.kind == PatternPiece::kWord;
}

// kind = "alpha" | "word" | number of digits
Result<PatternPiece> parse_kind(PatternPiece field, std::string_view kind) {
    if (kind == "alpha") {
        field.kind = PatternPiece::kLetters;
        return field;
    }
    if (kind == "word") {
        field.kind = PatternPiece::kWord;
        return field;
    }
    const std::optional<std::uint64_t> num_chars = parse_number(kind);
    if (!num_chars || *num_chars == 0 || *num_chars > HostPattern::kMaxBytes) {
        return malformed_at(
            kind, field.offset,
            "this is not a kind of field; write 'alpha', 'word' or a number of digits after ':'");
    }
    field.num_chars = static_cast<std::size_t>(*num_chars);
    return field;
}

// field = "{" ( "cluster" | "island" | "switch" ) [ ":" kind ] "}"
//
//   {island}    {switch:2}    {island:alpha}
Result<PatternPiece> parse_field(std::string_view text, std::size_t offset) {
    PatternPiece field;
    field.kind = PatternPiece::kDigits;
    field.offset = offset;
    const std::size_t colon = text.find(':');
    const std::optional<Level> level = parse_level(text.substr(0, colon));
    if (!level || *level >= kNode) {
        return malformed_at(
            text, offset,
            "this is not a field; write {cluster}, {island} or {switch}, and * for other text");
    }
    field.level = *level;
    return colon == std::string_view::npos ? field : parse_kind(field, text.substr(colon + 1));
}

// pattern = { text | "*" | field }
//
//   r{island}i{switch}n*
class PatternParser {
public:
    PatternParser(std::string_view text, std::string_view also, std::size_t offset)
        : text_(text), also_(also), offset_(offset) {}

    Result<std::vector<PatternPiece>> parse() {
        while (at_ < text_.size()) {
            const Result<PatternPiece> piece = parse_piece();
            if (!piece) {
                return piece.error();
            }
            if (std::optional<Error> error = check(*piece)) {
                return *error;
            }
            pieces_.push_back(*piece);
        }
        if (std::none_of(pieces_.begin(), pieces_.end(), is_field)) {
            return malformed_at(text_, offset_,
                                "the pattern has no field; write {island} or {switch} in it");
        }
        return pieces_;
    }

private:
    Result<PatternPiece> parse_piece() {
        PatternPiece piece;
        piece.offset = offset_ + at_;
        if (text_[at_] == '*') {
            ++at_;
            piece.kind = PatternPiece::kAnything;
            return piece;
        }
        if (text_[at_] == '{') {
            const std::size_t close = text_.find('}', at_);
            if (close == std::string_view::npos) {
                return malformed_at(text_.substr(at_), piece.offset,
                                    "this '{' is not closed; write '}'");
            }
            const std::string_view inside = text_.substr(at_ + 1, close - at_ - 1);
            at_ = close + 1;
            return parse_field(inside, piece.offset);
        }
        const std::size_t begin = at_;
        while (at_ < text_.size() && may_be_in_name(text_[at_])) {
            ++at_;
        }
        if (at_ < text_.size() && text_[at_] == '}') {
            return malformed_at("}", offset_ + at_, "this '}' has no '{'; write '{' before the field");
        }
        if (at_ < text_.size() && text_[at_] != '{' && text_[at_] != '*') {
            return malformed_at(is_space(text_[at_]) ? "a blank" : text_.substr(at_, 1), offset_ + at_,
                                "no name has this character; a pattern is no regular expression: write "
                                "{switch} for digits and * for anything, without quotes and comments");
        }
        piece.text = text_.substr(begin, at_ - begin);
        return piece;
    }

    bool may_be_in_name(char c) const {
        return is_host_char(c) || also_.find(c) != std::string_view::npos;
    }

    std::optional<Error> check(const PatternPiece& piece) const {
        if (!is_field(piece)) {
            return std::nullopt;
        }
        const bool is_repeated = std::any_of(
            pieces_.begin(), pieces_.end(),
            [&](const PatternPiece& other) { return is_field(other) && other.level == piece.level; });
        if (is_repeated) {
            return malformed_at(level_name(piece.level), piece.offset,
                                "the pattern has this level twice; remove one of the fields");
        }
        if (!pieces_.empty() && is_field(pieces_.back()) && pieces_.back().num_chars == 0 &&
            piece.num_chars == 0 && overlap(pieces_.back(), piece)) {
            return malformed_at(level_name(piece.level), piece.offset,
                                "the end of the previous field is ambiguous; give its number of digits, "
                                "such as {island:2}");
        }
        return std::nullopt;
    }

    std::string_view text_, also_;
    const std::size_t offset_;  // of text_ in the list
    std::size_t at_ = 0;
    std::vector<PatternPiece> pieces_;
};

}  // namespace

// list = pattern { "," pattern }      blanks may stand around a pattern
//
//   r{island}i{switch}n*, gpu{switch:2}*
Result<HostPattern> HostPattern::parse(std::string_view text, std::string_view also) {
    if (text.size() > kMaxBytes) {
        return Error{
            Errc::kTooLarge, std::to_string(text.size()) + " bytes",
            "a host name pattern has at most 1024 bytes; write a map for the component file instead"};
    }
    std::vector<Pieces> patterns;
    for (const std::string_view item : split(text, ',')) {
        const std::string_view pattern = trim(item);
        const auto offset = static_cast<std::size_t>(pattern.data() - text.data());
        Result<Pieces> pieces = PatternParser(pattern, also, offset).parse();
        if (!pieces) {
            return pieces.error();
        }
        patterns.push_back(std::move(*pieces));
    }
    return HostPattern(std::move(patterns));
}

}  // namespace hitopo
