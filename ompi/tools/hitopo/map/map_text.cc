// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/map/map_text.h"

#include <algorithm>
#include <map>
#include <utility>

#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo::map {
namespace {

// Digits are a number unless they stand in quotes.
std::string word_of(const std::string& name) {
    std::string text = safe(name, Charset::kUtf8);
    if (text.find_first_of(" \t\"") == text.npos && !parse_number(text)) {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
    }
    return quoted + '"';
}

// " island=core1 island+=spine2"
std::string assigned(const std::string& what, const Names& path) {
    std::string words;
    for (std::size_t i = 0; i < path.size(); ++i) {
        words += ' ' + what + (i == 0 ? "=" : "+=") + word_of(path[i]);
    }
    return words;
}

// How many names all these paths begin with; each keeps its last one.
std::size_t num_common(const std::vector<const Names*>& paths) {
    std::size_t num = paths.empty() ? 0 : paths.front()->size() - 1;
    for (const Names* path : paths) {
        const auto ends = std::mismatch(path->begin(), path->end() - 1, paths.front()->begin(),
                                        paths.front()->end() - 1);
        num = std::min(num, static_cast<std::size_t>(ends.first - path->begin()));
    }
    return num;
}

// Names that the paths of all hosts begin with distinguish nothing.
void drop_common(std::vector<HostPlace>& hosts, Names Place::*path) {
    std::vector<const Names*> known;
    for (const HostPlace& each : hosts) {
        if (!(each.place.*path).empty()) {
            known.push_back(&(each.place.*path));
        }
    }
    const auto num = static_cast<std::ptrdiff_t>(num_common(known));
    for (HostPlace& each : hosts) {
        Names& own = each.place.*path;
        own.erase(own.begin(), own.begin() + (own.empty() ? 0 : num));
    }
}

using Words = std::vector<std::string>;  // of one host, a level each

// " nvlink://Clique=UUID nvlink://Clique+=3": what component nvml answers.
std::string clique_words(const Place& place) {
    const std::string type = "nvlink://Clique";
    return place.clique.empty() ? "" : assigned(type, {place.domain}) + ' ' + type + "+=" + place.clique;
}

Words words_of(const Place& place) {
    return {assigned("island", place.island), assigned("switch", place.leaf),
            place.domain.empty() ? "" : assigned("nvlink://Domain", {place.domain}),
            clique_words(place)};
}

struct NaturalLess {
    bool operator()(const std::string& a, const std::string& b) const {
        return compare_natural(a, b) < 0;
    }
};
using Lines = std::map<std::string, std::string, NaturalLess>;  // the words of a list of hosts

// Hosts with the same words are in one list.
void add_lines(const std::vector<HostPlace>& hosts, const Words& words, Lines& lines) {
    std::map<std::string, Names> lists;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        if (!words[i].empty()) {
            lists[words[i]].push_back(hosts[i].host);
        }
    }
    for (auto& [line, list] : lists) {
        lines[compress_hosts(std::move(list))] += line;
    }
}

std::string to_text(const Lines& lines) {
    std::string text;
    for (const auto& [list, words] : lines) {
        text.append("host ").append(list).append(words).append("\n");
    }
    return text;
}

}  // namespace

std::string to_map(std::vector<HostPlace> hosts) {
    drop_common(hosts, &Place::island);
    drop_common(hosts, &Place::leaf);
    std::vector<Words> words(hosts.size());
    std::transform(hosts.begin(), hosts.end(), words.begin(),
                   [](const HostPlace& each) { return words_of(each.place); });
    Lines by_place, by_value;
    Words all(hosts.size());
    for (std::size_t level = 0; level < words_of({}).size(); ++level) {
        Words own(hosts.size());
        for (std::size_t i = 0; i < hosts.size(); ++i) {
            own[i] = words[i][level];
            all[i] += own[i];
        }
        add_lines(hosts, own, by_value);
    }
    add_lines(hosts, all, by_place);
    const std::string short_lines = to_text(by_place), few_values = to_text(by_value);
    return "unique switch\n" + (few_values.size() < short_lines.size() ? few_values : short_lines);
}

}  // namespace hitopo::map
