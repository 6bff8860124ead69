// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/answers.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <fstream>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "ompi/mca/hitopo/base/binding.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/address/side_type.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

// Threads may exchange anew at the same time. Components are asked by one of them at a time: what they
// keep has no lock of its own, and one that moves a thread from CPU to CPU would show in the binding
// that another thread reads. Common settings are read in the same turn. No thread that holds it waits
// for another process.
std::mutex& turn_to_ask() {
    static std::mutex turn;
    return turn;
}

ComponentAnswer& answer_of(void* context) { return *static_cast<ComponentAnswer*>(context); }

RawValue to_value(const hitopo_name_t* path, int depth) {
    RawValue value;
    for (int i = 0; i < depth; ++i) {
        value.path.push_back(path[i].name == nullptr ? Name::number(path[i].number)
                                                     : Name(path[i].name));
    }
    return value;
}

int take_value(void* context, int level, const hitopo_name_t* path, int depth, unsigned flags) {
    return guarded([&] {
        if (level < 0 || level >= kNumLevels || depth < 1) {
            return kErrorGeneric;
        }
        answer_of(context).values[static_cast<std::size_t>(level)] = to_value(path, depth);
        answer_of(context).replaces_node |= (flags & HITOPO_VALUE_REPLACES_NODE) != 0;
        return kSuccess;
    });
}

// One entry is kept for each type of side resource: `added` replaces an earlier one of its type.
template <class OfType>
int keep(OfType added, std::vector<OfType>& all) {
    const auto known = std::find_if(all.begin(), all.end(),
                                    [&](const OfType& other) { return other.type == added.type; });
    if (!is_side_type(added.type) || (known == all.end() && all.size() == kMaxSideTypes)) {
        return kErrorBadParam;
    }
    (known == all.end() ? all.emplace_back() : *known) = std::move(added);
    return kSuccess;
}

int take_side(void* context, const char* type, int order, const hitopo_name_t* path, int depth,
              unsigned flags) {
    return guarded([&] {
        const bool is_for_node = (flags & HITOPO_VALUE_FOR_NODE) != 0;
        return depth < 1 ? kErrorBadParam
                         : keep(SideAnswer{type, order, to_value(path, depth), is_for_node},
                                answer_of(context).side);
    });
}

int take_side_reason(void* context, const char* type, const char* text) {
    return guarded([&] { return keep(SideReason{type, text}, answer_of(context).side_reasons); });
}

int take_reason(void* context, int level, const char* text) {
    return guarded([&] {
        ComponentAnswer& answer = answer_of(context);
        (level < 0 || level >= kNumLevels ? answer.reason
                                          : answer.reasons[static_cast<std::size_t>(level)]) = text;
    });
}

int take_error(void* context, const hitopo_error_t* error) {
    return guarded([&] {
        if (!answer_of(context).error) {
            answer_of(context).error = Error{static_cast<Errc>(error->code),
                                             error->value,
                                             error->message,
                                             error->where,
                                             error->line,
                                             error->column};
        }
    });
}

int take_machine(void* context, const void* bytes, std::size_t num_bytes) {
    return guarded(
        [&] { answer_of(context).machine = std::string(static_cast<const char*>(bytes), num_bytes); });
}

int take_binding(void* context, const char* rule) {
    return guarded([&] { answer_of(context).binding = rule; });
}

int take_may_lead(void* context, int max_uplinks) {
    return guarded([&] { answer_of(context).max_uplinks = max_uplinks; });
}

int take_uplinks(void* context, const hitopo_uplinks_t* uplinks) {
    return guarded([&] {
        answer_of(context).uplinks = {uplinks->name,
                                      {uplinks->switches, uplinks->switches + uplinks->num_switches},
                                      uplinks->island_name,
                                      uplinks->island_id};
    });
}

void print_verbose(const ComponentAnswer& answer) {
    const auto line = [&](const std::string& text) {
        hitopo_glue_tell(answer.component.c_str(), text.c_str());
    };
    if (!answer.reason.empty()) {
        line(answer.reason);
    }
    for (int i = 0; i < kNumLevels; ++i) {
        const Level level = static_cast<Level>(i);
        if (answer.values[level] || !answer.reasons[level].empty()) {
            const std::string value =
                answer.values[level] ? answer.values[level]->to_string() : "unknown";
            line(std::string(level_name(level)) + " is " + value + ": " + answer.reasons[level]);
        }
    }
    for (const SideReason& reason : answer.side_reasons) {
        line(reason.type + ": " + reason.text);
    }
    for (const SideAnswer& side : answer.side) {
        line(side.type + " is " + side.value.to_string() +
             (side.is_for_node ? " for all processes of the node" : ""));
    }
    if (answer.error) {
        line(answer.error->position() + ": " + answer.error->message + ": " + answer.error->value);
    }
}

struct Query {
    Answers& answers;
    hitopo_report_t report;
};

