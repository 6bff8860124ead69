// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The places of hosts, and the names in labels of Kubernetes' nodes.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/map/map.h"

namespace hitopo::map {
namespace {

// As component nvml writes it. "" if it is none.
std::string plain_uuid(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), '-'), text.end());
    text = in_lower_case(text);
    return is_plain_uuid(text) ? text : "";
}

// ---- families of labels, each outermost first ----

// The values of keys PREFIX and a number, by number.
std::map<std::uint64_t, std::string> numbered(const Json& labels, std::string_view prefix) {
    std::map<std::uint64_t, std::string> found;
    for (const auto& [key, value] : labels.items()) {
        const bool is_ours = key.compare(0, prefix.size(), prefix) == 0;
        const auto number =
            is_ours ? parse_number(std::string_view(key).substr(prefix.size())) : std::nullopt;
        if (number && !text_of(labels, key).empty()) {
            found[*number] = text_of(labels, key);
        }
    }
    return found;
}

// From 1.0 on; tier 0 is the leaf.
Names topograph_tiers(const Json& labels) {
    const auto tiers = numbered(labels, "fabric.topograph.run/tier-");
    Names names;
    for (auto tier = tiers.rbegin(); tier != tiers.rend(); ++tier) {
        names.push_back(tier->second);
    }
    if (!tiers.empty() && tiers.begin()->first > 0) {
        names.emplace_back();
    }
    return names;
}

Names topograph_of_old(const Json& labels) {
    const std::string prefix = "network.topology.nvidia.com/";
    return {first_text(labels, {prefix + "core", prefix + "datacenter"}),
            text_of(labels, prefix + "spine"),
            first_text(labels, {prefix + "leaf", prefix + "block", prefix + "accelerator"})};
}

// Fabrics have three or four layers, and number them from the spine.
Names aws_layers(const Json& labels) {
    Names names;
    for (const auto& [number, name] : numbered(labels, "topology.k8s.aws/network-node-layer-")) {
        names.push_back(name);
    }
    return names;
}

Names google_blocks(const Json& labels) {
    const std::string prefix = "cloud.google.com/gce-topology-";
    return {text_of(labels, prefix + "block"), text_of(labels, prefix + "subblock")};
}

// A domain without sub-domains is the closest group of its nodes.
Names topograph_accelerators(const Json& labels) {
    const std::string domain = text_of(labels, "accelerator.topograph.run/domain");
    const std::string sub_domain = text_of(labels, "accelerator.topograph.run/sub-domain");
    return sub_domain.empty() ? Names{domain} : Names{domain, sub_domain};
}

}  // namespace

void Messages::add(const std::string& message, const std::string& entry) {
    auto known = std::find_if(messages_.begin(), messages_.end(), [&](const Message& each) {
        return each.file == file_ && each.text == message;
    });
    if (known == messages_.end()) {
        known = messages_.insert(known, {file_, message, {}});
    }
    add_once(known->entries, entry);
}

void Messages::add(const Error& error) {
    std::string entry = error.line > 0 ? "line " + std::to_string(error.line) : "";
    for (const std::string* piece : {&error.where, &error.value}) {
        if (!piece->empty() && *piece != file_) {
            add_item(entry, ": ", *piece);
        }
    }
    add(error.message, entry);
}

void Messages::add(const Skipped& skipped) {
    for (const Error& error : skipped.kept()) {
        add(error);
    }
    if (skipped.num_more() > 0) {
        add("entries like these; correct these first", std::to_string(skipped.num_more()) + " more");
    }
}

// "FILE: a, b, c and 7 more: TEXT"
std::vector<std::string> Messages::lines() const {
    constexpr std::size_t kMaxShown = 8;
    std::vector<std::string> lines;
    for (const auto& [file, text, entries] : messages_) {
        std::string list;
        for (std::size_t i = 0; i < std::min(entries.size(), kMaxShown); ++i) {
            add_item(list, ", ", entries[i]);
        }
        if (entries.size() > kMaxShown) {
            list += " and " + std::to_string(entries.size() - kMaxShown) + " more";
        }
        std::string& line = lines.emplace_back(file);
        add_item(line, list.empty() ? "" : ": ", list);
        add_item(line, ": ", text);
    }
    return lines;
}

Places::Places(const tool::MapOptions& settings)
    : settings(settings),
      unknown(settings.unknown.empty() ? Placeholders() : Placeholders(settings.unknown)) {}

bool Places::is_wanted(std::string_view kind) {
    const bool is_wanted = settings.from.empty() || settings.from == kind;
    if (!is_wanted) {
        left_out.add("this is of the kind " + std::string(kind) + "; write --from " + std::string(kind));
    }
    return is_wanted;
}

bool Places::has(const std::string& host) const { return by_name_.count(in_lower_case(host)) > 0; }

