// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The JSON documents of hitopo_describe.h; docs/json.md is their schema.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/hitopo_base_describe_side.h"
#include "ompi/mca/hitopo/base/hitopo_describe.h"
#include "ompi/mca/hitopo/base/lifecycle.h"
#include "ompi/mca/hitopo/base/local_process.h"
#include "ompi/mca/hitopo/base/trees.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/core/text/version.h"
#include "ompi/mca/hitopo/core/tree/partition.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"

namespace hitopo {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

Json document() { return {{"hitopo", kHitopoVersion}, {"schema", kSchema}}; }

// NULL if memory is short. Names may hold any bytes, JSON may not.
char* to_text(const Json& json) {
    const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return strdup(text.c_str());
}

template <class Body>
char* text_or_null(Body&& body) {
    char* text = nullptr;
    (void)guarded([&] { text = body(); });
    return text;
}

Json string_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

std::string_view known_name(AddressTree::Known known) {
    return known == AddressTree::Known::kAll    ? "all"
           : known == AddressTree::Known::kSome ? "some"
                                                : "none";
}

// ---- the tree ----

// What fills a network level of a node; NULL where nothing does.
const NamedValue* network_value(const JobFacts& facts, std::size_t node, Level level) {
    const std::int32_t value = facts.branch_of(node)[level];
    return value < 0 ? nullptr : &facts.values[level][static_cast<std::size_t>(value)];
}

Json visible_or_null(const NamedValue* value) {
    return value == nullptr ? Json() : Json(value->value.visible().to_string());
}

Json inner_name(const InnerPlace& place, Level level, std::int32_t address) {
    if (!place.names[level].empty()) {
        return place.names[level];
    }
    const int number = level == kHwThread ? address : place.placement[level];
    return number < 0 || (level == kHwThread && place.placement[kCore] < 0)
               ? Json()
               : Json(std::to_string(number));
}

// The component that fills a level of a node; "" for none.
std::string component_of(const JobFacts& facts, std::size_t node, Level level) {
    if (level < kNode) {
        const NamedValue* value = network_value(facts, node, level);
        return value == nullptr ? "" : value->component;
    }
    const JobFacts::Kind& kind = facts.kind_of(node);
    return level == kNode ? kind.node : level == kL2Numa ? kind.l2numa : kind.inner;
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
        const std::string name = component_of(tree.facts(), tree.listed(node), level);
        if (level >= kNode || !name.empty()) {
            add_once(names, name);
        }
    }
    return names;
}

Json describe_levels(const AddressTree& tree) {
    Json levels = Json::array();
    for (int i = 0; i < kNumLevels; ++i) {
        const Level level = static_cast<Level>(i);
        const bool is_known = tree.known(level) != AddressTree::Known::kNone;
        levels.push_back({{"level", level_name(level)},
                          {"type", "hitopo://" + std::string(level_type(level))},
                          {"known", known_name(tree.known(level))},
                          {"distinct", tree.num_distinct(level)},
                          {"components", is_known ? components_of(tree, level) : Json::array()}});
    }
    return levels;
}

Json describe_node(const AddressTree& tree, std::size_t node) {
    const JobFacts& facts = tree.facts();
    const std::size_t listed = tree.listed(node);
    const std::int32_t machine = facts.kind_of(listed).machine;
    std::vector<std::uint32_t> ranks;
    tree.for_each_in(node, [&](std::uint32_t rank, std::uint32_t) { ranks.push_back(rank); });
    std::sort(ranks.begin(), ranks.end());
    return {{"name", facts.node_name(listed)},
            {"identity", to_hex(facts.nodes[listed].identity)},
            {"cluster", visible_or_null(network_value(facts, listed, kCluster))},
            {"island", visible_or_null(network_value(facts, listed, kIsland))},
            {"switch", visible_or_null(network_value(facts, listed, kSwitch))},
            {"machine", machine < 0 ? Json() : Json(machine)},
            {"ranks", ranks}};
}

Json describe_nodes(const AddressTree& tree) {
    Json nodes = Json::array();
    for (const std::size_t node : nodes_by_number(tree)) {
        nodes.push_back(describe_node(tree, node));
    }
    return nodes;
}

