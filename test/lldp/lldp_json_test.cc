// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// On what lldpcli 1.0.16 printed (test/fixtures/lldp), and on what it never should.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>

#include "ompi/mca/hitopo/lldp/hitopo_lldp_input.h"
#include "test/support/expect_each.h"
#include "test/support/random_cases.h"

namespace hitopo {
namespace {

std::string fixture(const std::string& name) {
    std::ifstream file(std::string(FIXTURES_DIR) + "/lldp/" + name + ".json");
    return {std::istreambuf_iterator<char>(file), {}};
}

// One line for each neighbour: all that was read.
std::string read(const std::string& json) {
    const auto neighbours = parse_lldp_neighbours(json);
    if (!neighbours) {
        return "no answer";
    }
    std::string text;
    for (const LldpNeighbour& n : *neighbours) {
        text += n.interface + '|' + n.protocol + '|' + n.chassis_type + ' ' + n.chassis + '|' + n.name +
                '|' + n.port + (n.tells_capabilities ? n.forwards ? "|switch" : "|host" : "|?") + '\n';
    }
    return text;
}

const std::string kSwitch9 = "ens9|LLDP|mac 02:00:00:00:01:07|leaf-1|swp8|switch\n";
const std::string kHost1 = "ens1|LLDP|mac 02:00:00:00:02:01|storage3|eno1|host\n";

TEST(LldpJson, parse_reads_one_many_and_none) {
    EXPECT_EQ(read(fixture("switch")), kSwitch9);
    EXPECT_EQ(read(fixture("host")), kHost1);
    EXPECT_EQ(read(fixture("switch-two-ports-and-host")),
              "ens10|LLDP|mac 02:00:00:00:01:07|leaf-1|swp7|switch\n" + kSwitch9 + kHost1);
    EXPECT_EQ(read(fixture("none")), "");
}

// As lldpcli writes it, in one line.
std::string heard(const std::string& chassis, const std::string& port) {
    return R"({"lldp":[{"interface":[{"name":"e","via":"LLDP","chassis":[)" + chassis + R"(],"port":[)" +
           port + "]}]}]}";
}

// Between whole neighbours stand others that say nothing, or say it in bytes that are no UTF-8.
TEST(LldpJson, parse_takes_odd_forms) {
    const std::string whole[] = {
        R"({"name":"e1","via":"LLDP","chassis":[{"name":[{"value":"leaf-1"}]}],"port":[{"id":[{"type":"ifname","value":"p1"}]}]})",
        "{\"name\":\"e2\",\t\"via\":\"LLDP\",\"chassis\":[{\"name\":[{\"value\":\"caf\xe9\"}]}],"
        "\r\n\"port\":[]}"};
    const std::string odd[] = {"{}",
                               "7",
                               "null",
                               "[]",
                               "\"caf\xe9\"",
                               R"({"name":"x","chassis":7})",
                               R"({"name":"x","chassis":[null],"port":[[]],"later":{"kind":[]}})",
                               "{\"name\":\"x\",\"descr\":\"\xff\xfe\\n\"}"};
    std::mt19937 random(30);
    for (int i = 0; i < random_cases(300); ++i) {
        std::string text = random() % 3 == 0 ? "\xEF\xBB\xBF" : "";
        text +=
            R"({"lldp":[{"later":"caf)" + std::string(random() % 2, '\xe9') + R"(","interface":[null)";
        for (const std::string& entry : whole) {
            for (std::size_t count = random() % 3; count > 0; --count) {
                text += ",\n" + odd[random() % std::size(odd)];
            }
            text += ",\n" + entry;
        }
        text += "]}]}\n";
        const std::string all = read(text);
        EXPECT_NE(all.find("e1|LLDP| |leaf-1|p1|?\n"), std::string::npos) << text << all;
        EXPECT_NE(all.find("e2|LLDP| |caf\\xe9||?\n"), std::string::npos) << text << all;
        text.resize(random() % text.size());
        text[random() % (text.size() + 1)] = static_cast<char>(random());
        (void)read(text);
    }
}

TEST(LldpJson, parse_names_a_port_as_people_do) {
    const auto port = [](const std::string& type) {
        return read(heard("{}", R"({"id":[{"type":")" + type +
                                    R"(","value":"id"}],"descr":[{"value":"to node 7"}]})"));
    };
    EXPECT_EQ(port("ifname"), "e|LLDP| ||id|?\n");
    EXPECT_EQ(port("mac"), "e|LLDP| ||to node 7|?\n");
    EXPECT_EQ(read(heard("{}", R"({"id":[{"type":"mac","value":"02:01"}]})")), "e|LLDP| ||02:01|?\n");
}

