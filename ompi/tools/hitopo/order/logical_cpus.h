// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// CPUs by hwloc's logical numbers, as rankfiles have them: cores, or hardware threads, in the order in
// which they lie in the machine's tree, whatever numbers the operating system gives them. Launchers
// count those that a cpuset allows alone.
#ifndef OMPI_TOOLS_HITOPO_ORDER_LOGICAL_CPUS_H
#define OMPI_TOOLS_HITOPO_ORDER_LOGICAL_CPUS_H

#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/tools/hitopo/document.h"

namespace hitopo::tool {

// The CPUs of one machine, whose numbers in a document are the operating system's.
class LogicalCpus {
public:
    // allowed: of the cpuset of the processes there; empty: all of them.
    explicit LogicalCpus(const MachineDocument& machine, const CpuSet& allowed = {});

    // The logical numbers of cores, or of hardware threads, that together are just these CPUs, as a
    // list: "0-3,8"; nothing where there are none.
    std::optional<std::string> cores(const CpuSet& cpus) const { return numbers(cores_, cpus); }
    std::optional<std::string> threads(const CpuSet& cpus) const { return numbers(threads_, cpus); }

    const CpuSet& all() const { return all_; }
    std::size_t num_cores() const { return cores_.size(); }

private:
    static std::optional<std::string> numbers(const std::vector<CpuSet>& units, const CpuSet& cpus);

    CpuSet all_;
    std::vector<CpuSet> cores_, threads_;  // by logical number
};

}  // namespace hitopo::tool

#endif