Json describe_machines(const JobFacts& facts) {
    Json machines = Json::array();
    for (const Machine& machine : facts.machines) {
        Json types = Json::array();
        for (const MachineType& type : machine.types()) {
            Json instances = Json::array();
            for (const CpuSet& cpus : type.instances) {
                instances.push_back(cpus.to_string());
            }
            types.push_back({{"type", type.name}, {"instances", std::move(instances)}});
        }
        machines.push_back({{"cpus", machine.cpus().to_string()}, {"types", std::move(types)}});
    }
    return machines;
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

Json describe_rank(const AddressTree& tree, std::uint32_t rank) {
    const JobFacts& facts = tree.facts();
    const AddressTree::At at = tree.at(rank);
    const std::size_t listed = tree.listed(at.node);
    const InnerPlace& place = tree.place(at.seat);
    const Address address = tree.address(rank);
    Json names = Json::array();
    for (const Level level : {kCluster, kIsland, kSwitch}) {
        names.push_back(visible_or_null(network_value(facts, listed, level)));
    }
    names.push_back(facts.node_name(listed));
    for (const Level level : {kL2Numa, kSocket, kCore, kHwThread}) {
        names.push_back(inner_name(place, level, address[level]));
    }
    return {{"rank", rank},
            {"node", address[kNode]},
            {"address", address},
            {"names", std::move(names)},
            {"cpus", string_or_null(place.cpus.to_string())},
            {"restricted", describe_restricted(facts, place)}};
}

Json describe_ranks(const AddressTree& tree) {
    Json ranks = Json::array();
    for (std::uint32_t rank = 0; rank < tree.size(); ++rank) {
        ranks.push_back(describe_rank(tree, rank));
    }
    return ranks;
}

Json describe_types(const AddressTree& tree) {
    Json types = Json::array();
    for (const ResourceType& type : resource_types(tree)) {
        types.push_back({{"type", type.uri()}, {"domains", Partition::by_type(tree, type).count()}});
    }
    return types;
}

Json describe(const AddressTree& tree) {
    Json json = document();
    json["communicator"] = "MPI_COMM_WORLD";
    json["size"] = tree.size();
    json["levels"] = describe_levels(tree);
    json["nodes"] = describe_nodes(tree);
    json["machines"] = describe_machines(tree.facts());
    json["ranks"] = describe_ranks(tree);
    json["types"] = describe_types(tree);
    json["side"] = describe_side(tree);
    json["warnings"] = tree.facts().warnings;
    return json;
}

// ---- this process ----

// What a component has to say for a level: a value of its own, or its machine's.
struct Said {
    Json value;
    std::string reason;
};

Said said(const ComponentAnswer& answer, Level level) {
    Said out;
    if (answer.values[level]) {
        out.value = answer.values[level]->to_string();
    }
    if ((answer.levels >> level & 1) == 0) {
        return out;
    }
    out.reason = answer.reasons[level].empty() ? answer.reason : answer.reasons[level];
    // What is absent from a file, reasons say for each host.
    if (answer.error && answer.error->code != Errc::kAbsent && !answer.values[level]) {
        out.reason = answer.error->message;
    }
    return out;
}

// The component that filled `level` of this process in WORLD's tree, and with what; nulls if none.
Json chosen(const AddressTree* tree, std::uint32_t rank, Level level) {
    Json json = {{"level", level_name(level)}, {"chosen", nullptr}, {"value", nullptr}};
    if (tree == nullptr) {
        return json;
    }
    const AddressTree::At at = tree->at(rank);
    const std::size_t listed = tree->listed(at.node);
    json["chosen"] = string_or_null(component_of(tree->facts(), listed, level));
    json["value"] = level < kNode ? visible_or_null(network_value(tree->facts(), listed, level))
                    : level == kNode
                        ? Json(tree->facts().node_name(listed))
                        : inner_name(tree->place(at.seat), level, tree->address(rank)[level]);
    return json;
}

Json describe_answers(const Answers& answers, const AddressTree* tree, std::uint32_t rank) {
    Json levels = Json::array();
    for (int i = 0; i < kNumLevels; ++i) {
        const Level level = static_cast<Level>(i);
        Json json = chosen(tree, rank, level);
        json["answers"] = Json::array();
        for (const ComponentAnswer& answer : answers.by_component) {
            Said words = said(answer, level);
            if (words.value.is_null() && words.reason.empty()) {
                continue;
            }
            if (level > kNode && json["value"].is_null() && json["chosen"] == answer.component) {
                words.reason = "CPUs " + answers.facts.cpus.to_string() + " do not lie in one " +
                               std::string(level_type(level)) + "; " + words.reason;
            }
            json["answers"].push_back({{"component", answer.component},
                                       {"priority", answer.priority},
                                       {"value", std::move(words.value)},
                                       {"reason", std::move(words.reason)}});
        }
        levels.push_back(std::move(json));
    }
    return levels;
}

Json describe_errors(const Answers& answers) {
    Json errors = Json::array();
    for (const ComponentAnswer& answer : answers.by_component) {
        // What is absent from a file, the process says that speaks for its node.
        const bool is_told =
            answer.error && (answer.error->code != Errc::kAbsent || answers.facts.is_host_asked);
        if (is_told) {
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
    json["levels"] = Json::array();
    for (int i = 0; i < kNumLevels; ++i) {
        json["levels"].push_back(level_name(static_cast<Level>(i)));
    }
    json["components"] = Json::array();
    json["variables"] = Json::array();
    (void)hitopo_glue_for_each_component(add_component, &json["components"]);
    (void)hitopo_glue_for_each_variable(add_variable, &json["variables"]);
    return json;
}

}  // namespace
}  // namespace hitopo

char* ompi_hitopo_describe_table(const char** reason) {
    return hitopo::text_or_null([&]() -> char* {
        if (const auto own = hitopo::Trees::instance().cache().find(hitopo_glue_world())) {
            return hitopo::to_text(hitopo::describe(own->tree()));
        }
        if (reason != nullptr) {
            *reason = hitopo::Lifecycle::instance().reason();
        }
        return nullptr;
    });
}

char* ompi_hitopo_describe_process() {
    return hitopo::text_or_null([] { return hitopo::to_text(hitopo::describe_process()); });
}

char* ompi_hitopo_describe_framework() {
    return hitopo::text_or_null([] { return hitopo::to_text(hitopo::describe_framework()); });
}
