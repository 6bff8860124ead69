// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What component hwloc answers, with the real libhwloc.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/machine/machine.h"
#include "ompi/mca/hitopo/hwloc/hitopo_hwloc.h"
#include "ompi/mca/hitopo/hwloc/hitopo_hwloc_topology.h"
#include "test/hwloc/hwloc_answer.h"
#include "test/paths.h"
#include "test/support/random_cases.h"
#include "test/support/recorder.h"

namespace hitopo {
namespace {

TEST(Hwloc, contributes_the_real_machine_where_it_is_wanted) {
    const HwlocAnswer answer = query("", "", true);
    ASSERT_TRUE(answer.machine);
    EXPECT_NE(answer.machine->find("PU"), nullptr);
    EXPECT_EQ(answer.machine->find("PU")->instances.size(),
              static_cast<std::size_t>(answer.machine->cpus().count()));
    EXPECT_EQ(answer.binding, "");
    EXPECT_NE(answer.reason.find(" ms from hwloc"), std::string::npos) << answer.reason;
}

TEST(Hwloc, says_nothing_more_where_another_process_contributes_the_machine) {
    const HwlocAnswer answer = query("", "", false);
    EXPECT_FALSE(answer.machine);
    EXPECT_FALSE(answer.error);
    EXPECT_EQ(answer.reason, "not asked: local rank 0 contributes the machine");
}

TEST(Hwloc, a_simulated_machine_comes_from_every_process_and_binds_to_cores) {
    const HwlocAnswer answer = query("pack:2 core:2 pu:1", "", false);
    ASSERT_TRUE(answer.machine);
    EXPECT_EQ(answer.machine->find("Core")->instances.size(), 4U);
    EXPECT_EQ(answer.binding, "core");
    EXPECT_EQ(answer.reason.find("machine of 2 Packages, 1 NUMANode, 4 Cores, 4 PUs loaded in "), 0U)
        << answer.reason;
}

TEST(Hwloc, a_binding_stands_beside_a_simulated_machine) {
    EXPECT_EQ(query("pack:2 core:2 pu:1", "numa", false).binding, "numa");
    EXPECT_EQ(query("pack:2 core:2 pu:1", "none", false).binding, "none");
}

TEST(Hwloc, a_rule_of_binding_needs_the_machine_in_each_process_and_a_list_does_not) {
    const HwlocAnswer rule = query("", "hwthread", false);
    EXPECT_TRUE(rule.machine);
    EXPECT_EQ(rule.binding, "hwthread");
    const HwlocAnswer list = query("", "0-3,8", false);
    EXPECT_FALSE(list.machine);
    EXPECT_EQ(list.binding, "0-3,8");
}

TEST(Hwloc, unset_variables_are_null_or_empty) {
    const HwlocAnswer answer = query({nullptr, nullptr, no_topology, 0}, false);
    EXPECT_FALSE(answer.machine);
    EXPECT_FALSE(answer.error);
    EXPECT_EQ(answer.binding, "");
}

// ---- loading ahead ----

TEST(Hwloc, gives_the_same_machine_whether_it_was_loaded_ahead_or_not) {
    const HwlocAnswer now = query("", "", true);
    hitopo_hwloc_prepare(HITOPO_HWLOC_LOAD, 10000);
    const HwlocAnswer ahead = query("", "", true);
    const HwlocAnswer again = query("", "", true);
    ASSERT_TRUE(now.machine && ahead.machine && again.machine);
    EXPECT_EQ(ahead.machine->encode(), now.machine->encode());
    EXPECT_EQ(again.machine->encode(), now.machine->encode());
    if (*HITOPO_HWLOC_LOAD != '\0') {
        EXPECT_NE(ahead.reason.find(" from hwloc, ahead"), std::string::npos) << ahead.reason;
    }
    EXPECT_EQ(again.reason.find(" from hwloc, ahead"), std::string::npos) << again.reason;
}

// What a program of its own could not do in time is not done in this process, without a limit.
TEST(Hwloc, gives_no_machine_where_loading_takes_too_long) {
    hitopo_hwloc_prepare("/usr/bin/yes", 1);
    const HwlocAnswer answer = query("", "", true);
    EXPECT_FALSE(answer.machine);
    EXPECT_NE(answer.reason.find("within 1 ms"), std::string::npos) << answer.reason;
    EXPECT_TRUE(query("", "", true).machine) << "asked anew";
}

void* unloaded_ompi_topology() {
    static hwloc_topology_t topology = nullptr;
    if (topology == nullptr) {
        EXPECT_EQ(hwloc_topology_init(&topology), 0);
    }
    return topology;
}

TEST(Hwloc, asks_nothing_of_a_topology_that_open_mpi_could_not_load) {
    EXPECT_TRUE(query({"", "", unloaded_ompi_topology, 0}, true).machine);
    EXPECT_TRUE(query({"", "", unloaded_ompi_topology, 1}, true).machine);
}

TEST(Hwloc, forgets_what_nobody_asked_for) {
    hitopo_hwloc_close();
    hitopo_hwloc_prepare(HITOPO_HWLOC_LOAD, 10000);
    hitopo_hwloc_prepare(HITOPO_HWLOC_LOAD, 10000);
    hitopo_hwloc_close();
    EXPECT_TRUE(query("", "", true).machine);
}

// ---- Open MPI's topology ----

// A topology of an XML fixture as Open MPI loads it: without what a cgroup forbids.
hwloc_topology_t load_as_ompi(const char* fixture) {
    hwloc_topology_t topology = nullptr;
    EXPECT_EQ(hwloc_topology_init(&topology), 0);
    EXPECT_EQ(hwloc_topology_set_xml(topology, (kMachines / fixture).c_str()), 0);
    EXPECT_EQ(hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM), 0);
    EXPECT_EQ(hwloc_topology_load(topology), 0);
    return topology;
}

void* whole_ompi_topology() {
    static const Topology topology(load_as_ompi("hybrid-lakefield.xml"));
    return topology.get();
}

void* limited_ompi_topology() {
    static const Topology topology(load_as_ompi("cgroup-limited.xml"));
    return topology.get();
}

TEST(Hwloc, takes_the_topology_of_open_mpi_where_no_cpu_is_missing) {
    const HwlocAnswer answer = query({"", "", whole_ompi_topology, 0}, true);
    ASSERT_TRUE(answer.machine);
    EXPECT_EQ(answer.machine->find("L2Cache")->instances.size(), 2U);
    EXPECT_EQ(answer.machine->cpus(), CpuSet::range(0, 4));
    EXPECT_NE(answer.reason.find("from Open MPI's topology"), std::string::npos) << answer.reason;
}

TEST(Hwloc, loads_its_own_where_a_cgroup_hides_cpus_from_open_mpi) {
    EXPECT_FALSE(has_all_cpus(static_cast<hwloc_topology_t>(limited_ompi_topology())));
    const HwlocAnswer answer = query({"", "", limited_ompi_topology, 0}, true);
    ASSERT_TRUE(answer.machine);
    EXPECT_NE(answer.reason.find("from hwloc"), std::string::npos) << answer.reason;
}

TEST(Hwloc, takes_the_topology_of_open_mpi_as_it_is_where_a_file_gives_it) {
    const HwlocAnswer answer = query({"", "", limited_ompi_topology, 1}, true);
    ASSERT_TRUE(answer.machine);
    EXPECT_EQ(answer.machine->find("Core")->instances.size(), 6U);
    EXPECT_EQ(answer.machine->find("Package")->instances[0], CpuSet::range(0, 7)) << "complete";
}

TEST(Hwloc, a_simulated_machine_beats_the_topology_of_open_mpi) {
    const HwlocAnswer answer = query({"pack:3 core:1 pu:1", "", whole_ompi_topology, 1}, true);
    ASSERT_TRUE(answer.machine);
    EXPECT_EQ(answer.machine->cpus(), CpuSet::range(0, 2));
}

// ---- bad settings ----

// A folder that is gone with its test.
class Folder {
public:
    Folder() : path_(fs::temp_directory_path() / "hitopo_hwloc_XXXXXX") {
        std::string name = path_.string();
        EXPECT_NE(mkdtemp(name.data()), nullptr);
        path_ = name;
    }
    ~Folder() { fs::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string file(const char* name, const std::string& content) const {
        std::ofstream(path_ / name, std::ios::binary) << content;
        return (path_ / name).string();
    }
    fs::path path() const { return path_; }

private:
    fs::path path_;
};

// A query that reports one error about `source` and no machine, and keeps silent otherwise.
HwlocAnswer refused(const std::string& source, const std::string& binding = "") {
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    HwlocAnswer answer = query(source, binding, true);
    const std::string told = testing::internal::GetCapturedStderr();
    EXPECT_TRUE(told.empty() || told.find("hwloc/libxml: ") == 0) << told;  // hwloc 2.13's own word
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "") << source;
    EXPECT_TRUE(answer.error) << source;
    EXPECT_FALSE(answer.machine) << source;
    EXPECT_EQ(answer.reason.find("no machine: "), 0U) << answer.reason;
    return answer;
}

TEST(Hwloc, a_file_that_cannot_be_read_is_named_with_the_reason) {
    const Folder folder;
    const std::string absent = (folder.path() / "absent.xml").string();
    const HwlocAnswer answer = refused(absent);
    EXPECT_EQ(answer.error->code, Errc::kUnreadable);
    EXPECT_EQ(answer.error->value, absent);
    EXPECT_EQ(answer.error->where, "hitopo_hwloc_topology");
    EXPECT_NE(answer.error->message.find("No such file or directory; name a file"), std::string::npos);
    EXPECT_EQ(refused(folder.path().string()).error->code, Errc::kUnreadable) << "a folder";
    EXPECT_EQ(refused("absent.xml").error->code, Errc::kUnreadable) << "a name without a folder";
}

TEST(Hwloc, a_pipe_is_no_file_and_nobody_waits_for_it) {
    const Folder folder;
    const std::string pipe = (folder.path() / "pipe.xml").string();
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(refused(pipe).error->code, Errc::kUnreadable);
}

TEST(Hwloc, a_file_that_is_no_topology_is_malformed) {
    const Folder folder;
    const std::string good = content_of(kMachines / "hybrid-p-smt-e-without.xml");
    const std::map<const char*, std::string> files = {
        {"empty.xml", ""},
        {"text.xml", "pack:2 core:2\n"},
        {"bytes.xml", std::string("\0\xff\x01", 3)},
        {"other.xml", "<?xml version=\"1.0\"?><svg><g/></svg>"},
        {"no-machine.xml", "<?xml version=\"1.0\"?><topology version=\"2.0\"></topology>"},
        {"half.xml", good.substr(0, good.size() / 2)},
    };
    for (const auto& [name, content] : files) {
        EXPECT_EQ(refused(folder.file(name, content)).error->code, Errc::kMalformed) << name;
    }
    EXPECT_TRUE(query(folder.file("good.xml", good), "", true).machine);
}

// hwloc reads what its own version and those before it wrote.
TEST(Hwloc, a_file_of_a_later_hwloc_is_named_so) {
    const Folder folder;
    const auto message = [&](const char* version) {
        const std::string xml = std::string("<?xml version=\"1.0\"?>\n<topology version=\"") + version +
                                "\">\n  <object type=\"Machine\"/>\n</topology>\n";
        return refused(folder.file("later.xml", xml)).error->message;
    };
    EXPECT_EQ(message("9.1"),
              "it was written by hwloc 9; write it with lstopo --of xml --export-xml-flags v2, which "
              "this hwloc can read");
    EXPECT_EQ(message("2.0"),
              "hwloc does not read this file as a topology; write it with lstopo --of xml");
#if HWLOC_API_VERSION < 0x00030000
    EXPECT_EQ(message("3.0").substr(0, 25), "it was written by hwloc 3");
#endif
    const std::string good = content_of(kMachines / "hybrid-p-smt-e-without.xml");
    EXPECT_TRUE(query(folder.file("marked.xml", "\xEF\xBB\xBF" + good), "", true).machine);
    EXPECT_EQ(refused(folder.file("wide.xml", std::string("\xFF\xFE<\0", 4))).error->value, "UTF-16");
}

// Line ends of Windows, tabs, a byte order mark, what later versions add, and bytes that are no UTF-8
// change nothing; a file that is cut is refused, or tells the same.
TEST(Hwloc, files_of_odd_forms_are_read) {
    const Folder folder;
    const std::string good = content_of(kMachines / "hybrid-p-smt-e-without.xml");
    const auto machine = query(folder.file("good.xml", good), "", true).machine;
    ASSERT_TRUE(machine);
    const std::size_t inside = good.find('>', good.find("<object type=\"Machine\"")) + 1;
    std::mt19937 random(30);
    for (int i = 0; i < random_cases(40); ++i) {
        std::string odd = good;
        for (const char* info : {"<info name=\"Later\" value=\"1\"/>\t",
                                 "<info name=\"Board\" value=\"caf\xe9\"/>", "\n \n"}) {
            odd.insert(inside, random() % 2 == 0 ? info : "");
        }
        std::string text = random() % 2 == 0 ? "\xEF\xBB\xBF" : "";
        const bool is_of_windows = random() % 2 == 0;
        for (const char c : odd) {
            text += c == '\n' && is_of_windows ? "\r\n" : std::string(1, c);
        }
        const auto read = query(folder.file("odd.xml", text), "", true).machine;
        ASSERT_TRUE(read) << text;
        EXPECT_EQ(read->encode(), machine->encode()) << text;
        text.resize(random() % text.size());
        EXPECT_TRUE(query(folder.file("cut.xml", text), "", true).error) << text;
    }
}

// libxml2 takes no more than 10 MB from memory.
TEST(Hwloc, a_file_of_more_than_ten_megabytes_is_read) {
    const Folder folder;
    const std::string good = content_of(kMachines / "hybrid-p-smt-e-without.xml");
    std::string infos;
    while (infos.size() < 11000000) {
        infos += "<info name=\"Note\" value=\"" + std::string(900, 'x') + "\"/>\n";
    }
    std::string large = good;
    large.replace(large.find("/>", large.rfind("type=\"PU\"")), 2, '>' + infos + "</object>");
    const auto read = query(folder.file("large.xml", large), "", true).machine;
    ASSERT_TRUE(read);
    EXPECT_EQ(read->encode(), query(folder.file("good.xml", good), "", true).machine->encode());
}

TEST(Hwloc, a_file_over_the_limit_is_refused) {
    const Folder folder;
    const std::string large = folder.file("large.xml", "");
    fs::resize_file(large, static_cast<std::uintmax_t>(kMaxXmlBytes) + 1);
    EXPECT_EQ(refused(large).error->code, Errc::kTooLarge);
}

TEST(Hwloc, a_bad_synthetic_string_is_malformed) {
    for (const char* text :
         {"pack:2 cor", "x", "pack:0 pu:1", "pack:-1 pu:1", "pack:2 core:2", "pu:3 pack:2", "("}) {
        const HwlocAnswer answer = refused(text);
        EXPECT_EQ(answer.error->code, Errc::kMalformed) << text;
        EXPECT_EQ(answer.error->value, text);
        EXPECT_NE(answer.error->message.find("write types and counts"), std::string::npos);
    }
}

TEST(Hwloc, a_synthetic_machine_over_the_limit_is_refused) {
    for (const char* text :
         {"pack:2 core:4097 pu:1", "pack:99999999999999999999 pu:1", "100 100",
          "pack:9(memory=1 ) core:1000 pu:1", "pack:4294967296 core:4294967296 pu:1"}) {
        EXPECT_EQ(refused(text).error->code, Errc::kTooLarge) << text;
    }
    EXPECT_TRUE(
        query("pack:2(memory=100000) [numa(memory=20000)] l2:1 core:2 pu:1(indexes=3,2,1,0)", "", true)
            .machine);
}

TEST(Hwloc, a_bad_binding_costs_machine_and_binding) {
    for (const char* binding : {"cores", "core 1", "1-", "0x", "99999", "  "}) {
        for (const char* topology : {"", "pack:2 core:2 pu:1"}) {
            const HwlocAnswer answer = refused(topology, binding);
            EXPECT_EQ(answer.error->value, binding);
            EXPECT_EQ(answer.error->where, "hitopo_hwloc_binding");
            EXPECT_NE(answer.error->message.find("write none, core, socket"), std::string::npos);
            EXPECT_EQ(answer.binding, "");
        }
    }
}

}  // namespace
}  // namespace hitopo
