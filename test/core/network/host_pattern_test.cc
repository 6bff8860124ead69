// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/host_pattern.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/core/text/error_columns.h"

namespace hitopo {
namespace {

// "LEVEL=PATH .." of what the pattern tells about the host; "-" if it does not match.
std::string match(const std::string& pattern, const std::string& host) {
    const Result<HostPattern> parsed = HostPattern::parse(pattern);
    EXPECT_TRUE(parsed) << pattern;
    const std::optional<RawAddress> address = parsed->match(host);
    std::string text = address ? "" : "-";
    for (int level = 0; address && level < kNumLevels; ++level) {
        if (const auto& value = (*address)[static_cast<std::size_t>(level)]) {
            text += text.empty() ? "" : " ";
            text += std::string(level_name(static_cast<Level>(level))) + '=' + value->to_string();
        }
    }
    return text;
}

struct Match {
    const char *pattern, *host, *told;
};

void expect_matches(const std::vector<Match>& matches) {
    for (const auto& [pattern, host, told] : matches) {
        EXPECT_EQ(match(pattern, host), told) << pattern << ' ' << host;
    }
}

Error error_of(const std::string& pattern) {
    const Result<HostPattern> parsed = HostPattern::parse(pattern);
    EXPECT_FALSE(parsed) << pattern;
    return parsed ? Error() : parsed.error();
}

TEST(HostPattern, match_names_fields_with_the_text_before) {
    expect_matches({{"r{island}i{switch}n*", "r1i3n7", "island=r1 switch=r1/i3"},
                    {"r{island}i{switch}n*", "r12i03n7", "island=r12 switch=r12/i03"},
                    {"{cluster:alpha}-rack{island}-sw{switch}-*", "blue-rack1-sw3-5",
                     "cluster=blue island=blue/rack1 switch=blue/rack1/sw3"}});
}

TEST(HostPattern, match_takes_fixed_digits_letters_and_words) {
    expect_matches({{"cn{island:2}{switch:2}*", "cn010307", "island=cn01 switch=cn01/03"},
                    {"cn{island}{switch:2}", "cn10203", "island=cn102 switch=cn102/03"},
                    {"cn{island:2}{switch:2}*", "cn013", "-"},
                    {"{island:alpha}{switch}*", "east12n4", "island=east switch=east/12"},
                    {"x{switch:word}-*", "xa7b-n1", "switch=xa7b"},
                    {"x{switch:word}-*", "x-n1", "-"}});
}

TEST(HostPattern, match_takes_fields_in_any_order) {
    EXPECT_EQ(match("s{switch}p{island}*", "s3p1n9"), "island=p1 switch=p1/s3");
}

TEST(HostPattern, match_takes_the_longest_number_and_the_shortest_rest) {
    expect_matches({{"*{switch}n*", "abc123n4", "switch=123"},
                    {"n{switch}*", "n123", "switch=n123"},
                    {"n{switch}3", "n133", "switch=n13"}});
}

TEST(HostPattern, match_needs_the_whole_name) {
    expect_matches({{"r{island}i{switch}", "r1i3n7", "-"},
                    {"r{island}i{switch}n*", "xr1i3n7", "-"},
                    {"r{island}*", "r", "-"},
                    {"r{island}*", "", "-"}});
}

TEST(HostPattern, match_tries_full_then_short_name) {
    expect_matches({{"r{island}n{switch}", "r1n2.example.org", "island=r1 switch=r1/n2"},
                    {"n*.rack{switch}.*", "n1.rack4.example.org", "switch=rack4"}});
}

TEST(HostPattern, match_takes_the_first_pattern_that_fits) {
    expect_matches({{"r{island}i{switch}n*,gpu{switch:2}*", "gpu0312", "switch=gpu03"},
                    {"r{island}i{switch}n*,r{island}*", "r4login", "island=r4"}});
}

TEST(HostPattern, match_takes_blanks_around_a_pattern) {
    expect_matches({{" r{island}i{switch}n* ,\tgpu{switch:2}* ", "gpu0312", "switch=gpu03"}});
    EXPECT_TRUE(HostPattern::parse("rack {island} *", " "));
}

TEST(HostPattern, match_is_fast_where_nothing_fits) {
    std::string pattern = "{switch}";
    for (int i = 0; i < 300; ++i) {
        pattern += "*a";
    }
    EXPECT_EQ(match(pattern, '1' + std::string(254, 'a')), "-");
    EXPECT_EQ(match("n{switch}*", 'n' + std::string(100000, '1')), "-");
}

TEST(HostPattern, error_has_column_and_remedy) {
    expect_error_columns({{"", 1},
                          {"n*", 1},
                          {"r{island", 2},
                          {"r}{island}", 2},
                          {"r{rack}", 2},
                          {"r{node}", 2},
                          {"r{}", 2},
                          {"r{island:0}", 2},
                          {"r{island:hex}", 2},
                          {"r{island}i{island}", 11},
                          {"r{island}{switch}", 10},
                          {"r{island:word}{switch:alpha}", 15},
                          {"r{island},", 11},
                          {"^r{island}", 1},
                          {"r{island}$", 10},
                          {"r\\d{island}", 2},
                          {"r{island}|n{switch}", 10},
                          {"\"r{island}\"", 1},
                          {"r{island} n", 10},
                          {"r{island}, n{switch}*  # racks", 22},
                          {"r{island}\xe4", 10}},
                         [](const char* text) { return HostPattern::parse(text); });
    EXPECT_NE(error_of("r{node}").message.find("and * for other text"), std::string::npos);
    EXPECT_EQ(error_of("r{rack}").value, "rack");
}

TEST(HostPattern, error_if_too_long) {
    EXPECT_EQ(error_of(std::string(1025, 'a')).code, Errc::kTooLarge);
}

}  // namespace
}  // namespace hitopo
