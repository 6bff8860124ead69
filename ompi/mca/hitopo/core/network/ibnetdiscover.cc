// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/network/fabric.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

constexpr const char* kRemedy =
    "; write the file again with ibnetdiscover, without --ports, --list and --diff";

// One line, read from left to right.
class FabricLine {
public:
    FabricLine(std::string_view text, int number) : text_(text), number_(number) {}

    std::string_view rest() const { return text_.substr(at_); }
    int number() const { return number_; }
    int column() const { return static_cast<int>(at_) + 1; }

    bool accept(std::string_view word) {
        if (rest().substr(0, word.size()) != word) {
            return false;
        }
        at_ += word.size();
        return true;
    }
    void skip_blanks() {
        while (at_ < text_.size() && is_space(text_[at_])) {
            ++at_;
        }
    }
    template <class Integer>
    bool accept_integer(Integer& value, int base) {
        const char* begin = text_.data() + at_;
        const auto [stop, error] = std::from_chars(begin, text_.data() + text_.size(), value, base);
        if (error != std::errc()) {
            return false;
        }
        at_ += static_cast<std::size_t>(stop - begin);
        return true;
    }

private:
    std::string_view text_;
    int number_;
    std::size_t at_ = 0;
};

// "S-0000000000200001": S a switch, H a host's adapter, R a router.
struct NodeId {
    char kind = 0;
    std::uint64_t guid = 0;
};

// The description between the first quotation mark and the last: it may contain others.
std::string_view between_quotes(std::string_view text) {
    const std::size_t first = text.find('"');
    const std::size_t last = text.rfind('"');
    return first < last ? text.substr(first + 1, last - first - 1) : std::string_view();
}

class Parser {
public:
    explicit Parser(std::string_view where) : where_(where) {}

    // Line by line to the end or the first error.
    Result<Fabric> parse(std::string_view text) {
        for (int number = 1; !text.empty(); ++number) {
            const std::string_view whole = take_line(text);
            FabricLine line(whole.substr(0, whole.find_last_not_of(" \t\r") + 1), number);
            if (!parse_line(line)) {
                return error_;
            }
        }
        return finish();
    }

private:
    enum class Block { kNone, kSwitch, kOther };

    // file  = { line "\n" }
    // line  = "" | "#" .. | "DR path " .. | word "=" .. | "Chassis" .. | "Non-Chassis Nodes" |
    // "Hostname:" .. | node | port node  = ( "Switch" | "Ca" | "Rt" ) number id [ "#" .. ], followed by
    // its ports
    // False after fail().
    bool parse_line(FabricLine& line) {
        const std::string_view text = line.rest();
        if (text.empty() || text[0] == '#') {
            return true;
        }
        if (text[0] == '[') {
            return parse_port(line);
        }
        if (line.accept("Switch\t") || line.accept("Switch ")) {
            return parse_switch(line);
        }
        for (const std::string_view word : {"Ca\t", "Ca ", "Rt\t", "Rt "}) {
            if (line.accept(word)) {
                block_ = Block::kOther;
                return true;
            }
        }
        if (!is_ignored(text)) {
            fabric_.skipped.add(unexpected(line, "a line of a switch, an adapter or a port"));
        }
        return true;
    }

    static bool is_ignored(std::string_view text) {
        // "DR path slid 0; dlid 0; 0,1 -> new Switch .." is of `ibnetdiscover -s`.
        for (const std::string_view word :
             {"DR path ", "vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=",
              "Chassis ", "Non-Chassis Nodes", "Hostname:"}) {
            if (text.substr(0, word.size()) == word) {
                return true;
            }
        }
        return false;
    }

    // Switch<TAB>36 "S-0000000000200001"<TAB><TAB># "leaf1" base port 0 lid 3 lmc 0
    bool parse_switch(FabricLine& line) {
        NodeId id;
        if (!parse_num_ports(line) || !parse_id(line, id)) {
            return false;
        }
        if (id.kind != 'S') {
            return fail(line, "the GUID of a switch before this");
        }
        block_ = Block::kSwitch;
        fabric_.switches.push_back({id.guid, std::string(trim(between_quotes(line.rest()))), {}});
        return true;
    }

    bool parse_num_ports(FabricLine& line) {
        unsigned num_ports = 0;
        line.skip_blanks();
        if (!line.accept_integer(num_ports, 10)) {
            return fail(line, "the number of ports");
        }
        line.skip_blanks();
        return true;
    }

