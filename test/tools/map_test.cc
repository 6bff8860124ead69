// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The maps that `hitopo map` writes, and what it says of files.
#include "ompi/tools/hitopo/map/map.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "test/paths.h"
#include "test/tools/map_cases.h"

namespace hitopo::map {
namespace {

std::string body_of(const Conversion& conversion) {
    std::string body;
    for (std::size_t at = 0; at < conversion.map.size();) {
        const std::size_t end = conversion.map.find('\n', at);
        body += conversion.map[at] == '#' ? "" : conversion.map.substr(at, end - at + 1);
        at = end + 1;
    }
    return body;
}

std::string messages_of(const Conversion& conversion) {
    std::string all;
    for (const std::string& message : conversion.messages) {
        all += message + '\n';
    }
    return all;
}

// ---- the text ----

std::string lines_of(std::vector<HostPlace> hosts) {
    const std::string head = "unique switch\n";
    const std::string map = to_map(std::move(hosts));
    EXPECT_EQ(map.substr(0, head.size()), head);
    return map.substr(head.size());
}

TEST(MapText, hosts_of_one_place_are_ranges) {
    EXPECT_EQ(lines_of({{"n3", {{"i"}, {"s1"}, "", ""}},
                        {"n1", {{"i"}, {"s1"}, "", ""}},
                        {"n2", {{"i"}, {"s1"}, "", ""}}}),
              "host n[1-3] island=i switch=s1\n");
}

// An island of many switches is named once, and a switch of islands that are alike is not.
TEST(MapText, the_shorter_of_two_forms_is_written) {
    std::vector<HostPlace> hosts;
    for (int i = 1; i <= 4; ++i) {
        hosts.push_back({"n" + std::to_string(i),
                         {{"a-long-name-of-an-island"}, {"s" + std::to_string(i)}, "", ""}});
    }
    EXPECT_EQ(lines_of(hosts),
              "host n1 switch=s1\nhost n2 switch=s2\nhost n3 switch=s3\nhost n4 switch=s4\n"
              "host n[1-4] island=a-long-name-of-an-island\n");
    EXPECT_EQ(lines_of({{"x", {{"i"}, {"s"}, "", ""}}, {"y", {{"j"}, {"s"}, "", ""}}}),
              "host x island=i switch=s\nhost y island=j switch=s\n");
}

TEST(MapText, names_that_all_paths_begin_with_are_left_away) {
    EXPECT_EQ(
        lines_of({{"a", {{"t", "top"}, {"t", "s"}, "", ""}}, {"b", {{}, {"u", "v", "s"}, "", ""}}}),
        "host a island=top switch=t switch+=s\nhost b switch=u switch+=v switch+=s\n");
    EXPECT_EQ(lines_of({{"a", {{"t", "x", "top"}, {}, "", ""}}, {"b", {{"t", "y", "top"}, {}, "", ""}}}),
              "host a island=x island+=top\nhost b island=y island+=top\n");
    EXPECT_EQ(lines_of({{"a", {{}, {"t", "s"}, "", ""}}, {"b", {{}, {"u", "s"}, "", ""}}}),
              "host a switch=t switch+=s\nhost b switch=u switch+=s\n");
}

TEST(MapText, names_are_quoted_where_they_are_no_words) {
    EXPECT_EQ(lines_of({{"a", {{}, {"12"}, "", ""}},
                        {"b", {{}, {"rack \"1\" \\ #"}, "", ""}},
                        {"c", {{}, {"x\n"}, "", ""}}}),
              "host a switch=\"12\"\nhost b switch=\"rack \\\"1\\\" \\\\ #\"\nhost c switch=x\\x0a\n");
    EXPECT_EQ(lines_of({{"a", {{}, {}, "d", "3"}}}),
              "host a nvlink://Domain=d nvlink://Clique=d nvlink://Clique+=3\n");
}

// ---- the whole ----

TEST(Map, head_has_source_date_and_what_is_missing) {
    const Conversion conversion = converted("SwitchName=s1 Nodes=n1\nSwitchName=unknown Nodes=n2\n");
    EXPECT_EQ(conversion.status, 0);
    EXPECT_EQ(conversion.map.substr(0, conversion.map.find(" of HiTopo")), "# Written by `hitopo map`");
    EXPECT_NE(conversion.map.find(
                  " on today: 1 host from file\n# without a place, and so not in the map: n2\nunique "
                  "switch\nhost n1 switch=s1\n"),
              std::string::npos)
        << conversion.map;
}

// The table of a job by the map is that by the places which the files have.
TEST(Map, the_map_says_what_the_files_say) {
    SKIP_WITHOUT_YAML();
    for (const auto& file :
         std::filesystem::directory_iterator(std::string(FIXTURES_DIR) + "/topology-files")) {
        const std::string text = text_of_file(file.path());
        Places places({});
        tool::MapOptions options;
        options.files = {"file"};
        ASSERT_TRUE(read_files(options, reader_of(text), places));
        std::vector<std::string> hosts;
        Answers by_place;
        const auto path_of = [](const Names& names) {
            return names.empty() ? std::optional<RawValue>()
                                 : RawValue(std::vector<Name>(names.begin(), names.end()));
        };
        for (const HostPlace& each : places.take()) {
            MapAnswer answer;
            answer.levels[kIsland] = path_of(each.place.island);
            answer.levels[kSwitch] = path_of(each.place.leaf);
            if (!each.place.domain.empty()) {
                answer.side["nvlink://Domain"] = Name(each.place.domain);
            }
            hosts.push_back(each.host);
            by_place.emplace_back(each.host, answer);
        }
        if (!hosts.empty()) {
            EXPECT_EQ(table_of(answers_of_map(converted(text).map, hosts)), table_of(by_place))
                << file.path();
        }
    }
}

TEST(Map, status_says_what_was_left_out) {
    SKIP_WITHOUT_YAML();
    struct {
        std::string text;
        int status;
        std::string message;  // its begin
    } const cases[] = {
        {fixture("audit-multi.yaml"), 0, ""},
        {fixture("audit-cms.yaml"), 0, ""},
        {fixture("audit-flatonly.yaml"), 2, "file: a flat topology has no switches;"},
        {fixture("audit-noswitches.yaml"), 2, "file: no switch is in the file;"},
        {"# nothing yet\n", 2, "file: no switch is in the file;"},
        {fixture("audit-aws-yamlstream.yaml"), 2, "file: a list: this is of no kind that HiTopo knows;"},
        {fixture("audit-aws-nonodes.json"), 2, "file: no instance has NetworkNodes;"},
        {fixture("audit-gcp-noblock.json"), 2, "file: no instance has a physicalHost"},
        {R"({"kind": "compute#instanceAggregatedList", "items": {"zones/a": {"instances": []}}})", 2,
         "file: kind: compute#instanceAggregatedList: this kind is not supported;"},
        {fixture("kubernetes-nodes-unknown.yaml"), 2,
         "file: example.org/rack, kubernetes.io/os: no node has a topology label that HiTopo knows; "
         "name the keys"},
        {fixture("audit-bothyaml.yaml"), 1,
         "file: topology a: lf1: lf2: a switch with nodes has no switches below it;"},
        {"host n1 switch=s\n", 2, "file: this is a map,"},
        {"kind: Pod\n", 2, "file: kind: Pod: this kind is not supported;"},
        {"kind: ConfigMap\nmetadata: {name: m}\ndata: {a: b}\n", 2,
         "file: m: this ConfigMap has no topology.conf"},
        {"kind: ConfigMap\ndata:\n  a.yaml: b\n", 2, "file: a.yaml: this is no topology.yaml;"},
        {"kind: ConfigMap\ndata:\n  a.yaml: ''\n", 2, "file: a.yaml: this key has no text;"},
        {"- tree:\n", 2, "file: the topology has no name;"},
        {"- topology: t\n  block:\n    blocks:\n    - nodes: node1\n", 2,
         "file: topology t: the name is missing; write block: NAME"},
        {"- topology: m\n  mesh: {meshes: [{mesh: a, nodes: node1}]}\n", 2,
         "file: topology m: mesh: this topology is of an unknown kind;"},
        {"- topology: t\n  tree: [\n", 2, "file: line 3: this is not YAML: "},
        {"kind: Node\nmetadata: {name: n1, labels: {fabric.topograph.run/tier-0: s}}\n---\nkind: Pod\n",
         1, "file: kind: Pod: this kind is not supported;"},
        {"---\njust a text\n", 2, "file: just a text: this is of no kind that HiTopo knows;"},
        {R"({"instances": [{"id": "n1", "id": "n2", "network_layers": ["s"]}]})", 1,
         "file: id: a map has this key twice; the first counts"},
        {R"({"instances": [{"id": "n1", "network_layers": ["s"]}, {"id": "n2", "netw)", 1,
         "file: line 1: this is not JSON: syntax error"},
        {R"([{"InstanceId": "n1", "NetworkNodes": ["a"]}, {"InstanceId": "N1", "NetworkNodes": ["b"]}])",
         1, "file: N1: another entry has another place for this host;"},
        {R"([{"InstanceId": "n 1", "NetworkNodes": ["a"]}])", 2, "file: n 1: this is no host name;"},
        {std::string("\xFF\xFES\0w\0", 6), 2, "file: line 1: UTF-16: "},
    };
    for (const auto& each : cases) {
        const Conversion conversion = converted(each.text);
        EXPECT_EQ(conversion.status, each.status) << each.text;
        EXPECT_EQ(messages_of(conversion).substr(0, each.message.size()), each.message)
            << each.text << messages_of(conversion);
        EXPECT_EQ(each.message.empty(), conversion.messages.empty()) << messages_of(conversion);
        EXPECT_EQ(conversion.map.empty(), each.status == 2);
    }
}

TEST(Map, a_file_that_cannot_be_read_costs_the_map) {
    tool::MapOptions options;
    options.files = {"file", "gone"};
    const Conversion conversion = convert(options, reader_of("SwitchName=s Nodes=n1\n"), "today");
    EXPECT_EQ(conversion.status, 2);
    EXPECT_EQ(messages_of(conversion), "gone: it is not there\n");
}

TEST(Map, a_file_is_of_the_kind_that_is_named) {
    tool::MapOptions options;
    options.from = "slurm";
    EXPECT_EQ(converted("SwitchName=s Nodes=n1\n", options).status, 0);
    options.from = "aws";
    EXPECT_EQ(messages_of(converted("SwitchName=s Nodes=n1\n", options)),
              "file: this is of the kind slurm; write --from slurm\n");
    EXPECT_EQ(messages_of(converted(fixture("google-instances.json"), options)),
              "file: this is of the kind google; write --from google\n");
}

TEST(Map, documents_have_limits) {
    SKIP_WITHOUT_YAML();
    const auto repeated = [](int count, const std::string& text) {
        std::string all;
        for (int i = 0; i < count; ++i) {
            all += text;
        }
        return all;
    };
    std::string laughs = "a0: &a0 [" + repeated(10, "x,") + "x]\n";
    for (int i = 1; i < 9; ++i) {
        const std::string last = "*a" + std::to_string(i - 1);
        laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + repeated(9, last + ",") +
                  last + "]\n";
    }
    EXPECT_NE(messages_of(converted(laughs)).find("anchors and aliases repeat more than 16 MiB"),
              std::string::npos);
    EXPECT_NE(messages_of(converted("- &a [*a]\n")).find("line 1: "), std::string::npos);
    for (const char* deeper : {"[", "- ", "{\"a\":"}) {
        EXPECT_NE(messages_of(converted(repeated(100000, deeper))).find("nested at most 64 deep"),
                  std::string::npos)
            << deeper;
    }
    EXPECT_NE(messages_of(converted("- ? [a]\n  : b\n")).find("no key"), std::string::npos);
}

// ---- fabrics ----

TEST(Map, ibnetdiscover) {
    const std::string tree = text_of_file(FIXTURES_DIR "/fabrics/tree-2x2x2.ibnetdiscover");
    EXPECT_EQ(body_of(converted(tree)),
              "unique switch\n"
              "host i1l1n[1-2] island=i1spine1 switch=i1leaf1\nhost i1l2n[1-2] island=i1spine1 "
              "switch=i1leaf2\n"
              "host i2l1n[1-2] island=i2spine1 switch=i2leaf1\nhost i2l2n[1-2] island=i2spine1 "
              "switch=i2leaf2\n");
    EXPECT_EQ(converted(tree.substr(0, tree.find("sysimgguid=0x2003"))).status, 2);
}

TEST(Map, lldp) {
    const std::string leaf = text_of_file(FIXTURES_DIR "/lldp/switch.json");
    const std::size_t begin = leaf.find('[', leaf.find("\"interface\"")) + 1,
                      end = leaf.rfind(']', leaf.rfind(']') - 1);
    const auto replaced = [](std::string text, const std::string& old, const std::string& by) {
        return text.replace(text.find(old), old.size(), by);
    };
    // What that interface received, and lldpd's answer about these.
    const auto received = [&](const char* interface, const char* name) {
        return replaced(replaced(leaf.substr(begin, end - begin), "ens9", interface), "leaf-1", name);
    };
    const auto answer = [&](const std::string& neighbours) {
        return leaf.substr(0, begin) + neighbours + leaf.substr(end);
    };
    const std::string host = replaced(received("ens1", "storage3"), "true", "false");
    tool::MapOptions options;
    options.pattern = "leaf-{island}";
    const Conversion conversion = converted(
        "n1 " + leaf + "\nn2: " +
            answer(received("ens10", "leaf-2") + ',' + received("ens9", "leaf-1") + ',' + host) + "n3 " +
            answer(host) + "n4 {\"lldp\": [{}]}\n",
        options);
    EXPECT_EQ(body_of(conversion), "unique switch\nhost n[1-2] island=leaf-1 switch=leaf-1\n");
    EXPECT_EQ(conversion.status, 1);
    EXPECT_EQ(messages_of(conversion),
              "file: n3: its lldpd knows no switch (ens1: a host: neither Bridge nor Router is "
              "enabled); switches send "
              "every 30 s: look at `lldpcli show neighbors`\n"
              "file: n4: its lldpd knows no switch; switches send every 30 s: look at `lldpcli show "
              "neighbors`\n"
              "without a place, and so not in the map: n[3-4]\n");
}

// ---- hitopo map --check ----

std::string process(const std::string& host, const std::string& value) {
    return R"({"schema": 1, "kind": "process", "host": ")" + host +
           R"(", "binding": null, "binding_changed": false, )"
           R"("levels": [{"level": "switch", "chosen": null, "value": null, "answers": [{"component": "file", "priority": 90, )"
           R"("value": )" +
           value + R"(, "reason": null}]}], "errors": []})";
}

TEST(Map, check_says_which_hosts_are_not_in_it) {
    EXPECT_EQ(render_check("a.map", {process("n1", "\"s\""), process("n2", "\"s\"")}).text,
              "a.map has all 2 hosts of this job\n");
    const tool::Rendered rendered = render_check(
        "a.map",
        {process("n1", "null"), process("n1", "null"), process("n2", "\"s\""), process("n3", "null")});
    EXPECT_EQ(rendered.text, "");
    EXPECT_EQ(rendered.error.substr(0, rendered.error.find(';')),
              "a.map has nothing of 2 of 3 hosts: n[1,3]");
    EXPECT_NE(render_check("a.map", {""}).error, "");
}

}  // namespace
}  // namespace hitopo::map
