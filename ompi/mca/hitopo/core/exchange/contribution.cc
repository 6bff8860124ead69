// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/contribution.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/machine/binding.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

constexpr int kFrameworkPriority = INT32_MIN;

// The component that hitopo_base_level_<name> names stands before all priorities.
bool stands_before(const ComponentAnswer& a, const ComponentAnswer& b, const std::string& forced) {
    const bool is_a_forced = a.component == forced;
    const bool is_b_forced = b.component == forced;
    return is_a_forced != is_b_forced ? is_a_forced : a.priority > b.priority;
}

bool is_led(const ComponentAnswer& answer) {
    return answer.max_uplinks.has_value() && answer.values[kSwitch].has_value();
}

// A switch whose uplinks can be told stands for its island until they are.
const RawValue* value_for(Level level, const ComponentAnswer& answer) {
    const bool is_island_led = level == kIsland && !answer.values[kIsland] && is_led(answer);
    const std::optional<RawValue>& value = answer.values[is_island_led ? kSwitch : level];
    return value ? &*value : nullptr;
}

bool is_for_node(Level level, const ComponentAnswer& answer) {
    const Level source = answer.values[level] ? level : kSwitch;
    return level <= kNode && (answer.node_levels >> source & 1) != 0;
}

// One value that competes for a level in this process.
std::string candidate_field(Level level, const ComponentAnswer& answer, const RawValue& value) {
    ByteWriter field;
    field.put_short(answer.component);
    field.put_signed(answer.priority);
    field.put_u8(static_cast<std::uint8_t>((answer.values[level] ? kIsNamed : 0) |
                                           (is_for_node(level, answer) ? kIsForNode : 0)));
    field.put(value);
    return field.take();
}

// "" where there are fewer.
std::array<std::string, kNumCandidates> candidates_of(Level level,
                                                      const std::vector<ComponentAnswer>& answers,
                                                      const std::string& forced) {
    std::vector<const ComponentAnswer*> offers;
    for (const ComponentAnswer& answer : answers) {
        if (value_for(level, answer) != nullptr) {
            offers.push_back(&answer);
        }
    }
    std::stable_sort(offers.begin(), offers.end(),
                     [&](const ComponentAnswer* a, const ComponentAnswer* b) {
                         return stands_before(*a, *b, forced);
                     });
    std::array<std::string, kNumCandidates> fields;
    for (std::size_t i = 0; i < std::min<std::size_t>(offers.size(), kNumCandidates); ++i) {
        fields[i] = candidate_field(level, *offers[i], *value_for(level, *offers[i]));
    }
    return fields;
}

// The answer that `is_any` accepts, of the component `forced` or else of the highest priority; or NULL.
template <class IsAny>
const ComponentAnswer* best_answer(const std::vector<ComponentAnswer>& answers,
                                   const std::string& forced, IsAny is_any) {
    const ComponentAnswer* best = nullptr;
    for (const ComponentAnswer& answer : answers) {
        if (is_any(answer) && (best == nullptr || stands_before(answer, *best, forced))) {
            best = &answer;
        }
    }
    return best;
}

// What the process says of side resources: of each type the best answer.
std::string side_field(const std::vector<ComponentAnswer>& answers) {
    std::vector<SideOffer> offers;
    for (const ComponentAnswer& answer : answers) {
        for (const SideAnswer& side : answer.side) {
            offers.push_back({&side, answer.component, answer.priority});
        }
    }
    return encode_side_claims(std::move(offers));
}

std::uint64_t host_id_of(const ProcessFacts& facts) {
    return hash_bytes(facts.host_name + '\0' + facts.boot_id);
}

std::string identity_field(const std::vector<ComponentAnswer>& answers, const ProcessFacts& facts) {
    ByteWriter field;
    field.put_u64(host_id_of(facts));
    const ComponentAnswer* simulated = best_answer(answers, "", [](const ComponentAnswer& answer) {
        return answer.replaces_node && answer.values[kNode];
    });
    if (simulated != nullptr) {
        field.put_u64(hash_of(*simulated->values[kNode]));
    }
    return field.take();
}

std::string make_node_card(const std::vector<ComponentAnswer>& answers, const ProcessFacts& facts) {
    ByteWriter card;
    card.put_short(identity_field(answers, facts));
    ByteWriter shared;
    shared.put_varint(facts.shm_device);
    shared.put_varint(facts.ipc_namespace);
    card.put_short(shared.bytes());
    const ComponentAnswer* leading = best_answer(answers, "", is_led);
    card.put_short(leading == nullptr ? "" : leading->component);
    for (const Level level : {kCluster, kIsland, kSwitch, kNode}) {
        for (const std::string& field : candidates_of(level, answers, facts.forced[level])) {
            card.put_short(field);
        }
    }
    card.put_short(side_field(answers));
    return card.take();
}

// All that decides where the process lies in its node.
std::string make_place(const std::vector<ComponentAnswer>& answers, const ProcessFacts& facts) {
    const ComponentAnswer* simulated = best_answer(answers, "", [](const ComponentAnswer& answer) {
        return answer.binding && (is_binding_rule(*answer.binding) || CpuSet::parse(*answer.binding));
    });
    const std::string_view rule = simulated == nullptr ? "" : short_rule(*simulated->binding);
    ByteWriter place;
    place.put_short(rule);
    if (rule.empty()) {
        put_cpus(simulated == nullptr ? facts.cpus : *CpuSet::parse(*simulated->binding), place);
    }
    for (const Level level : {kL2Numa, kSocket, kCore, kHwThread}) {
        for (const std::string& field : candidates_of(level, answers, facts.forced[level])) {
            place.put_short(field);
        }
    }
    return place.take();
}

