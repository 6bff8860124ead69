// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "ompi/mca/hitopo/base/answers.h"
#include "ompi/mca/hitopo/base/describe/describe.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/hitopo_base_api.h"

namespace hitopo {
namespace {

Json describe_component(const hitopo_glue_component_t& component) {
    Json fills = Json::array();
    for (const Level level : kAllLevels) {
        if ((component.levels >> level & 1) != 0) {
            fills.push_back(level_name(level));
        }
    }
    return {{"name", component.name},
            {"version", component.version},
            {"priority", component.priority},
            {"levels", std::move(fills)}};
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
    (void)for_each_component([&](const hitopo_glue_component_t& component) {
        json["components"].push_back(describe_component(component));
    });
    (void)hitopo_glue_for_each_variable(add_variable, &json["variables"]);
    return json;
}

}  // namespace
}  // namespace hitopo

char* ompi_hitopo_describe_framework() { return hitopo::to_text(hitopo::describe_framework); }
