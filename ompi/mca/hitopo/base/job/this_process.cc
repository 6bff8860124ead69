// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/this_process.h"

#include <utility>

#include "ompi/mca/hitopo/base/job/local_process.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {

ThisProcess::ThisProcess(const Contributor& contributor, Known&& known, Take take)
    : contributor_(contributor), known_(std::move(known)), take_(std::move(take)) {}

// What was found out of the network and in files is as it was, though a file may be gone meanwhile; the
// CPUs are others.
Contribution ThisProcess::contribute(bool must_speak) {
    if (known_.answers && !must_speak) {
        answers_ = *std::exchange(known_.answers, std::nullopt);
        answers_.facts.cpus = read_binding();
    } else {
        contributor_.speaks_for_node = contributor_.speaks_for_node || must_speak;
        ask_components();
    }
    return make_contribution(answers_.facts, answers_.by_component);
}

void ThisProcess::ask_components() {
    contributor_.wants_machine = contributor_.speaks_for_node && !known_.machine;
    answers_ = hitopo::ask_components(contributor_);
    if (!add_known_machine()) {
        contributor_.wants_machine = true;
        answers_ = hitopo::ask_components(contributor_);
    }
}

// Whether the component that told it is open here too.
bool ThisProcess::add_known_machine() {
    if (!contributor_.speaks_for_node || !known_.machine) {
        return true;
    }
    for (ComponentAnswer& answer : answers_.by_component) {
        if (answer.component == known_.machine->component) {
            answer.machine = known_.machine->encoded;
            return true;
        }
    }
    return false;
}

std::string ThisProcess::lead(const std::string& component) {
    std::string bytes;
    (void)guarded([&] {
        for (ComponentAnswer& answer : answers_.by_component) {
            if (answer.component == component && !answer.uplinks) {
                ask_uplinks(contributor_, component, answers_);
            }
            if (answer.component == component && answer.uplinks && answer.values[kSwitch]) {
                bytes = encode(LedSwitch{answer.component, *answer.values[kSwitch], *answer.uplinks});
            }
        }
    });
    return bytes;
}

}  // namespace hitopo
