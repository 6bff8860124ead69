// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/order/hostfile.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ompi/mca/hitopo/core/text/host_name.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "profiler/tool/order/hostfile_tokens.h"

namespace hitopo::tool {
namespace {

using Token = HostfileToken;
using Word = HostfileWord;

constexpr const char* kRemedy = "Write one host per line, as in \"node1 slots=4\"";

// A host as mpirun counts it, line after line.
struct Node {
    std::string name;
    std::size_t num_slots = 1;
    std::size_t max_slots = 0;  // 0: none
    bool is_given = false;      // its slots, which are its cores else
};

std::size_t as_count(std::string_view digits) {
    return static_cast<std::size_t>(
        std::min<std::uint64_t>(parse_number(digits).value_or(kMaxSlots + 1), kMaxSlots + 1));
}

bool ends_line(Token token) { return token == Token::kNewline || token == Token::kEnd; }

// The part that names of one host have in common; of addresses all, since most begin alike.
std::string_view key_of(std::string_view name) {
    const bool is_address =
        std::all_of(name.begin(), name.end(), [](char c) { return is_digit(c) || c == '.'; });
    return is_address ? name : short_host_name(name);
}

// mpirun takes names that differ in case for two hosts, as nothing else does.
bool is_same_to_mpirun(std::string_view a, std::string_view b) {
    return is_same_host(a, b) && a.substr(0, b.size()) == b.substr(0, a.size());
}

// file: {[line] newline}; newline: "\n" | "#" .. "\n" | "//" .. "\n" | "/*" .. "*/"
// line: host {option} | "rank" number "=" host ..
// host: [user "@"] name | number
// option: slots "=" number | max_slots "=" number | "port" "=" number | "username" "=" word | word
//
//     root@node1.example.org slots = 4 max_slots=8  # the first
class Reader {
public:
    Reader(std::string_view text, const std::string& where) : text_(text), where_(where), words_(text) {}

    Result<Hostfile> read() {
        for (word_ = words_.next(); word_.token != Token::kEnd; word_ = words_.next()) {
            if (word_.token != Token::kNewline && !read_line()) {
                return *error_;
            }
            if (file_.lines.size() > kMaxSlots) {
                return too_many_slots(where_);
            }
            if (word_.token == Token::kEnd) {
                break;
            }
        }
        return finish();
    }

private:
    static std::optional<std::size_t> given(const Node& node) {
        return node.is_given ? std::optional<std::size_t>(node.num_slots) : std::nullopt;
    }

    Result<Hostfile> finish() {
        if (nodes_.empty()) {
            return Error{Errc::kMalformed, "contains no host.", kRemedy, where_, 0, 0};
        }
        std::size_t total = 0;
        for (const Node& node : nodes_) {
            file_.hosts.push_back({node.name, given(node)});
            total += node.num_slots;
        }
        return total > kMaxSlots ? Result<Hostfile>(too_many_slots(where_)) : std::move(file_);
    }

    // Up to the line's end, which is then word_.
    bool read_line() {
        if (word_.token == Token::kRank) {
            return read_rank();
        }
        Node* node = read_host();
        if (node == nullptr) {
            return false;
        }
        const bool is_again = node->is_given;
        for (word_ = words_.next(); !ends_line(word_.token); word_ = words_.next()) {
            if (!read_option(*node)) {
                return false;
            }
        }
        if (!node->is_given && node->max_slots > 0) {
            node->num_slots = node->max_slots;
            node->is_given = true;
        }
        file_.lines.push_back({node->name, is_again ? std::nullopt : given(*node)});
        return true;
    }

    // A rankfile's line is a slot.
    bool read_rank() {
        for (word_ = words_.next(); word_.token != Token::kEqual; word_ = words_.next()) {
            if (ends_line(word_.token)) {
                return refuse(word_, kRemedy);
            }
        }
        word_ = words_.next();
        Node* node = read_host();
        if (node == nullptr) {
            return false;
        }
        node->is_given = true;
        while (!ends_line(word_.token)) {
            word_ = words_.next();
        }
        file_.lines.push_back({node->name, 1});
        return true;
    }

    // The host that word_ names, with one slot more if it was named before; NULL if it is none.
    Node* read_host() {
        if (word_.token != Token::kNumber && word_.token != Token::kString &&
            word_.token != Token::kHostName) {
            refuse_host();
            return nullptr;
        }
        const std::size_t at = word_.text.rfind('@');
        const std::string_view name =
            at == std::string_view::npos ? word_.text : word_.text.substr(at + 1);
        if (!is_host_name(name) || word_.text.find('@') != at) {
            refuse_host();
            return nullptr;
        }
        std::vector<std::size_t>& candidates = by_name_[std::string(key_of(name))];
        for (const std::size_t candidate : candidates) {
            if (is_same_to_mpirun(nodes_[candidate].name, name)) {
                ++nodes_[candidate].num_slots;
                nodes_[candidate].is_given = true;
                return &nodes_[candidate];
            }
        }
        candidates.push_back(nodes_.size());
        nodes_.push_back({std::string(name)});
        return &nodes_.back();
    }

