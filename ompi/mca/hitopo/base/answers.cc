// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/answers.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <new>
#include <utility>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/local_process.h"
#include "ompi/mca/hitopo/base/words.h"
#include "ompi/mca/hitopo/core/address/side_type.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

// Threads may exchange anew at the same time. Components are asked by one of them at a time: what they
// keep has no lock of its own, and one that moves a thread from CPU to CPU would show in the binding
// that another thread reads. Nobody waits for another process while he holds it.
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

// One entry is kept for each type of side resource: `said` replaces an earlier one of its type.
template <class OfType>
int keep(OfType said, std::vector<OfType>& all) {
    const auto known = std::find_if(all.begin(), all.end(),
                                    [&](const OfType& other) { return other.type == said.type; });
    if (!is_side_type(said.type) || (known == all.end() && all.size() == kMaxSideTypes)) {
        return kErrorBadParam;
    }
    (known == all.end() ? all.emplace_back() : *known) = std::move(said);
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

void tell(const ComponentAnswer& answer) {
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

template <class Call>
double timed_us(Call call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - start;
    return elapsed.count();
}

struct Asker {
    Answers answers;
    hitopo_report_t report;
};

int ask(void* context, const char* name, const char*, int priority, unsigned levels, void* handle) {
    return guarded([&] {
        auto& asker = *static_cast<Asker*>(context);
        ComponentAnswer answer;
        answer.component = name;
        answer.priority = priority;
        answer.levels = levels;
        asker.report.context = &answer;
        const double elapsed_us =
            timed_us([&] { answer.status = hitopo_glue_query(handle, &asker.report); });
        if (hitopo_glue_is_verbose(handle)) {
            tell(answer);
        }
        const std::string& forced = asker.answers.facts.forced[kSocket];
        if (answer.machine && (forced.empty() || forced == answer.component)) {
            asker.report.wants_machine = 0;  // those of lower priority would work for nothing
        }
        const int status = answer.status == kErrorOutOfResource ? answer.status : kSuccess;
        asker.answers.by_component.push_back(std::move(answer));
        asker.answers.query_us.push_back(elapsed_us);
        return status;
    });
}

struct Leading {
    const std::string& component;
    hitopo_report_t report;
    Answers& answers;
};

int ask_leader(void* context, const char* name, const char*, int, unsigned, void* handle) {
    return guarded([&] {
        auto& leading = *static_cast<Leading*>(context);
        Answers& answers = leading.answers;
        if (leading.component != name) {
            return kSuccess;
        }
        for (std::size_t i = 0; i < answers.by_component.size(); ++i) {
            if (answers.by_component[i].component == name) {
                leading.report.context = &answers.by_component[i];
                answers.query_us[i] +=
                    timed_us([&] { (void)hitopo_glue_lead(handle, &leading.report); });
                if (hitopo_glue_is_verbose(handle)) {
                    tell(answers.by_component[i]);
                }
            }
        }
        return kSuccess;
    });
}

std::string variable(const char* component, const char* name) {
    const char* value = hitopo_glue_variable(component, name);
    return value == nullptr ? "" : value;
}

int add_priority(void* context, const char* name, const char*, int priority, unsigned, void*) {
    return guarded([&] {
        static_cast<AgreedSettings*>(context)->emplace_back("hitopo_" + std::string(name) + "_priority",
                                                            std::to_string(priority));
    });
}

// What decides a choice that all processes make alike, and what layers say.
AgreedSettings read_words() {
    AgreedSettings words = said_words();
    // Without memory a word would be missing, and the job be told that settings differ.
    if (hitopo_glue_for_each_component(add_priority, &words) == kErrorOutOfResource) {
        throw std::bad_alloc();
    }
    std::sort(words.begin(), words.end());
    return words;
}

hitopo_report_t make_report(const Contributor& contributor, const ProcessFacts& facts) {
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
    report.speaks_for_node = contributor.speaks_for_node ? 1 : 0;
    report.wants_machine = contributor.wants_machine ? 1 : 0;
    report.is_simulated =
        variable("hwloc", "topology").empty() && variable("hwloc", "binding").empty() ? 0 : 1;
    report.rank = contributor.rank;
    report.size = contributor.size;
    report.host_name = facts.host_name.c_str();
    report.name_variable = hitopo_glue_variable("hostname", "variable");
    return report;
}

}  // namespace

Answers ask_components(const Contributor& contributor) {
    const std::lock_guard<std::mutex> turn(turn_to_ask());
    Asker asker = {};
    Answers& answers = asker.answers;
    answers.facts = read_process_facts();
    answers.facts.is_host_asked = contributor.speaks_for_node;
    for (std::size_t i = 0; i < kNumLevels; ++i) {
        const char* component = hitopo_glue_settings()->level_component[i];
        answers.facts.forced[i] = component == nullptr ? "" : component;
    }
    answers.facts.settings = read_words();
    asker.report = make_report(contributor, answers.facts);
    // Without memory a component would lose a level without a word, at this process alone.
    if (hitopo_glue_for_each_component(ask, &asker) == kErrorOutOfResource) {
        throw std::bad_alloc();
    }
    return std::move(answers);
}

void ask_uplinks(const Contributor& contributor, const std::string& component, Answers& answers) {
    const std::lock_guard<std::mutex> turn(turn_to_ask());
    Leading leading = {component, make_report(contributor, answers.facts), answers};
    (void)hitopo_glue_for_each_component(ask_leader, &leading);
}

}  // namespace hitopo
