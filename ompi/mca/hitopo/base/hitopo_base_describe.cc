// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The JSON documents of hitopo_describe.h; docs/json.md is their schema.
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/hitopo_base_describe_side.h"
#include "ompi/mca/hitopo/base/hitopo_describe.h"
#include "ompi/mca/hitopo/base/job/lifecycle.h"
#include "ompi/mca/hitopo/base/job/local_process.h"
#include "ompi/mca/hitopo/base/job/tables.h"
#include "ompi/mca/hitopo/core/table/domain.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/core/text/version.h"

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

std::string_view known_name(Table::Known known) {
    return known == Table::Known::kAll ? "all" : known == Table::Known::kSome ? "some" : "none";
}

// ---- the table ----

// What people call the value that a node has at a network level; null where it knows none.
Json network_name(const Dictionary& dictionary, const NodeInfo& node, Level level) {
    const std::int32_t value = node.values[level];
    return value < 0 ? Json()
                     : Json(dictionary.value(level, static_cast<std::size_t>(value))
                                .value.visible()
                                .to_string());
}

Json inner_name(const Pattern& pattern, Level level, std::int32_t address) {
    if (!pattern.names[level].empty()) {
        return pattern.names[level];
    }
    const Placement& placement = pattern.placement;
    const int number = level == kHwThread ? address : placement[level];
    return number < 0 || (level == kHwThread && placement[kCore] < 0) ? Json()
                                                                      : Json(std::to_string(number));
}

Json components_of(const Table& table, Level level) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < table.num_nodes(); ++i) {
        const NodeInfo node = table.node_info(i);
        if (level == kNode) {
            add_once(names, node.component);
        } else if (level < kNode && node.values[level] >= 0) {
            add_once(
                names,
                table.dictionary().value(level, static_cast<std::size_t>(node.values[level])).component);
        } else if (level > kNode) {
            add_once(names, level == kL2Numa ? node.l2numa_component : node.inner_component);
        }
    }
    return names;
}

Json describe_levels(const Table& table) {
    Json levels = Json::array();
    for (int i = 0; i < kNumLevels; ++i) {
        const Level level = static_cast<Level>(i);
        const bool is_known = table.known(level) != Table::Known::kNone;
        levels.push_back({{"level", level_name(level)},
                          {"type", "hitopo://" + std::string(level_type(level))},
                          {"known", known_name(table.known(level))},
                          {"distinct", table.num_distinct(level)},
                          {"components", is_known ? components_of(table, level) : Json::array()}});
    }
    return levels;
}

Json describe_nodes(const Table& table) {
    Json nodes = Json::array();
    const std::vector<std::vector<std::uint32_t>> members = table.members();
    for (std::size_t i = 0; i < table.num_nodes(); ++i) {
        const NodeInfo node = table.node_info(i);
        nodes.push_back({{"name", node.name},
                         {"identity", to_hex(node.identity)},
                         {"cluster", network_name(table.dictionary(), node, kCluster)},
                         {"island", network_name(table.dictionary(), node, kIsland)},
                         {"switch", network_name(table.dictionary(), node, kSwitch)},
                         {"machine", node.machine < 0 ? Json() : Json(node.machine)},
                         {"ranks", members[i]}});
    }
    return nodes;
}

