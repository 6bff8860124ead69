// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// hitopo_report_t for components written in C++.
#ifndef OMPI_MCA_HITOPO_SUPPORT_REPORTER_H
#define OMPI_MCA_HITOPO_SUPPORT_REPORTER_H

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/hitopo_report.h"

namespace hitopo {

// A setting is NULL where the variable is not set.
inline std::string text_or_empty(const char* setting) { return setting != nullptr ? setting : ""; }

// The variable by which a pod's specification hands the name of the node in (docs/levels.md).
inline constexpr const char* kNodeNameVariable = "NODE_NAME";

// The names by which this node may be known: the host name, then Slurm's name of the node, then that of
// Kubernetes, whose pods have host names of their own. variable: hitopo_hostname_variable; NULL or "":
// kNodeNameVariable. Each once, none empty.
inline std::vector<std::string> read_node_names(std::string_view host_name, const char* variable) {
    const bool has_variable = variable != nullptr && *variable != '\0';
    const char* const others[] = {std::getenv("SLURMD_NODENAME"),
                                  std::getenv(has_variable ? variable : kNodeNameVariable)};
    std::vector<std::string> names;
    if (!host_name.empty()) {
        names.emplace_back(host_name);
    }
    for (const char* name : others) {
        if (name != nullptr && *name != '\0' &&
            std::find(names.begin(), names.end(), name) == names.end()) {
            names.emplace_back(name);
        }
    }
    return names;
}

class Reporter {
public:
    explicit Reporter(const hitopo_report_t* report) : report_(*report) {}

    void value(Level level, const RawValue& value, unsigned flags = 0) {
        const std::vector<hitopo_name_t> path = to_path(value);
        note(report_.value(report_.context, level, path.data(), static_cast<int>(path.size()), flags));
    }

    void side(const std::string& type, int order, const RawValue& value, unsigned flags = 0) {
        const std::vector<hitopo_name_t> path = to_path(value);
        note(report_.side(report_.context, type.c_str(), order, path.data(),
                          static_cast<int>(path.size()), flags));
    }

    void side_reason(const std::string& type, const std::string& text) {
        note(report_.side_reason(report_.context, type.c_str(), text.c_str()));
    }

    void values(const RawAddress& address) {
        for (int i = 0; i < kNumLevels; ++i) {
            if (address[static_cast<std::size_t>(i)]) {
                value(static_cast<Level>(i), *address[static_cast<std::size_t>(i)]);
            }
        }
    }

    void reason(Level level, const std::string& text) {
        note(report_.reason(report_.context, level, text.c_str()));
    }
    void reason(const std::string& text) { note(report_.reason(report_.context, -1, text.c_str())); }

    void error(const Error& error) {
        const hitopo_error_t plain = {static_cast<int>(error.code),
                                      error.value.c_str(),
                                      error.where.c_str(),
                                      error.line,
                                      error.column,
                                      error.message.c_str()};
        note(report_.error(report_.context, &plain));
    }
    // In a variable's value.
    void error(Error wrong, const char* variable) {
        wrong.where = variable;
        error(wrong);
    }

    void machine(const std::string& bytes) {
        note(report_.machine(report_.context, bytes.data(), bytes.size()));
    }
    void binding(const std::string& rule) { note(report_.binding(report_.context, rule.c_str())); }

    void may_lead(int max_uplinks) { note(report_.may_lead(report_.context, max_uplinks)); }
    void uplinks(const hitopo_uplinks_t& uplinks) { note(report_.uplinks(report_.context, &uplinks)); }

    bool asks_for_node() const { return report_.asks_for_node != 0; }
    bool wants_machine() const { return report_.wants_machine != 0; }
    // By a component of higher priority.
    bool is_known(Level level) const { return (report_.known_levels >> level & 1) != 0; }
    bool is_simulated() const { return report_.is_simulated != 0; }
    int rank() const { return report_.rank; }
    int size() const { return report_.size; }
    std::string_view host_name() const { return report_.host_name; }
    // All names by which this node may be known, the host name first.
    std::vector<std::string> node_names() const {
        return read_node_names(report_.host_name, report_.name_variable);
    }

    // 0, or the first code that the framework answered.
    int status() const { return status_; }

private:
    // The names stay those of `value`.
    static std::vector<hitopo_name_t> to_path(const RawValue& value) {
        std::vector<hitopo_name_t> path;
        for (const Name& name : value.path) {
            path.push_back({name.is_number() ? nullptr : name.text().c_str(), name.number()});
        }
        return path;
    }

    void note(int code) {
        if (status_ == 0) {
            status_ = code;
        }
    }

    const hitopo_report_t& report_;
    int status_ = 0;
};

// A component's query: answer(reporter) reports. The reporter's status, or guarded's code of an
// exception.
template <class Answer>
int report_by(const hitopo_report_t* report, Answer answer) {
    return guarded([&] {
        Reporter reporter(report);
        answer(reporter);
        return reporter.status();
    });
}

}  // namespace hitopo

#endif
