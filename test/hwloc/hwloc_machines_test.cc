// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Machines of test/fixtures/machines as component hwloc reads them, with the real libhwloc, against what
// is expected.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "ompi/mca/hitopo/core/machine/machine.h"
#include "test/hwloc/hwloc_answer.h"

namespace hitopo {
namespace {

// expected = lines of
//   "types" name count *( "," name count )         all types, outermost first
//   "instances" name set *( " " set )              sets as Linux lists
//   "cpus" set ":" ( "not covered" | name number *( "," name number ) )
// e.g. "cpus 0-1: l2numa 0, socket 0, core -, hwthread -, Package 0, L3Cache 1"; "-" is none, # a
// comment.
class Expectation {
public:
    Expectation(const fs::path& path, const Machine& machine) : machine_(machine) {
        std::istringstream lines(content_of(path));
        for (std::string line; std::getline(lines, line);) {
            SCOPED_TRACE(path.filename().string() + ": " + line);
            check(line);
        }
        EXPECT_GE(num_placements_, 3) << path;
    }

private:
    void check(const std::string& line) {
        const std::string word = line.substr(0, line.find(' '));
        const std::string rest = line.substr(line.find(' ') + 1);
        if (word == "types") {
            EXPECT_EQ(types(), rest);
        } else if (word == "instances") {
            EXPECT_EQ(instances(rest.substr(0, rest.find(' '))), rest);
        } else if (word == "cpus") {
            ++num_placements_;
            const std::size_t colon = rest.find(": ");
            EXPECT_EQ(instance_numbers(*CpuSet::parse(rest.substr(0, colon))), rest.substr(colon + 2));
        } else {
            EXPECT_EQ(word, "#");
        }
    }

    std::string types() const {
        std::string text;
        for (const MachineType& type : machine_.types()) {
            text += (text.empty() ? "" : ", ") + type.name + ' ' + std::to_string(type.instances.size());
        }
        return text;
    }

    std::string instances(const std::string& name) const {
        std::string text = name;
        const MachineType* type = machine_.find(name);
        for (std::size_t i = 0; type != nullptr && i < type->instances.size(); ++i) {
            text += ' ' + type->instances[i].to_string();
        }
        return text;
    }

    static std::string number(int value) { return value < 0 ? "-" : std::to_string(value); }

    std::string instance_numbers(const CpuSet& cpus) const {
        const InstanceNumbers instance_numbers = place(machine_, cpus);
        if (!instance_numbers.is_covered) {
            return "not covered";
        }
        std::string text = "l2numa " + number(instance_numbers[kL2Numa]) + ", socket " +
                           number(instance_numbers[kSocket]) + ", core " +
                           number(instance_numbers[kCore]) + ", hwthread " +
                           number(instance_numbers[kHwThread]);
        for (std::size_t i = 0; i < machine_.types().size(); ++i) {
            if (machine_.types()[i].name != "L2NUMA") {
                text += ", " + machine_.types()[i].name + ' ' + number(instance_numbers.instances[i]);
            }
        }
        return text;
    }

    const Machine& machine_;
    int num_placements_ = 0;
};

TEST(Hwloc, machines_are_as_expected) {
    int num_machines = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(kMachines)) {
        const fs::path& path = entry.path();
        if (path.extension() != ".xml" && path.extension() != ".synthetic") {
            continue;
        }
        ++num_machines;
        const HwlocAnswer answer = query(source_of(path), "", true);
        ASSERT_TRUE(answer.machine) << path;
        fs::path expected = path;
        ASSERT_TRUE(fs::exists(expected.replace_extension(".expected"))) << path;
        const Expectation check(expected, *answer.machine);
    }
    EXPECT_GE(num_machines, 18);
}

}  // namespace
}  // namespace hitopo