Json describe_machines(const Dictionary& dictionary) {
    Json machines = Json::array();
    for (const Machine& machine : dictionary.machines()) {
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

Json describe_restricted(const Table& table, std::size_t rank) {
    Json restricted = Json::object();
    const std::int32_t machine = table.node(rank).machine;
    const std::vector<int>& instances = table.pattern(rank).placement.instances;
    for (std::size_t i = 0; machine >= 0 && i < instances.size(); ++i) {
        if (instances[i] >= 0) {
            restricted
                [table.dictionary().machines()[static_cast<std::size_t>(machine)].types()[i].name] =
                    instances[i];
        }
    }
    return restricted;
}

Json describe_ranks(const Table& table) {
    Json ranks = Json::array();
    for (std::size_t rank = 0; rank < table.size(); ++rank) {
        const Address address = table.address(rank);
        const NodeInfo node = table.node(rank);
        const Pattern& pattern = table.pattern(rank);
        Json names = Json::array();
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            names.push_back(network_name(table.dictionary(), node, level));
        }
        names.push_back(node.name);
        for (const Level level : {kL2Numa, kSocket, kCore, kHwThread}) {
            names.push_back(inner_name(pattern, level, address[level]));
        }
        ranks.push_back({{"rank", rank},
                         {"node", table.node_number(rank)},
                         {"address", address},
                         {"names", std::move(names)},
                         {"cpus", string_or_null(pattern.cpus.to_string())},
                         {"restricted", describe_restricted(table, rank)}});
    }
    return ranks;
}

Json describe_types(const Table& table) {
    Json types = Json::array();
    for (const ResourceType& type : resource_types(table)) {
        types.push_back({{"type", type.uri()}, {"domains", domains_of(table, type).count}});
    }
    return types;
}

Json describe(const Table& table) {
    Json json = document();
    json["communicator"] = "MPI_COMM_WORLD";
    json["size"] = table.size();
    json["levels"] = describe_levels(table);
    json["nodes"] = describe_nodes(table);
    json["machines"] = describe_machines(table.dictionary());
    json["ranks"] = describe_ranks(table);
    json["types"] = describe_types(table);
    json["side"] = describe_side(table);
    json["warnings"] = table.dictionary().warnings();
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

// Who filled `level` of this process in WORLD's table, and with what; nulls if nobody.
Json chosen(const CommTable* table, std::size_t rank, Level level) {
    Json json = {{"level", level_name(level)}, {"chosen", nullptr}, {"value", nullptr}};
    if (table == nullptr) {
        return json;
    }
    const NodeInfo node = table->table().node(rank);
    const Dictionary& dictionary = table->table().dictionary();
    if (level < kNode) {
        json["value"] = network_name(dictionary, node, level);
        if (node.values[level] >= 0) {
            json["chosen"] =
                dictionary.value(level, static_cast<std::size_t>(node.values[level])).component;
        }
    } else if (level == kNode) {
        json["value"] = node.name;
        json["chosen"] = string_or_null(node.component);
    } else {
        const Pattern& pattern = table->table().pattern(rank);
        json["value"] = inner_name(pattern, level, table->table().address(rank)[level]);
        json["chosen"] = string_or_null(level == kL2Numa ? node.l2numa_component : node.inner_component);
    }
    return json;
}

Json describe_answers(const Answers& answers, const CommTable* table, std::size_t rank) {
    Json levels = Json::array();
    for (int i = 0; i < kNumLevels; ++i) {
        const Level level = static_cast<Level>(i);
        Json json = chosen(table, rank, level);
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
            answer.error && (answer.error->code != Errc::kAbsent || answers.facts.speaks_for_node);
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
    Tables& tables = Tables::instance();
    const Answers answers = tables.answers().value_or(Answers());
    const auto rank = static_cast<std::size_t>(hitopo_glue_rank(hitopo_glue_world()));
    const std::shared_ptr<CommTable> table = tables.cache().find(hitopo_glue_world());
    Json json = document();
    json["rank"] = rank;
    json["host"] = answers.facts.host_name;
    json["binding"] = (table != nullptr ? table->binding() : answers.facts.cpus).to_string();
    json["binding_changed"] = table != nullptr && read_binding() != table->binding();
    json["levels"] = describe_answers(answers, table.get(), rank);
    json["side"] = describe_side_answers(answers, table == nullptr ? nullptr : &table->table(), rank);
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
        if (const auto table = hitopo::Tables::instance().cache().find(hitopo_glue_world())) {
            return hitopo::to_text(hitopo::describe(table->table()));
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
