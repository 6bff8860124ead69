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
#include <string_view>
#include <utility>

#include "ompi/mca/hitopo/base/binding.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/address/answer.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/support/environment.h"

namespace hitopo {
namespace {

// Threads share it. Never destroyed: Open MPI may call the finalize hook after static destructors ran.
struct Shared {
    // Threads may exchange anew at the same time. One of them at a time asks components: their data has
    // no lock of its own, and a component that moves a thread from CPU to CPU would show in the binding
    // that another thread reads. No thread that has the turn waits for another process.
    std::mutex turn;
    std::map<std::string, std::string> common;  // settings
    std::optional<Answers> latest;
};
Shared& shared() {
    static Shared& all = *new Shared;
    return all;
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

int ask_component(const hitopo_glue_component_t& component, Question& question, Answers& answers) {
    ComponentAnswer answer;
    answer.component = component.name;
    answer.priority = component.priority;
    answer.levels = component.levels;
    const auto start = std::chrono::steady_clock::now();
    answer.status = component.query(&question, &answer);
    if (!are_side_types(answer.side)) {
        answer.side.clear();
        answer.status = kErrorBadParam;
    }
    const std::chrono::duration<double, std::micro> elapsed_us =
        std::chrono::steady_clock::now() - start;
    if (component.is_verbose) {
        print_verbose(answer);
    }
    const std::string& forced = answers.facts.forced[kSocket];
    if (answer.machine && (forced.empty() || forced == answer.component)) {
        question.wants_machine = false;  // those of lower priority would work for nothing
    }
    for (std::size_t level = 0; level < kNumLevels; ++level) {
        question.is_known[level] |= answer.values[level].has_value();
    }
    const int status = answer.status == kErrorOutOfResource ? answer.status : kSuccess;
    answers.by_component.push_back(std::move(answer));
    answers.query_us.push_back(elapsed_us.count());
    return status;
}

// ---- facts that this process reads itself ----

// The settings by which all processes choose alike, and those that layers have in common.
AgreedSettings read_common() {
    AgreedSettings all(shared().common.begin(), shared().common.end());
    const int status = for_each_component([&](const hitopo_glue_component_t& component) {
        all.emplace_back("hitopo_" + std::string(component.name) + "_priority",
                         std::to_string(component.priority));
    });
    // Without memory a setting would be missing, with a message that settings differ.
    if (status == kErrorOutOfResource) {
        throw std::bad_alloc();
    }
    std::sort(all.begin(), all.end());
    return all;
}

ProcessFacts read_facts(const AskingProcess& asking) {
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
    facts.is_host_asked = asking.asks_for_node;
    for (std::size_t i = 0; i < kNumLevels; ++i) {
        const char* component = hitopo_glue_settings()->level_component[i];
        facts.forced[i] = component == nullptr ? "" : component;
    }
    facts.settings = read_common();
    return facts;
}

Question make_question(const AskingProcess& asking, const ProcessFacts& facts) {
    Question question;
    question.asks_for_node = question.wants_machine = asking.asks_for_node;
    question.is_simulated = hitopo_glue_variable("hwloc", "topology") != nullptr ||
                            hitopo_glue_variable("hwloc", "binding") != nullptr;
    question.rank = asking.rank;
    question.host_name = facts.host_name;
    question.node_names = read_node_names(facts.host_name, hitopo_glue_variable("hostname", "variable"));
    return question;
}

}  // namespace

Answers ask_components(const AskingProcess& asking) {
    const std::lock_guard<std::mutex> turn(shared().turn);
    Answers answers;
    answers.facts = read_facts(asking);
    Question question = make_question(asking, answers.facts);
    const int status = for_each_component([&](const hitopo_glue_component_t& component) {
        return ask_component(component, question, answers);
    });
    // Without memory a component would lose a level without a message, at this process alone.
    if (status == kErrorOutOfResource) {
        throw std::bad_alloc();
    }
    return answers;
}

void ask_uplinks(const AskingProcess& asking, const ProcessFacts& facts, ComponentAnswer& answer) {
    const std::lock_guard<std::mutex> turn(shared().turn);
    const Question question = make_question(asking, facts);
    (void)for_each_component([&](const hitopo_glue_component_t& component) {
        if (answer.component == component.name && component.lead != nullptr) {
            (void)component.lead(&question, &answer);
        }
    });
}

Answer ask_devices() {
    const std::lock_guard<std::mutex> turn(shared().turn);
    Question question;
    question.wants_devices = true;
    Answer answer;
    answer.reason = "the component hwloc is not open";
    (void)for_each_component([&](const hitopo_glue_component_t& component) {
        if (component.name == std::string_view("hwloc")) {
            answer.reason.clear();
            (void)component.query(&question, &answer);
        }
    });
    return answer;
}

std::optional<Answers> latest_answers() {
    const std::lock_guard<std::mutex> turn(shared().turn);
    return shared().latest;
}

void keep_answers(Answers answers) {
    const std::lock_guard<std::mutex> turn(shared().turn);
    if (!answers.facts.host_name.empty()) {  // else its components failed
        shared().latest = std::move(answers);
    }
}

void set_common(const std::string& key, const std::string& value) {
    const std::lock_guard<std::mutex> turn(shared().turn);
    shared().common[key] = value;
}

void clear_common() {
    const std::lock_guard<std::mutex> turn(shared().turn);
    shared().common.clear();
}

}  // namespace hitopo
