// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/openib/fabric/fabric_text.h"

namespace hitopo {
namespace {

constexpr const char* kRemedy =
    "; write the file again with ibnetdiscover or ibnetdiscover --ports, without --list and --diff";

}  // namespace

std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    while (!line.empty() && is_space(line.back())) {
        line.remove_suffix(1);
    }
    return line;
}

// DR path slid 0; dlid 0; 0,1 -> new Switch {0000000000000010} portnum 0 lid 0-0 ""
bool is_progress(std::string_view line) { return line.substr(0, 8) == "DR path "; }

bool is_port(std::string_view line) {
    const std::string_view word = line.substr(0, 3);
    return word == "SW " || word == "CA " || word == "RT ";
}

bool is_host(std::string_view description) {
    return description.find("Aggregation Node") == std::string_view::npos;
}

Result<Fabric> FabricParser::parse(std::string_view text) {
    for (int number = 1; !text.empty(); ++number) {
        FabricLine line(take_line(text), number);
        if (!parse_line(line)) {
            return error_;
        }
    }
    return finish();
}

Error FabricParser::unexpected(const FabricLine& line, const std::string& expected) const {
    constexpr std::size_t kMaxShown = 60;
    return {Errc::kMalformed,
            std::string(line.rest().substr(0, kMaxShown)),
            "expected " + expected + kRemedy,
            where_,
            line.number(),
            line.column()};
}

bool FabricParser::fail(const FabricLine& line, const std::string& expected) {
    error_ = unexpected(line, expected);
    return false;
}

bool FabricParser::skip(const FabricLine& line, const std::string& expected) {
    fabric_.skipped.add(unexpected(line, expected));
    return true;
}

void FabricParser::begin_switch(std::uint64_t guid, std::string_view description) {
    fabric_.switches.push_back({guid, std::string(trim(description)), {}});
}

void FabricParser::add_link(std::uint64_t peer, int line) {
    FabricSwitch& current = fabric_.switches.back();
    if (peer != current.guid) {
        current.neighbours.push_back(peer);
        references_.push_back({peer, line});
    }
}

void FabricParser::add_host(std::uint64_t port, unsigned lid, int line) {
    fabric_.ports.push_back({port, fabric_.switches.back().guid, lid, line});
}

Result<Fabric> FabricParser::finish() {
    if (fabric_.switches.empty() && !fabric_.skipped.is_empty()) {
        return fabric_.skipped.kept().front();
    }
    if (fabric_.switches.empty()) {
        return Error{Errc::kMalformed, "", std::string("the file lists no switch") + kRemedy,
                     where_,           0,  0};
    }
    fabric_.finish();
    for (const Reference& reference : references_) {
        if (fabric_.find_switch(reference.guid) == nullptr) {
            return Error{
                Errc::kMalformed,
                guid_to_string(reference.guid),
                std::string(
                    "the file does not list this switch, which has links: the file is incomplete") +
                    kRemedy,
                where_,
                reference.line,
                1};
        }
    }
    return std::move(fabric_);
}

}  // namespace hitopo
