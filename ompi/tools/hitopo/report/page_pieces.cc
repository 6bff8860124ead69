// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/tools/hitopo/report/page_template.h"

namespace hitopo::tool {

std::string filled(std::string_view text, const Pieces& pieces) {
    std::string out;
    for (;;) {
        const std::size_t start = text.find("{{");
        out += text.substr(0, start);
        if (start == std::string_view::npos) {
            return out;
        }
        const std::size_t end = text.find("}}", start);
        out += pieces.at(text.substr(start + 2, end - start - 2));
        text.remove_prefix(end + 2);
    }
}

std::string nonce_of(std::string_view content) { return fmt::format("{:016x}", hash_bytes(content)); }

std::string page_head(const std::string& title, const std::string& nonce, bool has_scripts,
                      const std::string& style) {
    const std::string scripts = has_scripts ? fmt::format("script-src 'nonce-{}'; ", nonce) : "";
    return filled(
        kPageHead,
        {{"title", title}, {"nonce", nonce}, {"scripts", scripts}, {"style", kPageStyle + style}});
}

}  // namespace hitopo::tool
