// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/record.h"

#include <algorithm>
#include <cstring>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

constexpr int kFrameworkPriority = INT32_MIN;

// One value that competes for a level in this process.
struct Offer {
    const ComponentAnswer* answer;
    Candidate candidate;
    bool has_name;  // else the leader of the switch will tell it
};

template <class T>
std::string_view bytes_of(const T& object) {
    return {reinterpret_cast<const char*>(&object), sizeof object};
}

void copy_text(std::string_view text, char* to, std::size_t capacity) {
    std::memcpy(to, text.data(), std::min(text.size(), capacity));
}

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

std::vector<Offer> offers_of(Level level, const std::vector<ComponentAnswer>& answers,
                             const std::string& forced) {
    std::vector<Offer> offers;
    for (const ComponentAnswer& answer : answers) {
        if (const RawValue* value = value_for(level, answer)) {
            offers.push_back({&answer,
                              {hash_of(*value), component_id(answer.component), answer.priority},
                              answer.values[level].has_value()});
        }
    }
    std::stable_sort(offers.begin(), offers.end(), [&forced](const Offer& a, const Offer& b) {
        return stands_before(*a.answer, *b.answer, forced);
    });
    if (offers.size() > kNumCandidates) {
        offers.erase(offers.begin() + kNumCandidates, offers.end());
    }
    return offers;
}