void Places::add(const std::string& host, Place place) {
    if (host.empty() || !std::all_of(host.begin(), host.end(), is_host_char)) {
        left_out.add("this is no host name; correct it", host.empty() ? "\"\"" : host);
        return;
    }
    const auto [known, is_new] = by_name_.emplace(in_lower_case(host), hosts_.size());
    if (is_new) {
        hosts_.push_back({host, std::move(place)});
        return;
    }
    Place& first = hosts_[known->second].place;
    if (first.is_empty()) {
        first = std::move(place);
    } else if (!place.is_empty() && !(first == place)) {
        left_out.add("another entry has another place for this host; the first counts: remove one",
                     host);
    }
}

Place Places::placed(Names names) const {
    Place place;
    for (std::string& name : names) {
        name = unknown.has(name) ? "" : name;
    }
    if (!names.empty() && !names.back().empty()) {
        place.leaf = {names.back()};
    }
    names.resize(std::max<std::size_t>(names.size(), 1) - 1);
    names.erase(std::remove(names.begin(), names.end(), ""), names.end());
    place.island = std::move(names);
    return place;
}

void Places::add_nvlink(const std::string& name, Place& place) const {
    if (name.empty() || unknown.has(name) || !place.domain.empty()) {
        return;
    }
    const std::size_t dot = name.rfind('.');
    const std::string uuid = dot == name.npos ? "" : plain_uuid(name.substr(0, dot));
    if (!uuid.empty() && parse_number(name.substr(dot + 1))) {
        place.domain = uuid;
        place.clique = name.substr(dot + 1);
    } else {
        const std::string plain = plain_uuid(name);
        place.domain = plain.empty() ? name : plain;
    }
}

std::vector<HostPlace> Places::take() {
    std::map<Names, const Names*> islands;  // by leaf
    std::vector<HostPlace> placed;
    for (const HostPlace& each : hosts_) {
        const Place& place = each.place;
        if (!place.leaf.empty() && !place.island.empty() &&
            *islands.emplace(place.leaf, &place.island).first->second != place.island) {
            left_out.add(
                "this switch is in several islands, and a job uses that of its lowest rank; "
                "correct the files",
                place.leaf.back());
        }
        if (place.is_empty()) {
            nowhere_.push_back(each.host);
        } else {
            placed.push_back(each);
        }
    }
    return placed;
}

void read_tree(const SwitchTree& tree, const std::string& topology, Places& places) {
    places.left_out.add(tree.skipped());
    Skipped too_long;
    for (const std::string& host : tree.hosts(too_long)) {
        if (places.has(host)) {
            continue;
        }
        const std::optional<SwitchAddress> found = tree.find(host, places.unknown);
        Place place;
        const auto take = [&](Level level, Names& path) {
            if (found && found->levels[level]) {
                if (!topology.empty()) {
                    path.push_back(topology);
                }
                for (const Name& name : found->levels[level]->path) {
                    path.push_back(name.text());
                }
            }
        };
        take(kIsland, place.island);
        take(kSwitch, place.leaf);
        places.add(host, std::move(place));
    }
    places.left_out.add(too_long);
}

bool has_name(const Names& names) {
    return std::any_of(names.begin(), names.end(),
                       [](const std::string& name) { return !name.empty(); });
}

Names names_by_labels(const Json& labels, const std::string& keys) {
    Names own;
    for (const std::string_view key : split(keys, ',')) {
        if (!trim(key).empty()) {
            own.insert(own.begin(), text_of(labels, std::string(trim(key))));
        }
    }
    if (!keys.empty()) {
        return has_name(own) ? own : Names();
    }
    for (const auto family :
         {topograph_tiers, topograph_of_old, aws_layers, google_blocks, topograph_accelerators}) {
        Names names = family(labels);
        if (has_name(names)) {
            return names;
        }
    }
    return {};
}

void read_slinky(const std::string& spec, bool wants_switch, const Places& places, Place& place) {
    Names tree, block;  // TOPOLOGY, then switches
    for (const std::string_view unit : split(spec, ',')) {
        Names words;
        for (const std::string_view word : split(unit, ':')) {
            words.emplace_back(trim(word));
        }
        if (words.size() > 1 && !words.back().empty()) {
            Names& kind = in_lower_case(words.front()).find("block") != std::string::npos ? block : tree;
            kind = kind.empty() ? words : kind;
        }
    }
    places.add_nvlink(block.empty() ? "" : block.back(), place);
    const Names& unit = tree.empty() ? block : tree;
    if (wants_switch && !unit.empty()) {
        Place switches = places.placed({unit.begin() + 1, unit.end()});
        for (Names* path : {&switches.island, &switches.leaf}) {
            if (!path->empty()) {
                path->insert(path->begin(), unit.front());
            }
        }
        place.island = switches.island;
        place.leaf = switches.leaf;
    }
}

}  // namespace hitopo::map
