// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// HiTopo's data as JSON documents: hitopo_base_api.h; docs/json.md is their schema.
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/base/binding.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "ompi/mca/hitopo/base/lifecycle.h"
#include "ompi/mca/hitopo/base/trees.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/core/text/version.h"
#include "ompi/mca/hitopo/core/tree/partition.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"
#include "ompi/mca/hitopo/support/json_text.h"

namespace hitopo {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

Json document() { return {{"hitopo", kHitopoVersion}, {"schema", kSchema}}; }

// NULL if memory is short, or describe() gives null. Names may hold any bytes, JSON may not.
template <class Describe>
char* to_text(Describe&& describe) {
    char* text = nullptr;
    (void)guarded([&] {
        Json json = describe();
        make_utf8(json);
        if (!json.is_null()) {
            text = strdup(json.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
        }
    });
    return text;
}

// An array of describe(one) for each one of the range.
template <class Range, class Describe>
Json array_of(const Range& range, Describe describe) {
    Json all = Json::array();
    for (const auto& one : range) {
        all.push_back(describe(one));
    }
    return all;
}

constexpr std::array<Level, kNumLevels> kAllLevels = {kCluster, kIsland, kSwitch, kNode,
                                                      kL2Numa,  kSocket, kCore,   kHwThread};

Json string_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

// ---- the tree ----

Json inner_name(const InnerPlace& place, Level level, std::int32_t address) {
    if (!place.names[level].empty()) {
        return place.names[level];
    }
    const int number = level == kHwThread ? address : place.placement[level];
    return number < 0 || (level == kHwThread && place.placement[kCore] < 0)
               ? Json()
               : Json(std::to_string(number));
}

// What a process has at a level, as people see it, and the component that gives it; null and "" where
// it has nothing.
struct Filled {
    std::string component;
    Json value;
};

Filled filled(const AddressTree& tree, std::uint32_t rank, Level level) {
    const JobFacts& facts = tree.facts();
    const AddressTree::At at = tree.at(rank);
    const std::size_t node = tree.listed(at.node);
    const JobFacts::Kind& kind = facts.kind_of(node);
    if (level == kNode) {
        return {kind.node, facts.node_name(node)};
    }
    if (level > kNode) {
        return {level == kL2Numa ? kind.l2numa : kind.inner,
                inner_name(tree.place(at.seat), level, tree.address(rank)[level])};
    }
    const std::int32_t number = facts.branch_of(node)[level];
    if (number < 0) {
        return {};
    }
    const NamedValue& value = facts.values[level][static_cast<std::size_t>(number)];
    return {value.component, value.value.visible().to_string()};
}

// What the process has of a type that crosses nodes; NULL for nothing.
const NamedValue* side_value(const AddressTree& tree, std::uint32_t rank, std::size_t type) {
    const AddressTree::At at = tree.at(rank);
    const JobFacts& facts = tree.facts();
    const std::int32_t number = facts.side_sets[tree.sharing(at.node, at.seat).sides][type];
    return number < 0 ? nullptr : &facts.side_types[type].values[static_cast<std::size_t>(number)];
}

// The tree's nodes by their numbers.
std::vector<std::size_t> nodes_by_number(const AddressTree& tree) {
    std::vector<std::size_t> nodes(tree.nodes().size());
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        nodes[tree.nodes()[node].number] = node;
    }
    return nodes;
}

Json components_of(const AddressTree& tree, Level level) {
    std::vector<std::string> names;
    for (const std::size_t node : nodes_by_number(tree)) {
        add_once(names, filled(tree, tree.lowest_rank(node), level).component);
    }
    return names;
}

Json describe_levels(const AddressTree& tree) {
    return array_of(kAllLevels, [&](Level level) -> Json {
        const AddressTree::Known known = tree.known(level);
        const bool is_known = known != AddressTree::Known::kNone;
        return {{"level", level_name(level)},
                {"type", "hitopo://" + std::string(level_type(level))},
                {"known", !is_known                           ? "none"
                          : known == AddressTree::Known::kAll ? "all"
                                                              : "some"},
                {"distinct", tree.num_distinct(level)},
                {"components", is_known ? components_of(tree, level) : Json::array()}};
    });
}

Json describe_nodes(const AddressTree& tree) {
    const JobFacts& facts = tree.facts();
    return array_of(nodes_by_number(tree), [&](std::size_t node) -> Json {
        const std::size_t listed = tree.listed(node);
        const std::int32_t machine = facts.kind_of(listed).machine;
        const std::uint32_t lowest = tree.lowest_rank(node);
        std::vector<std::uint32_t> ranks;
        tree.for_each_in(node, [&](std::uint32_t rank, std::uint32_t) { ranks.push_back(rank); });
        return {{"name", facts.node_name(listed)},
                {"identity", to_hex(facts.nodes[listed].identity)},
                {"cluster", filled(tree, lowest, kCluster).value},
                {"island", filled(tree, lowest, kIsland).value},
                {"switch", filled(tree, lowest, kSwitch).value},
                {"machine", machine < 0 ? Json() : Json(machine)},
                {"ranks", ranks}};
    });
}

Json describe_machines(const JobFacts& facts) {
    return array_of(facts.machines, [](const Machine& machine) -> Json {
        Json types = array_of(machine.types(), [](const MachineType& type) -> Json {
            return {{"type", type.name}, {"instances", array_of(type.instances, [](const CpuSet& cpus) {
                                              return cpus.to_string();
                                          })}};
        });
        return {{"cpus", machine.cpus().to_string()}, {"types", std::move(types)}};
    });
}

Json describe_restricted(const JobFacts& facts, const InnerPlace& place) {
    Json restricted = Json::object();
    const std::vector<int>& instances = place.placement.instances;
    for (std::size_t i = 0; place.machine >= 0 && i < instances.size(); ++i) {
        if (instances[i] >= 0) {
            restricted[facts.machines[static_cast<std::size_t>(place.machine)].types()[i].name] =
                instances[i];
        }
    }
    return restricted;
}

Json describe_ranks(const AddressTree& tree) {
    Json ranks = Json::array();
    for (std::uint32_t rank = 0; rank < tree.size(); ++rank) {
        const InnerPlace& place = tree.place(tree.at(rank).seat);
        const Address address = tree.address(rank);
        ranks.push_back(
            {{"rank", rank},
             {"node", address[kNode]},
             {"address", address},
             {"names",
              array_of(kAllLevels, [&](Level level) { return filled(tree, rank, level).value; })},
             {"cpus", string_or_null(place.cpus.to_string())},
             {"restricted", describe_restricted(tree.facts(), place)}});
    }
    return ranks;
}

// Also lists the components that give the values.
Json describe_domains(const AddressTree& tree, const ResourceType& type,
                      std::vector<std::string>& components) {
    const Partition domains = Partition::by_type(tree, type);
    const std::vector<std::int32_t> groups = domains.groups();
    Json all(domains.count(), {{"name", nullptr}, {"ranks", Json::array()}});
    for (std::uint32_t rank = 0; rank < tree.size(); ++rank) {
        if (groups[rank] < 0) {
            continue;
        }
        Json& domain = all[static_cast<std::size_t>(groups[rank])];
        if (!type.crosses_nodes()) {
            add_once(components, tree.facts().kind_of(tree.listed(tree.at(rank).node)).inner);
        } else if (domain["name"].is_null()) {
            const NamedValue* value = side_value(tree, rank, static_cast<std::size_t>(type.side));
            add_once(components, value->component);
            domain["name"] = value->value.visible().to_string();
        }
        domain["ranks"].push_back(rank);
    }
    return all;
}

Json describe_side(const AddressTree& tree) {
    Json side = Json::array();
    for (const ResourceType& type : resource_types(tree)) {
        if (type.is_side()) {
            std::vector<std::string> components;
            Json domains = describe_domains(tree, type, components);
            side.push_back({{"type", type.uri()},
                            {"crosses_nodes", type.crosses_nodes()},
                            {"components", std::move(components)},
                            {"domains", std::move(domains)}});
        }
    }
    return side;
}

Json describe_table(const AddressTree& tree) {
    Json json = document();
    json["communicator"] = "MPI_COMM_WORLD";
    json["size"] = tree.size();
    json["levels"] = describe_levels(tree);
    json["nodes"] = describe_nodes(tree);
    json["machines"] = describe_machines(tree.facts());
    json["ranks"] = describe_ranks(tree);
    json["types"] = array_of(resource_types(tree), [&](const ResourceType& type) -> Json {
        return {{"type", type.uri()}, {"domains", Partition::by_type(tree, type).count()}};
    });
    json["side"] = describe_side(tree);
    json["warnings"] = tree.facts().warnings;
    return json;
}

// ---- this process ----

Json describe_answer(const ComponentAnswer& answer, Json value, Json reason) {
    return {{"component", answer.component},
            {"priority", answer.priority},
            {"value", std::move(value)},
            {"reason", std::move(reason)}};
}

// Why a component answers as it does, "" where it does not fill the level.
std::string reason_of(const ComponentAnswer& answer, Level level) {
    if ((answer.levels >> level & 1) == 0) {
        return "";
    }
    // What is absent from a file is a reason for each host.
    const bool has_error = answer.error && answer.error->code != Errc::kAbsent && !answer.values[level];
    return has_error                       ? answer.error->message
           : answer.reasons[level].empty() ? answer.reason
                                           : answer.reasons[level];
}

// tree: of MPI_COMM_WORLD, in which this process is `rank`; or NULL.
Json describe_answers(const Answers& answers, const AddressTree* tree, std::uint32_t rank) {
    return array_of(kAllLevels, [&](Level level) -> Json {
        const Filled own = tree == nullptr ? Filled() : filled(*tree, rank, level);
        Json all = Json::array();
        for (const ComponentAnswer& answer : answers.by_component) {
            const Json value = answer.values[level] ? Json(answer.values[level]->to_string()) : Json();
            std::string reason = reason_of(answer, level);
            if (value.is_null() && reason.empty()) {
                continue;
            }
            if (level > kNode && own.value.is_null() && own.component == answer.component) {
                reason.insert(0, "CPUs " + answers.facts.cpus.to_string() + " do not lie in one " +
                                     std::string(level_type(level)) + "; ");
            }
            all.push_back(describe_answer(answer, value, std::move(reason)));
        }
        return {{"level", level_name(level)},
                {"chosen", string_or_null(own.component)},
                {"value", own.value},
                {"answers", std::move(all)}};
    });
}

// The answers for a type of side resource.
Json describe_answers_of(const Answers& answers, const std::string& type) {
    Json all = Json::array();
    for (const ComponentAnswer& answer : answers.by_component) {
        Json value, reason;
        for (const SideAnswer& side : answer.side) {
            if (side.type == type) {
                value = side.value.to_string();
                reason = side.is_for_node ? Json("for all of the node") : Json();
            }
        }
        for (const SideReason& given : answer.side_reasons) {
            reason = given.type == type ? Json(given.text) : reason;
        }
        if (!value.is_null() || !reason.is_null()) {
            all.push_back(describe_answer(answer, std::move(value), std::move(reason)));
        }
    }
    return all;
}

// The types of the tree, then those that only components of this process know.
Json describe_side_answers(const Answers& answers, const AddressTree* tree, std::uint32_t rank) {
    std::vector<std::string> types;
    for (std::size_t i = 0; tree != nullptr && i < tree->facts().side_types.size(); ++i) {
        types.push_back(tree->facts().side_types[i].uri);
    }
    const std::size_t num_of_tree = types.size();
    for (const ComponentAnswer& answer : answers.by_component) {
        for (const SideAnswer& side : answer.side) {
            add_once(types, side.type);
        }
        for (const SideReason& reason : answer.side_reasons) {
            add_once(types, reason.type);
        }
    }
    Json all = Json::array();
    for (std::size_t i = 0; i < types.size(); ++i) {
        const NamedValue* value = i < num_of_tree ? side_value(*tree, rank, i) : nullptr;
        all.push_back({{"type", types[i]},
                       {"chosen", value == nullptr ? Json() : Json(value->component)},
                       {"value", value == nullptr ? Json() : Json(value->value.to_string())},
                       {"answers", describe_answers_of(answers, types[i])}});
    }
    return all;
}

Json describe_errors(const Answers& answers) {
    Json errors = Json::array();
    for (const ComponentAnswer& answer : answers.by_component) {
        // What is absent from a file, the process reports that asked for its node.
        if (answer.error && (answer.error->code != Errc::kAbsent || answers.facts.is_host_asked)) {
            errors.push_back({{"component", answer.component},
                              {"code", topic_of(answer.error->code)},
                              {"value", answer.error->value},
                              {"where", answer.error->position()},
                              {"message", answer.error->message}});
        }
    }
    return errors;
}

Json describe_process() {
    Trees& trees = Trees::instance();
    const Answers answers = trees.answers().value_or(Answers());
    const auto rank = static_cast<std::uint32_t>(hitopo_glue_rank(hitopo_glue_world()));
    const std::shared_ptr<CommTree> own = trees.cache().find(hitopo_glue_world());
    const AddressTree* tree = own == nullptr ? nullptr : &own->tree();
    Json json = document();
    json["rank"] = rank;
    json["host"] = answers.facts.host_name;
    json["binding"] = (own != nullptr ? own->binding() : answers.facts.cpus).to_string();
    json["binding_changed"] = own != nullptr && read_binding() != own->binding();
    json["levels"] = describe_answers(answers, tree, rank);
    json["side"] = describe_side_answers(answers, tree, rank);
    json["errors"] = describe_errors(answers);
    json["query_us"] = Json::object();
    for (std::size_t i = 0; i < answers.by_component.size(); ++i) {
        json["query_us"][answers.by_component[i].component] = std::round(answers.query_us[i] * 10) / 10;
    }
    return json;
}

// ---- the framework ----

int add_component(void* context, const char* name, const char* version, int priority, unsigned levels,
                  void*) {
    return guarded([&] {
        Json fills = Json::array();
        for (int level = 0; level < kNumLevels; ++level) {
            if ((levels >> level & 1) != 0) {
                fills.push_back(level_name(static_cast<Level>(level)));
            }
        }
        static_cast<Json*>(context)->push_back({{"name", name},
                                                {"version", version},
                                                {"priority", priority},
                                                {"levels", std::move(fills)}});
    });
}

int add_variable(void* context, const hitopo_glue_variable_t* variable) {
    return guarded([&] {
        static_cast<Json*>(context)->push_back(
            {{"name", variable->name},
             {"type", variable->type},
             {"value", variable->value == nullptr ? Json() : Json(variable->value)},
             {"source", variable->source},
             {"scope", variable->scope},
             {"help", variable->help}});
    });
}

Json describe_framework() {
    Json json = document();
    json["open_mpi"] = hitopo_glue_ompi_version();
    json["levels"] = array_of(kAllLevels, level_name);
    json["components"] = Json::array();
    json["variables"] = Json::array();
    (void)hitopo_glue_for_each_component(add_component, &json["components"]);
    (void)hitopo_glue_for_each_variable(add_variable, &json["variables"]);
    return json;
}

}  // namespace
}  // namespace hitopo

char* ompi_hitopo_describe_table(const char** reason) {
    return hitopo::to_text([&]() -> hitopo::Json {
        if (const auto own = hitopo::Trees::instance().cache().find(hitopo_glue_world())) {
            return hitopo::describe_table(own->tree());
        }
        if (reason != nullptr) {
            *reason = hitopo::Lifecycle::instance().reason();
        }
        return nullptr;
    });
}

char* ompi_hitopo_describe_process() { return hitopo::to_text(hitopo::describe_process); }

char* ompi_hitopo_describe_framework() { return hitopo::to_text(hitopo::describe_framework); }
