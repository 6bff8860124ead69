// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/oracle/oracle.h"

namespace hitopo::oracle {
namespace {

bool is_figure(char c) { return c >= '0' && c <= '9'; }

// A run of digits is one token, by its length and digits without leading zeros.
std::vector<Token> tokens_of(const std::string& text) {
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < text.size();) {
        if (!is_figure(text[i])) {
            tokens.emplace_back(static_cast<unsigned char>(text[i++]), 0, "");
            continue;
        }
        std::string digits;
        for (; i < text.size() && is_figure(text[i]); ++i) {
            if (!digits.empty() || text[i] != '0') {
                digits += text[i];
            }
        }
        tokens.emplace_back(static_cast<unsigned char>('0'), digits.size(), digits);
    }
    return tokens;
}

}  // namespace

NameKey key_of(const Name& name) {
    return {!name.is_number(), name.number(), tokens_of(name.text()), name.text()};
}

ValueKey key_of(const RawValue& value) {
    ValueKey key;
    for (const Name& name : value.path) {
        key.push_back(key_of(name));
    }
    return key;
}

}  // namespace hitopo::oracle