int query_component(void* context, const char* name, const char*, int priority, unsigned levels,
                    void* handle) {
    return guarded([&] {
        auto& query = *static_cast<Query*>(context);
        ComponentAnswer answer;
        answer.component = name;
        answer.priority = priority;
        answer.levels = levels;
        query.report.context = &answer;
        const auto start = std::chrono::steady_clock::now();
        answer.status = hitopo_glue_query(handle, &query.report);
        const std::chrono::duration<double, std::micro> elapsed_us =
            std::chrono::steady_clock::now() - start;
        if (hitopo_glue_is_verbose(handle)) {
            print_verbose(answer);
        }
        const std::string& forced = query.answers.facts.forced[kSocket];
        if (answer.machine && (forced.empty() || forced == answer.component)) {
            query.report.wants_machine = 0;  // those of lower priority would work for nothing
        }
        for (int level = 0; level < kNumLevels; ++level) {
            query.report.known_levels |= answer.values[static_cast<Level>(level)] ? 1U << level : 0;
        }
        const int status = answer.status == kErrorOutOfResource ? answer.status : kSuccess;
        query.answers.by_component.push_back(std::move(answer));
        query.answers.query_us.push_back(elapsed_us.count());
        return status;
    });
}

struct UplinksQuery {
    ComponentAnswer& answer;
    hitopo_report_t report;
};

int query_uplinks(void* context, const char* name, const char*, int, unsigned, void* handle) {
    return guarded([&] {
        auto& query = *static_cast<UplinksQuery*>(context);
        if (query.answer.component == name) {
            (void)hitopo_glue_lead(handle, &query.report);
        }
    });
}

int add_priority(void* context, const char* name, const char*, int priority, unsigned, void*) {
    return guarded([&] {
        static_cast<AgreedSettings*>(context)->emplace_back("hitopo_" + std::string(name) + "_priority",
                                                            std::to_string(priority));
    });
}

// ---- what this process reads itself ----

// Never destroyed, as Trees is. For whoever has the turn.
std::map<std::string, std::string>& common_settings() {
    static auto& settings = *new std::map<std::string, std::string>;
    return settings;
}

// What decides a choice that all processes make alike, and what layers have in common.
AgreedSettings read_common() {
    AgreedSettings all(common_settings().begin(), common_settings().end());
    // Without memory a setting would be missing, with a message that settings differ.
    if (hitopo_glue_for_each_component(add_priority, &all) == kErrorOutOfResource) {
        throw std::bad_alloc();
    }
    std::sort(all.begin(), all.end());
    return all;
}

ProcessFacts read_facts(const Asker& asker) {
    ProcessFacts facts;
    char name[HOST_NAME_MAX + 1] = {};
    facts.host_name = gethostname(name, sizeof name) == 0 ? name : "unknown-host";
    std::ifstream("/proc/sys/kernel/random/boot_id") >> facts.boot_id;
    facts.cpus = read_binding();
    struct stat status = {};
    if (stat("/dev/shm", &status) == 0) {
        facts.shm_device = status.st_dev;
    }
    if (stat("/proc/self/ns/ipc", &status) == 0) {
        facts.ipc_namespace = status.st_ino;
    }
    facts.is_host_asked = asker.asks_for_node;
    for (std::size_t i = 0; i < kNumLevels; ++i) {
        const char* component = hitopo_glue_settings()->level_component[i];
        facts.forced[i] = component == nullptr ? "" : component;
    }
    facts.settings = read_common();
    return facts;
}

hitopo_report_t make_report(const Asker& asker, const ProcessFacts& facts) {
    hitopo_report_t report = {};
    report.value = take_value;
    report.side = take_side;
    report.side_reason = take_side_reason;
    report.reason = take_reason;
    report.error = take_error;
    report.machine = take_machine;
    report.binding = take_binding;
    report.may_lead = take_may_lead;
    report.uplinks = take_uplinks;
    report.asks_for_node = report.wants_machine = asker.asks_for_node ? 1 : 0;
    report.is_simulated = hitopo_glue_variable("hwloc", "topology") == nullptr &&
                                  hitopo_glue_variable("hwloc", "binding") == nullptr
                              ? 0
                              : 1;
    report.rank = asker.rank;
    report.size = asker.size;
    report.host_name = facts.host_name.c_str();
    report.name_variable = hitopo_glue_variable("hostname", "variable");
    return report;
}

}  // namespace

Answers ask_components(const Asker& asker) {
    const std::lock_guard<std::mutex> turn(turn_to_ask());
    Answers answers;
    answers.facts = read_facts(asker);
    Query query = {answers, make_report(asker, answers.facts)};
    // Without memory a component would lose a level without a message, at this process alone.
    if (hitopo_glue_for_each_component(query_component, &query) == kErrorOutOfResource) {
        throw std::bad_alloc();
    }
    return answers;
}

void ask_uplinks(const Asker& asker, const ProcessFacts& facts, ComponentAnswer& answer) {
    const std::lock_guard<std::mutex> turn(turn_to_ask());
    UplinksQuery query = {answer, make_report(asker, facts)};
    query.report.context = &answer;
    (void)hitopo_glue_for_each_component(query_uplinks, &query);
}

void set_common(const std::string& key, const std::string& value) {
    const std::lock_guard<std::mutex> turn(turn_to_ask());
    common_settings()[key] = value;
}

void clear_common() {
    const std::lock_guard<std::mutex> turn(turn_to_ask());
    common_settings().clear();
}

}  // namespace hitopo
