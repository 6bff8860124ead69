// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/make_record.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/machine/binding.h"
#include "ompi/mca/hitopo/core/record/selection.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

using Answers = std::vector<const ComponentAnswer*>;  // the highest priority first, then by name

bool can_report_uplinks(const ComponentAnswer& answer) {
    return answer.max_uplinks.has_value() && answer.values[kSwitch].has_value();
}

// -1: it did not fail.
int cost_of_failure(const ComponentAnswer& answer) {
    return answer.error ? cost_of(answer.error->code) : answer.status != kSuccess ? 2 : -1;
}

class RecordMaker {
public:
    RecordMaker(std::uint32_t rank, const ProcessFacts& facts,
                const std::vector<ComponentAnswer>& answers)
        : rank_(rank), facts_(facts) {
        for (const ComponentAnswer& answer : answers) {
            answers_.push_back(&answer);
        }
        framework_.component = kFrameworkComponent;
        framework_.priority = INT32_MIN;
        framework_.values[kNode] = RawValue(Name(facts.host_name));
        answers_.push_back(&framework_);
        std::stable_sort(answers_.begin(), answers_.end(),
                         [](const ComponentAnswer* a, const ComponentAnswer* b) {
                             return a->priority != b->priority ? a->priority > b->priority
                                                               : a->component < b->component;
                         });
    }

    RecordMessage run() {
        add_identity();
        for (const Level level : {kCluster, kIsland, kSwitch, kNode}) {
            add_network(level);
        }
        add_uplinks();
        add_side();
        add_machine();
        record_.is_host_asked = facts_.is_host_asked;
        record_.settings = maker_.settings(settings());
        record_.layout = maker_.layout({maker_.place(place())});
        record_.ranks.add(rank_);
        maker_.add(std::move(record_));
        maker_.add_error(error());
        return maker_.take();
    }

private:
    // The first that it accepts, of the component `forced` or else of the highest priority; or NULL.
    const ComponentAnswer* first(std::string_view forced,
                                 const std::function<bool(const ComponentAnswer&)>& accepts) const {
        const ComponentAnswer* best = nullptr;
        for (const ComponentAnswer* answer : answers_) {
            if (accepts(*answer) && (best == nullptr || answer->component == forced)) {
                best = answer;
            }
        }
        return best;
    }

    void add_identity() {
        record_.host_id = hash_bytes(facts_.host_name + '\0' + facts_.boot_id);
        const ComponentAnswer* simulated = first("", [](const ComponentAnswer& answer) {
            return answer.replaces_node && answer.values[kNode];
        });
        record_.node_id = simulated != nullptr ? hash_of(*simulated->values[kNode]) : record_.host_id;
        ByteWriter memory;
        for (const std::uint64_t id : {record_.host_id, facts_.shm_device, facts_.ipc_namespace}) {
            memory.put_u64(id);
        }
        record_.shared_id = hash_bytes(memory.bytes());
    }

    std::uint32_t number_of(const RawValue& value) {
        ByteWriter bytes;
        bytes.put(value);
        return maker_.name(bytes.bytes());
    }

    LevelAnswer answer_for(Level level, const ComponentAnswer& answer) {
        return {maker_.name(answer.component), answer.priority, number_of(*answer.values[level]), true};
    }

    // A switch whose uplinks can be found out stands for its island until they are.
    void add_network(Level level) {
        for (const ComponentAnswer* answer : answers_) {
            const bool is_named = answer->values[level].has_value();
            const bool is_best = !record_.best[level].is_known();
            const bool is_wanted = is_best || answer->component == facts_.forced[level];
            if (is_wanted && (is_named || (level == kIsland && can_report_uplinks(*answer)))) {
                LevelAnswer& own = is_best ? record_.best[level] : record_.forced[level];
                own = answer_for(is_named ? level : kSwitch, *answer);
                own.is_named = is_named;
            }
        }
    }

    void add_uplinks() {
        const ComponentAnswer* answer = first("", can_report_uplinks);
        record_.uplinks_component = answer == nullptr ? 0 : maker_.name(answer->component);
    }

    // The best answer for each type, and the best of those that count for the node.
    void add_side() {
        std::map<std::string, std::vector<SideValue>> all;  // by type
        for (const ComponentAnswer* answer : answers_) {
            for (const SideAnswer& side : answer->side) {
                std::vector<SideValue>& own = all[side.type];
                if (own.empty() || (side.is_for_node && !own.back().is_for_node)) {
                    own.push_back({maker_.name(side.type), side.order, maker_.name(answer->component),
                                   answer->priority, number_of(side.value), side.is_for_node});
                }
            }
        }
        for (const auto& [type, own] : all) {
            record_.side.insert(record_.side.end(), own.begin(), own.end());
        }
    }

    // A machine fills socket, core and hwthread together: the component named for socket stands.
    void add_machine() {
        const ComponentAnswer* answer = first(
            facts_.forced[kSocket], [](const ComponentAnswer& one) { return one.machine.has_value(); });
        if (answer != nullptr) {
            record_.machine = {maker_.name(answer->component), answer->priority,
                               maker_.machine(*answer->machine), rank_};
        }
    }

    ProcessBinding place() {
        ProcessBinding place;
        const ComponentAnswer* simulated = first("", [](const ComponentAnswer& answer) {
            return answer.binding &&
                   (is_binding_rule(*answer.binding) || CpuSet::parse(*answer.binding));
        });
        place.rule = simulated == nullptr ? "" : short_rule(*simulated->binding);
        if (place.rule.empty()) {
            place.cpus = simulated == nullptr ? facts_.cpus : *CpuSet::parse(*simulated->binding);
        }
        for (const Level level : {kL2Numa, kSocket, kCore, kHwThread}) {
            for (const ComponentAnswer* answer : answers_) {
                if (answer->values[level]) {
                    place.inner.push_back({level, answer_for(level, *answer)});
                }
            }
        }
        return place;
    }

    AgreedSettings settings() const {
        AgreedSettings settings = facts_.settings;
        for (int level = 0; level < kNumLevels; ++level) {
            const std::string& component = facts_.forced[static_cast<std::size_t>(level)];
            if (!component.empty()) {
                settings.emplace_back(forcing_key(static_cast<Level>(level)), component);
            }
        }
        std::sort(settings.begin(), settings.end());
        return settings;
    }

    ReportedError error() const {
        const auto worst = std::max_element(answers_.begin(), answers_.end(),
                                            [](const ComponentAnswer* a, const ComponentAnswer* b) {
                                                return cost_of_failure(*a) < cost_of_failure(*b);
                                            });
        if (cost_of_failure(**worst) < 0) {
            return {rank_, "", Error{Errc::kNone, "", "", "", 0, 0}};
        }
        const std::string text = "it returned the error " + std::to_string((*worst)->status);
        return {rank_, (*worst)->component,
                (*worst)->error.value_or(Error{Errc::kFailed, "query", text, "", 0, 0})};
    }

    const std::uint32_t rank_;
    const ProcessFacts& facts_;
    ComponentAnswer framework_;
    Answers answers_;
    MessageMaker maker_;
    NodeRecord record_;
};

}  // namespace

RecordMessage make_record(std::uint32_t rank, const ProcessFacts& facts,
                          const std::vector<ComponentAnswer>& answers) {
    // On the heap: a program's thread may have a small stack.
    return std::make_unique<RecordMaker>(rank, facts, answers)->run();
}

}  // namespace hitopo
