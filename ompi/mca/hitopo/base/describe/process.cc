// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/base/answers.h"
#include "ompi/mca/hitopo/base/binding.h"
#include "ompi/mca/hitopo/base/describe/describe.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "ompi/mca/hitopo/base/tree_cache.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

Json describe_answer(const ComponentAnswer& answer, Json value, Json reason) {
    return {{"component", answer.component},
            {"priority", answer.priority},
            {"value", std::move(value)},
            {"reason", std::move(reason)}};
}

// The reason for a component's answer, "" where it does not fill the level.
std::string reason_of(const ComponentAnswer& answer, Level level) {
    if ((answer.levels >> level & 1) == 0) {
        return "";
    }
    // Absence from a file, and entries left out of it, leave the component its own reasons.
    const bool has_error = answer.error && cost_of(answer.error->code) >= cost_of(Errc::kMalformed) &&
                           !answer.values[level];
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
                reason = "it may run on CPUs " + answers.facts.cpus.to_string() +
                         ", which are in no one " + std::string(level_type(level));
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
        // The process that asks for its node reports absence from a file.
        if (answer.error && (answer.error->code != Errc::kAbsent || answers.facts.is_host_asked)) {
            const auto add = [&](const Error& error) {
                errors.push_back({{"component", answer.component},
                                  {"code", topic_of(error.code)},
                                  {"value", error.value},
                                  {"where", error.position()},
                                  {"message", error.message}});
            };
            add(*answer.error);
            std::for_each(answer.error->others.begin(), answer.error->others.end(), add);
        }
    }
    return errors;
}

Json describe_process() {
    const Answers answers = latest_answers().value_or(Answers());
    const auto rank = static_cast<std::uint32_t>(hitopo_glue_rank(hitopo_glue_world()));
    const std::shared_ptr<CommTree> own = TreeCache::instance().find(hitopo_glue_world());
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

}  // namespace
}  // namespace hitopo

char* ompi_hitopo_describe_process() { return hitopo::to_text(hitopo::describe_process); }
