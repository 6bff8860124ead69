// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The devices of the machines in examples/machines, and the CPUs that are near to them, against what the
// sites' documents tell: numbers of GPUs, NUMA nodes and NICs are theirs.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/machine/devices.h"
#include "ompi/mca/hitopo/hwloc/hitopo_hwloc_topology.h"
#include "test/hwloc/hwloc_answer.h"
#include "test/paths.h"

namespace hitopo {
namespace {

const fs::path kNodes = fs::path(FIXTURES_DIR).parent_path().parent_path() / "examples/machines";

std::string node_file(const std::string& name) { return kNodes / (name + ".xml"); }

// ---- nearest ----

// By type of "gpu://Nearest" and "nic://Nearest": the instance that processes on such CPUs are in, or
// "".
std::string nearest(const std::string& machine, const char* type, const char* cpus) {
    const HwlocAnswer answer = query(node_file(machine), "", true);
    for (std::size_t i = 0; answer.machine && i < answer.machine->types().size(); ++i) {
        const MachineType& known = answer.machine->types()[i];
        const int instance = answer.machine->instance_of(i, *CpuSet::parse(cpus));
        if (known.name == type && instance >= 0) {
            return known.instances[static_cast<std::size_t>(instance)].to_string();
        }
    }
    return "";
}

// Each NUMA node of two L3 caches has a GPU at each of them and a NIC at the second.
TEST(Nearest, both_caches_of_a_numa_node_are_near_to_its_nic) {
    EXPECT_EQ(nearest("frontier", "nic://Nearest", "0-7,64-71"), "0-15,64-79");
    EXPECT_EQ(nearest("frontier", "nic://Nearest", "8"), "0-15,64-79");
    EXPECT_EQ(nearest("frontier", "gpu://Nearest", "0-7,64-71"), "0-7,64-71");
    EXPECT_EQ(nearest("frontier", "gpu://Nearest", "72"), "8-15,72-79");
}

TEST(Nearest, a_process_on_a_numa_node_is_near_to_all_its_devices) {
    EXPECT_EQ(nearest("frontier", "nic://Nearest", "48-63,112-127"), "48-63,112-127");
    EXPECT_EQ(nearest("frontier", "gpu://Nearest", "48-63,112-127"), "48-63,112-127");
    EXPECT_EQ(nearest("frontier", "gpu://Nearest", "0-31"), "") << "two NUMA nodes";
}

// GPUs and NICs are on NUMA nodes 3, 1, 7 and 5, of six cores.
TEST(Nearest, a_numa_node_without_devices_is_near_to_those_of_its_package) {
    for (const char* type : {"gpu://Nearest", "nic://Nearest"}) {
        EXPECT_EQ(nearest("juwels-booster", type, "0-5"), "0-5,12-17,48-53,60-65") << type;
        EXPECT_EQ(nearest("juwels-booster", type, "36-41"), "24-29,36-41,72-77,84-89") << type;
        EXPECT_EQ(nearest("juwels-booster", type, "18"), "18-23,66-71") << type;
    }
}

TEST(Nearest, gpus_of_a_package_are_one_place) {
    EXPECT_EQ(nearest("summit", "gpu://Nearest", "0-3"), "0-87");
    EXPECT_EQ(nearest("summit", "gpu://Nearest", "88"), "88-175");
    EXPECT_EQ(nearest("summit", "gpu://Nearest", "84-91"), "");
}

TEST(Nearest, devices_are_the_last_types) {
    const std::vector<MachineType> types = query(node_file("summit"), "", true).machine->types();
    EXPECT_EQ(types[types.size() - 2].name, "gpu://Nearest");
    EXPECT_EQ(types.back().name, "nic://Nearest");
}

TEST(Nearest, a_slingshot_nic_has_any_name) {
    EXPECT_EQ(nearest("mi300a", "nic://Nearest", "0-3"), "0-23,96-119");
}

TEST(Nearest, a_vga_controller_of_amd_is_a_gpu_and_one_of_the_board_is_none) {
    EXPECT_EQ(nearest("corona", "gpu://Nearest", "6"), "6-11,54-59");
    EXPECT_EQ(nearest("corona", "gpu://Nearest", "0-5"), "0-5,18-23,48-53,66-71");
}

// Those of NUMA nodes 1 to 3, of sixteen CPUs, are down.
TEST(Nearest, nics_without_an_active_port_do_not_count) {
    EXPECT_EQ(nearest("turin-4gpu", "nic://Nearest", "16-31"), "0-95");
    EXPECT_EQ(nearest("turin-4gpu", "nic://Nearest", "96"), "96-111");
}

// Cards for storage are on NUMA nodes 2 and 6, of sixteen cores.
TEST(Nearest, nics_for_storage_do_not_count) {
    EXPECT_EQ(nearest("dgx-a100", "nic://Nearest", "32"), "0-15,32-47,128-143,160-175");
}

// ---- devices ----

NodeDevices load(const std::string& machine) {
    const Result<Topology> topology = load_simulated_topology(node_file(machine));
    EXPECT_TRUE(topology.is_ok()) << machine;
    return topology ? devices_of(topology->get()) : NodeDevices{};
}

// "name@NUMA node, .."
std::string places_of(const NodeDevices& node, const std::vector<Device>& devices) {
    std::string text;
    for (const Device& device : devices) {
        const bool is_gpu = &devices == &node.gpus;
        std::string numa = "?";
        for (const NumaNode& one : node.numa_nodes) {
            numa = one.cpus == near_cpus(node, device) ? std::to_string(one.number) : numa;
        }
        text +=
            (text.empty() ? "" : " ") + (is_gpu ? device.pci.substr(0, 7) : device.name()) + '@' + numa;
    }
    return text;
}

std::vector<Device> used(const NodeDevices& node) {
    std::vector<Device> nics;
    for (const int nic : used_nics(node)) {
        nics.push_back(node.nics[static_cast<std::size_t>(nic)]);
    }
    return nics;
}

struct Site {
    const char *machine, *gpus, *nics;  // of the NICs those that programs use
};

TEST(Devices, are_where_the_sites_say) {
    const std::vector<Site> sites = {
        {"frontier", "0000:c1@3 0000:c6@3 0000:c9@1 0000:ce@1 0000:d1@0 0000:d6@0 0000:d9@2 0000:de@2",
         "hsn0@3 hsn1@1 hsn2@0 hsn3@2"},
        {"polaris", "0000:07@3 0000:46@2 0000:85@1 0000:c7@0", "mlx5_0@0 mlx5_1@2"},
        {"perlmutter", "0000:03@3 0000:41@2 0000:82@1 0000:c1@0", "hsn0@0 hsn1@1 hsn2@2 hsn3@3"},
        {"juwels-booster", "0000:03@3 0000:44@1 0000:84@7 0000:c4@5",
         "mlx5_0@3 mlx5_1@1 mlx5_2@7 mlx5_3@5"},
        {"marenostrum5-acc", "0000:1b@0 0000:52@0 0000:9b@1 0000:d2@1",
         "mlx5_0@0 mlx5_1@0 mlx5_2@1 mlx5_3@1"},
        {"claix-2023", "0000:20@0 0000:40@2 0000:60@4 0000:80@6", "mlx5_0@0 mlx5_1@4"},
        {"summit", "0004:04@0 0004:05@0 0004:06@0 0035:03@8 0035:04@8 0035:05@8",
         "mlx5_0@0 mlx5_1@0 mlx5_2@8 mlx5_3@8"},
        {"gh200x4", "0009:01@0 0019:01@1 0029:01@2 0039:01@3", "hsn0@0 hsn1@1 hsn2@2 hsn3@3"},
        {"mi300a", "0000:02@0 0001:02@1 0002:02@2 0003:02@3", "hsi0@0 hsi1@1 hsi2@2 hsi3@3"},
        {"aurora", "0000:18@0 0000:42@0 0000:6c@0 0001:18@1 0001:42@1 0001:6c@1",
         "hsn0@0 hsn1@0 hsn2@0 hsn3@0 hsn4@1 hsn5@1 hsn6@1 hsn7@1"},
        {"dgx-a100", "0000:07@3 0000:0f@3 0000:47@1 0000:4e@1 0000:87@7 0000:90@7 0000:b7@5 0000:bd@5",
         "mlx5_0@3 mlx5_1@3 mlx5_2@1 mlx5_3@1 mlx5_6@7 mlx5_7@7 mlx5_8@5 mlx5_9@5"},
        {"dgx-h100", "0000:1b@0 0000:43@0 0000:52@0 0000:61@0 0000:9d@1 0000:c3@1 0000:d1@1 0000:df@1",
         "mlx5_0@0 mlx5_3@0 mlx5_4@0 mlx5_5@0 mlx5_6@1 mlx5_9@1 mlx5_10@1 mlx5_11@1"},
        {"turin-4gpu", "0000:06@1 0000:16@2 0000:96@6 0000:e6@7", "mlx5_4@6 mlx5_5@7"},
        {"corona", "0000:13@1 0000:23@2 0000:53@5 0000:73@7", "mlx5_0@3"},
    };
    for (const Site& site : sites) {
        const NodeDevices node = load(site.machine);
        EXPECT_EQ(places_of(node, node.gpus), site.gpus) << site.machine;
        EXPECT_EQ(places_of(node, used(node)), site.nics) << site.machine;
    }
}

TEST(Devices, of_a_partitioned_gpu_each_part_is_one) {
    const NodeDevices node = load("mi300a-cpx");
    ASSERT_EQ(node.gpus.size(), 24U);
    for (std::size_t i = 0; i < 24; ++i) {
        EXPECT_EQ(node.gpus[i].pci, "000" + std::to_string(i / 6) + ":02:00.0");
        EXPECT_EQ(node.gpus[i].part, static_cast<int>(i % 6));
    }
}

TEST(Devices, have_vendors_names_places_and_bridges) {
    const NodeDevices node = load("turin-4gpu");
    const Device& gpu = node.gpus[0];
    EXPECT_EQ(gpu.vendor, kNvidia);
    EXPECT_EQ(gpu.model, 0x2330U);
    EXPECT_EQ(gpu.place.to_string(), "16-31");
    EXPECT_EQ(gpu.bridges, (std::vector<std::string>{"0000:[02-06]", "0000:01:00.0"}));
    ASSERT_EQ(node.nics.size(), 6U);
    EXPECT_EQ(node.nics[0].names, (std::vector<std::string>{"mlx5_0", "ib3x"}));
    EXPECT_EQ(node.nics[0].bridges, gpu.bridges);
    EXPECT_FALSE(node.nics[0].is_active);
    EXPECT_TRUE(node.nics[4].is_active);
    EXPECT_EQ(load("frontier").gpus[0].vendor, kAmd);
    EXPECT_EQ(load("frontier").nics[0].vendor, kCray);
    EXPECT_EQ(load("aurora").gpus[0].vendor, kIntel);
}

TEST(Devices, come_with_the_cpus_of_the_node) {
    const NodeDevices node = load("summit");
    EXPECT_EQ(node.packages.size(), 2U);
    EXPECT_EQ(node.cores.size(), 44U);
    EXPECT_EQ(node.cores[1].to_string(), "4-7");
    ASSERT_EQ(node.numa_nodes.size(), 2U);
    EXPECT_EQ(node.numa_nodes[1].number, 8);
    EXPECT_EQ(node.numa_nodes[1].cpus.to_string(), "88-175");
    EXPECT_EQ(node.cpus.to_string(), "0-175");
}

// One active port of several is enough; where nothing is told of ports, they count.
TEST(Devices, a_nic_with_any_active_port_is_active) {
    std::string xml = content_of(node_file("turin-4gpu"));
    const std::string down = "<info name=\"Port1State\" value=\"1\"/>";
    xml.replace(xml.find(down), down.size(), down + "<info name=\"Port2State\" value=\"4\"/>");
    xml.replace(xml.find(down, xml.find("Port2State")), down.size(), "");
    const fs::path path = fs::path(testing::TempDir()) / "hitopo-two-ports.xml";
    std::ofstream(path) << xml;
    const Result<Topology> topology = load_simulated_topology(path.string());
    fs::remove(path);
    ASSERT_TRUE(topology.is_ok());
    std::string active;
    for (const Device& nic : devices_of(topology->get()).nics) {
        active += nic.is_active ? nic.name() + ' ' : "";
    }
    EXPECT_EQ(active, "mlx5_0 mlx5_3 mlx5_4 mlx5_5 ");
}

// KNL's second memory has the CPUs of the first, GPUs' memory none.
TEST(Devices, memory_without_cpus_is_no_numa_node) {
    const auto numbers = [](const fs::path& path) {
        std::vector<int> numbers;
        for (const NumaNode& numa :
             devices_of(load_simulated_topology(path.string())->get()).numa_nodes) {
            numbers.push_back(numa.number);
        }
        return numbers;
    };
    EXPECT_EQ(numbers(kMachines / "knl-a2a-flat.xml"), std::vector<int>{0});
    EXPECT_EQ(numbers(kMachines / "gpu-memory-nodes.xml"), (std::vector<int>{0, 8}));
}

TEST(Devices, a_synthetic_machine_has_none) {
    const NodeDevices node = devices_of(load_simulated_topology("pack:2 core:2 pu:1")->get());
    EXPECT_TRUE(node.gpus.empty());
    EXPECT_TRUE(node.nics.empty());
    EXPECT_EQ(node.cores.size(), 4U);
}

// ---- what a query reports ----

Recorder asked(const hitopo_hwloc_settings_t& settings) {
    Recorder recorder;
    recorder.question.wants_devices = true;
    EXPECT_EQ(hitopo_hwloc_query(&settings, &recorder.question, &recorder), 0);
    EXPECT_FALSE(recorder.machine || recorder.binding);
    return recorder;
}

void* polaris_of_open_mpi() {
    static const Topology topology = std::move(*load_simulated_topology(node_file("polaris")));
    return topology.get();
}

TEST(Devices, are_reported_if_they_are_wanted) {
    const std::string frontier = node_file("frontier");
    const Recorder simulated = asked({frontier.c_str(), "", polaris_of_open_mpi, 1});
    ASSERT_NE(simulated.devices, nullptr);
    EXPECT_EQ(simulated.devices->gpus.size(), 8U);
    const Recorder from_file = asked({"", "", polaris_of_open_mpi, 1});
    ASSERT_NE(from_file.devices, nullptr);
    EXPECT_EQ(from_file.devices->gpus.size(), 4U);
}

// Open MPI's topology of this node may lack I/O devices.
TEST(Devices, of_this_node_are_loaded_anew) {
    const Recorder real = asked({"", "", polaris_of_open_mpi, 0});
    ASSERT_NE(real.devices, nullptr);
    EXPECT_NE(real.devices->cpus.to_string(), "0-63");
}

TEST(Devices, of_a_file_that_cannot_be_read_are_an_error) {
    const Recorder wrong = asked({"absent.xml", "", no_topology, 0});
    EXPECT_EQ(wrong.devices, nullptr);
    ASSERT_TRUE(wrong.error);
    EXPECT_EQ(wrong.error->value, "absent.xml");
}

}  // namespace
}  // namespace hitopo
