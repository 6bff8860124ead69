// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/hitopo_file_published.h"

#include <utility>

#include "ompi/mca/hitopo/core/text/host_name.h"
#include "ompi/mca/hitopo/support/json_text.h"

namespace hitopo {
namespace {

using Json = nlohmann::json;

// A path is a list of texts and numbers.
Json to_json(const RawValue& value) {
    Json path = Json::array();
    for (const Name& name : value.path) {
        path.push_back(name.is_number() ? Json(name.number()) : Json(name.text()));
    }
    return path;
}

std::optional<RawValue> to_value(const Json& path) {
    std::vector<Name> names;
    for (const Json& part : path.is_array() ? path : Json::array()) {
        if (part.is_number_unsigned()) {
            names.push_back(Name::number(part.get<std::uint64_t>()));
        } else if (part.is_string()) {
            names.emplace_back(part.get<std::string>());
        } else {
            return std::nullopt;
        }
    }
    return names.empty() ? std::nullopt : std::optional(RawValue(std::move(names)));
}

// {"levels": {"switch": {"path": ["leaf1"], "source": "topology.conf:2"}}, "side": {"nvlink://Domain":
// ["d"]},
//  "side_source": "topology.conf:2"}
Json to_json(const MapAnswer& answer) {
    Json levels = Json::object();
    for (std::size_t level = 0; level < kNumLevels; ++level) {
        if (answer.levels[level]) {
            levels[level_name(static_cast<Level>(level))] = {{"path", to_json(*answer.levels[level])},
                                                             {"source", answer.source[level]}};
        }
    }
    Json side = Json::object();
    for (const auto& [type, value] : answer.side) {
        side[type] = to_json(value);
    }
    return {{"levels", levels}, {"side", side}, {"side_source", answer.side_source}};
}

MapAnswer to_answer(const Json& entry) {
    MapAnswer answer;
    answer.names_host = true;
    for (std::size_t level = 0; level < kNumLevels; ++level) {
        const Json& told = json_member(json_member(entry, "levels"),
                                       std::string(level_name(static_cast<Level>(level))).c_str());
        answer.levels[level] = to_value(json_member(told, "path"));
        answer.source[level] = json_text(told, "source");
    }
    for (const auto& [type, path] : json_member(entry, "side").items()) {
        if (const std::optional<RawValue> value = to_value(path)) {
            answer.side[type] = *value;
        }
    }
    answer.side_source = json_text(entry, "side_source");
    return answer;
}

}  // namespace

std::string publish_places(const FileAnswers& file, const std::vector<std::string>& hosts,
                           std::size_t max_bytes) {
    Json places = Json::object();
    for (const std::string& host : hosts) {
        const Result<MapAnswer> answer = file({host, 0});
        if (!answer) {
            return "";
        }
        if (answer->names_host) {
            places[host] = to_json(*answer);
        }
    }
    // A name that is no UTF-8 would be another one behind JSON.
    constexpr const char* kReplaced = "\\ufffd";
    std::string text = places.dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() <= max_bytes && text.find(kReplaced) == text.npos ? text : "";
}

std::optional<MapAnswer> find_published(const std::string& published,
                                        const std::vector<std::string>& names) {
    const Json places = parse_json(published);
    if (!places.is_object()) {
        return std::nullopt;
    }
    for (const std::string& name : names) {
        for (const auto& [host, entry] : places.items()) {
            if (is_same_host(host, name)) {
                return to_answer(entry);
            }
        }
    }
    return std::nullopt;
}

}  // namespace hitopo
