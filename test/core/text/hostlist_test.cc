// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/hostlist.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "test/core/text/error_columns.h"
#include "test/support/random_cases.h"

namespace hitopo {
namespace {

using Hosts = std::vector<std::string>;

Hosts expand(const std::string& expression) {
    const Result<Hostlist> list = Hostlist::parse(expression);
    EXPECT_TRUE(list) << expression;
    const Result<Hosts> hosts = list->expand();
    EXPECT_TRUE(hosts) << expression;
    return *hosts;
}

bool contains(const std::string& expression, const std::string& host) {
    const Result<Hostlist> list = Hostlist::parse(expression);
    EXPECT_TRUE(list) << expression;
    return list->contains_host(host);
}

// Those of the hosts that the list contains.
Hosts contained(const std::string& expression, const Hosts& hosts) {
    Hosts found;
    for (const std::string& host : hosts) {
        if (contains(expression, host)) {
            found.push_back(host);
        }
    }
    return found;
}

TEST(Hostlist, expand_names_ranges_and_padding) {
    const std::vector<std::pair<const char*, Hosts>> lists = {
        {"login", {"login"}},
        {"a,b.example.org,c-1", {"a", "b.example.org", "c-1"}},
        {"n[9-11,20]", {"n9", "n10", "n11", "n20"}},
        {"[1-2]", {"1", "2"}},
        {"n[008-011]", {"n008", "n009", "n010", "n011"}},
        {"n[09-10,3]", {"n09", "n10", "n3"}},
        {"n[0-1]", {"n0", "n1"}},
        {"n[99-101]", {"n99", "n100", "n101"}},
        {"n[099-100]", {"n099", "n100"}},
        {"r[1-2]n[1-2]-ib", {"r1n1-ib", "r1n2-ib", "r2n1-ib", "r2n2-ib"}},
        {"r[1-2][3-4]", {"r13", "r14", "r23", "r24"}},
        {"login,n[1-2],gpu[1,3]", {"login", "n1", "n2", "gpu1", "gpu3"}}};
    for (const auto& [list, hosts] : lists) {
        EXPECT_EQ(expand(list), hosts) << list;
    }
}

// As Slurm separates, so that a list of its files names the same hosts here.
TEST(Hostlist, expand_takes_any_separators) {
    const Hosts hosts = {"c1", "c2", "c3"};
    for (const char* list :
         {"c1, c2,c3", "c1 c2\tc3", "c1,\n  c2,\r\n  c3", "c1,,c2,c3,", " ,c[1-2] , c3 "}) {
        EXPECT_EQ(expand(list), hosts) << list;
        EXPECT_TRUE(contains(list, "c2")) << list;
        EXPECT_FALSE(contains(list, " c2")) << list;
    }
}

// Padding counts, the whole name, and every end of a number; no range is expanded.
TEST(Hostlist, contains_the_hosts_that_it_names) {
    EXPECT_EQ(contained("n[001-010]", {"n007", "n7", "n011"}), Hosts({"n007"}));
    EXPECT_EQ(contained("n[1-10]", {"n07"}), Hosts());
    EXPECT_EQ(contained("n[008-1200]", {"n1100", "n01100"}), Hosts({"n1100"}));
    EXPECT_EQ(contained("n[1-4]", {"n1x", "xn1", "n", "", "n12"}), Hosts());
    EXPECT_EQ(contained("n[1-20]5", {"n15", "n115", "n215"}), Hosts({"n15", "n115"}));
    EXPECT_TRUE(contains("n[1-20][1-20]", "n201"));
    EXPECT_EQ(contained("n[0-999999999999999999]", {"n123456789012345678", "n1234567890123456789"}),
              Hosts({"n123456789012345678"}));
}

TEST(Hostlist, contains_is_fast_where_many_ways_match) {
    std::string expression;
    for (int i = 0; i < 200; ++i) {
        expression += "[1-11111]";
    }
    EXPECT_FALSE(contains(expression + "x", std::string(900, '1')));
    EXPECT_TRUE(contains(expression, std::string(900, '1')));
}

TEST(Hostlist, contains_host_by_its_short_name) {
    const Result<Hostlist> list = Hostlist::parse("n[1-4],m1.example.org");
    ASSERT_TRUE(list);
    for (const char* host : {"n1", "n4.example.org", "m1.example.org", "m1", "N2", "M1.Example.ORG"}) {
        EXPECT_TRUE(list->contains_host(host)) << host;
    }
    for (const char* host : {"n5.example.org", "m1.other.org", "m1.example", "m", ".n1", ""}) {
        EXPECT_FALSE(list->contains_host(host)) << host;
    }
}

// One rule for all readers: that of is_same_host, for each name of the list.
TEST(Hostlist, contains_host_as_each_of_its_names) {
    std::mt19937 random(30);
    const auto pick = [&](std::initializer_list<const char*> words) {
        return std::string(*(words.begin() + random() % words.size()));
    };
    int num_found = 0;
    for (int i = 0; i < random_cases(20000); ++i) {
        const std::string text = pick({"n", "N", "n.", "n1.", "."}) +
                                 pick({"[0-2]", "[1,01]", "1", "x"}) +
                                 pick({"", ".a", ".b.c", ".A", "[1-2].a", ".r[1-2].a", "."});
        const std::string host = pick({"n", "N", "n1.", "."}) + pick({"1", "01", "11", "x", "2"}) +
                                 pick({"", ".a", ".A", ".b", ".b.c", ".r1.a", ".r2", "."});
        const Result<Hostlist> list = Hostlist::parse(text);
        ASSERT_TRUE(list) << text;
        const std::vector<std::string> names = *list->expand();
        const bool is_named = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
            return is_same_host(name, host);
        });
        EXPECT_EQ(list->contains_host(host), is_named) << text << " and " << host;
        num_found += is_named ? 1 : 0;
    }
    EXPECT_GT(num_found, random_cases(20000) / 50);
}

