// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/slingshot/hitopo_slingshot.h"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <optional>
#include <system_error>
#include <vector>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/slingshot/slingshot.h"
#include "ompi/mca/hitopo/support/regular_file.h"

namespace hitopo {
namespace {

constexpr std::string_view kNamePrefix = "hsn";  // of the names that Slingshot's software gives
constexpr std::size_t kMaxInterfaces = 64;
constexpr std::size_t kMaxBytes = 4096;  // of a file of the kernel's
constexpr unsigned kIsUp = 1;            // IFF_UP

struct Interface {
    std::string name;
    std::string address;
    std::string why_down;  // empty if it is up
    std::optional<AlgorithmicMac> place;
};

struct Interfaces {
    std::vector<std::string> names;  // in natural order
    std::string why_not;             // the folder cannot be read; else empty
};

// hsn0, hsn1, ..
bool is_ours(std::string_view name) {
    return name.substr(0, kNamePrefix.size()) == kNamePrefix &&
           parse_number(name.substr(kNamePrefix.size()));
}

Interfaces list_interfaces(const std::string& folder) {
    const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
    Interfaces found;
    if (!open) {
        found.why_not = folder + ": " + std::generic_category().message(errno);
        return found;
    }
    while (const dirent* entry = ::readdir(open.get())) {
        if (is_ours(entry->d_name)) {
            found.names.emplace_back(entry->d_name);
        }
    }
    std::sort(found.names.begin(), found.names.end(),
              [](const std::string& a, const std::string& b) { return compare_natural(a, b) < 0; });
    found.names.resize(std::min(found.names.size(), kMaxInterfaces));
    return found;
}

// Without the line's end; empty where it cannot be read.
std::string read_line(const std::string& path) {
    const Result<std::string> text = RegularFile(path).read(kMaxBytes);
    return text ? std::string(trim(split(*text, '\n').front())) : "";
}

// "0x1003": whether the administrator wants it up.
bool has_up_flag(const std::string& flags) { return std::strtoul(flags.c_str(), nullptr, 16) & kIsUp; }

Interface read_interface(const std::string& folder, const std::string& name) {
    const std::string path = folder + '/' + name + '/';
    Interface found = {name, read_line(path + "address"), "", std::nullopt};
    const std::string state = read_line(path + "operstate");
    if (!has_up_flag(read_line(path + "flags"))) {
        found.why_down = "is not up";
    } else if (state != "up" && state != "unknown") {  // drivers need not report it
        found.why_down = "is " + (state.empty() ? "in an unknown state" : state);
    }
    found.place = parse_algorithmic_mac(found.address);
    return found;
}

std::string island_of(const AlgorithmicMac& place) { return 'g' + std::to_string(place.group); }

std::string switch_of(const AlgorithmicMac& place) {
    return island_of(place) + 's' + std::to_string(place.group_switch);
}

// "hsn0 has 02:00:00:00:07:ea: group 0, switch 31, port 42"
std::string describe(const Interface& found) {
    const std::string about =
        found.name + " has " + (found.address.empty() ? "no address" : found.address);
    const std::string place = !found.place
                                  ? "not assigned by a fabric manager (02:00:00:0..)"
                                  : "group " + std::to_string(found.place->group) + ", switch " +
                                        std::to_string(found.place->group_switch) + ", port " +
                                        std::to_string(found.place->port);
    return about + ": " + place + (found.why_down.empty() ? "" : ", and " + found.why_down);
}

void report(const AlgorithmicMac& place, Answer& answer) {
    const Name island(island_of(place));
    answer.values[kIsland] = island;
    answer.values[kSwitch] = std::vector<Name>{island, Name(switch_of(place))};
}

}  // namespace

void answer_slingshot(const std::string& folder, const Question& question, Answer& answer) {
    if (!question.asks_for_node) {
        answer.reason = "not asked: local rank 0 answers for the whole node";
        return;
    }
    const Interfaces interfaces = list_interfaces(folder);
    if (interfaces.names.empty()) {
        answer.reason = interfaces.why_not.empty() ? "no interface hsn0, hsn1, ..: no Slingshot"
                                                   : interfaces.why_not;
        return;
    }
    std::string used;
    std::string others;
    for (const std::string& name : interfaces.names) {
        const Interface found = read_interface(folder, name);
        const bool is_used = used.empty() && found.place && found.why_down.empty();
        if (is_used) {
            report(*found.place, answer);
            used = describe(found);
        } else {
            add_item(others, "; ", describe(found));
        }
    }
    answer.reason = used + (used.empty() || others.empty() ? "" : "; ") +
                    (others.empty() ? "" : "not used: " + others);
}

}  // namespace hitopo

extern "C" int hitopo_slingshot_query(const hitopo_question_t* question, hitopo_answer_t* answer) {
    return hitopo::guarded([=] { hitopo::answer_slingshot("/sys/class/net", *question, *answer); });
}
