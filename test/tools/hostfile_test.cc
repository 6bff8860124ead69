// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Hostfiles. What mpirun 4.1 makes of the same files is in test/mpi/order/order_hostfile.sh.
#include <gtest/gtest.h>

#include "ompi/tools/hitopo/order/hosts.h"
#include "test/support/expect_each.h"

namespace hitopo::tool {
namespace {

// "n1*4 n2*0": each line with its slots.
std::string hosts(const char* text) {
    const auto lines = parse_hostfile(text, "f");
    std::string words = lines ? "" : "refused";
    for (const Host& host : lines ? *lines : std::vector<Host>()) {
        words += (words.empty() ? "" : " ") + host.name + '*' + std::to_string(host.num_slots);
    }
    return words;
}

TEST(Hostfile, has_hosts_and_slots) {
    expect_each(hosts, {{"n1 slots=4\nn2 slots=2 max_slots=8\n", "n1*4 n2*2"},
                        {"n1 slots = 2\n\tn2\tslots\t=\f3\n", "n1*2 n2*3"},
                        {"n1 max-slots=3 slots=2", "n1*2"},
                        {"n1 max_slots=3\n", "n1*0"},
                        {"n1 slots=2\r\n", "n1*2"},
                        {"b\na\nb slots=2\n", "b*0 a*0 b*2"},
                        {"n1", "n1*0"}});
}

TEST(Hostfile, has_users) {
    expect_each(hosts, {{"root@n1 slots=2\n", "n1*2"},
                        {"john@n1.example.org slots=2\n", "n1.example.org*2"},
                        {"u@10.0.0.1 slots=2\n", "10.0.0.1*2"},
                        {"a@b@c\n", "refused"}});
}

TEST(Hostfile, has_addresses) {
    expect_each(hosts, {{"fe80::1 slots=2\n", "fe80::1*2"},
                        {"::1\n", "::1*0"},
                        {"1:2 slots=2\n", "refused"},
                        {"17 slots=2\n", "17*2"}});
}

TEST(Hostfile, has_comments) {
    expect_each(hosts, {{"# all\n\nn1#x\n  \nn2 slots=2 # two\n", "n1*0 n2*2"}});
}

TEST(Hostfile, refuses_what_it_does_not_understand) {
    for (const char* text :
         {"",           "#\n",           "n1 slot=1\n",  "n1 slots\n",       "n1 slots=\n",
          "n1 slots=0", "n1 slots=-1\n", "n1 slots 2\n", "n1 slots=4,\n",    "n1;rm\n",
          "-n1\n",      "+n0\n",         "+e\n",         "n1:2\n",           "n1:x\n",
          "^n1\n",      "n1 cores=2\n",  "n1 =2\n",      "slots=2\n",        "n1 n2.example.org\n",
          "\"n1\"\n",   "// n1\n",       "/* n1 */\n",   "\xEF\xBB\xBFn1\n", "rank 0=b slot=0\n",
          "n,2\n"}) {
        EXPECT_EQ(hosts(text), "refused") << text;
    }
    EXPECT_FALSE(parse_hostfile(std::string_view("n1\0\n", 4), "f").is_ok());
}

TEST(Hostfile, errors_have_their_place_and_remedy) {
    const Error error = parse_hostfile("n1\n n2 slots=x # two\n", "hosts").error();
    EXPECT_EQ(error.position() + ": " + error.value + ' ' + error.message,
              "hosts:2:1: is not a hostfile: \"n2 slots=x\". Write one host per line, as in \"node1 "
              "slots=4\"");
}

TEST(Hostfile, has_a_limit) {
    EXPECT_EQ(parse_hostfile("n1 slots=9999999999999999999\n", "f").error().code, Errc::kTooLarge);
    EXPECT_EQ(parse_hostfile("a slots=600000\nb slots=600000\n", "f").error().code, Errc::kTooLarge);
}

}  // namespace
}  // namespace hitopo::tool
