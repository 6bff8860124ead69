// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// devices/job.cc, and show/devices.cc, on a node of Frontier as OLCF's user guide has it.
#include <nlohmann/json.hpp>

#include "ompi/tools/hitopo/devices/job.h"
#include "ompi/tools/hitopo/formats.h"
#include "test/tools/show_fixtures.h"

namespace hitopo::tool {
namespace {

Json gpu(const std::string& bus, unsigned vendor, const char* cpus, const char* host_bridge) {
    return {{"pci", "0000:" + bus + ":00.0"}, {"vendor", vendor}, {"model", 1},
            {"names", Json::array()},         {"cpus", cpus},     {"numa", nullptr},
            {"bridges", {host_bridge}},       {"part", 0},        {"nearest", Json::array()}};
}

Json nic(const char* name, const std::string& bus, const char* cpus, const char* host_bridge,
         bool is_active = true) {
    Json json = gpu(bus, kCray, cpus, host_bridge);
    json["names"] = {name};
    json["is_active"] = is_active;
    return json;
}

Json node_of(const std::vector<std::string>& numa_nodes, Json gpus, Json nics) {
    Json json = {{"cpus", ""},
                 {"packages", Json::array()},
                 {"numa_nodes", Json::array()},
                 {"cores", Json::array()},
                 {"gpus", std::move(gpus)},
                 {"nics", std::move(nics)},
                 {"is_simulated", true}};
    CpuSet all;
    for (const std::string& cpus : numa_nodes) {
        json["numa_nodes"].push_back({{"number", json["numa_nodes"].size()}, {"cpus", cpus}});
        all |= *CpuSet::parse(cpus);
    }
    json["cpus"] = all.to_string();
    json["packages"].push_back(all.to_string());
    return json;
}

// A GPU at each L3 cache; the second of each NUMA node has a NIC, too.
Json frontier() {
    const Json gpus = {gpu("c1", kAmd, "48-55,112-119", "0000:[c0-c1]"),
                       gpu("c6", kAmd, "56-63,120-127", "0000:[c4-c6]"),
                       gpu("c9", kAmd, "16-23,80-87", "0000:[c8-c9]"),
                       gpu("ce", kAmd, "24-31,88-95", "0000:[cc-ce]"),
                       gpu("d1", kAmd, "0-7,64-71", "0000:[d0-d1]"),
                       gpu("d6", kAmd, "8-15,72-79", "0000:[d4-d6]"),
                       gpu("d9", kAmd, "32-39,96-103", "0000:[d8-d9]"),
                       gpu("de", kAmd, "40-47,104-111", "0000:[dc-de]")};
    const Json nics = {nic("hsn0", "c5", "56-63,120-127", "0000:[c4-c6]"),
                       nic("hsn1", "cd", "24-31,88-95", "0000:[cc-ce]"),
                       nic("hsn2", "d5", "8-15,72-79", "0000:[d4-d6]"),
                       nic("hsn3", "dd", "40-47,104-111", "0000:[dc-de]")};
    return node_of({"0-15,64-79", "16-31,80-95", "32-47,96-111", "48-63,112-127"}, gpus, nics);
}

// Two GPUs of NVIDIA, each with a NIC, of which one is down.
Json two_gpus() {
    return node_of(
        {"0-3", "4-7"},
        {gpu("07", kNvidia, "4-7", "0000:[06-08]"), gpu("c7", kNvidia, "0-3", "0000:[c6-c8]")},
        {nic("mlx5_0", "08", "4-7", "0000:[06-08]", false), nic("mlx5_1", "c8", "0-3", "0000:[c6-c8]")});
}

// The nodes n1, n2, .. of so many ranks; cpus: of each rank of a node.
TableDocument table_of(int num_nodes, const std::vector<std::string>& cpus) {
    const auto per_node = static_cast<int>(cpus.size());
    TableDocument table = regular_table(num_nodes, per_node);
    table.communicator = "MPI_COMM_WORLD";
    for (std::size_t rank = 0; rank < table.ranks.size(); ++rank) {
        RankRow& row = table.ranks[rank];
        row.node = static_cast<int>(rank) / per_node;
        row.cpus = cpus[rank % cpus.size()];
        row.address[kSwitch] = 0;
    }
    table.levels[kSwitch].known = Known::kNone;
    for (int node = 1; node <= num_nodes; ++node) {
        table.nodes.push_back({std::nullopt, -1, "n" + std::to_string(node)});
    }
    return table;
}

std::string with(const std::map<std::string, std::string>& variables) {
    OwnDevices own;
    own.variables = variables;
    return to_text(own);
}

const std::vector<std::string> kCaches = {"0-7,64-71",     "8-15,72-79",   "16-23,80-87",
                                          "24-31,88-95",   "32-39,96-103", "40-47,104-111",
                                          "48-55,112-119", "56-63,120-127"};

// Each rank takes the GPU of its number.
DeviceJob old_script(const TableDocument& table) {
    std::vector<std::string> own;
    for (std::size_t rank = 0; rank < table.ranks.size(); ++rank) {
        own.push_back(with({{"ROCR_VISIBLE_DEVICES", std::to_string(rank)}}));
    }
    return read_device_job(table, {frontier().dump()}, own);
}

TEST(ShowDevices, the_script_that_takes_gpus_by_rank_is_far_on_frontier) {
    const TableDocument table = table_of(1, kCaches);
    EXPECT_EQ(format_devices(table, old_script(table), Charset::kUtf8), fixture("frontier.devices.txt"));
}

TEST(ShowDevices, nodes_with_equal_devices_are_printed_once) {
    const TableDocument table = table_of(3, {"0-3", "0-7"});
    const std::string document = two_gpus().dump();
    const DeviceJob job =
        read_device_job(table, {document, "", document, "", "", ""},
                        {with({{"CUDA_VISIBLE_DEVICES", "1"}, {"UCX_NET_DEVICES", "mlx5_1:1"}}),
                         with({{"CUDA_VISIBLE_DEVICES", ""}}), with({}),
                         with({{"CUDA_VISIBLE_DEVICES", "MIG-1"}}), with({}), with({})});
    EXPECT_EQ(format_devices(table, job, Charset::kUtf8), fixture("two-kinds.devices.txt"));
}

TEST(ShowDevices, a_node_whose_devices_are_unknown_has_the_reason) {
    Json document = node_of({}, Json::array(), Json::array());
    document["reason"] = "the component hwloc is not open";
    const TableDocument table = table_of(1, {"0-3"});
    const std::string text =
        format_devices(table, read_device_job(table, {document.dump()}, {}), Charset::kUtf8);
    EXPECT_NE(text.find("Devices of n1:\nunknown: the component hwloc is not open\n"), std::string::npos)
        << text;
}

TEST(ShowDevices, json_has_the_librarys_documents_and_what_each_rank_uses) {
    const TableDocument table = table_of(1, kCaches);
    const Json json = devices_json(old_script(table));
    ASSERT_EQ(json["kinds"].size(), 1U);
    EXPECT_EQ(json["kinds"][0]["names"], Json({"n1"}));
    EXPECT_EQ(json["kinds"][0]["devices"], frontier());
    const Json first = {{"kind", 0},
                        {"node", "n1"},
                        {"local_rank", 0},
                        {"cpus", "0-7,64-71"},
                        {"gpus", {0}},
                        {"far", {0}},
                        {"gpu_source", "ROCR_VISIBLE_DEVICES"},
                        {"stopped_at", nullptr},
                        {"nics", Json::array()},
                        {"nic_source", nullptr},
                        {"unknown_nics", Json::array()}};
    EXPECT_EQ(json["ranks"][0], first);
    EXPECT_EQ(json["ranks"][2]["far"], Json::array());
}

TEST(ShowDevices, a_picture_has_the_ranks_of_each_device) {
    TableDocument table = table_of(1, kCaches);
    table.side = device_resources(old_script(table));
    ASSERT_EQ(table.side.size(), 1U);
    EXPECT_EQ(table.side[0].type, "GPUs and NICs of n1");
    ASSERT_EQ(table.side[0].domains.size(), 12U);
    EXPECT_EQ(table.side[0].domains[7].name, "GPU 7");
    EXPECT_EQ(table.side[0].domains[7].ranks, std::vector<int>{7});
    EXPECT_EQ(table.side[0].domains[8].name, "hsn0");
    EXPECT_EQ(table.side[0].domains[8].ranks, std::vector<int>{});
    const std::string svg = format_svg(table);
    EXPECT_NE(svg.find(">rank 7<"), std::string::npos) << svg;
    EXPECT_NE(svg.find(">no rank<"), std::string::npos);
}

TEST(DeviceJob, has_local_ranks_and_bindings) {
    const TableDocument table = table_of(2, {"0-3", "0-7"});
    const std::string document = two_gpus().dump();
    const DeviceJob job = read_device_job(table, {document, "", document}, {});
    ASSERT_EQ(job.kinds.size(), 1U);
    EXPECT_EQ(job.kinds[0].names, (std::vector<std::string>{"n1", "n2"}));
    ASSERT_EQ(job.ranks.size(), 4U);
    EXPECT_EQ(job.ranks[3].local_rank, 1);
    EXPECT_EQ(job.ranks[3].node, "n2");
    EXPECT_EQ(job.ranks[2].cpus.to_string(), "0-3");
    EXPECT_TRUE(job.ranks[3].cpus.is_empty()) << "all CPUs";
    EXPECT_EQ(lowest_of_nodes(table), (std::vector<int>{1, 0, 1, 0}));
}

// Drivers tell of the machine on which the processes of a simulated one run.
TEST(DeviceJob, drivers_count_on_real_machines_only) {
    OwnDevices own;
    own.hidden_gpus = {"0000:07:00.0"};
    Json document = two_gpus();
    const TableDocument table = table_of(1, {"0-3"});
    EXPECT_TRUE(
        read_device_job(table, {document.dump()}, {to_text(own)}).ranks[0].own.hidden_gpus.empty());
    document["is_simulated"] = false;
    EXPECT_EQ(read_device_job(table, {document.dump()}, {to_text(own)}).ranks[0].own.hidden_gpus,
              own.hidden_gpus);
}

// A document of another version, a cut one, or none.
TEST(DeviceJob, a_document_that_cannot_be_read_has_no_devices) {
    const std::string good = two_gpus().dump();
    Json odd = two_gpus();
    odd["gpus"][0]["cpus"] = "4-";
    const TableDocument table = table_of(1, {"0-3"});
    for (const std::string& text :
         {std::string(), good.substr(0, good.size() / 2), std::string("[]"), odd.dump()}) {
        const DeviceJob job = read_device_job(table, {text}, {with({{"CUDA_VISIBLE_DEVICES", "0"}})});
        ASSERT_EQ(job.ranks.size(), 1U);
        EXPECT_TRUE(job.kinds[0].devices.gpus.empty()) << text;
        EXPECT_TRUE(job.ranks[0].gpus.gpus.empty()) << text;
    }
}

}  // namespace
}  // namespace hitopo::tool
