// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Callbacks of the framework for tests: keep all that a component answers.
#ifndef TEST_SUPPORT_RECORDER_H
#define TEST_SUPPORT_RECORDER_H

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/network/uplinks.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/hitopo_report.h"

namespace hitopo {

class Recorder {
public:
    Recorder() {
        report_.context = this;
        report_.value = keep_value;
        report_.side = keep_side;
        report_.side_reason = keep_side_reason;
        report_.reason = keep_reason;
        report_.error = keep_error;
        report_.machine = keep_machine;
        report_.binding = keep_binding;
        report_.may_lead = keep_may_lead;
        report_.uplinks = keep_uplinks;
        report_.asks_for_node = 1;
        report_.size = 1;
        report_.host_name = "node1";
    }
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    hitopo_report_t& report() { return report_; }

    RawAddress values;
    std::map<int, unsigned> flags;         // of value(), by level
    std::map<std::string, RawValue> side;  // by type
    std::map<std::string, unsigned> side_flags;
    std::map<std::string, std::string> side_reasons;
    std::map<int, std::string> reasons;  // by level, -1 for all
    std::optional<Error> error;          // the first
    std::optional<std::string> machine;
    std::string binding;
    std::optional<int> max_uplinks;
    std::optional<Uplinks> uplinks;

private:
    static Recorder& self(void* context) { return *static_cast<Recorder*>(context); }

    static RawValue to_value(const hitopo_name_t* path, int depth) {
        std::vector<Name> names;
        for (int i = 0; i < depth; ++i) {
            names.push_back(path[i].name != nullptr ? Name(path[i].name) : Name::number(path[i].number));
        }
        return {names};
    }
    static int keep_side(void* context, const char* type, int /*order*/, const hitopo_name_t* path,
                         int depth, unsigned flags) {
        self(context).side[type] = to_value(path, depth);
        self(context).side_flags[type] = flags;
        return 0;
    }
    static int keep_side_reason(void* context, const char* type, const char* text) {
        self(context).side_reasons[type] = text;
        return 0;
    }
    static int keep_value(void* context, int level, const hitopo_name_t* path, int depth,
                          unsigned flags) {
        self(context).values[static_cast<std::size_t>(level)] = to_value(path, depth);
        self(context).flags[level] = flags;
        return 0;
    }
    static int keep_reason(void* context, int level, const char* text) {
        self(context).reasons[level] = text;
        return 0;
    }
    static int keep_error(void* context, const hitopo_error_t* error) {
        if (!self(context).error) {
            self(context).error = {static_cast<Errc>(error->code),
                                   error->value,
                                   error->message,
                                   error->where,
                                   error->line,
                                   error->column};
        }
        return 0;
    }
    static int keep_machine(void* context, const void* bytes, std::size_t num_bytes) {
        self(context).machine = std::string(static_cast<const char*>(bytes), num_bytes);
        return 0;
    }
    static int keep_binding(void* context, const char* rule) {
        self(context).binding = rule;
        return 0;
    }

    static int keep_may_lead(void* context, int max_uplinks) {
        self(context).max_uplinks = max_uplinks;
        return 0;
    }
    static int keep_uplinks(void* context, const hitopo_uplinks_t* told) {
        self(context).uplinks = {told->name,
                                 {told->switches, told->switches + told->num_switches},
                                 told->island_name,
                                 told->island_id};
        return 0;
    }

    hitopo_report_t report_ = {};
};

}  // namespace hitopo

#endif
