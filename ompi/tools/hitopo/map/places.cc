// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/map/places.h"

#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/core/text/host_name.h"
#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo::map {
namespace {

// As component nvml writes it. "" if it is none.
std::string plain_uuid(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), '-'), text.end());
    text = in_lower_case(text);
    return is_plain_uuid(text) ? text : "";
}

// "a, b, c and 7 more"
std::string listed(const Names& entries) {
    constexpr std::size_t kMaxShown = 8;
    std::string list;
    for (std::size_t i = 0; i < std::min(entries.size(), kMaxShown); ++i) {
        add_item(list, ", ", entries[i]);
    }
    return entries.size() <= kMaxShown
               ? list
               : list + " and " + std::to_string(entries.size() - kMaxShown) + " more";
}

}  // namespace

void Messages::add(const std::string& file, const std::string& message, const std::string& entry) {
    auto known = std::find_if(messages_.begin(), messages_.end(), [&](const Message& each) {
        return each.file == file && each.text == message;
    });
    if (known == messages_.end()) {
        known = messages_.insert(known, {file, message, {}});
    }
    if (!entry.empty()) {
        add_once(known->entries, entry);
    }
}

void Messages::add(const std::string& file, const Error& error) {
    std::string entry = error.line > 0 ? "line " + std::to_string(error.line) : "";
    if (!error.where.empty() && error.where != file) {
        add_item(entry, ": ", error.where);
    }
    if (!error.value.empty() && error.value != file) {
        add_item(entry, ": ", error.value);
    }
    add(file, error.message, entry);
}

void Messages::add(const std::string& file, const Skipped& skipped) {
    for (const Error& error : skipped.kept()) {
        add(file, error);
    }
    if (skipped.num_more() > 0) {
        add(file, "entries like these; correct these first",
            std::to_string(skipped.num_more()) + " more");
    }
}

std::vector<std::string> Messages::lines() const {
    std::vector<std::string> lines;
    for (const Message& message : messages_) {
        std::string line = message.file;
        if (!message.entries.empty()) {
            add_item(line, ": ", listed(message.entries));
        }
        add_item(line, ": ", message.text);
        lines.push_back(std::move(line));
    }
    return lines;
}

Places::Places(const tool::MapOptions& settings)
    : settings_(settings),
      unknown_(settings.unknown.empty() ? Placeholders() : Placeholders(settings.unknown)) {}

bool Places::is_wanted(std::string_view kind) {
    const bool is_wanted = settings_.from.empty() || settings_.from == kind;
    if (!is_wanted) {
        leave_out("this is of the kind " + std::string(kind) + "; write --from " + std::string(kind));
    }
    return is_wanted;
}

bool Places::has(const std::string& host) const { return by_name_.count(in_lower_case(host)) > 0; }

void Places::add(const std::string& host, Place place) {
    if (host.empty() || !std::all_of(host.begin(), host.end(), is_host_char)) {
        leave_out("this is no host name; correct it", host.empty() ? "\"\"" : host);
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
        leave_out("another entry has another place for this host; the first counts: remove one", host);
    }
}

Place Places::placed(Names names) const {
    Place place;
    for (std::string& name : names) {
        name = unknown_.has(name) ? "" : name;
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
    if (name.empty() || unknown_.has(name) || !place.domain.empty()) {
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
            left_out_.add(file_,
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
    places.leave_out(tree.skipped());
    Skipped too_long;
    for (const std::string& host : tree.hosts(too_long)) {
        if (places.has(host)) {
            continue;
        }
        const std::optional<SwitchPlace> found = tree.find(host, places.unknown());
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
    places.leave_out(too_long);
}

}  // namespace hitopo::map