TEST(LldpJson, parse_tells_a_switch_by_what_is_enabled) {
    const auto capable = [](const std::string& list) {
        return read(heard(R"({"capability":[)" + list + "]}", "{}"));
    };
    EXPECT_EQ(capable(""), "e|LLDP| |||?\n");
    EXPECT_EQ(capable(R"({"type":"Bridge","enabled":false},{"type":"Router","enabled":true})"),
              "e|LLDP| |||switch\n");
    EXPECT_EQ(capable(R"({"type":"Wlan","enabled":true},{"type":"Bridge","enabled":"yes"})"),
              "e|LLDP| |||host\n");
}

TEST(LldpJson, parse_takes_wrong_types_for_nothing) {
    EXPECT_EQ(
        read(heard(R"({"id":[{"type":7,"value":["x"]}],"name":"leaf","capability":{"type":"Bridge"}})",
                   R"([{"id":1}])")),
        "e|LLDP| |||?\n");
    EXPECT_EQ(read(heard("7", "null")), "e|LLDP| |||?\n");
    EXPECT_EQ(read(R"({"lldp":[{"interface":[null,7,"x",[]]}]})"),
              "|| |||?\n|| |||?\n|| |||?\n|| |||?\n");
    EXPECT_EQ(read(R"({"lldp":[{"interface":{"name":"e"}}]})"), "");
}

TEST(LldpJson, parse_refuses_what_is_no_answer) {
    for (const std::string& text :
         {std::string(), std::string("{"), std::string("nonsense"), std::string("{}"), std::string("[]"),
          std::string("null"), std::string(R"({"lldp":[]})"),
          std::string(R"({"lldp":{"interface":[]}})"), std::string(R"({"lldp":[[]]})"),
          fixture("switch").substr(0, 1000), std::string(1 << 20, '['), std::string(1 << 20, '\0')}) {
        EXPECT_EQ(read(text), "no answer") << text.substr(0, 60);
    }
}

TEST(LldpJson, parse_leaves_out_what_is_nested_deep) {
    const std::string deep(100000, '[');
    const std::string end(100000, ']');
    EXPECT_EQ(read(heard(R"({"id":)" + deep + end + "}", "{}")), "e|LLDP| |||?\n");
}

TEST(LldpJson, parse_reads_256_neighbours_at_most) {
    std::string list = "{}";
    for (int i = 0; i < 300; ++i) {
        list += ",{}";
    }
    EXPECT_EQ(parse_lldp_neighbours(R"({"lldp":[{"interface":[)" + list + "]}]}")->size(), 256U);
}

TEST(LldpJson, hostile_names_stay_one_text) {
    EXPECT_EQ(read(heard(R"({"name":[{"value":"esc\u001B[31m\n\"x\""}]})", "{}")),
              "e|LLDP| |esc\x1b[31m\n\"x\"||?\n");
    EXPECT_EQ(read(heard(R"({"name":[{"value":"a\u0000b"}]})", "{}")), "e|LLDP| |a||?\n");
}

TEST(LldpJson, split_output_parts_complaints_and_json) {
    const auto split = [](std::string_view text) {
        const LldpcliOutput output = split_output(text);
        return output.complaint + '|' + std::string(output.json);
    };
    expect_each(split,
                {{"2026-11-24T04:29:09 [WARN/control] unable to connect to socket /run/lldpd.socket: "
                  "Permission denied\n",
                  "unable to connect to socket /run/lldpd.socket: Permission denied|"},
                 {"first\nlast\n\n", "last|"},
                 {"a warning\n{\n}\n", "a warning|{\n}\n"},
                 {"{}", "|{}"},
                 {"no end {", "no end {|"},
                 {"", "|"},
                 {"\n", "|"}});
}

}  // namespace
}  // namespace hitopo
