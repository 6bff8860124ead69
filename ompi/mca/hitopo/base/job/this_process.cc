// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/this_process.h"

#include <utility>

#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {

ThisProcess::ThisProcess(const Speaker& speaker, std::optional<KnownMachine> machine, Take take)
    : speaker_(speaker), machine_(std::move(machine)), take_(std::move(take)) {}

Contribution ThisProcess::contribute(bool must_speak) {
    speaker_.speaks_for_node = speaker_.speaks_for_node || must_speak;
    speaker_.wants_machine = speaker_.speaks_for_node && !machine_;
    survey_ = hitopo::take_survey(speaker_);
    if (!add_known_machine()) {
        machine_.reset();
        speaker_.wants_machine = true;
        survey_ = hitopo::take_survey(speaker_);
    }
    return make_contribution(survey_.facts, survey_.answers);
}

// A rebind changes CPUs, not machines. Whether the component that told it is open here too.
bool ThisProcess::add_known_machine() {
    if (!speaker_.speaks_for_node || !machine_) {
        return true;
    }
    for (ComponentAnswer& answer : survey_.answers) {
        if (answer.component == machine_->component) {
            answer.machine = machine_->encoded;
            return true;
        }
    }
    return false;
}

std::string ThisProcess::lead(std::uint32_t component) {
    std::string bytes;
    (void)guarded([&] {
        ask_uplinks(speaker_, component, survey_);
        for (const ComponentAnswer& answer : survey_.answers) {
            if (component_id(answer.component) == component && answer.uplinks &&
                answer.values[kSwitch]) {
                bytes = encode(LedSwitch{answer.component, *answer.values[kSwitch], *answer.uplinks});
            }
        }
        return kSuccess;
    });
    return bytes;
}

}  // namespace hitopo
