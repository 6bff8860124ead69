// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What drivers' files and device nodes let a process find of its GPUs, on trees of the test's own.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "ompi/tools/hitopo/devices/job.h"

namespace hitopo::tool {
namespace {

using Strings = std::vector<std::string>;
namespace fs = std::filesystem;

class OwnDevicesTest : public testing::Test {
protected:
    ~OwnDevicesTest() override { fs::remove_all(root_); }

    void write(const std::string& path, const std::string& text = "") const {
        fs::create_directories((root_ + path).substr(0, (root_ + path).rfind('/')));
        std::ofstream(root_ + path) << text;
    }

    // What no process can open, root neither; access(2) fails, but not since the file is missing.
    void write_loop(const std::string& path) const {
        write(path);
        fs::remove(root_ + path);
        fs::create_symlink(root_ + path, root_ + path);
    }

    void write_render_node(const std::string& name, const std::string& pci) const {
        fs::create_directories(root_ + "/sys/class/drm/" + name);
        fs::create_symlink("../../../" + pci, root_ + "/sys/class/drm/" + name + "/device");
    }

    OwnDevices found() const {
        OwnDevices own = own_devices([](const std::string&) { return std::nullopt; }, root_);
        std::sort(own.hidden_gpus.begin(), own.hidden_gpus.end());
        return own;
    }

    const std::string root_ = testing::TempDir() + "hitopo-own-devices" + std::to_string(getpid());
};

TEST_F(OwnDevicesTest, are_the_variables) {
    const OwnDevices own = own_devices(
        [](const std::string& name) {
            return name == "HIP_VISIBLE_DEVICES"    ? std::optional<std::string>("")
                   : name == "ROCR_VISIBLE_DEVICES" ? std::optional<std::string>("4")
                                                    : std::nullopt;
        },
        root_);
    EXPECT_EQ(own.variables, (std::map<std::string, std::string>{{"HIP_VISIBLE_DEVICES", ""},
                                                                 {"ROCR_VISIBLE_DEVICES", "4"}}));
    EXPECT_TRUE(own.hidden_gpus.empty() && own.uuids.empty());
}

// The minor is not the place in PCI's order; the driver makes a missing device when it is needed.
TEST_F(OwnDevicesTest, of_nvidia) {
    const std::string folder = "/proc/driver/nvidia/gpus/";
    write(folder + "0000:07:00.0/information",
          "Model: \t\t A100\nGPU UUID: \t GPU-1\nDevice Minor: \t 3\n");
    write(folder + "0000:46:00.0/information", "GPU UUID: \t GPU-2\nDevice Minor: \t 1\n");
    write(folder + "0000:85:00.0/information", "GPU UUID: \t GPU-??\nDevice Minor: \t 2\n");
    write("/dev/nvidia3");
    write_loop("/dev/nvidia1");
    EXPECT_EQ(found().hidden_gpus, Strings{"0000:46:00.0"});
    EXPECT_EQ(found().uuids,
              (std::map<std::string, std::string>{
                  {"0000:07:00.0", "GPU-1"}, {"0000:46:00.0", "GPU-2"}, {"0000:85:00.0", ""}}));
}

// Node 0 is a CPU; what cannot be read is hidden.
TEST_F(OwnDevicesTest, of_rocm) {
    const std::string nodes = "/sys/class/kfd/kfd/topology/nodes/";
    write(nodes + "0/properties", "cpu_cores_count 64\nsimd_count 0\nlocation_id 0\n");
    write(nodes + "1/properties",
          "simd_count 440\nlocation_id 49408\ndomain 0\nunique_id 17978643005310382498\n");
    fs::create_directories(root_ + nodes + "2/properties");
    write(nodes + "3/properties", "simd_count 228\nlocation_id 536871424\ndomain 2\n");
    EXPECT_EQ(found().uuids, (std::map<std::string, std::string>{
                                 {"0000:c1:00.0", "GPU-f980f88ef31631a2"}, {"0002:02:00.0#2", ""}}));
}

TEST_F(OwnDevicesTest, of_render_nodes) {
    write_render_node("renderD128", "0000:c1:00.0");
    write_render_node("renderD129", "0000:c6:00.0");
    write_render_node("card0", "0000:c1:00.0");
    EXPECT_EQ(found().hidden_gpus, Strings{}) << "no /dev/dri: this tells nothing";
    write("/dev/dri/renderD129");
    EXPECT_EQ(found().hidden_gpus, Strings{"0000:c1:00.0"});
    write_loop("/dev/dri/renderD128");
    EXPECT_EQ(found().hidden_gpus, Strings{"0000:c1:00.0"});
}

TEST(OwnDevices, are_a_text) {
    OwnDevices own;
    own.variables = {{"CUDA_VISIBLE_DEVICES", ""}, {"UCX_NET_DEVICES", "a=b\nc,\x01"}};
    own.hidden_gpus = {"0000:07:00.0", "0000:46:00.0"};
    own.uuids = {{"0000:85:00.0", ""}, {"0002:02:00.0#2", "GPU-1"}};
    const OwnDevices read = own_devices_in(to_text(own));
    EXPECT_EQ(read.variables, own.variables);
    EXPECT_EQ(read.hidden_gpus, own.hidden_gpus);
    EXPECT_EQ(read.uuids, own.uuids);
    own.variables["UCX_NET_DEVICES"] = "a\xff";
    EXPECT_EQ(own_devices_in(to_text(own)).variables["UCX_NET_DEVICES"], "a\uFFFD");
    for (const char* odd :
         {"", "[]", "{\"variables\":", R"({"variables":{"a":1},"hidden":[],"uuids":{}})"}) {
        EXPECT_EQ(to_text(own_devices_in(odd)), to_text({})) << odd;
    }
}

TEST(OwnDevices, odd_files_have_no_gpu) {
    for (const char* text :
         {"", "simd_count", "simd_count 4", "simd_count 4\nlocation_id -1", "location_id 256",
          "simd_count x\nlocation_id 256", "simd_count_per 4\nlocation_id 256"}) {
        EXPECT_FALSE(kfd_gpu_in(text)) << text;
    }
    for (const char* text : {"", ":", "GPU UUID", "GPU UUID:", "Device Minor: x", "\nDevice Minor 3"}) {
        EXPECT_EQ(nvidia_information_in(text).uuid, "") << text;
        EXPECT_FALSE(nvidia_information_in(text).minor) << text;
    }
}

}  // namespace
}  // namespace hitopo::tool
