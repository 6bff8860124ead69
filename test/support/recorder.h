// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A question to a component, and the answer that it gives.
#ifndef TEST_SUPPORT_RECORDER_H
#define TEST_SUPPORT_RECORDER_H

#include <string>

#include "ompi/mca/hitopo/core/address/answer.h"
#include "ompi/mca/hitopo/support/environment.h"

namespace hitopo {

struct Recorder : Answer {
    Question question;

    explicit Recorder(const std::string& host = "node1") { host_is(host); }

    // variable: hitopo_hostname_variable
    void host_is(const std::string& host, const char* variable = nullptr) {
        question.host_name = host;
        question.node_names = read_node_names(host, variable);
    }

    // Its value for a type of side resource; "-" without one.
    std::string side_value(const std::string& type) const {
        for (const SideAnswer& one : side) {
            if (one.type == type) {
                return one.value.to_string();
            }
        }
        return "-";
    }
};

}  // namespace hitopo

#endif
