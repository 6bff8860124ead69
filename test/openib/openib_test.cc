// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Component openib on invented ports and sources, on fixture files, and on the real libibverbs.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/openib/hitopo_openib.h"
#include "ompi/mca/hitopo/openib/hitopo_openib_input.h"
#include "test/paths.h"
#include "test/support/recorder.h"

namespace hitopo {
namespace {

IbPort port(const std::string& device, int number, std::uint64_t guid, unsigned lid) {
    return {device, number, guid, 0xfe80000000000000, lid, true, true};
}

// No test waits that long.
constexpr std::chrono::milliseconds kPatience(300000);

class FakePorts {
public:
    explicit FakePorts(std::vector<IbPort> ports, std::string reason = "")
        : ports_{std::move(ports), std::move(reason)} {}
    bool has_devices() const { return !ports_.ports.empty() || !ports_.reason.empty(); }
    IbPorts operator()() const {
        if (may_come_back.valid()) {
            may_come_back.wait_for(kPatience);
        }
        return ports_;
    }

    std::shared_future<void> may_come_back;  // until then, list does not

private:
    IbPorts ports_;
};

// Answers what it was given; counts how often it was asked for a leaf, and by tens for uplinks.
class FakeSource : public FabricSource {
public:
    FakeSource(LeafAnswer leaf, UplinksAnswer uplinks, int& num_asked)
        : leaf_(std::move(leaf)), uplinks_(std::move(uplinks)), num_asked_(num_asked) {}
    LeafAnswer find_leaf(const std::vector<IbPort>&) override {
        ++num_asked_;
        return leaf_;
    }
    UplinksAnswer find_uplinks(const Leaf&) override {
        num_asked_ += 10;
        return uplinks_;
    }

private:
    LeafAnswer leaf_;
    UplinksAnswer uplinks_;
    int& num_asked_;
};

constexpr std::uint64_t kPrefix = 0xfe80000000000000;

LeafAnswer at(std::uint64_t guid) { return {Leaf{kPrefix, guid, 4}, "found", std::nullopt}; }

LeafAnswer lost(const std::string& why) {
    return {std::nullopt, why, Error{Errc::kStale, why, "remedy", "", 0, 0}};
}

std::optional<Leaf> report_from(const FakePorts& ports, const FabricSources& sources,
                                Recorder& recorder) {
    const std::chrono::milliseconds timeout =
        ports.may_come_back.valid() ? std::chrono::milliseconds(0) : kPatience;
    const std::optional<Leaf> leaf = report_leaf(ports.has_devices() ? ports : ListPorts(), sources,
                                                 timeout, recorder.question, recorder);
    return leaf;
}

FabricSources sources_of(const std::vector<std::pair<LeafAnswer, UplinksAnswer>>& answers, int* asked) {
    FabricSources sources;
    for (const auto& [leaf, uplinks] : answers) {
        sources.push_back(std::make_unique<FakeSource>(leaf, uplinks, *asked++));
    }
    return sources;
}

std::string fixture(const std::string& name) {
    return std::string(FIXTURES_DIR) + "/fabrics/" + name + ".ibnetdiscover";
}

TEST(OpenibPorts, down_and_ethernet_ports_are_skipped_and_rails_are_in_natural_order) {
    IbPort down = port("mlx5_0", 1, 1, 1);
    down.is_active = false;
    IbPort roce = port("mlx5_1", 1, 2, 0);
    roce.is_infiniband = false;
    const std::vector<IbPort> usable = usable_ports(
        {port("mlx5_10", 1, 3, 3), port("mlx5_2", 2, 5, 5), down, port("mlx5_2", 1, 4, 4), roce});
    ASSERT_EQ(usable.size(), 3u);
    EXPECT_EQ(usable[0].guid, 4u);
    EXPECT_EQ(usable[1].guid, 5u);
    EXPECT_EQ(usable[2].guid, 3u);
}

TEST(OpenibPorts, ports_of_virtual_functions_come_last) {
    IbPort virtual_port = port("mlx5_0", 1, 1, 1);
    virtual_port.is_virtual = true;
    const std::vector<IbPort> usable = usable_ports({virtual_port, port("mlx5_9", 1, 2, 2)});
    ASSERT_EQ(usable.size(), 2u);
    EXPECT_EQ(usable[0].guid, 2u);
}

TEST(OpenibLocate, the_first_source_that_knows_is_the_last_one_asked) {
    int asked[3] = {};
    const FabricSources sources =
        sources_of({{lost("no access"), {}}, {at(0xb1), {}}, {at(0xb2), {}}}, asked);
    Recorder recorder;
    const std::optional<Leaf> leaf =
        report_from(FakePorts({port("mlx5_0", 1, 1, 1)}), sources, recorder);
    ASSERT_TRUE(leaf);
    EXPECT_EQ(leaf->guid, 0xb1u);
    EXPECT_EQ(recorder.values[kSwitch], leaf_value(kPrefix, 0xb1));
    EXPECT_FALSE(recorder.values[kIsland]);
    EXPECT_EQ(recorder.max_uplinks, 4);
    EXPECT_FALSE(recorder.error);
    EXPECT_EQ(recorder.reason, "no access; found");
    EXPECT_EQ(asked[0] * 100 + asked[1] * 10 + asked[2], 110);
}

TEST(OpenibLocate, only_the_process_that_speaks_for_its_node_asks) {
    int asked[1] = {};
    const FabricSources sources = sources_of({{at(0xb1), {}}}, asked);
    Recorder recorder;
    recorder.question.asks_for_node = false;
    EXPECT_FALSE(report_from(FakePorts({port("mlx5_0", 1, 1, 1)}), sources, recorder));
    EXPECT_EQ(asked[0], 0);
    EXPECT_FALSE(recorder.values[kSwitch]);
    EXPECT_EQ(recorder.reason, "not asked: local rank 0 answers for the whole node");
}

TEST(OpenibLocate, where_no_source_knows_the_first_error_counts) {
    int asked[3] = {};
    const FabricSources sources = sources_of(
        {{{std::nullopt, "nothing", std::nullopt}, {}}, {lost("first"), {}}, {lost("second"), {}}},
        asked);
    Recorder recorder;
    EXPECT_FALSE(report_from(FakePorts({port("mlx5_0", 1, 1, 1)}), sources, recorder));
    EXPECT_FALSE(recorder.values[kSwitch]);
    EXPECT_FALSE(recorder.max_uplinks);
    ASSERT_TRUE(recorder.error);
    EXPECT_EQ(recorder.error->value, "first");
    EXPECT_EQ(recorder.reason, "nothing; first; second");
}

TEST(OpenibLocate, uplinks_are_those_of_the_first_source_that_knows) {
    int asked[3] = {};
    const UplinksAnswer known = {LeafUplinks{"leaf", {0xc1, 0xc2}, "spine"}, "by file"};
    const FabricSources sources =
        sources_of({{at(0xb1), {std::nullopt, "late"}}, {at(0xb1), known}, {at(0xb1), known}}, asked);
    Recorder recorder;
    report_uplinks({kPrefix, 0xb1, 4}, sources, recorder);
    ASSERT_TRUE(recorder.uplinks);
    EXPECT_EQ(recorder.uplinks->name, "leaf");
    EXPECT_EQ(recorder.uplinks->switches.size(), 2u);
    EXPECT_EQ(recorder.uplinks->island_name, "spine");
    EXPECT_EQ(recorder.uplinks->island_id, "0x00000000000000c1");
    EXPECT_EQ(recorder.reasons[kIsland], "late; by file");
    EXPECT_EQ(asked[0] + asked[1] + asked[2], 20);
}

TEST(OpenibLocate, switches_of_two_subnets_are_apart) {
    int asked[1] = {};
    const FabricSources sources = sources_of({{at(1), {LeafUplinks{"", {0xc1}, ""}, ""}}}, asked);
    Recorder one;
    Recorder two;
    report_uplinks({1, 0xb1, 4}, sources, one);
    report_uplinks({2, 0xb1, 4}, sources, two);
    EXPECT_NE(one.uplinks->switches, two.uplinks->switches);
}

TEST(OpenibLocate, where_no_source_knows_uplinks_nothing_is_told) {
    int asked[1] = {};
    const FabricSources sources = sources_of({{at(1), {std::nullopt, "late"}}}, asked);
    Recorder recorder;
    report_uplinks({kPrefix, 0xb1, 4}, sources, recorder);
    EXPECT_FALSE(recorder.uplinks);
    EXPECT_EQ(recorder.reasons[kIsland], "late");
}

std::string reason_without_ports(const FakePorts& ports) {
    int asked[1] = {};
    const FabricSources sources = sources_of({{at(0xb1), {}}}, asked);
    Recorder recorder;
    EXPECT_FALSE(report_from(ports, sources, recorder));
    EXPECT_EQ(asked[0], 0);
    EXPECT_FALSE(recorder.error);
    EXPECT_FALSE(recorder.values[kSwitch]);
    return recorder.reason;
}

TEST(OpenibLocate, without_usable_ports_no_source_is_asked) {
    IbPort down = port("mlx5_0", 1, 1, 1);
    down.is_active = false;
    IbPort roce = port("mlx5_1", 1, 2, 0);
    roce.is_infiniband = false;
    EXPECT_EQ(reason_without_ports(FakePorts({})), "no InfiniBand device");
    EXPECT_EQ(reason_without_ports(FakePorts({down, roce})),
              "no active InfiniBand port: 1 down, 1 Ethernet");
    EXPECT_EQ(reason_without_ports(FakePorts({down}, "mlx5_1: Permission denied")),
              "no active InfiniBand port: 1 down, 0 Ethernet, mlx5_1: Permission denied");
    EXPECT_EQ(reason_without_ports(FakePorts({}, "mlx5_0: Permission denied")),
              "no InfiniBand port could be asked: mlx5_0: Permission denied");
}

TEST(OpenibLocate, a_driver_that_does_not_come_back_has_no_ports) {
    FakePorts ports({port("mlx5_0", 1, 1, 1)});
    std::promise<void> end_of_test;
    ports.may_come_back = end_of_test.get_future().share();
    EXPECT_EQ(reason_without_ports(ports),
              "no InfiniBand port could be asked: the driver did not return");
    end_of_test.set_value();
}

TEST(OpenibFile, looks_a_port_up) {
    FabricFile file(fixture("tree-2x2x2"));
    const LeafAnswer answer = file.find_leaf({port("mlx5_0", 1, 0x10000b, 15)});
    ASSERT_TRUE(answer.leaf) << answer.reason;
    EXPECT_EQ(answer.leaf->guid, 0x2004u);  // i2leaf1
    EXPECT_EQ(answer.leaf->subnet_prefix, kPrefix);
    EXPECT_EQ(answer.leaf->max_uplinks, 2);
    EXPECT_EQ(answer.reason, "mlx5_0 port 1 at switch 0x0000000000002004 by " + fixture("tree-2x2x2"));
    const UplinksAnswer uplinks = file.find_uplinks(*answer.leaf);
    ASSERT_TRUE(uplinks.uplinks);
    EXPECT_EQ(uplinks.uplinks->name, "i2leaf1");
    EXPECT_EQ(uplinks.uplinks->first_name, "i2spine1");
}

TEST(OpenibFile, takes_the_first_rail_that_the_file_lists) {
    const LeafAnswer answer =
        FabricFile(fixture("tree-2x2x2"))
            .find_leaf({port("mlx5_0", 1, 0x77, 3), port("mlx5_1", 1, 0x100001, 10),
                        port("mlx5_2", 1, 0x10000b, 15)});
    ASSERT_TRUE(answer.leaf);
    EXPECT_EQ(answer.leaf->guid, 0x2000u);  // i1leaf1
}

TEST(OpenibFile, tells_the_uplinks_of_a_switch_that_was_found_otherwise_if_it_lists_it) {
    EXPECT_TRUE(FabricFile(fixture("tree-2x2x2")).find_uplinks({kPrefix, 0x2000, 4}).uplinks);
    const UplinksAnswer unknown = FabricFile(fixture("tree-2x2x2")).find_uplinks({kPrefix, 0x77, 4});
    EXPECT_FALSE(unknown.uplinks);
    EXPECT_EQ(unknown.reason, fixture("tree-2x2x2") + " does not list switch 0x0000000000000077");
    EXPECT_FALSE(FabricFile("/nowhere/fabric").find_uplinks({kPrefix, 0x2000, 4}).uplinks);
}

TEST(OpenibFile, another_lid_is_stale) {
    const std::string path = fixture("tree-2x2x2");
    const LeafAnswer answer = FabricFile(path).find_leaf({port("mlx5_0", 1, 0x100001, 11)});
    EXPECT_FALSE(answer.leaf);
    ASSERT_TRUE(answer.error);
    EXPECT_EQ(answer.error->code, Errc::kStale);
    EXPECT_EQ(answer.error->value, "0x0000000000100001");
    EXPECT_EQ(answer.error->where, path);
    EXPECT_EQ(answer.error->line, 10);
    EXPECT_NE(answer.error->message.find("LID 10, mlx5_0 port 1 has LID 11"), std::string::npos);
}

TEST(OpenibFile, an_absent_port_is_stale) {
    const LeafAnswer answer = FabricFile(fixture("tree-2x2x2")).find_leaf({port("mlx5_0", 1, 0x77, 3)});
    ASSERT_TRUE(answer.error);
    EXPECT_EQ(answer.error->code, Errc::kStale);
    EXPECT_EQ(answer.error->value, "0x0000000000000077");
    EXPECT_EQ(answer.error->line, 0);
}

Errc error_of_file(const std::string& path) {
    const LeafAnswer answer = FabricFile(path).find_leaf({port("mlx5_0", 1, 1, 1)});
    EXPECT_FALSE(answer.leaf);
    return answer.error ? answer.error->code : Errc::kNone;
}

TEST(OpenibFile, what_cannot_be_read) {
    const LeafAnswer answer = FabricFile("/nowhere/fabric").find_leaf({port("mlx5_0", 1, 1, 1)});
    ASSERT_TRUE(answer.error);
    EXPECT_EQ(answer.error->code, Errc::kUnreadable);
    EXPECT_EQ(answer.error->value, "/nowhere/fabric");
    EXPECT_EQ(answer.error->where, "hitopo_openib_fabric_file");
    EXPECT_EQ(error_of_file("/"), Errc::kUnreadable);
    EXPECT_EQ(error_of_file("/dev/zero"), Errc::kUnreadable);
}

class TemporaryFolder {
public:
    TemporaryFolder() { EXPECT_NE(mkdtemp(path_), nullptr); }
    ~TemporaryFolder() {
        unlink(file().c_str());
        rmdir(path_);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::string file() const { return std::string(path_) + "/fabric"; }

private:
    char path_[32] = "/tmp/hitopo-openib-XXXXXX";
};

TEST(OpenibFile, a_broken_file_keeps_its_position) {
    const TemporaryFolder folder;
    std::ofstream(folder.file()) << "# fine\nWhat is this?\n";
    const LeafAnswer answer = FabricFile(folder.file()).find_leaf({port("mlx5_0", 1, 1, 1)});
    ASSERT_TRUE(answer.error);
    EXPECT_EQ(answer.error->code, Errc::kMalformed);
    EXPECT_EQ(answer.error->where, folder.file());
    EXPECT_EQ(answer.error->line, 2);
}

TEST(OpenibFile, a_pipe_that_nobody_writes_does_not_hang) {
    const TemporaryFolder folder;
    ASSERT_EQ(mkfifo(folder.file().c_str(), 0600), 0);
    EXPECT_EQ(error_of_file(folder.file()), Errc::kUnreadable);
}

TEST(OpenibFile, a_file_over_the_limit) {
    const TemporaryFolder folder;
    ASSERT_EQ(mknod(folder.file().c_str(), S_IFREG | 0600, 0), 0);
    ASSERT_EQ(truncate(folder.file().c_str(), off_t{128} << 20), 0);
    EXPECT_EQ(error_of_file(folder.file()), Errc::kTooLarge);
}

TEST(OpenibVerbs, answers_quickly_and_silently_without_a_device) {
    if (access("/sys/class/infiniband", F_OK) == 0) {
        GTEST_SKIP() << "this machine has InfiniBand devices";
    }
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    EXPECT_FALSE(has_verbs_devices());
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// The library of this machine, if there is one.
TEST(OpenibUmad, a_port_that_is_not_there_is_refused_with_a_reason) {
    const std::string refusal = make_umad_client()->open(port("nosuch_0", 1, 1, 1));
    EXPECT_FALSE(refusal.empty());
}

class OpenibQuery : public testing::Test {
protected:
    ~OpenibQuery() override { hitopo_openib_forget(search_); }

    std::string reason(const hitopo_openib_settings_t& settings) {
        EXPECT_EQ(hitopo_openib_query(&settings, &recorder_.question, &recorder_, &search_), 0);
        EXPECT_FALSE(recorder_.values[kSwitch]);
        EXPECT_EQ(search_, nullptr);
        return recorder_.reason;
    }

    Recorder recorder_;
    hitopo_openib_search_t* search_ = nullptr;
};

TEST_F(OpenibQuery, without_a_device_neither_fabric_nor_file_is_asked) {
    if (access("/sys/class/infiniband", F_OK) == 0) {
        GTEST_SKIP() << "this machine has InfiniBand devices";
    }
    EXPECT_EQ(reason({nullptr, 500}), "no InfiniBand device");
    EXPECT_EQ(reason({FIXTURES_DIR "/fabrics/one-switch.ibnetdiscover", 500}), "no InfiniBand device");
    EXPECT_FALSE(recorder_.error);
    EXPECT_EQ(reason({"/nowhere/fabric", 500}), "no InfiniBand device");
    ASSERT_TRUE(recorder_.error);  // the user named it
    EXPECT_EQ(recorder_.error->code, Errc::kUnreadable);
    EXPECT_EQ(recorder_.error->value, "/nowhere/fabric");
    EXPECT_EQ(recorder_.error->where, "hitopo_openib_fabric_file");
}

TEST_F(OpenibQuery, without_file_and_time_it_says_what_to_set) {
    EXPECT_EQ(reason({nullptr, 0}),
              "hitopo_openib_timeout_ms is 0 and hitopo_openib_fabric_file is not set");
    EXPECT_EQ(reason({"", -1}), reason({nullptr, 0}));
}

TEST_F(OpenibQuery, a_lead_without_a_search_tells_nothing) {
    EXPECT_EQ(hitopo_openib_lead(nullptr, &recorder_.question, &recorder_), 0);
    EXPECT_FALSE(recorder_.uplinks);
}

}  // namespace
}  // namespace hitopo
