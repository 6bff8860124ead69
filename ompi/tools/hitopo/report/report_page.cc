// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo report --format html`: the page's template with its style, its script and a profile.
#include <fmt/format.h>

#include <map>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/report/page_data.h"
#include "ompi/tools/hitopo/report/page_template.h"

namespace hitopo::tool {
namespace {

using Pieces = std::map<std::string_view, std::string>;

// `text` with each {{name}} replaced by the piece of that name; pieces are not looked into.
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

// Only the page's own script runs. A name that knew the nonce would have to hold a hash of itself.
std::string nonce(const std::string& data) { return fmt::format("{:016x}", hash_bytes(data)); }

std::string peers_elements(const std::vector<CommunicatorSums>& sums) {
    std::string elements;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        elements += fmt::format("<script type=\"application/json\" id=\"peers-{}\">", i);
        elements += page_peers(sums[i]);
        elements += "</script>\n";
    }
    return elements;
}

}  // namespace

std::string format_report_page(const Profile& profile) {
    const std::vector<CommunicatorSums> sums = sum_up(profile);
    const std::string data = page_data(profile, sums);
    return filled(kPageHtml, {{"nonce", nonce(data)},
                              {"style", kPageStyle},
                              {"script", kPageScript},
                              {"data", data},
                              {"peers", peers_elements(sums)}});
}

}  // namespace hitopo::tool
