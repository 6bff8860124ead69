// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What `hitopo order` tells people: a pure function.
#ifndef PROFILER_TOOL_ORDER_ORDER_TEXT_H
#define PROFILER_TOOL_ORDER_ORDER_TEXT_H

#include <cstdint>
#include <string>

#include "profiler/tool/order/plan.h"

namespace hitopo::tool {

struct OrderText {
    const Plan& plan;
    const Slots& slots;
    const char* unit;                    // "bytes"
    std::uint64_t collective_bytes = 0;  // that were neither mapped nor predicted
    bool is_outside_only = false;        // the format names hosts only
    std::string usage = {};              // how to launch; may be empty
    std::string note = {};               // on what the figures rest; may be empty
};

std::string order_text(const OrderText& text);

}  // namespace hitopo::tool

#endif