void fill_candidates(const std::vector<ComponentAnswer>& answers, const ProcessFacts& facts,
                     Contribution& out) {
    ByteWriter names;
    for (int i = 0; i < kNumLevels; ++i) {
        const Level level = static_cast<Level>(i);
        int slot = 0;
        for (const Offer& offer : offers_of(level, answers, facts.forced[level])) {
            if (is_for_node(level, *offer.answer)) {
                out.record.flags |= 1U << (Record::kForNodeShift + kNumCandidates * level + slot);
            }
            out.record.candidates[level][slot++] = offer.candidate;
            if (!offer.has_name) {
                continue;
            }
            names.put_u8(static_cast<std::uint8_t>(level));
            names.put(std::string_view(offer.answer->component));
            names.put(*offer.answer->values[level]);
            if (level > kNode) {
                out.record.flags |= Record::kHasInnerValues;
            }
        }
        out.record.forced[level] = facts.forced[level].empty() ? 0 : component_id(facts.forced[level]);
    }
    out.names = names.take();
    out.record.names_bytes = static_cast<std::uint32_t>(out.names.size());
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

void fill_node(const std::vector<ComponentAnswer>& answers, const ProcessFacts& facts, Record& record) {
    std::string identity = facts.host_name;
    identity += '\0';
    identity += facts.boot_id;
    record.host_id = hash_bytes(identity);
    record.node_id = record.host_id;
    record.flags |= facts.speaks_for_node ? Record::kSpeaksForNode : 0U;
    const ComponentAnswer* simulated = best_answer(answers, "", [](const ComponentAnswer& answer) {
        return answer.replaces_node && answer.values[kNode];
    });
    if (simulated != nullptr) {
        record.node_id = hash_of(*simulated->values[kNode]);
    }
    const std::uint64_t shared[] = {record.host_id, facts.shm_device, facts.ipc_namespace};
    record.shared_id = hash_bytes(bytes_of(shared));
}

// A machine fills socket, core and hwthread together: the component named for socket stands.
void fill_machine(const std::vector<ComponentAnswer>& answers, const ProcessFacts& facts,
                  Contribution& out) {
    const ComponentAnswer* best =
        best_answer(answers, facts.forced[kSocket],
                    [](const ComponentAnswer& answer) { return answer.machine.has_value(); });
    if (best == nullptr) {
        return;
    }
    ByteWriter piece;
    piece.put(std::string_view(best->component));
    piece.put(std::string_view(*best->machine));
    out.machine = piece.take();
    out.record.machine_hash = hash_bytes(out.machine);
    out.record.machine_bytes = static_cast<std::uint32_t>(out.machine.size());
    out.record.machine_component = component_id(best->component);
    out.record.machine_priority = best->priority;
}

void put_cpus(const CpuSet& cpus, Contribution& out) {
    if (to_runs(cpus, out.record.cpus)) {
        return;
    }
    ByteWriter words;
    for (const std::uint64_t word : cpus.words()) {
        words.put_u64(word);
    }
    out.cpus = words.take();
    out.record.flags |= Record::kHasIrregularCpus;
    out.record.cpus_bytes = static_cast<std::uint32_t>(out.cpus.size());
}

void fill_cpus(const std::vector<ComponentAnswer>& answers, const ProcessFacts& facts,
               Contribution& out) {
    const ComponentAnswer* simulated = best_answer(answers, "", [](const ComponentAnswer& answer) {
        return answer.binding && (is_binding_rule(*answer.binding) || CpuSet::parse(*answer.binding));
    });
    if (simulated == nullptr) {
        put_cpus(facts.cpus, out);
    } else if (const std::string_view rule = short_rule(*simulated->binding); !rule.empty()) {
        out.record.flags |= Record::kHasBindingRule;
        copy_text(rule, out.record.binding_rule, kMaxRuleLength);
    } else {
        put_cpus(*CpuSet::parse(*simulated->binding), out);
    }
}

void fill_uplinks(const std::vector<ComponentAnswer>& answers, const ProcessFacts& facts,
                  Record& record) {
    if (const ComponentAnswer* best = best_answer(answers, facts.forced[kSwitch], is_led)) {
        record.uplinks_component = component_id(best->component);
        record.uplinks_bytes = static_cast<std::uint32_t>(
            max_bytes_of_led(best->component, *best->values[kSwitch],
                             static_cast<std::size_t>(std::clamp(*best->max_uplinks, 0, kMaxUplinks))));
    }
}

void fill_error(const std::vector<ComponentAnswer>& answers, Record& record) {
    for (const ComponentAnswer& answer : answers) {
        if (!answer.error && answer.status == kSuccess) {
            continue;
        }
        record.flags |= Record::kHasError;
        record.error_component = component_id(answer.component);
        record.error_code = static_cast<std::int32_t>(Errc::kFailed);
        if (answer.error) {
            record.error_code = static_cast<std::int32_t>(answer.error->code);
            record.error_line = answer.error->line;
            record.error_column = answer.error->column;
            copy_text(answer.error->value, record.error_value, kErrorValueBytes);
        }
        return;
    }
}

void fill_hashes(const ProcessFacts& facts, const std::string& cpus, Record& record) {
    const std::size_t network_bytes = sizeof record.candidates[0] * (kNode + 1);
    const char* candidates = bytes_of(record.candidates).data();
    const std::uint32_t for_node = record.flags >> Record::kForNodeShift;
    std::string network(candidates, network_bytes);
    network += bytes_of(for_node);
    network += bytes_of(record.uplinks_component);
    record.network_hash = hash_bytes(network);
    std::string placement(candidates + network_bytes, sizeof record.candidates - network_bytes);
    placement += bytes_of(record.cpus);
    placement += bytes_of(record.binding_rule);
    placement += cpus;
    record.placement_hash = hash_bytes(placement);
    record.settings_hash = hash_bytes(facts.settings);
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

std::uint32_t component_id(std::string_view name) {
    const auto id = static_cast<std::uint32_t>(hash_bytes(name));
    return id != 0 ? id : 1;
}

Contribution make_contribution(const ProcessFacts& facts, const std::vector<ComponentAnswer>& answers) {
    Contribution out = {};
    out.record.magic = Record::kMagic;
    out.record.version = Record::kVersion;
    out.record.num_words = sizeof(Record) / sizeof(std::int32_t);
    std::vector<ComponentAnswer> all = answers;
    all.push_back(framework_answer(facts));
    fill_candidates(all, facts, out);
    fill_node(all, facts, out.record);
    fill_machine(all, facts, out);
    fill_cpus(all, facts, out);
    fill_uplinks(all, facts, out.record);
    fill_error(all, out.record);
    fill_hashes(facts, out.cpus, out.record);
    return out;
}

std::vector<NamedValue> read_names(std::string_view bytes) {
    std::vector<NamedValue> names;
    ByteReader reader(bytes);
    while (reader.num_left() > 0) {
        const int level = reader.get_u8();
        const std::string_view component = reader.get_text();
        const std::string_view value = reader.skip_value();
        if (reader.has_failed() || level >= kNumLevels) {
            break;
        }
        names.push_back({static_cast<Level>(level), component, value});
    }
    return names;
}

CpuSet read_cpus(std::string_view bytes) {
    std::vector<std::uint64_t> words;
    ByteReader reader(bytes);
    while (reader.num_left() >= sizeof(std::uint64_t)) {
        words.push_back(reader.get_u64());
    }
    return CpuSet::from_words(std::move(words));
}

}  // namespace hitopo
