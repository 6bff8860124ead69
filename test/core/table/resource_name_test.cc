// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/resource_name.h"

#include <gtest/gtest.h>

#include "test/core/exchange/fake_job.h"

namespace hitopo {
namespace {

// The URI of what a word names on a machine of all usual types; "" for nothing.
std::string meaning(std::string_view word, bool has_machine = true) {
    FakeMachine machine = make_machine({2, 1, 1, 2, 2});
    machine.types["L1Cache"] = machine.types["Core"];
    machine.types["L1iCache"] = {{0, 1, 2, 3}};
    machine.types["Group"] = {{0, 1, 2, 3}, {4, 5, 6, 7}};
    const Table table =
        table_of({has_machine ? on_host("n").has(machine).runs_on("0") : on_host("n").runs_on("0")});
    const std::vector<ResourceType> types = resource_types(table);
    const std::optional<std::size_t> found = find_resource(types, word);
    return found ? types[*found].uri() : "";
}

TEST(ResourceName, all_words_for_a_package_are_one) {
    for (const char* word : {"Socket", "socket", "HWLOC_OBJ_PACKAGE", "hwloc_obj_package", "Package",
                             "hwloc://Package", "HWLOC://package", "hwloc://Socket", "PACKAGE"}) {
        EXPECT_EQ(meaning(word), "hwloc://Package") << word;
    }
    EXPECT_EQ(meaning("hitopo://Socket"), "hitopo://Socket");
}

TEST(ResourceName, words_of_hwloc_and_open_mpi) {
    EXPECT_EQ(meaning("L1"), "hwloc://L1Cache");
    EXPECT_EQ(meaning("l1cache"), "hwloc://L1Cache");
    EXPECT_EQ(meaning("HWLOC_OBJ_L1ICACHE"), "hwloc://L1iCache");
    EXPECT_EQ(meaning("l3cache"), "hwloc://L3Cache");
    EXPECT_EQ(meaning("numanode"), "hwloc://NUMANode");
    EXPECT_EQ(meaning("HWLOC_OBJ_NUMANODE"), "hwloc://NUMANode");
    EXPECT_EQ(meaning("hwthread"), "hwloc://PU");
    EXPECT_EQ(meaning("HWLOC_OBJ_GROUP"), "hwloc://Group");
    EXPECT_EQ(meaning("machine"), "hwloc://Machine");
    EXPECT_EQ(meaning("core"), "hwloc://Core");
    EXPECT_EQ(meaning("host"), "hitopo://Node");
    EXPECT_EQ(meaning("node"), "hitopo://Node");
    EXPECT_EQ(meaning("cu"), "hitopo://Switch");
    EXPECT_EQ(meaning("board"), "hitopo://L2NUMA");
    EXPECT_EQ(meaning("cluster"), "hitopo://Cluster");
}

TEST(ResourceName, whole_words_only) {
    for (const char* word : {"", "core_xyz", "cor", "hwloc://", "hwloc://Core ", " core", "hwloc:/Core",
                             "mpi://Core", "hwloc://mpi_shared_memory", "hitopo://Package",
                             "hwloc://Switch", "L9", "hwloc://L5Cache", "openmpi://core"}) {
        EXPECT_EQ(meaning(word), "") << '\'' << word << '\'';
    }
}

TEST(ResourceName, levels_stand_in_where_there_is_no_machine) {
    EXPECT_EQ(meaning("core", false), "hitopo://Core");
    EXPECT_EQ(meaning("socket", false), "hitopo://Socket");
    EXPECT_EQ(meaning("hwthread", false), "hitopo://HWThread");
    EXPECT_EQ(meaning("hwloc://Core", false), "");
}

TEST(ResourceName, shared_memory_and_numbered_levels) {
    EXPECT_TRUE(is_shared_memory("mpi_shared_memory"));
    EXPECT_TRUE(is_shared_memory("MPI_Shared_Memory"));
    EXPECT_FALSE(is_shared_memory("mpi_shared_memory2"));
    EXPECT_EQ(parse_hw_level("MPI_HW_LEVEL0"), 0U);
    EXPECT_EQ(parse_hw_level("mpi_hw_level12"), 12U);
    for (const char* word : {"MPI_HW_LEVEL", "MPI_HW_LEVEL-1", "MPI_HW_LEVEL1x", "LEVEL1", ""}) {
        EXPECT_EQ(parse_hw_level(word), std::nullopt) << word;
    }
}

}  // namespace
}  // namespace hitopo
