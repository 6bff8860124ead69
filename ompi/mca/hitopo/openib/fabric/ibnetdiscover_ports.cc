// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The ports report, `ibnetdiscover --ports`: a line for each port of each node.
#include <string>

#include "ompi/mca/hitopo/openib/fabric/fabric_text.h"
#include "ompi/mca/hitopo/openib/fabric/ibnetdiscover.h"

namespace hitopo {
namespace {

// One end of a link. The GUID of a switch's ports is that of its port 0, which is the switch's own.
struct End {
    char kind = 0;  // S a switch, C an adapter, R a router
    unsigned lid = 0;
    std::uint64_t guid = 0;
};

class PortsParser : public FabricParser {
public:
    using FabricParser::FabricParser;

private:
    // line = "" | "#" .. | end width speed ( "- " end "( '" own "' - '" peer "' )" | "'" own "'" )
    // end  = ( "SW" | "CA" | "RT" ) lid port GUID
    // SW     9  4 0x0000000000200005 4x SDR - CA    26  1 0x000000000010001f ( 'i2leaf2' - 'i2l2h4' )
    // SW     9  7 0x0000000000200005 4x ???                                    'i2leaf2'
    bool parse_line(FabricLine& line) override {
        if (line.rest().empty() || line.rest()[0] == '#' || is_progress(line.rest())) {
            return true;
        }
        if (!is_port(line.rest())) {
            return skip(line, "SW, CA or RT");
        }
        End own;
        if (!parse_end(line, own)) {
            return false;
        }
        if (own.kind != 'S') {
            return true;
        }
        skip_word(line);
        skip_word(line);
        return line.accept("- ") ? parse_link(line, own) : parse_lone(line, own);
    }

    bool parse_end(FabricLine& line, End& end) {
        constexpr unsigned kMaxLid = 0xffff;
        unsigned port = 0;
        end.kind = line.rest().empty() ? '\0' : line.rest()[0];
        if (!line.accept("SW ") && !line.accept("CA ") && !line.accept("RT ")) {
            return fail(line, "SW, CA or RT");
        }
        line.skip_blanks();
        if (!line.accept_integer(end.lid, 10) || end.lid > kMaxLid) {
            return fail(line, "a LID");
        }
        line.skip_blanks();
        if (!line.accept_integer(port, 10)) {
            return fail(line, "a port's number");
        }
        line.skip_blanks();
        if (!line.accept("0x") || !line.accept_integer(end.guid, 16)) {
            return fail(line, "a port's GUID");
        }
        line.skip_blanks();
        return true;
    }

    static void skip_word(FabricLine& line) {
        line.accept(line.rest().substr(0, line.rest().find(' ')));
        line.skip_blanks();
    }

    bool parse_link(FabricLine& line, const End& own) {
        constexpr std::string_view kBetween = "' - '";
        constexpr std::string_view kEnd = "' )";
        End peer;
        if (!parse_end(line, peer)) {
            return false;
        }
        const std::string_view rest = line.rest();
        const std::size_t middle = rest.find(kBetween);
        if (!line.accept("( '") || middle == std::string_view::npos ||
            rest.substr(rest.size() - kEnd.size()) != kEnd) {
            return fail(line, "both nodes' descriptions");
        }
        begin_switch(own.guid, line.rest().substr(0, line.rest().find(kBetween)));
        if (peer.kind == 'S') {
            add_link(peer.guid, line.number());
        } else if (peer.kind == 'C' && is_host(rest.substr(middle))) {
            add_host(peer.guid, peer.lid, line.number());
        }
        return true;
    }

    bool parse_lone(FabricLine& line, const End& own) {
        const std::string_view rest = line.rest();
        if (rest.size() < 2 || rest.front() != '\'' || rest.back() != '\'') {
            return fail(line, "the other end of the link or the node's description");
        }
        begin_switch(own.guid, rest.substr(1, rest.size() - 2));
        return true;
    }
};

}  // namespace

Result<Fabric> parse_ports_report(std::string_view text, std::string_view where) {
    return PortsParser(where).parse(text);
}

}  // namespace hitopo
