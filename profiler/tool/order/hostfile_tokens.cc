// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/order/hostfile_tokens.h"

#include <algorithm>
#include <map>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo::tool {
namespace {

using Token = HostfileToken;

// What means something in a hostfile; the last ones mean something to Open MPI's other readers alone.
const std::map<std::string_view, Token> kKeywords = {{"slots", Token::kSlots},
                                                     {"cpu", Token::kSlots},
                                                     {"count", Token::kSlots},
                                                     {"slots-max", Token::kMaxSlots},
                                                     {"slots_max", Token::kMaxSlots},
                                                     {"max-slots", Token::kMaxSlots},
                                                     {"max_slots", Token::kMaxSlots},
                                                     {"cpu-max", Token::kMaxSlots},
                                                     {"cpu_max", Token::kMaxSlots},
                                                     {"max-cpu", Token::kMaxSlots},
                                                     {"max_cpu", Token::kMaxSlots},
                                                     {"count-max", Token::kMaxSlots},
                                                     {"count_max", Token::kMaxSlots},
                                                     {"max-count", Token::kMaxSlots},
                                                     {"max_count", Token::kMaxSlots},
                                                     {"username", Token::kUser},
                                                     {"user-name", Token::kUser},
                                                     {"user_name", Token::kUser},
                                                     {"port", Token::kPort},
                                                     {"rank", Token::kRank},
                                                     {"slot", Token::kOther},
                                                     {"boards", Token::kOther},
                                                     {"sockets", Token::kOther},
                                                     {"sockets_per_board", Token::kOther},
                                                     {"sockets-per-board", Token::kOther},
                                                     {"cores", Token::kOther},
                                                     {"cores_per_socket", Token::kOther},
                                                     {"cores-per-socket", Token::kOther}};

bool is_alphanumeric(char c) { return is_digit(c) || is_letter(c); }
bool is_of_user(char c) { return is_alphanumeric(c) || c == '_' || c == '-'; }
bool is_of_name(char c) { return is_of_user(c) || c == '.'; }
bool is_of_string(char c) { return is_of_user(c) || c == ',' || c == ':' || c == '*' || c == '@'; }
bool is_white(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

template <class Predicate>
std::size_t run_of(std::string_view text, Predicate is_of) {
    return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_of) - text.begin());
}

// name: letter or digit, then letters, digits, '_', '-', '.'
std::size_t length_of_plain_name(std::string_view text) {
    return !text.empty() && is_alphanumeric(text.front()) ? run_of(text, is_of_name) : 0;
}

// [["^"] user "@"] name. "^" stands before a user only, so that no host is ever left out.
std::size_t length_of_name(std::string_view text) {
    const std::size_t start = !text.empty() && text.front() == '^' ? 1 : 0;
    const std::string_view rest = text.substr(start);
    const std::size_t user =
        rest.empty() || !is_alphanumeric(rest.front()) ? 0 : run_of(rest, is_of_user);
    if (user > 0 && user < rest.size() && rest[user] == '@') {
        const std::size_t name = length_of_plain_name(rest.substr(user + 1));
        if (name > 0) {
            return start + user + 1 + name;
        }
    }
    return start == 0 ? length_of_plain_name(text) : 0;
}

// "+n0", "+e", "+e:2"
std::size_t length_of_relative(std::string_view text) {
    const std::string_view rest = text.size() < 2 ? "" : text.substr(2);
    const char kind = text.size() < 2 ? '\0' : text[1];
    if (kind == 'n') {
        const std::size_t digits = run_of(rest, is_digit);
        return digits == 0 ? 0 : 2 + digits;
    }
    if (kind != 'e' && kind != 'E') {
        return 0;
    }
    const std::size_t digits =
        rest.empty() || rest.front() != ':' ? 0 : run_of(rest.substr(1), is_digit);
    return digits == 0 ? 2 : 3 + digits;
}

Token token_of(std::string_view word) {
    const auto keyword = kKeywords.find(word);
    return keyword != kKeywords.end()              ? keyword->second
           : run_of(word, is_digit) == word.size() ? Token::kNumber
                                                   : Token::kString;
}

}  // namespace

HostfileWord HostfileWords::take(HostfileToken token, std::size_t num_bytes) {
    const HostfileWord word = {token, text_.substr(at_, num_bytes), at_};
    at_ += word.text.size();
    return word;
}

// Between "/*" and "*/": its line ends, and its end, are line ends.
HostfileWord HostfileWords::take_comment() {
    at_ = std::min(text_.find('\n', at_), text_.find("*/", at_));
    if (at_ >= text_.size()) {
        at_ = text_.size();
        return take(Token::kEnd, 0);
    }
    is_comment_ = text_[at_] == '\n';
    return take(Token::kNewline, is_comment_ ? 1 : 2);
}

HostfileWord HostfileWords::next() {
    if (is_comment_) {
        return take_comment();
    }
    at_ += run_of(text_.substr(at_), is_white);
    const std::string_view rest = text_.substr(at_);
    if (rest.empty()) {
        return take(Token::kEnd, 0);
    }
    const std::size_t end_of_line = rest.find('\n');
    if (end_of_line != std::string_view::npos &&
        (rest.front() == '\n' || rest.front() == '#' || rest.substr(0, 2) == "//")) {
        return take(Token::kNewline, end_of_line + 1);
    }
    if (rest.substr(0, 2) == "/*") {
        is_comment_ = true;
        return take(Token::kNewline, 2);
    }
    if (rest.front() == '=') {
        return take(Token::kEqual, 1);
    }
    if (rest.front() == '+') {
        const std::size_t relative = length_of_relative(rest);
        return take(relative > 0 ? Token::kRelative : Token::kOther, std::max<std::size_t>(relative, 1));
    }
    // The longer one; a string where they are equal.
    const std::size_t string = run_of(rest, is_of_string);
    const std::size_t name = length_of_name(rest);
    if (name > string) {
        return take(Token::kHostName, name);
    }
    return string > 0 ? take(token_of(rest.substr(0, string)), string) : take(Token::kOther, 1);
}

}  // namespace hitopo::tool
