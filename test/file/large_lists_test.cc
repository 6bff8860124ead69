// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Lists of nodes at size: read once for a node, piece by piece, and of each entry only what tells.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/file/hitopo_file_input.h"
#include "ompi/mca/hitopo/file/hitopo_file_yaml.h"
#include "ompi/mca/hitopo/file/yaml/topology_yaml.h"
#include "ompi/mca/hitopo/file/yaml/wanted_fields.h"
#include "ompi/mca/hitopo/file/yaml/yaml_text.h"
#include "test/support/counted_memory.h"
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

// Gives the text again and again, and counts the pieces.
FileAccess counted_file(const std::string& text, std::size_t& num_pieces) {
    FileAccess files([&text](const std::string&, std::size_t) { return text; });
    files.open = [&](const std::string&) {
        return Result<TextSource>(TextSource([source = source_of(text), &num_pieces]() mutable {
            ++num_pieces;
            return source();
        }));
    };
    return files;
}

void answer(const FileAccess& files, Recorder& recorder) {
    answer_file({"file", "", ""}, files, recorder.question, recorder);
}

TEST(LargeLists, one_process_of_a_node_reads_the_file) {
    const std::string list = list_of(100, 10);
    std::size_t num_pieces = 0;
    const FileAccess files = counted_file(list, num_pieces);
    Recorder speaker;
    answer(files, speaker);
    EXPECT_EQ(speaker.values[kSwitch], RawValue(std::vector<Name>{Name("lf0")}));
    EXPECT_FALSE(speaker.error);
    EXPECT_GT(num_pieces, 3U);

    num_pieces = 0;
    Recorder other;
    other.question.asks_for_node = false;
    answer(files, other);
    EXPECT_EQ(other.values, RawAddress());
    EXPECT_LE(num_pieces, 2U);
    EXPECT_EQ(other.reason, "not read: local rank 0 reads file for the node");
    // So that the job is told where the list has none of its nodes; where it has one, nobody is.
    ASSERT_TRUE(other.error);
    EXPECT_EQ(other.error->code, Errc::kAbsent);
}

// Lines of a map may be of single ranks.
TEST(LargeLists, answer_of_a_map_is_asked_of_all_processes) {
    Recorder other;
    other.question.asks_for_node = false;
    answer(FileAccess([](const std::string&, std::size_t) { return std::string("rank 0 switch=s\n"); }),
           other);
    EXPECT_EQ(other.values[kSwitch], RawValue(Name("s")));
}

TEST(LargeLists, answer_takes_more_than_a_map_may_have) {
#ifndef HITOPO_HAVE_LIBYAML
    GTEST_SKIP() << "no libyaml";
#endif
    const std::string text = "kind: Node\n" + std::string(kMaxMapBytes + 65536, '\n') +
                             "---\nkind: Node\nmetadata: {name: node1, labels: "
                             "{fabric.topograph.run/tier-0: s}}\n";
    std::size_t num_pieces = 0;
    Recorder recorder;
    answer(counted_file(text, num_pieces), recorder);
    EXPECT_EQ(recorder.values[kSwitch], RawValue(Name("s")));
    EXPECT_FALSE(recorder.error);
}

IsWanted wanted() {
    return [](std::string_view parent, std::string_view key) {
        return is_wanted_field(parent, key, {"example.org/rack"});
    };
}

std::size_t kept_bytes(const std::string& text) {
    const CountedMemory memory;
    const auto parsed = parse_yaml([&] { return Result<TextSource>(source_of(text)); }, wanted());
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

std::string place_in(const std::string& text, const std::string& host, const IsWanted& is_wanted) {
    const auto parsed = parse_yaml([&] { return Result<TextSource>(source_of(text)); }, is_wanted);
    if (!parsed) {
        return parsed.error().message;
    }
    Skipped skipped;
    const auto place = find_in_topology_yaml(
        *parsed,
        {"file", host, "",
         host == "node1" ? std::vector<std::string>{"example.org/rack"} : std::vector<std::string>{}},
        parse_text, skipped);
    if (!place) {
        return place.error().value + place.error().message;
    }
    std::string told = skipped.as_one() ? skipped.as_one()->message : "";
    if (*place) {
        told += (*place)->source + (*place)->island_source;
        for (const auto& level : (*place)->levels) {
            told += level ? level->to_string() : "-";
        }
    }
    return told;
}

// What is left out changes no answer and no message.
TEST(LargeLists, parse_leaves_out_what_no_reader_looks_at) {
#ifndef HITOPO_HAVE_LIBYAML
    GTEST_SKIP() << "no libyaml";
#endif
    int num_files = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(FIXTURES_DIR) + "/topology-files")) {
        if (entry.path().extension() == ".conf") {
            continue;
        }
        std::stringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        for (const char* host : {"node1", "node2", "node5", "gke-1", "ip-10-0-0-1", "topograph-1",
                                 "new-1", "old-2", "i-1111111111example", "nobody"}) {
            EXPECT_EQ(place_in(text.str(), host, wanted()),
                      place_in(text.str(), host, [](auto, auto) { return true; }))
                << entry.path() << ' ' << host;
        }
        ++num_files;
    }
    EXPECT_GT(num_files, 8);
}

