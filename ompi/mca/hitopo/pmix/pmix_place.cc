// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/pmix/pmix_place.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/text/host_name.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

// ---- groups ----

struct Groups {
    std::vector<std::uint64_t> mine;  // that list this node
    std::optional<Error> error;
};

// "0:n0,n2;1:n1,n3"; a ';' may end it.
Groups find_groups(std::string_view text, std::string_view name, std::string_view host_name) {
    Groups groups;
    for (const std::string_view piece : split(text, ';')) {
        const std::size_t colon = piece.find(':');
        const auto number = parse_number(trim(piece.substr(0, colon)));
        if (trim(piece).empty()) {
            continue;
        }
        if (colon == std::string_view::npos || !number) {
            groups.error = Error{Errc::kMalformed, std::string(piece.substr(0, 64)),
                                 "a group of the fabric must be a number, a colon and node names "
                                 "separated by commas; report this to the developers of the launcher, "
                                 "or exclude the component with --mca hitopo ^pmix",
                                 "PMIX_FABRIC_GROUPS"};
            return groups;
        }
        const std::vector<std::string_view> nodes = split(piece.substr(colon + 1), ',');
        if (std::any_of(nodes.begin(), nodes.end(), [&](std::string_view node) {
                return is_same_host(trim(node), name) || is_same_host(trim(node), host_name);
            })) {
            groups.mine.push_back(*number);
        }
    }
    return groups;
}

void place_in_group(const PmixFacts& facts, std::string_view host_name, PmixPlace& place) {
    std::string& reason = place.reasons[kIsland];
    if (facts.groups.empty()) {
        reason = "PMIx has no fabric groups";
        return;
    }
    const Groups groups = find_groups(facts.groups, facts.host_name, host_name);
    place.error = groups.error;
    if (groups.error) {
        reason = "PMIX_FABRIC_GROUPS is malformed";
    } else if (groups.mine.size() == 1) {
        place.levels[kIsland] = RawValue(Name::number(groups.mine.front()));
        reason = "PMIX_FABRIC_GROUPS lists this node in group " + std::to_string(groups.mine.front());
    } else {
        reason = groups.mine.empty() ? "PMIX_FABRIC_GROUPS does not list this node"
                                     : "PMIX_FABRIC_GROUPS lists this node in several groups";
    }
}

// ---- switches ----

void place_at_switches(std::vector<std::string> switches, PmixPlace& place) {
    switches.erase(std::remove(switches.begin(), switches.end(), ""), switches.end());
    std::sort(switches.begin(), switches.end(),
              [](const std::string& a, const std::string& b) { return compare_natural(a, b) < 0; });
    switches.erase(std::unique(switches.begin(), switches.end()), switches.end());
    if (switches.empty()) {
        place.reasons[kSwitch] = "PMIx has no switch information";
        return;
    }
    std::string names;
    for (const std::string& name : switches) {
        add_item(names, ",", name);
    }
    place.levels[kSwitch] = RawValue(Name(names));
    place.reasons[kSwitch] = "PMIX_SWITCH_PEERS names switch " + names;
}

}  // namespace

PmixPlace place_by_pmix(const PmixFacts& facts, std::string_view host_name) {
    PmixPlace place;
    place_in_group(facts, host_name, place);
    place_at_switches(facts.switches, place);
    return place;
}

}  // namespace hitopo