// A machine fills socket, core and hwthread together: the component named for socket stands.
const ComponentAnswer* machine_answer(const std::vector<ComponentAnswer>& answers,
                                      const ProcessFacts& facts) {
    return best_answer(answers, facts.forced[kSocket],
                       [](const ComponentAnswer& answer) { return answer.machine.has_value(); });
}

// -1: it did not.
int cost_of_failure(const ComponentAnswer& answer) {
    return answer.error ? cost_of(answer.error->code) : answer.status != kSuccess ? 2 : -1;
}

// The first of those that cost most.
const ComponentAnswer* worst_failed(const std::vector<ComponentAnswer>& answers) {
    const auto worst = std::max_element(answers.begin(), answers.end(),
                                        [](const ComponentAnswer& a, const ComponentAnswer& b) {
                                            return cost_of_failure(a) < cost_of_failure(b);
                                        });
    return worst == answers.end() || cost_of_failure(*worst) < 0 ? nullptr : &*worst;
}

void put_error(const ComponentAnswer& answer, ByteWriter& card) {
    const Error error = answer.error.value_or(Error{
        Errc::kFailed, "query", "it returned the error " + std::to_string(answer.status), "", 0, 0});
    card.put_short(answer.component);
    card.put_signed(static_cast<int>(error.code));
    card.put_short(error.value);
    card.put_short(error.message);
    card.put_short(error.where);
    card.put_signed(error.line);
    card.put_signed(error.column);
}

std::string make_process_card(const std::vector<ComponentAnswer>& answers, const ProcessFacts& facts,
                              const ComponentAnswer* machine, std::string_view machine_bytes) {
    const ComponentAnswer* failed = worst_failed(answers);
    const bool has_forced = std::any_of(facts.forced.begin(), facts.forced.end(),
                                        [](const std::string& name) { return !name.empty(); });
    ByteWriter card;
    card.put_short(make_place(answers, facts));
    card.put_u8(static_cast<std::uint8_t>(
        (facts.speaks_for_node ? kSpeaksForNode : 0) | (machine != nullptr ? kHasMachine : 0) |
        (has_forced ? kHasForced : 0) | (failed != nullptr ? kHasError : 0)));
    card.put_u64(hash_bytes(facts.settings));
    card.put_short(facts.layers);
    if (machine != nullptr) {
        card.put_u64(hash_bytes(machine_bytes));
        card.put_short(machine->component);
        card.put_signed(machine->priority);
    }
    for (std::size_t level = 0; has_forced && level < kNumLevels; ++level) {
        card.put_short(facts.forced[level]);
    }
    if (failed != nullptr) {
        put_error(*failed, card);
    }
    return card.take();
}

// The framework knows every node by its host name, whatever the components say.
ComponentAnswer framework_answer(const ProcessFacts& facts) {
    ComponentAnswer answer;
    answer.component = kFrameworkComponent;
    answer.priority = kFrameworkPriority;
    answer.values[kNode] = RawValue(Name(facts.host_name));
    return answer;
}

}  // namespace

Contribution make_contribution(const ProcessFacts& facts, const std::vector<ComponentAnswer>& answers) {
    std::vector<ComponentAnswer> all = answers;
    all.push_back(framework_answer(facts));
    Contribution out;
    const ComponentAnswer* machine = machine_answer(all, facts);
    if (machine != nullptr) {
        ByteWriter bytes;
        bytes.put(std::string_view(machine->component));
        bytes.put(std::string_view(*machine->machine));
        out.machine = bytes.take();
    }
    out.node_card = make_node_card(all, facts);
    out.process_card = make_process_card(all, facts, machine, out.machine);
    out.host_id = host_id_of(facts);
    out.speaks_for_node = facts.speaks_for_node;
    out.may_lead = std::any_of(all.begin(), all.end(), is_led);
    return out;
}

std::string encode(const Contribution& contribution) {
    ByteWriter bytes;
    bytes.put_short(contribution.node_card);
    bytes.put_short(contribution.process_card);
    bytes.put_short(contribution.machine);
    bytes.put_u64(contribution.host_id);
    bytes.put_u8(contribution.speaks_for_node ? 1 : 0);
    bytes.put_u8(contribution.may_lead ? 1 : 0);
    return bytes.take();
}

Result<Contribution> decode_contribution(std::string_view bytes) {
    ByteReader reader(bytes);
    Contribution out;
    out.node_card = reader.get_short();
    out.process_card = reader.get_short();
    out.machine = reader.get_short();
    out.host_id = reader.get_u64();
    out.speaks_for_node = reader.get_u8() != 0;
    out.may_lead = reader.get_u8() != 0;
    if (reader.has_failed() || reader.num_left() > 0) {
        return Error{Errc::kDisagree, "the contribution of a process", "it arrived damaged", "", 0, 0};
    }
    return out;
}

}  // namespace hitopo
