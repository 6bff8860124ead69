// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/this_process.h"

#include <utility>

#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {

ThisProcess::ThisProcess(const Contributor& contributor, std::optional<KnownMachine> machine, Take take)
    : contributor_(contributor), machine_(std::move(machine)), take_(std::move(take)) {}

Contribution ThisProcess::contribute(bool must_speak) {
    contributor_.speaks_for_node = contributor_.speaks_for_node || must_speak;
    contributor_.wants_machine = contributor_.speaks_for_node && !machine_;
    answers_ = hitopo::ask_components(contributor_);
    if (!add_known_machine()) {
        machine_.reset();
        contributor_.wants_machine = true;
        answers_ = hitopo::ask_components(contributor_);
    }
    return make_contribution(answers_.facts, answers_.by_component);
}

// A rebind changes CPUs, not machines. Whether the component that told it is open here too.
bool ThisProcess::add_known_machine() {
    if (!contributor_.speaks_for_node || !machine_) {
        return true;
    }
    for (ComponentAnswer& answer : answers_.by_component) {
        if (answer.component == machine_->component) {
            answer.machine = machine_->encoded;
            return true;
        }
    }
    return false;
}

std::string ThisProcess::lead(const std::string& component) {
    std::string bytes;
    (void)guarded([&] {
        ask_uplinks(contributor_, component, answers_);
        for (const ComponentAnswer& answer : answers_.by_component) {
            if (answer.component == component && answer.uplinks && answer.values[kSwitch]) {
                bytes = encode(LedSwitch{answer.component, *answer.values[kSwitch], *answer.uplinks});
            }
        }
    });
    return bytes;
}

}  // namespace hitopo
