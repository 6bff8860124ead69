// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/openib/fabric/ibnetdiscover.h"

#include <string>

#include "ompi/mca/hitopo/openib/fabric/fabric_text.h"

namespace hitopo {
namespace {

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

class NodesParser : public FabricParser {
public:
    using FabricParser::FabricParser;

private:
    enum class Block { kNone, kSwitch, kOther };

    // file  = { line "\n" }
    // line  = "" | "#" .. | "DR path " .. | word "=" .. | "Chassis" .. | "Non-Chassis Nodes" |
    // "Hostname:" .. | node | port node  = ( "Switch" | "Ca" | "Rt" ) number id [ "#" .. ], followed by
    // its ports
    bool parse_line(FabricLine& line) override {
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
        return is_ignored(text) || skip(line, "a line of a switch, an adapter or a port");
    }

    static bool is_ignored(std::string_view text) {
        if (is_progress(text)) {
            return true;
        }
        for (const std::string_view word : {"vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=",
                                            "rtguid=", "Chassis ", "Non-Chassis Nodes", "Hostname:"}) {
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
        begin_switch(id.guid, between_quotes(line.rest()));
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
        if (peer.kind == 'S') {
            add_link(peer.guid, line.number());
            return true;
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
        if (is_host(description)) {
            add_host(guid, lid, line.number());
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

    Block block_ = Block::kNone;
};

// By the first line that one of the listings has, and the other never.
bool is_ports_report(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (is_port(line)) {
            return true;
        }
        for (const std::string_view word : {"[", "Switch", "Ca", "Rt"}) {
            if (line.substr(0, word.size()) == word) {
                return false;
            }
        }
    }
    return false;
}

}  // namespace

Result<Fabric> parse_ibnetdiscover(std::string_view text, std::string_view where) {
    if (text.size() > kMaxFabricBytes) {
        return Error{Errc::kTooLarge,
                     "more than " + std::to_string(kMaxFabricBytes) + " bytes",
                     "this is the limit for a fabric file; list one fabric only",
                     std::string(where),
                     0,
                     0};
    }
    return is_ports_report(text) ? parse_ports_report(text, where) : NodesParser(where).parse(text);
}

}  // namespace hitopo