TEST(Hostlist, error_has_column) {
    const ErrorColumns columns = {{"", 1},         {" ,\n", 1},
                                  {"n[1, 2]", 5},  {"n[1-4 ,", 6},
                                  {"n[1-4", 2},    {"n[1-4,", 7},
                                  {"n[]", 3},      {"n[a]", 3},
                                  {"n[1-]", 5},    {"n[1;2]", 4},
                                  {"n]", 2},       {"n[[1]]", 3},
                                  {"n[1,8-4]", 5}, {"n[1234567890123456789]", 3}};
    expect_error_columns(columns, Hostlist::parse);
}

TEST(Hostlist, error_names_the_remedy) {
    const Error error = Hostlist::parse("n[8-4]").error();
    EXPECT_EQ(error.code, Errc::kMalformed);
    EXPECT_EQ(error.value, "n[8-4]");
    EXPECT_NE(error.message.find("smaller number first"), std::string::npos);
}

TEST(Hostlist, count_saturates) {
    EXPECT_EQ(Hostlist::parse("a,n[1-4]r[1-3]")->count(), 13u);
    const std::string huge = "[0-999999999999999999]";
    EXPECT_EQ(Hostlist::parse(huge + huge)->count(), UINT64_MAX);
}

TEST(Hostlist, expand_refuses_what_is_too_large) {
    EXPECT_TRUE(Hostlist::parse("n[1-65536]")->expand());
    EXPECT_EQ(Hostlist::parse("n[1-65537]")->expand().error().code, Errc::kTooLarge);
    EXPECT_EQ(Hostlist::parse("[0-9][0-9][0-9][0-9][0-9]")->expand().error().code, Errc::kTooLarge);
    const std::string long_name(1000, 'x');
    EXPECT_EQ(Hostlist::parse(long_name + "[1-60000]")->expand().error().code, Errc::kTooLarge);
}

