// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Lists of nodes at size: read once for a node, and of each entry what tells is kept.
#include <gtest/gtest.h>

#include <string>

#include "ompi/mca/hitopo/file/hitopo_file_yaml.h"
#include "test/support/counted_memory.h"
#include "test/support/memory_files.h"
#include "test/support/recorder.h"

namespace hitopo {
namespace {

// As `kubectl get nodes -o json` prints a node, with `num_images` images of about 200 bytes.
std::string node_of(int number, int num_images) {
    const std::string name = "node" + std::to_string(number);
    std::string text =
        R"({"apiVersion": "v1", "kind": "Node", "metadata": {"annotations": {"a/b": "{\"c\": 1}"},
 "creationTimestamp": "2026-01-01T00:00:00Z", "labels": {"beta.kubernetes.io/arch": "amd64",
 "fabric.topograph.run/tier-0": "lf)" +
        std::to_string(number / 16) + R"(", "fabric.topograph.run/tier-1": "sp",
 "kubernetes.io/hostname": ")" +
        name + R"("}, "name": ")" + name + R"(", "uid": "00"},
 "spec": {"podCIDRs": ["10.0.0.0/24"], "taints": [{"effect": "NoSchedule", "key": "k"}]},
 "status": {"capacity": {"cpu": "64"}, "images": [)";
    for (int i = 0; i < num_images; ++i) {
        text += std::string(i > 0 ? ", " : "") + R"({"names": ["registry.example.org/image)" +
                std::to_string(i) + "@sha256:" + std::string(64, 'f') + R"("], "sizeBytes": )" +
                std::to_string(100000000 + i) + "}";
    }
    return text + "], \"conditions\": [{\"type\": \"Ready\", \"status\": \"True\"}]}}";
}

std::string list_of(int num_nodes, int num_images) {
    std::string text = R"({"apiVersion": "v1", "items": [)";
    for (int i = 0; i < num_nodes; ++i) {
        text += (i > 0 ? ",\n" : "\n") + node_of(i, num_images);
    }
    return text + "], \"kind\": \"List\"}\n";
}

FileAccess counted_file(const std::string& text, int& num_reads) {
    FileAccess files = memory_file(text);
    files.read = [&](const std::string&, std::size_t max_bytes) -> Result<std::string> {
        ++num_reads;
        EXPECT_LE(text.size(), max_bytes);
        return text;
    };
    return files;
}

void answer(const FileAccess& files, Recorder& recorder) {
    Reporter reporter(&recorder.report());
    answer_file({"file", "", ""}, files, reporter);
    EXPECT_EQ(reporter.status(), 0);
}

TEST(LargeLists, one_process_of_a_node_reads_the_file) {
    const std::string list = list_of(100, 10);
    int num_reads = 0;
    const FileAccess files = counted_file(list, num_reads);
    Recorder speaker;
    answer(files, speaker);
    EXPECT_EQ(speaker.values[kSwitch], RawValue(std::vector<Name>{Name("lf0")}));
    EXPECT_FALSE(speaker.error);
    EXPECT_EQ(num_reads, 1);

    num_reads = 0;
    Recorder other;
    other.report().asks_for_node = 0;
    answer(files, other);
    EXPECT_EQ(other.values, RawAddress());
    EXPECT_EQ(num_reads, 0);
    EXPECT_EQ(other.reasons[-1], "not read: local rank 0 reads file for the node");
    // So that the job is told where the list has none of its nodes; where it has one, nobody is.
    ASSERT_TRUE(other.error);
    EXPECT_EQ(other.error->code, Errc::kAbsent);
}

// Lines of a map may be of single ranks.
TEST(LargeLists, answer_of_a_map_is_asked_of_all_processes) {
    Recorder other;
    other.report().asks_for_node = 0;
    answer(memory_file("rank 0 switch=s\n"), other);
    EXPECT_EQ(other.values[kSwitch], RawValue(Name("s")));
}

TEST(LargeLists, answer_takes_more_than_a_map_may_have) {
#ifndef HITOPO_HAVE_LIBYAML
    GTEST_SKIP() << "no libyaml";
#endif
    const std::string text = "kind: Node\n" + std::string((16 << 20) + 65536, '\n') +
                             "---\nkind: Node\nmetadata: {name: node1, labels: "
                             "{fabric.topograph.run/tier-0: s}}\n";
    int num_reads = 0;
    Recorder recorder;
    answer(counted_file(text, num_reads), recorder);
    EXPECT_EQ(recorder.values[kSwitch], RawValue(Name("s")));
    EXPECT_FALSE(recorder.error);
}

std::size_t kept_bytes(const std::string& text) {
    const CountedMemory memory;
    const auto parsed = parse_yaml(text);
    EXPECT_TRUE(parsed);
    return memory.peak_bytes();
}

// 64 MB for 10 000 nodes, whatever else is said of them.
TEST(LargeLists, parse_keeps_what_tells_of_a_node) {
    constexpr int kNumNodes = 200;
    const std::string small = list_of(kNumNodes, 0);
    const std::string large = list_of(kNumNodes, 20);
    ASSERT_GT(large.size(), 3 * small.size());
    EXPECT_LE(kept_bytes(large), kNumNodes * std::size_t{3000} + 500000);
    EXPECT_LE(kept_bytes(large), kept_bytes(small) + 65536);
}

std::string message_of(const std::string& text) {
    Recorder recorder;
    answer(memory_file(text), recorder);
    return recorder.error ? recorder.error->message : "";
}

TEST(LargeLists, remedies_name_the_command_that_writes_less) {
#ifndef HITOPO_HAVE_LIBYAML
    GTEST_SKIP() << "no libyaml";
#endif
    const std::string list = list_of(8, 3);
    for (std::size_t size = list.size() / 2; size < list.size() - 3; size += 97) {
        EXPECT_NE(message_of(list.substr(0, size)).find("kubectl get nodes -o json | jq"),
                  std::string::npos)
            << size;
    }
    EXPECT_EQ(message_of(list), "");
    EXPECT_NE(message_of("- [a}\n- b\n").find("correct the line"), std::string::npos);
}

}  // namespace
}  // namespace hitopo
