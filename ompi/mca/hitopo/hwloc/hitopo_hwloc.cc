// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The machine of the node, and the process that contributes it.
#include "ompi/mca/hitopo/hwloc/hitopo_hwloc.h"

#include <sys/resource.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/answer.h"
#include "ompi/mca/hitopo/core/machine/binding.h"
#include "ompi/mca/hitopo/core/machine/machine.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/hwloc/hitopo_hwloc_topology.h"
#include "ompi/mca/hitopo/support/helper_process.h"

namespace hitopo {
namespace {

constexpr const char* kDefaultRule = "core";

std::string binding_of(const hitopo_hwloc_settings_t& settings) {
    const std::string binding = text_or_empty(settings.binding);
    return binding.empty() && !text_or_empty(settings.topology).empty() ? kDefaultRule : binding;
}

// Whether `binding` is a rule, or a list with a CPU in it; if not, that is the error.
bool is_usable(const std::string& binding, Answer& answer) {
    if (is_binding_rule(binding)) {
        return true;
    }
    const Result<CpuSet> cpus = CpuSet::parse(binding);
    if (cpus && !cpus->is_empty()) {
        return true;
    }
    Error error = cpus ? Error() : cpus.error();
    error.value = binding;
    error.message =
        "this is not a binding; write none, core, socket, numa, hwthread, a type of hwloc such as "
        "L3Cache, or a list of CPUs up to 65535 such as 0-3,8";
    answer.fail(error, "hitopo_hwloc_binding");
    return false;
}

// The program that hitopo_hwloc_prepare began, until the query that takes it. The framework asks from
// one thread at a time.
std::unique_ptr<HelperProcess>& preparation() {
    static std::unique_ptr<HelperProcess> program;
    return program;
}

// A program that loads ahead would hold one while MPI_Init needs all that it can get.
bool has_descriptors() {
    constexpr rlim_t kEnough = 64;
    struct rlimit limit = {};
    return getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kEnough;
}

// NULL where there is none that hwloc could load.
hwloc_topology_t ompi_topology(const hitopo_hwloc_settings_t& settings) {
    auto* theirs = static_cast<hwloc_topology_t>(settings.ompi_topology());
    return theirs != nullptr && is_loaded(theirs) ? theirs : nullptr;
}

struct Found {
    Machine machine;
    std::string origin;  // for people
};

Result<Found> found(const Result<Topology>& topology, const char* origin) {
    if (!topology) {
        return topology.error();
    }
    return Found{machine_of(topology->get()), origin};
}

// Empty where none was prepared, or in vain. A load that took too long would do so here, too, and
// without a limit.
std::optional<Result<Found>> find_prepared() {
    const std::unique_ptr<HelperProcess> program = std::move(preparation());
    if (program == nullptr) {
        return std::nullopt;
    }
    const Printed printed = program->read();
    if (printed.is_late) {
        return Error{Errc::kFailed, "hwloc_topology_load",
                     "the program that reads this node's hardware returned " + printed.why_not +
                         "; check that lstopo works on this node, and check the HWLOC_ variables",
                     "hwloc"};
    }
    Result<Machine> machine = Machine::decode(printed.text);
    return machine ? std::optional<Result<Found>>(Found{std::move(*machine), "hwloc, ahead"})
                   : std::nullopt;
}

// Open MPI's topology leaves out the CPUs that a cgroup forbids, and two containers of one host name
// would then not know each other's cores and number their own differently. So it counts only where
// nothing is missing, or where it stands for another machine.
Result<Found> find_real_machine(const hitopo_hwloc_settings_t& settings) {
    const hwloc_topology_t theirs = ompi_topology(settings);
    if (theirs != nullptr && (settings.is_ompi_topology_from_file != 0 || has_all_cpus(theirs))) {
        return Found{machine_of(theirs), "Open MPI's topology"};
    }
    std::optional<Result<Found>> prepared = find_prepared();
    return prepared ? std::move(*prepared) : found(load_real_topology(), "hwloc");
}

Result<Found> find_machine(const hitopo_hwloc_settings_t& settings) {
    const std::string topology = text_or_empty(settings.topology);
    return topology.empty() ? find_real_machine(settings)
                            : found(load_simulated_topology(topology), "hitopo_hwloc_topology");
}

// ---- devices ----

// Open MPI's own topology may lack I/O devices; one from a file has those of the file.
Result<NodeDevices> find_devices(const hitopo_hwloc_settings_t& settings) {
    const std::string source = text_or_empty(settings.topology);
    if (source.empty() && settings.is_ompi_topology_from_file != 0) {
        if (const hwloc_topology_t theirs = ompi_topology(settings)) {
            return devices_of(theirs);
        }
    }
    const Result<Topology> own = source.empty() ? load_real_topology() : load_simulated_topology(source);
    return own ? Result<NodeDevices>(devices_of(own->get())) : own.error();
}

void report_devices(const hitopo_hwloc_settings_t& settings, Answer& answer) {
    Result<NodeDevices> devices = find_devices(settings);
    if (devices) {
        answer.devices = std::make_shared<const NodeDevices>(std::move(*devices));
    } else {
        answer.fail(devices.error());
    }
}

// ---- the machine ----

// "2 Packages, 4 Cores, 1 PU"
std::string counts_of(const Machine& machine) {
    std::string text;
    for (const char* name : {"Package", "NUMANode", "Core", "PU"}) {
        const MachineType* type = machine.find(name);
        const std::size_t count = type != nullptr ? type->instances.size() : 0;
        add_item(text, ", ", std::to_string(count) + ' ' + name + (count == 1 ? "" : "s"));
    }
    return text;
}

void report_machine(const hitopo_hwloc_settings_t& settings, Answer& answer) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const Result<Found> result = find_machine(settings);
    if (!result) {
        answer.fail(result.error());
        answer.reason = "no machine: " + result.error().message;
        return;
    }
    const auto took_ms = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
    answer.machine = result->machine.encode();
    answer.reason = "machine of " + counts_of(result->machine) + " loaded in " +
                    std::to_string(took_ms.count()) + " ms from " + result->origin;
}

void query(const hitopo_hwloc_settings_t& settings, const Question& question, Answer& answer) {
    if (question.wants_devices) {
        report_devices(settings, answer);
        return;
    }
    const std::string binding = binding_of(settings);
    if (!binding.empty() && !is_usable(binding, answer)) {
        answer.reason = "no machine: hitopo_hwloc_binding cannot be used";
        return;
    }
    // Rules are for simulated jobs, where one host may stand for several nodes: each process then gives
    // the machine of its node.
    const bool is_bound_by_rule = is_binding_rule(binding);
    if (!binding.empty()) {
        answer.binding = binding;
    }
    if (question.wants_machine || is_bound_by_rule || !text_or_empty(settings.topology).empty()) {
        report_machine(settings, answer);
    } else {
        answer.reason = "not asked: local rank 0 contributes the machine";
    }
}

}  // namespace
}  // namespace hitopo

extern "C" int hitopo_hwloc_query(const hitopo_hwloc_settings_t* settings,
                                  const hitopo_question_t* question, hitopo_answer_t* answer) {
    return hitopo::guarded([=] { hitopo::query(*settings, *question, *answer); });
}

extern "C" void hitopo_hwloc_prepare(const char* program, int timeout_ms) {
    (void)hitopo::guarded([=] {
        const bool is_possible = *program != '\0' && hitopo::has_descriptors();
        hitopo::preparation() = is_possible ? std::make_unique<hitopo::HelperProcess>(
                                                  std::vector<std::string>{program}, timeout_ms, false)
                                            : nullptr;
    });
}

extern "C" int hitopo_hwloc_close() {
    return hitopo::guarded([] { hitopo::preparation() = nullptr; });
}