TEST(ExpandHosts, names_or_the_error_of_parse_or_expand) {
    const Result<Hosts> hosts = expand_hosts("login,n[1-2]");
    ASSERT_TRUE(hosts);
    EXPECT_EQ(*hosts, Hosts({"login", "n1", "n2"}));
    EXPECT_EQ(expand_hosts("n[8-4]").error().code, Errc::kMalformed);
    EXPECT_EQ(expand_hosts("n[8-4]").error().column, 3);
    EXPECT_EQ(expand_hosts("n[1-65537]").error().code, Errc::kTooLarge);
}

TEST(CompressHosts, joins_runs_of_the_last_number_and_keeps_padding) {
    const std::vector<std::pair<Hosts, const char*>> cases = {
        {{}, ""},
        {{"n1"}, "n1"},
        {{"n2", "n1"}, "n[1-2]"},
        {{"n12", "n1", "n2", "n3", "n2"}, "n[1-3,12]"},
        {{"r1n1", "r1n2", "r2n1"}, "r1n[1-2],r2n1"},
        {{"n1-ib", "n1", "n2-ib", "n2"}, "n[1-2],n[1-2]-ib"},
        {{"spine", "core"}, "core,spine"},
        {{"n008", "n009", "n010"}, "n[008-010]"},
        {{"n099", "n100"}, "n[099-100]"},
        {{"n9", "n10", "n09", "n8"}, "n[8,09,9-10]"}};
    for (const auto& [hosts, list] : cases) {
        EXPECT_EQ(compress_hosts(hosts), list);
    }
}

// A random list over few names, so that repetitions, gaps and paddings meet.
Hosts random_hosts(std::mt19937& random) {
    const char* const prefixes[] = {"n", "r1n", "r10n", "n0", ""};
    const char* const suffixes[] = {"", "-ib", "x"};
    const char* const numbers[] = {"0", "1", "2", "01", "02", "9", "10", "09", "010", "99", "100", ""};
    Hosts hosts;
    for (unsigned i = random() % 12; i > 0; --i) {
        hosts.push_back(std::string(prefixes[random() % 5]) + numbers[random() % 12] +
                        suffixes[random() % 3]);
    }
    hosts.erase(std::remove(hosts.begin(), hosts.end(), std::string()), hosts.end());
    return hosts;
}

TEST(CompressHosts, expands_to_the_same_set_in_any_order) {
    std::mt19937 random(7);
    for (int round = 0; round < 5000; ++round) {
        Hosts hosts = random_hosts(random);
        if (hosts.empty()) {
            continue;
        }
        const std::string text = compress_hosts(hosts);
        std::shuffle(hosts.begin(), hosts.end(), random);
        EXPECT_EQ(compress_hosts(hosts), text);
        Hosts expanded = expand(text);
        EXPECT_EQ(compress_hosts(expanded), text);
        std::sort(expanded.begin(), expanded.end());
        std::sort(hosts.begin(), hosts.end());
        hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
        EXPECT_EQ(expanded, hosts) << text;
    }
}

TEST(Hostlist, contains_exactly_what_expand_gives) {
    std::mt19937 random(8);
    const Hosts lists = {"n[0-2,9-10]",  "n[00-10]", "r[1,10]n[01-02]", "[1-2][0-10]",
                         "n0[1-2],n01x", "x",        "r1n[099-100]-ib"};
    for (const std::string& list : lists) {
        const Hosts hosts = expand(list);
        for (int round = 0; round < 500; ++round) {
            for (const std::string& host : random_hosts(random)) {
                const bool is_expected = std::count(hosts.begin(), hosts.end(), host) != 0;
                EXPECT_EQ(contains(list, host), is_expected) << list << ' ' << host;
            }
        }
        for (const std::string& host : hosts) {
            EXPECT_TRUE(contains(list, host)) << list << ' ' << host;
        }
    }
}

}  // namespace
}  // namespace hitopo
