// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// runs: 6000
//
// Any bytes as a profile: the report never crashes, its text holds no character that a terminal would
// obey, and its page no script but its own. What an order of its ranks writes for launchers has letters
// that these read, whatever its hosts are called.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

#include "ompi/tools/hitopo/launch/launch.h"
#include "profiler/tool/report/report.h"
#include "test/fuzz/harmless.h"

namespace {

using hitopo::Charset;
using hitopo::Result;
using hitopo::tool::Command;
using hitopo::tool::Format;
using hitopo::tool::Options;
using hitopo::tool::Profile;

using hitopo::tool::Format;

Result<Profile> profile_of(std::string text) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(fmemopen(text.data(), text.size(), "r"),
                                                               std::fclose);
    return hitopo::tool::read_profile(file.get(), "file");
}

void check_text(const Result<Profile>& profile, Charset charset) {
    const Options options = {Command::kReport, Format::kText, false, "", "file"};
    require_harmless(hitopo::tool::render_report(profile, options, charset), charset);
}

void check_documents(const Result<Profile>& profile) {
    Options options = {Command::kReport, Format::kJson, false, "", "file"};
    const auto json = hitopo::tool::render_report(profile, options, Charset::kUtf8);
    require_harmless(json, Charset::kAscii);
    require(!profile || hitopo::tool::parse_json(json.text).is_ok());
    options.format = Format::kCsv;
    require_harmless(hitopo::tool::render_report(profile, options, Charset::kUtf8), Charset::kUtf8);
}

// Beside itself.
void check_comparison(const Result<Profile>& profile, Charset charset) {
    Options options = {Command::kReport, Format::kText, false, "", "file"};
    options.other_profiles = {"other"};
    require_harmless(hitopo::tool::render_comparison(profile, profile, options, charset), charset);
    options.format = Format::kHtml;
    require_harmless(hitopo::tool::render_comparison(profile, profile, options, charset),
                     Charset::kUtf8);
}

void check_page(const Profile& profile) {
    const std::string data = hitopo::tool::page_data(hitopo::tool::Report(profile, "file"));
    require(data.find('<') == std::string::npos);
    require(hitopo::tool::parse_json(data).is_ok());
    require(hitopo::tool::parse_json(hitopo::tool::page_pairs(profile)).is_ok());
}

void check_order(const Profile& profile) {
    const auto slots = profile.table ? hitopo::tool::slots_of(*profile.table, "file")
                                     : Result<hitopo::tool::Slots>(hitopo::Error());
    if (!slots) {
        return;
    }
    hitopo::topo::PerProcess ranks(slots->slots.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    constexpr auto kLauncher = hitopo::tool::Launcher::kOrte;
    const auto map = hitopo::tool::launch_file(*slots, ranks, Format::kMap, kLauncher);
    hitopo::tool::require_harmless(map->text, Charset::kUtf8);
    for (const Format format : {Format::kHostfile, Format::kRankfile}) {
        const auto file = hitopo::tool::launch_file(*slots, ranks, format, kLauncher);
        for (const char c : file ? file->text : std::string()) {
            require(c == '\n' || (c >= ' ' && c <= '~'));
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::string text(reinterpret_cast<const char*>(data), size);
    const Result<Profile> profile = profile_of(text);
    check_text(profile, Charset::kAscii);
    check_text(profile, Charset::kUtf8);
    check_documents(profile);
    check_comparison(profile, Charset::kAscii);
    check_comparison(profile, Charset::kUtf8);
    if (profile) {
        check_page(*profile);
        check_order(*profile);
    }
    return 0;
}
