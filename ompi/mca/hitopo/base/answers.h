// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The contribution of this process to an exchange: its components' answers, its own facts, and settings
// that all processes should have in common.
#ifndef OMPI_MCA_HITOPO_BASE_ANSWERS_H
#define OMPI_MCA_HITOPO_BASE_ANSWERS_H

#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/record/make_record.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {

struct Answers {
    ProcessFacts facts;
    std::vector<ComponentAnswer> by_component;  // highest priority first
    std::vector<double> query_us;               // of each answer
};

// The process that asks.
struct AskingProcess {
    int rank, size;      // of and in MPI_COMM_WORLD
    bool asks_for_node;  // for all of it, its machine included
};

// Calls visit(component) for each open component, highest priority first, until a visit returns another
// code than kSuccess, or lacks memory. Returns that code.
template <class Visit>
int for_each_component(Visit visit) {
    const auto call = [](void* context, const hitopo_glue_component_t* component) {
        return guarded([=] { return (*static_cast<Visit*>(context))(*component); });
    };
    return hitopo_glue_for_each_component(call, &visit);
}

// Asks the open components. Local. Thread safe, as ask_uplinks is: threads take turns.
Answers ask_components(const AskingProcess& asking);

// Asks the component that gave this answer for the uplinks of its switch, and adds them to it. Local;
// bounded as the component is.
void ask_uplinks(const AskingProcess& asking, const ProcessFacts& facts, ComponentAnswer& answer);

// Asks the component hwloc for this node's devices, for which that loads the hardware anew. Local; takes
// milliseconds, on large nodes tens of them. Without them there is a reason or an error. Thread safe.
Answer ask_devices();

// The answers of this process's components for its last exchange; empty before. Thread safe.
std::optional<Answers> latest_answers();
void keep_answers(Answers answers);

// Sets a value that a layer should have in common in all processes: it goes into the record of
// MPI_Init's exchange. Of one key the last value counts. Thread safe.
void set_common(const std::string& key, const std::string& value);
void clear_common();

}  // namespace hitopo

#endif