// A value that is not wanted may be of any kind, and hold anchors.
TEST(LargeLists, parse_skips_values_of_any_kind) {
#ifndef HITOPO_HAVE_LIBYAML
    GTEST_SKIP() << "no libyaml";
#endif
    for (const char* value : {"x", "", "[[1], {status: 2}]", "{spec: {a: b}}", "&a [x]", "&a x"}) {
        const std::string text = std::string("[{name: &n h1, status: ") + value +
                                 ", resourceStatus: {physicalHost: /b/s/h}}, {name: *n, spec: *n}]";
        EXPECT_EQ(place_in(text, "h1", wanted()), place_in(text, "h1", [](auto, auto) { return true; }))
            << text;
        EXPECT_NE(place_in(text, "h1", wanted()).find("-bs-"), std::string::npos) << text;
    }
    const std::string deep = "{status: " + std::string(70, '[') + std::string(70, ']') + '}';
    EXPECT_NE(place_in(deep, "h1", wanted()).find("64 deep"), std::string::npos);
}

std::string message_of(const std::string& text) {
    Recorder recorder;
    answer(FileAccess([&](const std::string&, std::size_t) { return text; }), recorder);
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

std::string all_of(const std::string& text, std::size_t piece_size, bool makes_readable,
                   std::optional<Error>& error) {
    YamlText source(
        [rest = std::string_view(text), piece_size]() mutable {
            const std::string_view piece = rest.substr(0, piece_size);
            rest.remove_prefix(piece.size());
            return Result<std::string>(std::string(piece));
        },
        makes_readable);
    std::string all;
    unsigned char bytes[5];
    while (const std::size_t num_bytes = source.read(bytes, sizeof(bytes))) {
        all.append(reinterpret_cast<const char*>(bytes), num_bytes);
    }
    error = source.error();
    return all;
}

TEST(YamlText, read_gives_the_same_in_pieces_of_any_size) {
    const std::string text =
        "\xEF\xBB\xBF"
        "a\xC3\xA9\tb\xE9\xE9\nc\xF0\x9F\x98\x80\xF0\x9F\nd\x01\xE2\x82";
    const std::string readable = "a\xC3\xA9\tb\\xe9\\xe9\nc\xF0\x9F\x98\x80\\xf0\\x9f\nd\\x01\\xe2\\x82";
    std::optional<Error> error;
    for (std::size_t size = 3; size <= text.size(); ++size) {
        EXPECT_EQ(all_of(text, size, true, error), readable) << size;
        EXPECT_EQ(all_of(text, size, false, error), text) << size;
        EXPECT_FALSE(error);
    }
}

TEST(YamlText, read_counts_tags_in_pieces_of_any_size) {
    std::string tags;
    for (int i = 0; i < 64; ++i) {
        tags += i % 2 == 0 ? "%TAG !a! x\n" : "%TAG\r";
    }
    std::optional<Error> error;
    for (std::size_t size = 1; size <= 16; ++size) {
        EXPECT_EQ(all_of(tags + " %TAG", size, false, error), tags + " %TAG");
        EXPECT_FALSE(error) << size;
        (void)all_of(tags + "%TAG", size, false, error);
        ASSERT_TRUE(error) << size;
        EXPECT_EQ(error->code, Errc::kTooLarge);
    }
}

}  // namespace
}  // namespace hitopo
