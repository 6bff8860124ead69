// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/this_process.h"

#include <utility>

#include "ompi/mca/hitopo/base/local_process.h"
#include "ompi/mca/hitopo/core/record/make_record.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"

namespace hitopo {

ThisProcess::ThisProcess(const Contributor& process, std::uint32_t number, std::size_t size,
                         Known&& known, Keep keep)
    : process_(process),
      number_(number),
      size_(size),
      known_(std::move(known)),
      keep_(std::move(keep)) {}

// What was found out of the network and in files is as it was, though a file may be gone meanwhile; the
// CPUs are others.
RecordMessage ThisProcess::say(bool must_ask) {
    if (known_.answers && !must_ask) {
        answers_ = *std::exchange(known_.answers, std::nullopt);
        answers_.facts.cpus = read_binding();
    } else {
        process_.speaks_for_node = process_.speaks_for_node || must_ask;
        ask_components();
    }
    return make_record(number_, answers_.facts, answers_.by_component);
}

void ThisProcess::ask_components() {
    process_.wants_machine = process_.speaks_for_node && !known_.machine;
    answers_ = hitopo::ask_components(process_);
    if (!add_known_machine()) {
        process_.wants_machine = true;
        answers_ = hitopo::ask_components(process_);
    }
}

// Whether the component that told it is open here too.
bool ThisProcess::add_known_machine() {
    if (!process_.speaks_for_node || !known_.machine) {
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

std::string ThisProcess::uplinks(const std::string& component) {
    std::string bytes;
    (void)guarded([&] {
        for (ComponentAnswer& answer : answers_.by_component) {
            if (answer.component == component && !answer.uplinks) {
                ask_uplinks(process_, component, answers_);
            }
            if (answer.component == component && answer.uplinks && answer.values[kSwitch]) {
                bytes = encode(LedSwitch{answer.component, *answer.values[kSwitch], *answer.uplinks});
            }
        }
    });
    return bytes;
}

std::optional<Error> ThisProcess::accept(RecordMessage all, std::int64_t identity) {
    Result<AddressTree> tree = make_tree(all, size_, identity);
    if (!tree) {
        return tree.error();
    }
    error_ = std::move(all.error);
    keep_(std::move(*tree));
    return std::nullopt;
}

}  // namespace hitopo
