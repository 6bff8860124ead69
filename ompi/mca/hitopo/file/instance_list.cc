// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/instance_list.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/network/switch_levels.h"
#include "ompi/mca/hitopo/core/text/host_name.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

using MaybePlace = std::optional<SwitchPlace>;
using MaybeValue = std::optional<YamlValue>;
using Names = std::vector<Name>;  // outermost first, empty where unknown

constexpr std::string_view kGoogleStatus = "resourceStatus";

// The host's place by `names_of` its instance, the first one that has any; of a host that has none, a
// place without levels.
MaybePlace find(const YamlValue& list, std::string_view key, const std::string& host,
                const std::string& path, const Placeholders& unknown,
                Names (*names_of)(const YamlValue&)) {
    MaybePlace place;
    for (const YamlValue& instance : list.items()) {
        if (!is_same_host(instance.text_of(key), host)) {
            continue;
        }
        place.emplace().source = path + ':' + std::to_string(instance.line());
        Names names = names_of(instance);
        if (!names.empty()) {
            fill_switch_levels(std::move(names), place->levels, unknown);
            break;
        }
    }
    return place;
}

Names texts_of(const YamlValue& instance, std::string_view key) {
    Names names;
    if (const MaybeValue list = instance.find(key)) {
        for (const YamlValue& item : list->items()) {
            names.emplace_back(std::string(item.text()));
        }
    }
    return names;
}

Names topograph_names(const YamlValue& instance) {
    Names names = texts_of(instance, "network_layers");
    std::reverse(names.begin(), names.end());
    return names;
}

Names aws_names(const YamlValue& instance) { return texts_of(instance, "NetworkNodes"); }

// "/BLOCK/SUBBLOCK/HOST", also without the first slash.
Names names_of_physical_host(std::string_view text) {
    if (!text.empty() && text.front() == '/') {
        text.remove_prefix(1);
    }
    const auto parts = split(text, '/');
    constexpr std::size_t kNumParts = 3;
    if (parts.size() != kNumParts) {
        return {};
    }
    return {Name(std::string(parts[0])), Name(std::string(parts[1]))};
}

Names google_names(const YamlValue& instance) {
    const MaybeValue status = instance.find(kGoogleStatus);
    if (!status) {
        return {};
    }
    if (const MaybeValue topology = status->find("physicalHostTopology")) {
        return {Name(std::string(topology->text_of("block"))),
                Name(std::string(topology->text_of("subblock")))};
    }
    return names_of_physical_host(status->text_of("physicalHost"));
}

}  // namespace

MaybePlace find_in_topograph_instances(const YamlValue& list, const std::string& host,
                                       const std::string& path, const Placeholders& unknown) {
    return find(list, "id", host, path, unknown, topograph_names);
}

MaybePlace find_in_aws_instances(const YamlValue& list, const std::string& host, const std::string& path,
                                 const Placeholders& unknown) {
    return find(list, "InstanceId", host, path, unknown, aws_names);
}

MaybePlace find_in_google_instances(const YamlValue& list, const std::string& host,
                                    const std::string& path, const Placeholders& unknown) {
    return find(list, "name", host, path, unknown, google_names);
}

bool is_google_list(const YamlValue& list) {
    for (const YamlValue& item : list.items()) {
        if (item.find(kGoogleStatus) || item.text_of("kind") == "compute#instance") {
            return true;
        }
    }
    return false;
}

}  // namespace hitopo
