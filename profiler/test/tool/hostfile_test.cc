// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Hostfiles as mpirun reads them. What mpirun 4.1 makes of the same files is in
// profiler/test/mpi/order/order_hostfile.sh.
#include "profiler/tool/order/hostfile.h"

#include <gtest/gtest.h>

#include "test/support/expect_each.h"

namespace hitopo::tool {
namespace {

// "n1*4 n2*?": each host with its slots.
std::string words(const std::vector<ListedHost>& hosts) {
    std::string text;
    for (const ListedHost& host : hosts) {
        text += (text.empty() ? "" : " ") + host.name + '*' +
                (host.num_slots ? std::to_string(*host.num_slots) : "?");
    }
    return text;
}

std::string hosts(const char* text) {
    const auto file = parse_hostfile(text, "f");
    return file ? words(file->hosts) : "refused";
}

TEST(Hostfile, has_hosts_and_slots) {
    expect_each(hosts, {{"n1 slots=4\nn2 slots=2 max_slots=8\n", "n1*4 n2*2"},
                        {"n1 slots = 2\n\tn2\tslots\t=\f3\n", "n1*2 n2*3"},
                        {"n1 cpu=2\nn2 count=3\n", "n1*2 n2*3"},
                        {"n1 slots=0", "n1*0"},
                        {"n1 slots=4,\n", "refused"},
                        {"n1", "n1*?"}});
}

TEST(Hostfile, max_slots_are_slots_where_no_others_are_given) {
    expect_each(hosts, {{"n1 max-slots=3\n", "n1*3"},
                        {"n1 max_slots=3 slots=2\n", "n1*2"},
                        {"n1 slots=2 max_slots=2\n", "n1*2"},
                        {"n1 slots=2 max_slots=1\n", "refused"},
                        {"n1 max_slots=0\n", "refused"},
                        {"n1 max_slots=2 slots=5\n", "n1*5"},
                        {"n1\nn1 max_slots=5\n", "n1*2"},
                        {"n1 slots-max=1\nn2 cpu_max=2\nn3 max-cpu=3\nn4 count_max=4\nn5 max-count=5\n",
                         "n1*1 n2*2 n3*3 n4*4 n5*5"}});
}

TEST(Hostfile, lines_of_one_host_are_its_slots) {
    expect_each(hosts, {{"b\na\nb\n", "b*2 a*?"},
                        {"n1 slots=2\nn1\n", "n1*3"},
                        {"n1\nn1 slots=2\n", "refused"},
                        {"n1 slots=2 slots=2\n", "refused"},
                        {"n1.example.org\nn1\n", "n1.example.org*2"},
                        {"n1 slots=2\nN1 slots=2\nN1.example.org\n", "n1*2 N1*3"},
                        {"10.0.0.1\n10.0.0.2\n", "10.0.0.1*? 10.0.0.2*?"},
                        {"rank 0=b slot=0\nrank 1=a slot=0-1\nrank 2=b slot=1\n", "b*2 a*1"}});
}

TEST(Hostfile, has_users_and_ports) {
    expect_each(hosts, {{"root@n1 slots=2\n", "n1*2"},
                        {"john@n1.example.org slots=2\n", "n1.example.org*2"},
                        {"u@10.0.0.1 slots=2\n", "10.0.0.1*2"},
                        {"n1 username=root slots=2\n", "n1*2"},
                        {"n1 user-name = j.doe slots=2\n", "n1*2"},
                        {"n1 port=22 slots=2 more words 7\n", "n1*2"},
                        {"a@b@c\n", "refused"},
                        {"n1 username\n", "refused"},
                        {"n1 username=\n", "refused"},
                        {"n1 port=x\n", "refused"}});
}

TEST(Hostfile, has_addresses) {
    expect_each(hosts, {{"fe80::1 slots=2\n", "fe80::1*2"},
                        {"::1\n", "::1*?"},
                        {"1:2 slots=2\n", "refused"},
                        {"17 slots=2\n", "17*2"}});
}

TEST(Hostfile, has_comments) {
    expect_each(hosts, {{"# all\n// of\nn1#x\nn2 slots=2 // two\n", "n1*? n2*2"},
                        {"/* n0\n*/ n1 /* x **/\nslots=2\n", "refused"},
                        {"/* n0\n slots=1 */\nn1 slots=2\n", "n1*2"},
                        {"n1 slots=2\n/* no end", "n1*2"},
                        {"n1 slots=2 # no end", "refused"}});
}

TEST(Hostfile, refuses_what_mpirun_refuses) {
    for (const char* text : {"",
                             "#\n",
                             "n1 slot=1\n",
                             "n1 slots\n",
                             "n1 slots=\n",
                             "n1 slots=-1\n",
                             "n1 slots 2\n",
                             "n1;rm\n",
                             "-n1\n",
                             "+n0\n",
                             "+e\n",
                             "n1:2\n",
                             "n1:x\n",
                             "^n1\n",
                             "n1 cores=2\n",
                             "n1 =2\n",
                             "slots=2\n",
                             "n1 n2.example.org\n",
                             "\"n1\"\n",
                             "n1 slots=2\r\n",
                             "\xEF\xBB\xBFn1\n",
                             "rank 0\nn1\n",
                             "n,2\n"}) {
        EXPECT_EQ(hosts(text), "refused") << text;
    }
    EXPECT_EQ(hosts(std::string("n1\0\n", 4).c_str()), "n1*?");
    EXPECT_FALSE(parse_hostfile(std::string_view("n1\0\n", 4), "f").is_ok());
}

std::string remedy(const char* text) {
    const auto file = parse_hostfile(text, "hosts");
    return file ? "" : file.error().position() + ": " + file.error().value + ' ' + file.error().message;
}

TEST(Hostfile, errors_have_their_place_and_remedy) {
    expect_each(
        remedy,
        {{"n1\nn2 slots=x\n",
          "hosts:2:10: is not a hostfile: \"x\". Write one host per line, as in \"node1 slots=4\""},
         {"n0\n n1:2\n",
          "hosts:2:2: is not a hostfile: \"n1:2\". mpirun reads this as a host's name: write \"n1 "
          "slots=2\""},
         {"+n0\n",
          "hosts:1:1: is not a hostfile: \"+n0\". It stands for a host of an allocation: write the "
          "host's "
          "name"},
         {"n1 slots=2\r\n",
          "hosts:1:11: has lines that end in a carriage return. mpirun refuses them: write lines "
          "that end in a newline alone"}});
}

TEST(Hostfile, has_a_limit) {
    EXPECT_EQ(parse_hostfile("n1 slots=99999999999999999\n", "f").error().code, Errc::kTooLarge);
    EXPECT_EQ(parse_hostfile("a slots=600000\nb slots=600000\n", "f").error().code, Errc::kTooLarge);
}

TEST(Hostfile, lines_are_ranks_too) {
    const auto file = parse_hostfile("b slots=2\na\nb\n", "f");
    ASSERT_TRUE(file.is_ok());
    EXPECT_EQ(words(file->lines), "b*2 a*? b*?");
    EXPECT_EQ(as_ranks(file->lines), (std::vector<Host>{{"b", 2}, {"a", 1}, {"b", 1}}));
    EXPECT_EQ(words(file->hosts), "b*3 a*?");
}

}  // namespace
}  // namespace hitopo::tool
