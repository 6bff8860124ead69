// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// runs: 6000
//
// Any bytes as a profile: the report never crashes, its text holds no character that a terminal would
// obey, and its page no script but its own.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "ompi/tools/hitopo/report/page_data.h"
#include "test/fuzz/harmless.h"

namespace {

using hitopo::Charset;
using hitopo::Result;
using hitopo::tool::Command;
using hitopo::tool::Format;
using hitopo::tool::Options;
using hitopo::tool::Profile;

Result<Profile> profile_of(std::string text) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(fmemopen(text.data(), text.size(), "r"),
                                                               std::fclose);
    return hitopo::tool::read_profile(file.get(), "file");
}

void check_text(const Result<Profile>& profile, Charset charset) {
    const Options options = {Command::kReport, Format::kText, false, "", "file"};
    require_harmless(hitopo::tool::render_report(profile, options, charset), charset);
}

// Beside itself.
void check_comparison(const Result<Profile>& profile, Charset charset) {
    Options options = {Command::kReport, Format::kText, false, "", "file"};
    options.other_profile = "other";
    require_harmless(hitopo::tool::render_comparison(profile, profile, options, charset), charset);
    options.format = Format::kHtml;
    require_harmless(hitopo::tool::render_comparison(profile, profile, options, charset),
                     Charset::kUtf8);
}

void check_page(const Profile& profile) {
    const auto sums = hitopo::tool::sum_up(profile);
    const std::string data = hitopo::tool::page_data(profile, sums);
    require(data.find('<') == std::string::npos);
    require(hitopo::tool::parse_json(data).is_ok());
    for (const auto& sum : sums) {
        require(hitopo::tool::parse_json(hitopo::tool::page_peers(sum)).is_ok());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const Result<Profile> profile = profile_of({reinterpret_cast<const char*>(data), size});
    check_text(profile, Charset::kAscii);
    check_text(profile, Charset::kUtf8);
    check_comparison(profile, Charset::kAscii);
    check_comparison(profile, Charset::kUtf8);
    if (profile) {
        check_page(*profile);
    }
    return 0;
}
