// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the parsers of a fabric's listings share: one line, and whether the listing is whole.
#ifndef OMPI_MCA_HITOPO_OPENIB_FABRIC_FABRIC_TEXT_H
#define OMPI_MCA_HITOPO_OPENIB_FABRIC_FABRIC_TEXT_H

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/openib/fabric/fabric.h"

namespace hitopo {

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

// The first line, which is taken away, without its end.
std::string_view take_line(std::string_view& text);

// What `ibnetdiscover -s` prints of its progress, between or before the lines of both listings.
bool is_progress(std::string_view line);

// Whether a line of ibnetdiscover -p goes on, or begins, with a port: "SW ", "CA " or "RT ".
bool is_port(std::string_view line);

// Switches that compute (SHARP) show an adapter of their own, which is no host.
bool is_host(std::string_view description);

class FabricParser {
public:
    explicit FabricParser(std::string_view where) : where_(where) {}
    virtual ~FabricParser() = default;

    // Line by line to the end or the first error.
    Result<Fabric> parse(std::string_view text);

protected:
    // False after fail().
    virtual bool parse_line(FabricLine& line) = 0;

    bool fail(const FabricLine& line, const std::string& expected);
    // The line costs itself: true. It is of no known kind.
    bool skip(const FabricLine& line, const std::string& expected);

    void begin_switch(std::uint64_t guid, std::string_view description);
    // Adds a link of the switch that began last.
    void add_link(std::uint64_t peer, int line);
    void add_host(std::uint64_t port, unsigned lid, int line);

private:
    struct Reference {
        std::uint64_t guid;
        int line;
    };

    Error unexpected(const FabricLine& line, const std::string& expected) const;
    Result<Fabric> finish();

    const std::string where_;
    Fabric fabric_;
    std::vector<Reference> references_;  // switches that links name
    Error error_;
};

}  // namespace hitopo

#endif