    // port = number-in-brackets [ "[ext " .. "]" ] id number-in-brackets [ "[ext " .. "]" ]
    //        [ "(" port GUID ")" ] "#" "\"" description "\" lid " number ..
    // [1]<TAB>"H-0000000000100004"[1](100005) <TAB><TAB># "node1 mlx5_0" lid 8 4xHDR
    bool parse_port(FabricLine& line) {
        if (block_ != Block::kSwitch) {
            return block_ == Block::kOther || fail(line, "a switch or adapter before its ports");
        }
        NodeId peer;
        if (!parse_port_number(line)) {
            return false;
        }
        line.skip_blanks();
        if (!parse_id(line, peer) || !parse_port_number(line)) {
            return false;
        }
        FabricSwitch& current = fabric_.switches.back();
        if (peer.kind == 'S' && peer.guid != current.guid) {
            current.neighbours.push_back(peer.guid);
            references_.emplace_back(peer.guid, line.number());
        }
        return peer.kind != 'H' || parse_host_port(line);
    }

    bool parse_port_number(FabricLine& line) {
        unsigned number = 0;
        if (!line.accept("[") || !line.accept_integer(number, 10) || !line.accept("]")) {
            return fail(line, "a port's number in brackets");
        }
        if (line.accept("[ext ") && (!line.accept_integer(number, 10) || !line.accept("]"))) {
            return fail(line, "an external port's number");
        }
        return true;
    }

    bool parse_id(FabricLine& line, NodeId& id) {
        if (line.accept("\"") && !line.rest().empty()) {
            id.kind = line.rest()[0];
            line.accept(line.rest().substr(0, 1));
            if (line.accept("-") && line.accept_integer(id.guid, 16) && line.accept("\"")) {
                return true;
            }
        }
        return fail(line, "a node's GUID as in \"S-0002c903000a1b2c\"");
    }

    bool parse_host_port(FabricLine& line) {
        std::uint64_t guid = 0;
        unsigned lid = 0;
        line.skip_blanks();
        if (!line.accept("(") || !line.accept_integer(guid, 16) || !line.accept(")")) {
            return fail(line, "the host's port GUID in parentheses");
        }
        const std::string_view description = between_quotes(line.rest());
        if (!parse_lid(line, lid)) {
            return false;
        }
        // Switches that compute (SHARP) show an adapter of their own, which is no host.
        if (description.find("Aggregation Node") == description.npos) {
            fabric_.ports.push_back({guid, fabric_.switches.back().guid, lid, line.number(),
                                     std::string(trim(description))});
        }
        return true;
    }

    bool parse_lid(FabricLine& line, unsigned& lid) {
        constexpr unsigned kMaxLid = 0xffff;
        line.accept(line.rest().substr(0, line.rest().rfind('"')));
        if (!line.accept("\" lid ") || !line.accept_integer(lid, 10) || lid > kMaxLid) {
            return fail(line, "the host's description and LID");
        }
        return true;
    }

    Error unexpected(const FabricLine& line, const std::string& expected) const {
        constexpr std::size_t kMaxShown = 60;
        return {Errc::kMalformed,
                std::string(line.rest().substr(0, kMaxShown)),
                "expected " + expected + kRemedy,
                where_,
                line.number(),
                line.column()};
    }

    bool fail(const FabricLine& line, const std::string& expected) {
        error_ = unexpected(line, expected);
        return false;
    }

    Result<Fabric> finish() {
        if (fabric_.switches.empty() && !fabric_.skipped.is_empty()) {
            return *fabric_.skipped.as_one(Errc::kMalformed);
        }
        if (fabric_.switches.empty()) {
            return Error{Errc::kMalformed, "", std::string("the file lists no switch") + kRemedy,
                         where_};
        }
        fabric_.finish();
        for (const auto& [guid, line] : references_) {
            if (fabric_.find_switch(guid) == nullptr) {
                return Error{
                    Errc::kMalformed,
                    guid_to_string(guid),
                    std::string(
                        "the file does not list this switch, which has links: the file is incomplete") +
                        kRemedy,
                    where_,
                    line,
                    1};
            }
        }
        return std::move(fabric_);
    }

    const std::string where_;
    Block block_ = Block::kNone;
    Fabric fabric_;
    std::vector<std::pair<std::uint64_t, int>> references_;  // switches that links name, and the line
    Error error_;
};

}  // namespace

Result<Fabric> parse_ibnetdiscover(std::string_view text, std::string_view where) {
    if (text.size() > kMaxFabricBytes) {
        return Error{Errc::kTooLarge, "more than " + std::to_string(kMaxFabricBytes) + " bytes",
                     "this is the limit for a fabric file; list one fabric only", std::string(where)};
    }
    return Parser(where).parse(text);
}

}  // namespace hitopo
