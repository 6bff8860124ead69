// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/resource_type.h"

#include <gtest/gtest.h>

#include <vector>

#include "ompi/mca/hitopo/core/tree/type_order.h"
#include "test/core/tree/fake_tree.h"

namespace hitopo {
namespace {

// The URI of what a word names on a machine of all usual types; "" for nothing.
std::string meaning(std::string_view word, bool has_machine = true) {
    FakeMachine machine = make_machine({2, 1, 1, 2, 2});
    machine.types["L1Cache"] = machine.types["Core"];
    machine.types["L1iCache"] = {{0, 1, 2, 3}};
    machine.types["Group"] = {{0, 1, 2, 3}, {4, 5, 6, 7}};
    const AddressTree table =
        tree_of({has_machine ? on_host("n").has(machine).runs_on("0") : on_host("n").runs_on("0")});
    const std::vector<ResourceType> types = resource_types(table);
    const std::optional<std::size_t> found = find_resource(types, word);
    return found ? types[*found].uri() : "";
}

void expect_meaning(const char* uri, const std::vector<const char*>& words) {
    for (const char* word : words) {
        EXPECT_EQ(meaning(word), uri) << '\'' << word << '\'';
    }
}

TEST(ResourceName, all_words_for_a_package_are_one) {
    expect_meaning("hwloc://Package",
                   {"Socket", "socket", "HWLOC_OBJ_PACKAGE", "hwloc_obj_package", "Package",
                    "hwloc://Package", "HWLOC://package", "hwloc://Socket", "PACKAGE"});
    expect_meaning("hitopo://Socket", {"hitopo://Socket"});
}

// By hand: a letter less, one more, two changed; 2 of 5 letters are more than a third.
TEST(ResourceName, nearest_is_the_most_similar) {
    const std::vector<ResourceType> types =
        resource_types(tree_of({on_host("n").has(make_machine({2, 1, 1, 2, 2})).runs_on("0")}));
    EXPECT_EQ(nearest_resource(types, "hitopo://Sockt"), "hitopo://Socket");
    EXPECT_EQ(nearest_resource(types, "HITOPO://SWWITCH"), "hitopo://Switch");
    EXPECT_EQ(nearest_resource(types, "Pockege"), "hwloc://Package");
    EXPECT_EQ(nearest_resource(types, "quant"), "");
    EXPECT_EQ(nearest_resource(types, ""), "");
    EXPECT_EQ(nearest_resource({}, "Core"), "");
}

TEST(ResourceName, words_of_hwloc_and_open_mpi) {
    expect_meaning("hwloc://L1Cache", {"L1", "l1cache"});
    expect_meaning("hwloc://L1iCache", {"HWLOC_OBJ_L1ICACHE"});
    expect_meaning("hwloc://L3Cache", {"l3cache"});
    expect_meaning("hwloc://NUMANode", {"numanode", "HWLOC_OBJ_NUMANODE"});
    expect_meaning("hwloc://PU", {"hwthread"});
    expect_meaning("hwloc://Group0", {"HWLOC_OBJ_GROUP", "hwloc://Group", "hwloc://Group0", "group0"});
    expect_meaning("hwloc://Machine", {"machine"});
    expect_meaning("hwloc://Core", {"core"});
    expect_meaning("hitopo://Node", {"host", "node"});
    expect_meaning("hitopo://Switch", {"cu"});
    expect_meaning("hitopo://L2NUMA", {"board"});
    expect_meaning("hitopo://Cluster", {"cluster"});
}

TEST(ResourceName, whole_words_only) {
    expect_meaning("", {"", "core_xyz", "cor", "hwloc://", "hwloc://Core ", " core", "hwloc:/Core",
                        "hwloc://Group1", "mpi://Core", "hwloc://mpi_shared_memory", "hitopo://Package",
                        "hwloc://Switch", "L9", "hwloc://L5Cache", "openmpi://core"});
}

TEST(ResourceName, levels_stand_in_where_there_is_no_machine) {
    EXPECT_EQ(meaning("core", false), "hitopo://Core");
    EXPECT_EQ(meaning("socket", false), "hitopo://Socket");
    EXPECT_EQ(meaning("hwthread", false), "hitopo://HWThread");
    EXPECT_EQ(meaning("hwloc://Core", false), "");
}

// Open MPI's own split takes each word that begins with one of its own: of those HiTopo takes whole
// words.
TEST(ResourceName, what_only_others_may_know) {
    for (const char* word :
         {"hwloc://L7Cache", "hitopo://Switch", "mpi://WORLD", "hwloc_obj_die", "Core", "l3cache",
          "Socket", "Package", "numa", "cu", "host", "board", "cluster", "Island", "L2NUMA", "hwthread",
          "hosts", "core_xyz", "L3Cache2"}) {
        EXPECT_TRUE(begins_as_resource(word)) << word;
    }
    for (const char* word : {"", "nvlink", "L7Cache", "cor", "hwloc:/Core"}) {
        EXPECT_FALSE(begins_as_resource(word)) << word;
    }
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
