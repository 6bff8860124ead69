// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Component openib on invented ports and sources, on fixture files, and on the real libibverbs.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/openib/hitopo_openib.h"
#include "ompi/mca/hitopo/openib/hitopo_openib_file.h"
#include "ompi/mca/hitopo/openib/hitopo_openib_locate.h"
#include "ompi/mca/hitopo/openib/hitopo_openib_verbs.h"
#include "test/components/recorder.h"

namespace hitopo {
namespace {

IbPort port(const std::string& device, int number, std::uint64_t guid, unsigned lid) {
    return {device, number, guid, 0xfe80000000000000, lid, true, true};
}

class FakePorts : public PortLister {
public:
    explicit FakePorts(std::vector<IbPort> ports, std::string reason = "")
        : ports_{std::move(ports), std::move(reason)} {}
    IbPorts list() override {
        ++num_asked;
        return ports_;
    }

    int num_asked = 0;

private:
    IbPorts ports_;
};

class FakeSource : public FabricSource {
public:
    FakeSource(FabricAnswer answer, int& num_asked)
        : answer_(std::move(answer)), num_asked_(num_asked) {}
    FabricAnswer locate(const std::vector<IbPort>&) override {
        ++num_asked_;
        return answer_;
    }

private:
    FabricAnswer answer_;
    int& num_asked_;
};

FabricAnswer at(const std::string& leaf, const std::string& island) {
    return {FabricPlace{RawValue(leaf), RawValue(island)}, "found", std::nullopt};
}

FabricAnswer lost(const std::string& why) {
    return {std::nullopt, why, Error{Errc::kStale, why, "remedy", "", 0, 0}};
}

void report_from(PortLister& ports, const FabricSources& sources, Recorder& recorder) {
    Reporter reporter(&recorder.report());
    report_place(ports, sources, reporter);
    EXPECT_EQ(reporter.status(), 0);
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

TEST(OpenibLocate, the_first_source_that_knows_is_the_last_one_asked) {
    FakePorts ports({port("mlx5_0", 1, 1, 1)});
    int asked[3] = {};
    FabricSources sources;
    sources.push_back(std::make_unique<FakeSource>(lost("no access"), asked[0]));
    sources.push_back(std::make_unique<FakeSource>(at("leaf1", "island1"), asked[1]));
    sources.push_back(std::make_unique<FakeSource>(at("leaf2", "island2"), asked[2]));
    Recorder recorder;
    report_from(ports, sources, recorder);
    EXPECT_EQ(recorder.values[kSwitch], RawValue("leaf1"));
    EXPECT_EQ(recorder.values[kIsland], RawValue("island1"));
    EXPECT_FALSE(recorder.error);
    EXPECT_EQ(recorder.reasons[-1], "no access; found");
    EXPECT_EQ(asked[0] + asked[1] * 10 + asked[2] * 100, 11);
}

TEST(OpenibLocate, where_no_source_knows_the_first_error_counts) {
    FakePorts ports({port("mlx5_0", 1, 1, 1)});
    int asked = 0;
    FabricSources sources;
    sources.push_back(
        std::make_unique<FakeSource>(FabricAnswer{std::nullopt, "nothing", std::nullopt}, asked));
    sources.push_back(std::make_unique<FakeSource>(lost("first"), asked));
    sources.push_back(std::make_unique<FakeSource>(lost("second"), asked));
    Recorder recorder;
    report_from(ports, sources, recorder);
    EXPECT_FALSE(recorder.values[kSwitch]);
    ASSERT_TRUE(recorder.error);
    EXPECT_EQ(recorder.error->value, "first");
    EXPECT_EQ(recorder.reasons[-1], "nothing; first; second");
}

TEST(OpenibLocate, without_sources_no_port_is_listed) {
    FakePorts ports({port("mlx5_0", 1, 1, 1)});
    Recorder recorder;
    report_from(ports, {}, recorder);
    EXPECT_EQ(ports.num_asked, 0);
    EXPECT_FALSE(recorder.error);
    EXPECT_NE(recorder.reasons[-1].find("hitopo_openib_fabric_file"), std::string::npos);
}

std::string reason_without_source(FakePorts ports) {
    int asked = 0;
    FabricSources sources;
    sources.push_back(std::make_unique<FakeSource>(at("leaf", "island"), asked));
    Recorder recorder;
    report_from(ports, sources, recorder);
    EXPECT_EQ(asked, 0);
    EXPECT_FALSE(recorder.error);
    EXPECT_FALSE(recorder.values[kSwitch]);
    return recorder.reasons[-1];
}

TEST(OpenibLocate, without_usable_ports_no_source_is_asked) {
    IbPort down = port("mlx5_0", 1, 1, 1);
    down.is_active = false;
    IbPort roce = port("mlx5_1", 1, 2, 0);
    roce.is_infiniband = false;
    EXPECT_EQ(reason_without_source(FakePorts({})), "no InfiniBand device");
    EXPECT_EQ(reason_without_source(FakePorts({down, roce})),
              "no active InfiniBand port: 1 down, 1 Ethernet");
    EXPECT_EQ(reason_without_source(FakePorts({down}, "mlx5_1: Permission denied")),
              "no active InfiniBand port: 1 down, 0 Ethernet, mlx5_1: Permission denied");
    EXPECT_EQ(reason_without_source(FakePorts({}, "mlx5_0: Permission denied")),
              "no InfiniBand port could be asked: mlx5_0: Permission denied");
}

TEST(OpenibFile, looks_a_port_up) {
    const FabricAnswer answer =
        FabricFile(fixture("tree-2x2x2")).locate({port("mlx5_0", 1, 0x10000b, 15)});
    ASSERT_TRUE(answer.place) << answer.reason;
    EXPECT_EQ(answer.place->leaf.visible().text(), "i2leaf1");
    EXPECT_EQ(answer.place->island.visible().text(), "i2spine1");
    EXPECT_EQ(answer.reason, "mlx5_0 port 1 by " + fixture("tree-2x2x2"));
}

TEST(OpenibFile, takes_the_first_rail_that_the_file_lists) {
    const FabricAnswer answer = FabricFile(fixture("tree-2x2x2"))
                                    .locate({port("mlx5_0", 1, 0x77, 3), port("mlx5_1", 1, 0x100001, 10),
                                             port("mlx5_2", 1, 0x10000b, 15)});
    ASSERT_TRUE(answer.place);
    EXPECT_EQ(answer.place->leaf.visible().text(), "i1leaf1");
}

TEST(OpenibFile, another_lid_is_stale) {
    const std::string path = fixture("tree-2x2x2");
    const FabricAnswer answer = FabricFile(path).locate({port("mlx5_0", 1, 0x100001, 11)});
    EXPECT_FALSE(answer.place);
    ASSERT_TRUE(answer.error);
    EXPECT_EQ(answer.error->code, Errc::kStale);
    EXPECT_EQ(answer.error->value, "0x0000000000100001");
    EXPECT_EQ(answer.error->where, path);
    EXPECT_EQ(answer.error->line, 10);
    EXPECT_NE(answer.error->message.find("LID 10, mlx5_0 port 1 has LID 11"), std::string::npos);
}

TEST(OpenibFile, an_absent_port_is_stale) {
    const FabricAnswer answer = FabricFile(fixture("tree-2x2x2")).locate({port("mlx5_0", 1, 0x77, 3)});
    ASSERT_TRUE(answer.error);
    EXPECT_EQ(answer.error->code, Errc::kStale);
    EXPECT_EQ(answer.error->value, "0x0000000000000077");
    EXPECT_EQ(answer.error->line, 0);
}

TEST(OpenibFile, a_broken_file_keeps_its_position) {
    const FabricAnswer answer = FabricFile(fixture("ports-report")).locate({port("mlx5_0", 1, 1, 1)});
    ASSERT_TRUE(answer.error);
    EXPECT_EQ(answer.error->code, Errc::kMalformed);
    EXPECT_EQ(answer.error->where, fixture("ports-report"));
    EXPECT_EQ(answer.error->line, 1);
}

Errc error_of_file(const std::string& path) {
    const FabricAnswer answer = FabricFile(path).locate({port("mlx5_0", 1, 1, 1)});
    EXPECT_FALSE(answer.place);
    return answer.error ? answer.error->code : Errc::kNone;
}

TEST(OpenibFile, what_cannot_be_read) {
    const FabricAnswer answer = FabricFile("/nowhere/fabric").locate({port("mlx5_0", 1, 1, 1)});
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

// The library of this machine. Without a device it must be quick and silent.
TEST(OpenibVerbs, answers_quickly_and_silently_without_a_device) {
    if (access("/sys/class/infiniband", F_OK) == 0) {
        GTEST_SKIP() << "this machine has InfiniBand devices";
    }
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    const auto before = std::chrono::steady_clock::now();
    const IbPorts found = VerbsPorts().list();
    const auto took = std::chrono::steady_clock::now() - before;
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_TRUE(found.ports.empty());
    EXPECT_LT(took, std::chrono::seconds(1));
    EXPECT_EQ(found.reason, "");
}

TEST(Openib, without_a_device_a_file_is_not_even_opened) {
    if (access("/sys/class/infiniband", F_OK) == 0) {
        GTEST_SKIP() << "this machine has InfiniBand devices";
    }
    const hitopo_openib_settings_t settings = {"/nowhere/fabric"};
    Recorder recorder;
    EXPECT_EQ(hitopo_openib_query(&settings, &recorder.report()), 0);
    EXPECT_FALSE(recorder.error);
    EXPECT_FALSE(recorder.values[kSwitch]);
    EXPECT_EQ(recorder.reasons[-1], "no InfiniBand device");
}

TEST(Openib, without_a_file_it_knows_nothing) {
    const hitopo_openib_settings_t settings = {nullptr};
    Recorder recorder;
    EXPECT_EQ(hitopo_openib_query(&settings, &recorder.report()), 0);
    EXPECT_FALSE(recorder.error);
    EXPECT_FALSE(recorder.reasons[-1].empty());
}

}  // namespace
}  // namespace hitopo
