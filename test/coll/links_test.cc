// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "ompi/mca/coll/hitopo/core/settings.h"
#include "test/support/expect_each.h"

namespace hitopo::coll {
namespace {

std::string error_of(const char* text) {
    const Result<Links> links = parse_links(text);
    return links ? "none" : links.error().position() + ' ' + links.error().value;
}

TEST(Links, parse_replaces_what_is_named) {
    const Result<Links> links = parse_links("switch:150:12:100, process:0.5:70.25:0");
    ASSERT_TRUE(links);
    EXPECT_EQ((*links)[kSwitch].latency_us, 150);
    EXPECT_EQ((*links)[kSwitch].bytes_per_us, 12);
    EXPECT_EQ((*links)[kSwitch].message_us, 100);
    EXPECT_EQ((*links)[kProcess].latency_us, 0.5);
    EXPECT_EQ((*links)[kProcess].bytes_per_us, 70.25);
    EXPECT_EQ((*links)[kProcess].message_us, 0);
    EXPECT_EQ((*links)[kNode].bytes_per_us, default_links()[kNode].bytes_per_us);
}

TEST(Links, parse_takes_nothing_and_any_case) {
    EXPECT_TRUE(parse_links(""));
    EXPECT_TRUE(parse_links(" "));
    ASSERT_TRUE(parse_links("SWITCH:1:2:3"));
    EXPECT_EQ((*parse_links("SWITCH:1:2:3"))[kSwitch].bytes_per_us, 2);
}

TEST(Links, parse_tells_where_it_is_wrong) {
    expect_each(error_of, {{"rack:1:2:3", "coll_hitopo_links, column 1 rack"},
                           {"node:1:2:3,switch:1:2:3,node:1:2:3", "coll_hitopo_links, column 25 node"},
                           {"node:1:2:3,switch:1:2", "coll_hitopo_links, column 12 switch:1:2"},
                           {"node:1:0:3", "coll_hitopo_links, column 8 0"},
                           {"node:-1:2:3", "coll_hitopo_links, column 6 -1"},
                           {"node:1e3:2:3", "coll_hitopo_links, column 6 1e3"},
                           {"node:1:2:12345678901", "coll_hitopo_links, column 10 12345678901"},
                           {"node:1:2:.", "coll_hitopo_links, column 10 ."},
                           {"node:1:2:3,", "coll_hitopo_links, column 12 "}});
}

TEST(Links, format_writes_what_parse_reads) {
    Shape shape;
    EXPECT_EQ(format_links(default_links(), shape), "");
    shape.max_children[kSwitch] = shape.max_children[kProcess] = 2;
    Links links = default_links();
    links[kSwitch] = {150.26, 12.345, 0.0004};
    links[kProcess] = {0.5, 1e300, 1234.5};
    const std::string text = format_links(links, shape);
    EXPECT_EQ(text, "switch:150:12.3:0,process:0.5:999999999:1235");
    EXPECT_TRUE(parse_links(text));
    links[kSwitch].bytes_per_us = 1e-9;  // above 0, as parse wants it
    EXPECT_TRUE(parse_links(format_links(links, shape)));
}

}  // namespace
}  // namespace hitopo::coll
