// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Files as clusters have them: between whole entries others that are empty, of unknown kinds or broken,
// with byte order marks, line ends of Windows, bytes that are no UTF-8, and cut anywhere. Whatever
// reader: what is whole is in the map.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/file/file_input.h"
#include "test/support/random_cases.h"
#include "test/tools/map_cases.h"

namespace hitopo::map {
namespace {

using Random = std::mt19937;

struct Entry {
    std::string text;
    std::string host = {};    // that it places; "": none
    std::string island = {};  // its last names
    std::string leaf = {};
};

// What one tool writes.
struct Form {
    const char* name;
    std::string header;
    std::vector<Entry> whole;
    std::vector<std::string> odd;    // each may stand anywhere between the whole ones
    std::vector<std::string> after;  // may stand at the end
    bool is_map = false;
};

struct File {
    std::string text;
    struct Mark {
        const Entry* entry;
        std::size_t end;  // behind it in the text
    };
    std::vector<Mark> marks;
};

std::size_t below(std::size_t bound, Random& random) { return random() % bound; }

std::string with_line_ends(const std::string& text, bool is_of_windows) {
    std::string all;
    for (const char c : text) {
        all += c == '\n' && is_of_windows ? "\r\n" : std::string(1, c);
    }
    return all;
}

File random_file(const Form& form, Random& random) {
    const bool is_of_windows = below(3, random) == 0;
    File file;
    const auto add = [&](const std::string& text) { file.text += with_line_ends(text, is_of_windows); };
    file.text = below(3, random) == 0 ? "\xEF\xBB\xBF" : "";
    add(form.header);
    for (const Entry& entry : form.whole) {
        for (std::size_t i = below(3, random); i > 0; --i) {
            add(form.odd[below(form.odd.size(), random)]);
        }
        add(entry.text);
        file.marks.push_back({&entry, file.text.size()});
    }
    for (std::size_t i = form.after.empty() ? 0 : below(3, random); i > 0; --i) {
        add(form.after[below(form.after.size(), random)]);
    }
    return file;
}

MapAnswer answered(const std::string& text, const std::string& host) {
    const Result<FileAnswers> file = open_file("file", FileAccess{reader_of(text)});
    const Result<MapAnswer> answer = file ? (*file)({host, 0}) : file.error();
    return answer ? *answer : MapAnswer();
}

std::string last_of(const std::optional<RawValue>& value) {
    return value ? value->visible().to_string() : "";
}

// By the map that is written of the text, or by a text that is one.
void expect_whole(const Form& form, const File& file, std::size_t size) {
    const std::string text = file.text.substr(0, size);
    const std::string map = form.is_map ? text : converted(text).map;
    for (const File::Mark& mark : file.marks) {
        if (mark.entry->host.empty() || mark.end > size) {
            continue;
        }
        const MapAnswer answer = answered(map, mark.entry->host);
        ASSERT_EQ(last_of(answer.levels[kSwitch]), mark.entry->leaf)
            << form.name << ", host " << mark.entry->host << ": " << text << '\n'
            << map;
        if (size == file.text.size()) {
            ASSERT_EQ(last_of(answer.levels[kIsland]), mark.entry->island) << form.name << ": " << text;
        }
    }
}

void expect_what_is_whole(const Form& form) {
    Random random(30);
    for (int i = 0; i < random_cases(300); ++i) {
        const File file = random_file(form, random);
        expect_whole(form, file, file.text.size());
        expect_whole(form, file, below(file.text.size() + 1, random));
        // Damage of any kind costs no job.
        std::string damaged = file.text.substr(0, below(file.text.size() + 1, random));
        for (std::size_t flips = below(4, random); flips > 0 && !damaged.empty(); --flips) {
            damaged[below(damaged.size(), random)] = static_cast<char>(random());
        }
        const Conversion conversion = converted(damaged);
        EXPECT_EQ(conversion.status == 2, conversion.map.empty());
        EXPECT_TRUE(conversion.status == 0 || !conversion.messages.empty());
    }
}

TEST(OddForms, topology_conf) {
    expect_what_is_whole(
        {"topology.conf",
         "# written by a tool\n",
         {{"SwitchName=lf1 Nodes=h[1-2]\n", "h1", "top", "lf1"},
          {"\tswitchname = lf2\tNodes = \"h3,h4.lab\" LinkSpeed=1\n", "H4.LAB", "top", "lf2"},
          {"SwitchName=lf3 Nodes=h5.lab\n", "h5", "top", "lf3"},
          {"SwitchName=top Switches=lf[1-3]\n"},
          {"BlockName=b1 Nodes=h[6-7]\n", "h7", "", "b1"},
          {"TorusName=t1 Dims=1x1x2 Nodes=h[8-9]\n", "h8", "", "t1"}},
         {"SwitchName=lf9\n", "SwitchName=lf2\n", "BlockName=b9 BlockIndex=2\n", "BlockName=b1\n",
          "  TorusName=t1 PlacementDims=1x1x1(1) Anchors=2\n", "MeshName=m Nodes=h[1-9]\n",
          "BlockSizes=2\n", "SwitchName=cut Nodes=h[1-\n", "SwitchName=\"open\n", "SwitchName\n",
          "TopologyParam=x\n", "SwitchName=above Switches=gone\n", "include gone.conf\n", "# caf\xe9\n",
          "SwitchName=\xff Nodes=x\n", "\n", " \t\n"},
         {}});
}

TEST(OddForms, topology_yaml) {
    SKIP_WITHOUT_YAML();
    expect_what_is_whole(
        {"topology.yaml",
         "---\n- topology: t\n  tree:\n    switches:\n",
         {{"    - switch: lf1\n      nodes: h[1-2]\n", "h1", "top", "lf1"},
          {"    - {\"switch\": \"lf2\", \"nodes\": [\"h3\", \"h4.lab\"]}\n", "H4.LAB", "top", "lf2"},
          {"    - switch: lf3\n      nodes: h5.lab\n", "h5", "top", "lf3"},
          {"    - switch: top\n      children: lf[1-3]\n"}},
         {"    - switch: lf9\n", "    - switch: lf2\n", "    - {switch: lf9, nodes: ''}\n",
          "    - nodes: x1\n", "    -\n", "    - text\n", "    - [1, 2]\n", "    # caf\xe9\n",
          "    - {switch: \"\xe9\", nodes: x}\n", "    - {switch: above, children: gone}\n",
          "    - {switch: cut, nodes: 'h[1-'}\n", "\n"},
         {"- topology: m\n  mesh: {meshes: [{mesh: a, nodes: h1}]}\n", "- flat: true\n",
          "- topology: e\n  block:\n", "- topology: p\n  torus3d:\n    toruses:\n    - name: t\n",
          "- text\n", "---\n", "---\nkind: Namespace\n"}});
}

TEST(OddForms, nodes_of_kubernetes) {
    SKIP_WITHOUT_YAML();
    const auto node = [](const std::string& name, const std::string& leaf) {
        return "- kind: Node\n  metadata:\n    name: " + name +
               "\n    labels:\n      fabric.topograph.run/tier-0: " + leaf +
               "\n      fabric.topograph.run/tier-1: top\n";
    };
    expect_what_is_whole({"nodes",
                          "apiVersion: v1\nitems:\n",
                          {{node("h1", "lf1"), "h1", "top", "lf1"},
                           {node("h2.lab", "lf2"), "H2", "top", "lf2"},
                           {node("h3", "unknown"), "h3", "top", ""}},
                          {"- kind: Pod\n", "- kind: Node\n", "- {kind: Node, metadata: {name: x}}\n",
                           "- {kind: Node, metadata: {labels: {a: b}}}\n", "- kind: ConfigMap\n",
                           "- {kind: Node, metadata: {name: x, labels: {a: \"\xe9\"}}}\n", "-\n",
                           "- text\n", "# caf\xe9\n", "\n"},
                          {"kind: List\n", "metadata: {}\n"}});
}

TEST(OddForms, instances_of_aws) {
    SKIP_WITHOUT_YAML();
    expect_what_is_whole(
        {"instances",
         "{ \"Instances\": [\n\t{\"InstanceId\": \"i-0\"}",
         {{",\n\t{\"InstanceId\": \"h1\", \"NetworkNodes\": [\"nn-1\", \"nn-2\"]}", "h1", "nn-1",
           "nn-2"},
          {",\n\t{\n\t\t\"NetworkNodes\": [\"nn-1\",\n\"nn-3\"], \"InstanceId\": \"h2\"}", "h2", "nn-1",
           "nn-3"}},
         {", {}", ", 7", ", null", ", []", ", \"caf\xe9\"",
          ", {\"InstanceId\": \"x\", \"NetworkNodes\": []}",
          ", {\"InstanceId\": \"\xe9\", \"NetworkNodes\": [\"nn-9\"]}"},
         {}});
}

TEST(OddForms, instances_of_google) {
    SKIP_WITHOUT_YAML();
    expect_what_is_whole(
        {"instances",
         "[\n  {\"kind\": \"compute#instance\", \"name\": \"x0\", \"disks\": [{\"kind\": \"x\"}]}",
         {{",\n  {\"name\": \"h1\", \"resourceStatus\": {\"physicalHost\": \"/b1/s1/p\"}, \"status\": "
           "\"RUNNING\"}",
           "h1", "b1", "s1"},
          {",\n\t{\"resourceStatus\": {\"physicalHostTopology\":\n{\"block\": \"b1\", \"subblock\": "
           "\"s2\"}}, "
           "\"name\": \"h2\"}",
           "H2.lab", "b1", "s2"},
          {",{\"name\":\"h3\",\"resourceStatus\":{\"physicalHost\":\"unknown/unknown/p\"}}", "h3", "",
           ""}},
         {", {}", ", 7", ", null", ", []", ", \"caf\xe9\"",
          ", {\"name\": \"x1\", \"resourceStatus\": {}}",
          ", {\"name\": \"x2\", \"resourceStatus\": {\"physicalHost\": null}}",
          ", {\"name\": \"\xe9\", \"resourceStatus\": {\"physicalHost\": \"a/b/c\"}}",
          ", {\"name\": \"x3\", \"metadata\": {\"items\": [{\"key\": \"\xe9\"}]}}"},
         {"]", "]\n[{\"name\": \"x9\"}]\n"}});
}

TEST(OddForms, instances_of_topograph) {
    SKIP_WITHOUT_YAML();
    expect_what_is_whole(
        {"instances",
         "{\"provider\": \"x\", \"instances\": [{\"id\": \"x0\", \"network_layers\": []}",
         {{",\n{\"id\": \"h1\", \"network_layers\": [\"lf1\", \"top\"]}", "h1", "top", "lf1"},
          {",\n\t{\"network_layers\": [\"lf2\",\n\"no-topology\"], \"id\": \"h2.lab\"}", "h2", "",
           "lf2"}},
         {", {}", ", 7", ", null", ", []", ", \"caf\xe9\"", ", {\"id\": \"x\"}",
          ", {\"id\": \"x\", \"network_layers\": {}}",
          ", {\"id\": \"\xe9\", \"network_layers\": [\"lf9\"]}"},
         {}});
}

TEST(OddForms, config_map_of_topograph) {
    SKIP_WITHOUT_YAML();
    expect_what_is_whole(
        {"ConfigMap",
         "kind: ConfigMap\ndata:\n  slurm.conf: |\n    NodeName=h1\n  topology.conf: |\n    # by "
         "Topograph\n",
         {{"    SwitchName=lf1 Nodes=h[1-2]\n", "h1", "", "lf1"},
          {"    \tswitchname = lf2\tNodes=h3.lab\n", "H3", "", "lf2"},
          {"    BlockName=b1 Nodes=h[6-7]\n", "h7", "", "b1"}},
         {"    SwitchName=lf9\n", "    BlockName=b9\n", "    MeshName=m Nodes=h1\n", "    # caf\xe9\n",
          "    SwitchName=\xff Nodes=x\n", "    SwitchName=cut Nodes=h[1-\n", "\n", "     \n"},
         {}});
}

TEST(OddForms, map) {
    expect_what_is_whole(
        {"map",
         "",
         {{"host h1,h2.lab island=top switch=lf1\n", "H2", "top", "lf1"},
          {"\thost\th[3-4]\tisland=top  switch=lf2 # here\n", "h3.lab", "top", "lf2"}},
         {"\n", " \t\n", "# caf\xe9\n", "host x1 cluster=\xe9\n", "host x1 nvlink://Domain=1\n",
          "host h1\n", "host h[1- switch=x\n", "host h1 switch=\n", "rank x island=i\n", "nonsense\n",
          "shape rack:2\n", "host h1 rack=1\n", "* x:///y=1\n", "include gone.map\n",
          "host \"h1 switch=x\n"},
         {},
         true});
}

}  // namespace
}  // namespace hitopo::map
