// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo report --format html`: the page with its script and a profile.
#include <fmt/format.h>

#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/report/page_data.h"
#include "ompi/tools/hitopo/report/page_template.h"

namespace hitopo::tool {
namespace {

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
    const std::string nonce = nonce_of(data);
    return page_head("HiTopo profile", nonce, true) +
           filled(kPageBody, {{"nonce", nonce},
                              {"script", kPageScript},
                              {"data", data},
                              {"peers", peers_elements(sums)}});
}

}  // namespace hitopo::tool
