// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What rank 0 hands to other nodes of a file is what they would read there.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "ompi/mca/hitopo/file/hitopo_file_published.h"
#include "test/support/recorder.h"

namespace hitopo {
namespace {

constexpr std::size_t kMaxBytes = 64 << 10;

using Places = std::map<std::string, MapAnswer>;

FileAnswers file_of(const Places& places) {
    return [&places](const MapProcess& process) -> Result<MapAnswer> {
        const auto found = places.find(std::string(process.host));
        return found == places.end() ? MapAnswer() : found->second;
    };
}

std::string random_text(std::mt19937& random) {
    static constexpr const char* kTexts[] = {"leaf1", "a \"b\"\\", "r\xC3\xA9seau", "12", "x/y", "\t"};
    return kTexts[random() % std::size(kTexts)];
}

RawValue random_value(std::mt19937& random) {
    std::vector<Name> path;
    for (std::size_t depth = random() % 3 + 1; path.size() < depth;) {
        path.push_back(random() % 2 == 0 ? Name::number(random()) : Name(random_text(random)));
    }
    return path;
}

MapAnswer random_answer(std::mt19937& random) {
    MapAnswer answer;
    answer.names_host = true;
    for (std::size_t level = 0; level < kNumLevels; ++level) {
        if (random() % 2 == 0) {
            answer.levels[level] = random_value(random);
            answer.source[level] = random_text(random);
        }
    }
    if (random() % 2 == 0) {
        answer.side["nvlink://Domain"] = random_value(random);
        answer.side_source = random_text(random);
    }
    return answer;
}

TEST(PublishedPlaces, are_what_the_file_tells) {
    std::mt19937 random(1);
    for (int i = 0; i < 100; ++i) {
        Places places;
        std::vector<std::string> hosts;
        for (std::size_t host = random() % 4; host < 8; ++host) {
            hosts.push_back("n" + std::to_string(host));
            if (random() % 4 != 0) {
                places[hosts.back()] = random_answer(random);
            }
        }
        const std::string published = publish_places(file_of(places), hosts, kMaxBytes);
        for (const std::string& host : hosts) {
            const std::optional<MapAnswer> found =
                find_published(published, {"other", host + ".example.org"});
            ASSERT_EQ(found.has_value(), places.count(host) == 1) << published;
            if (found) {
                const MapAnswer& told = places[host];
                EXPECT_TRUE(found->levels == told.levels && found->source == told.source &&
                            found->side == told.side && found->side_source == told.side_source)
                    << published;
                EXPECT_TRUE(found->names_host);
            }
        }
    }
}

TEST(PublishedPlaces, are_none_where_they_would_be_too_many_or_others) {
    Places places;
    places["n1"].names_host = true;
    places["n1"].levels[kSwitch] = Name("leaf");
    const std::string published = publish_places(file_of(places), {"n1", "n2"}, kMaxBytes);
    EXPECT_EQ(publish_places(file_of(places), {"n1", "n2"}, published.size()), published);
    EXPECT_EQ(publish_places(file_of(places), {"n1", "n2"}, published.size() - 1), "");
    places["n1"].levels[kSwitch] = Name("\xFF");
    EXPECT_EQ(publish_places(file_of(places), {"n1"}, kMaxBytes), "");
    EXPECT_EQ(publish_places([](const MapProcess&) -> Result<MapAnswer> { return Error{}; }, {"n1"},
                             kMaxBytes),
              "");
}

TEST(PublishedPlaces, of_odd_texts_are_none) {
    Places places;
    places["n1"] = MapAnswer();
    places["n1"].names_host = true;
    places["n1"].levels[kSwitch] = RawValue({Name("a"), Name::number(3)});
    places["n1"].side["nvlink://Domain"] = Name("d");
    const std::string published = publish_places(file_of(places), {"n1"}, kMaxBytes);
    for (std::size_t end = 0; end < published.size(); ++end) {
        EXPECT_FALSE(find_published(published.substr(0, end), {"n1"}));
    }
    for (const char* text : {"", "[]", "{}", "null", "{\"n1\": 1}",
                             "{\"n1\": {\"levels\": {\"switch\": {\"path\": [1.5]}}}}"}) {
        const std::optional<MapAnswer> found = find_published(text, {"n1"});
        EXPECT_TRUE(!found || (!found->levels[kSwitch] && found->side.empty())) << text;
    }
}

// Rank 0 reads the file; others that speak for their node do not, if rank 0 found it.
TEST(PublishedPlaces, stand_for_the_file_but_at_rank_0) {
    int num_reads = 0;
    const FileAccess files([&](const std::string&, std::size_t) {
        ++num_reads;
        return Result<std::string>("SwitchName=leaf2 Nodes=n[1-2]\n");
    });
    Places places;
    places["n1"].names_host = true;
    places["n1"].levels[kSwitch] = Name("leaf1");
    const std::string published = publish_places(file_of(places), {"n1"}, kMaxBytes);
    const auto switch_of = [&](int rank, const char* host, int asks_for_node = 1) {
        Recorder recorder;
        recorder.question.rank = rank;
        recorder.host_is(host);
        recorder.question.asks_for_node = asks_for_node != 0;
        num_reads = 0;
        answer_file({"topology.conf", "", ""}, files, recorder.question, recorder, published);
        return recorder.values[kSwitch] ? recorder.values[kSwitch]->to_string() : "";
    };
    EXPECT_EQ(switch_of(1, "n1.example.org"), "leaf1");
    EXPECT_EQ(num_reads, 0);
    EXPECT_EQ(switch_of(2, "n1", 0), "");
    EXPECT_EQ(num_reads, 0);
    EXPECT_EQ(switch_of(0, "n1"), "leaf2");
    EXPECT_EQ(switch_of(1, "n2"), "leaf2");
    EXPECT_GT(num_reads, 0);
}

}  // namespace
}  // namespace hitopo
