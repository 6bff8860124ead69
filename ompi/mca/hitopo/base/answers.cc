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
#include "ompi/mca/hitopo/support/node_names.h"

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

// All processes of the job take each type of an answer for a side resource's.
bool are_side_types(const std::vector<SideAnswer>& side) {
    return side.size() <= kMaxSideTypes &&
           std::all_of(side.begin(), side.end(),
                       [](const SideAnswer& one) { return is_side_type(one.type); });
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
    Question question;
};

int query_component(void* context, const char* name, const char*, int priority, unsigned levels,
                    void* handle) {
    return guarded([&] {
        auto& query = *static_cast<Query*>(context);
        ComponentAnswer answer;
        answer.component = name;
        answer.priority = priority;
        answer.levels = levels;
        const auto start = std::chrono::steady_clock::now();
        answer.status = hitopo_glue_query(handle, &query.question, &answer);
        if (!are_side_types(answer.side)) {
            answer.side.clear();
            answer.status = kErrorBadParam;
        }
        const std::chrono::duration<double, std::micro> elapsed_us =
            std::chrono::steady_clock::now() - start;
        if (hitopo_glue_is_verbose(handle)) {
            print_verbose(answer);
        }
        const std::string& forced = query.answers.facts.forced[kSocket];
        if (answer.machine && (forced.empty() || forced == answer.component)) {
            query.question.wants_machine = false;  // those of lower priority would work for nothing
        }
        for (std::size_t level = 0; level < kNumLevels; ++level) {
            query.question.is_known[level] |= answer.values[level].has_value();
        }
        const int status = answer.status == kErrorOutOfResource ? answer.status : kSuccess;
        query.answers.by_component.push_back(std::move(answer));
        query.answers.query_us.push_back(elapsed_us.count());
        return status;
    });
}

struct UplinksQuery {
    ComponentAnswer& answer;
    Question question;
};

int query_uplinks(void* context, const char* name, const char*, int, unsigned, void* handle) {
    return guarded([&] {
        auto& query = *static_cast<UplinksQuery*>(context);
        if (query.answer.component == name) {
            (void)hitopo_glue_lead(handle, &query.question, &query.answer);
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

Question make_question(const Asker& asker, const ProcessFacts& facts) {
    Question question;
    question.asks_for_node = question.wants_machine = asker.asks_for_node;
    question.is_simulated = hitopo_glue_variable("hwloc", "topology") != nullptr ||
                            hitopo_glue_variable("hwloc", "binding") != nullptr;
    question.rank = asker.rank;
    question.size = asker.size;
    question.host_name = facts.host_name;
    question.node_names = read_node_names(facts.host_name, hitopo_glue_variable("hostname", "variable"));
    return question;
}

}  // namespace

Answers ask_components(const Asker& asker) {
    const std::lock_guard<std::mutex> turn(turn_to_ask());
    Answers answers;
    answers.facts = read_facts(asker);
    Query query = {answers, make_question(asker, answers.facts)};
    // Without memory a component would lose a level without a message, at this process alone.
    if (hitopo_glue_for_each_component(query_component, &query) == kErrorOutOfResource) {
        throw std::bad_alloc();
    }
    return answers;
}

void ask_uplinks(const Asker& asker, const ProcessFacts& facts, ComponentAnswer& answer) {
    const std::lock_guard<std::mutex> turn(turn_to_ask());
    UplinksQuery query = {answer, make_question(asker, facts)};
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