    bool read_option(Node& node) {
        const Word option = word_;
        switch (option.token) {
            case Token::kSlots:
                return read_number() && take_slots(node, option);
            case Token::kMaxSlots:
                return read_number() && take_max_slots(node, option);
            case Token::kPort:
                return read_number();
            case Token::kUser:
                return read_equal() && read_word();
            case Token::kString:
            case Token::kNumber:
                return true;  // mpirun takes no notice
            default:
                return refuse(option, kRemedy);
        }
    }

    bool take_slots(Node& node, const Word& option) {
        if (node.is_given) {
            return fail(option, fmt::format("has the slots of {} twice.", node.name),
                        "Name a host either once with slots=N, or once for each slot: mpirun refuses "
                        "both together");
        }
        node.num_slots = as_count(word_.text);
        node.is_given = true;
        node.max_slots = node.max_slots > 0 ? std::max(node.max_slots, node.num_slots) : 0;
        return true;
    }

    bool take_max_slots(Node& node, const Word& option) {
        node.max_slots = as_count(word_.text);
        return node.max_slots >= node.num_slots ||
               fail(option, fmt::format("has a max_slots of {} below its slots.", node.name),
                    "Write a max_slots that is at least its slots");
    }

    bool read_equal() {
        word_ = words_.next();
        return word_.token == Token::kEqual || refuse(word_, kRemedy);
    }
    bool read_number() {
        if (!read_equal()) {
            return false;
        }
        word_ = words_.next();
        return word_.token == Token::kNumber || refuse(word_, kRemedy);
    }

    bool read_word() {
        word_ = words_.next();
        return !ends_line(word_.token) || refuse(word_, kRemedy);
    }

    void refuse_host() {
        const std::string text(word_.text);
        const std::size_t colon = text.find(':');
        if (word_.token == Token::kRelative) {
            refuse(word_, "It stands for a host of an allocation: write the host's name");
        } else if (colon != std::string::npos && is_host_name(text.substr(0, colon)) &&
                   parse_number(text.substr(colon + 1))) {
            refuse(word_, fmt::format("mpirun reads this as a host's name: write \"{} slots={}\"",
                                      text.substr(0, colon), text.substr(colon + 1)));
        } else if (text == "^") {
            refuse(word_, "mpirun cannot exclude a host in a hostfile: remove the lines of the host");
        } else {
            refuse(word_, kRemedy);
        }
    }

    // As mpirun, which starts nothing or not what was meant.
    bool refuse(const Word& word, const std::string& remedy) {
        if (word.token == Token::kOther && word.text == "\r") {
            return fail(word, "has lines that end in a carriage return.",
                        "mpirun refuses them: write lines that end in a newline alone");
        }
        if (word.token == Token::kOther && (word.text == "#" || word.text == "/")) {
            return fail(word, "has a comment without a newline at its end.",
                        "mpirun refuses it: add a newline");
        }
        return ends_line(word.token)
                   ? fail(word, "has a line without a value.", remedy)
                   : fail(word, fmt::format("is not a hostfile: \"{}\".", word.text), remedy);
    }

    // False, with the place of `word`.
    bool fail(const Word& word, std::string what, std::string remedy) {
        const std::string_view before = text_.substr(0, word.offset);
        const std::size_t line_start = before.rfind('\n') + 1;  // 0 where there is none
        error_ = Error{Errc::kMalformed,
                       std::move(what),
                       std::move(remedy),
                       where_,
                       static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
                       static_cast<int>(word.offset - line_start) + 1};
        return false;
    }

    std::string_view text_;
    const std::string& where_;
    HostfileWords words_;
    Word word_;
    Hostfile file_;
    std::vector<Node> nodes_;
    std::unordered_map<std::string, std::vector<std::size_t>> by_name_;  // short
    std::optional<Error> error_;
};

}  // namespace

Result<Hostfile> parse_hostfile(std::string_view text, const std::string& where) {
    return Reader(text, where).read();
}

std::vector<Host> as_ranks(const std::vector<ListedHost>& lines) {
    std::vector<Host> hosts;
    hosts.reserve(lines.size());
    for (const ListedHost& line : lines) {
        hosts.push_back({line.name, line.num_slots.value_or(1)});
    }
    return hosts;
}

}  // namespace hitopo::tool
