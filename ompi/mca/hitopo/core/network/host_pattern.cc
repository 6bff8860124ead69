// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/host_pattern.h"

#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/core/text/host_name.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

bool is_letter(char c) { return to_lower(c) >= 'a' && to_lower(c) <= 'z'; }

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
        return wanted.kind == PatternPiece::kAnything ? match_shortest(piece, at, run)
                                                      : match_longest(piece, at, run);
    }

    bool match_shortest(std::size_t piece, std::size_t at, std::size_t run) {
        for (std::size_t length = 0; length <= run; ++length) {
            if (match(piece + 1, at + length)) {
                return true;
            }
        }
        return false;
    }

    bool match_longest(std::size_t piece, std::size_t at, std::size_t run) {
        for (std::size_t length = run; length > 0; --length) {
            if (match(piece + 1, at + length)) {
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

// The field and the text before it, without the separators in which that begins: "-rack" and 7 are
// "rack7".
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
        if (pieces[i].kind != PatternPiece::kText && pieces[i].kind != PatternPiece::kAnything) {
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

}  // namespace hitopo
