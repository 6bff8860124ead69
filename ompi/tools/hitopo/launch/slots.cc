// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The slots of a launch, from hostfiles, Slurm's variables, and tables.
#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/launch/launch.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

constexpr const char* kHostfileRemedy =
    "Write one host per line, as in \"root@node1 slots=4 max_slots=8\", and # before a comment";
constexpr const char* kSlurmRemedy =
    "Run hitopo order in a Slurm allocation with tasks (salloc -N .. -n ..), or name the hosts with "
    "--hostfile or --table";
constexpr const char* kTableRemedy =
    "Name the hosts of the launch with --hostfile, in the order of the table's nodes";
constexpr const char* kBlanks = " \t\r";

Error malformed(std::string value, std::string message, std::string where) {
    return {Errc::kMalformed, std::move(value), std::move(message), std::move(where)};
}

Error too_many_slots(const std::string& where) {
    return {Errc::kTooLarge, "too many slots.", fmt::format("Name at most {} in all", kMaxSlots), where};
}

// No more than are too many.
std::optional<std::size_t> slots_in(std::string_view digits) {
    const std::optional<std::uint64_t> number = parse_number(digits);
    return number ? std::optional<std::size_t>(std::min<std::uint64_t>(*number, kMaxSlots + 1))
                  : std::nullopt;
}

// Each host once, in the order of first sight. As for mpirun, a short and a full name are one host, and
// names that differ in case are two.
class UniqueHosts {
public:
    Host& find_or_add(std::string_view name) {
        const auto [found, is_new] = numbers_.emplace(name, hosts.size());
        std::size_t& number = found->second;
        if (is_new) {
            const std::string_view brief = short_host_name(name);
            const std::size_t first = numbers_.emplace(brief, hosts.size()).first->second;
            if (first < hosts.size() && hosts[first].name == brief) {
                number = first;
            } else {
                hosts.push_back({std::string(name)});
            }
        }
        return hosts[number];
    }

    std::vector<Host> hosts;

private:
    std::unordered_map<std::string, std::size_t> numbers_;  // into hosts
};

// ---- hostfiles ----

// A line of a hostfile, without its comment.
struct Line {
    std::string_view text;
    int number;
    const std::string& where;

    Error error(std::string_view word, std::string what, std::string remedy) const {
        const auto column = static_cast<int>(word.data() - text.data()) + 1;
        return {Errc::kMalformed, std::move(what), std::move(remedy), where, number, column};
    }

    // The grammar has nothing that begins with `word`.
    Error unread(std::string_view word, std::string remedy = kHostfileRemedy) const {
        const std::string_view rest = text.substr(static_cast<std::size_t>(word.data() - text.data()));
        return error(word,
                     fmt::format("is not read: \"{}\".", rest.substr(0, rest.find_first_of(kBlanks))),
                     std::move(remedy));
    }
};

struct HostLine {
    std::string_view name;
    std::optional<std::size_t> slots, max_slots;
};

// Takes the first word off a line: up to a blank or '=', or '=' alone; "" at its end.
std::string_view take_word(std::string_view& line) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    const std::string_view word =
        line.substr(0, line.substr(0, 1) == "=" ? 1 : line.find_first_of(" \t\r="));
    line.remove_prefix(word.size());
    return word;
}

Error wrong_host(const Line& line, std::string_view host) {
    const std::size_t colon = host.find(':');
    const std::string_view name = host.substr(0, colon);
    return colon != std::string_view::npos && is_host_name(name) && parse_number(host.substr(colon + 1))
               ? line.unread(host, fmt::format("mpirun takes this for a name: write \"{} slots={}\"",
                                               name, host.substr(colon + 1)))
               : line.unread(host);
}

// line: host {option}; host: [user "@"] name; option: ("slots" | "max_slots" | "max-slots") "=" number
//
//     root@node1.example.org slots=4 max_slots=8
Result<HostLine> parse_line(const Line& line) {
    std::string_view rest = line.text;
    const std::string_view host = take_word(rest);
    HostLine parsed = {host.substr(host.find('@') + 1), {}, {}};
    if (!is_host_name(parsed.name)) {
        return wrong_host(line, host);
    }
    for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
        std::optional<std::size_t>* slots = word == "slots" ? &parsed.slots
                                            : word == "max_slots" || word == "max-slots"
                                                ? &parsed.max_slots
                                                : nullptr;
        const bool has_equal = take_word(rest) == "=";
        const std::optional<std::size_t> number = slots_in(take_word(rest));
        if (slots == nullptr || *slots || !has_equal || !number) {
            return line.unread(word);
        }
        *slots = number;
    }
    return parsed;
}

// Counts slots as mpirun does: without others, max_slots are slots, and each line more of a host is one.
std::optional<Error> add_line(const Line& line, UniqueHosts& unique, std::vector<Host>& lines) {
    const Result<HostLine> parsed = parse_line(line);
    if (!parsed) {
        return parsed.error();
    }
    const std::size_t num_hosts = unique.hosts.size();
    Host& host = unique.find_or_add(parsed->name);
    const bool is_again = unique.hosts.size() == num_hosts;
    if (is_again && parsed->slots) {
        return line.error(parsed->name, fmt::format("has the slots of {} twice.", host.name),
                          "Name a host either once with slots=N, or once for each slot: mpirun refuses "
                          "both together");
    }
    host.num_slots = parsed->slots.value_or(host.num_slots + 1);
    if (parsed->max_slots.value_or(kMaxSlots + 1) < host.num_slots) {
        return line.error(parsed->name, fmt::format("has a max_slots of {} below its slots.", host.name),
                          "Write a max_slots that is at least its slots");
    }
    host.is_open = !is_again && !parsed->slots && !parsed->max_slots;
    if (!is_again && !parsed->slots) {
        host.num_slots = parsed->max_slots.value_or(1);
    }
    lines.push_back(is_again ? Host{host.name, 1, true} : host);
    return std::nullopt;
}

// ---- Slurm ----

// "2(x3),1"
Result<std::vector<std::size_t>> parse_tasks(std::string_view text, const std::string& where) {
    std::vector<std::size_t> tasks;
    for (std::string_view piece : split(text, ',')) {
        const std::size_t open = piece.find("(x");
        std::optional<std::size_t> times = 1;
        if (open != std::string_view::npos) {
            const std::string_view inner = piece.substr(open + 2);
            times = inner.empty() || inner.back() != ')' ? std::nullopt
                                                         : slots_in(inner.substr(0, inner.size() - 1));
            piece = piece.substr(0, open);
        }
        const std::optional<std::size_t> number = slots_in(piece);
        if (!number || !times || tasks.size() + *times > kMaxSlots) {
            return malformed(fmt::format("is not a list of tasks: \"{}\".", text),
                             "Let Slurm set it, as in \"4(x2),3\"", where);
        }
        tasks.insert(tasks.end(), *times, *number);
    }
    return tasks;
}

// Adds the values of the two variables of one component of the job.
std::optional<Error> add_component(const Variable& variable, const std::string& component,
                                   UniqueHosts& unique, std::size_t& total) {
    const std::string nodes_name = "SLURM_JOB_NODELIST" + component;
    const std::string tasks_name = "SLURM_TASKS_PER_NODE" + component;
    const std::optional<std::string> nodes = variable(nodes_name);
    const std::optional<std::string> tasks_per_node = variable(tasks_name);
    if (!nodes || !tasks_per_node) {
        return malformed("is not set.", kSlurmRemedy, nodes ? tasks_name : nodes_name);
    }
    const Result<std::vector<std::string>> names = expand_hosts(*nodes);
    if (!names) {
        return malformed(fmt::format("is not a list of hosts: \"{}\",", names.error().value),
                         names.error().message, nodes_name);
    }
    const Result<std::vector<std::size_t>> tasks = parse_tasks(*tasks_per_node, tasks_name);
    if (!tasks) {
        return tasks.error();
    }
    if (names->size() != tasks->size()) {
        return malformed(
            fmt::format("has {} nodes, but {} has {}.", tasks->size(), nodes_name, names->size()),
            kSlurmRemedy, tasks_name);
    }
    for (std::size_t i = 0; i < names->size(); ++i) {
        if (!is_host_name((*names)[i])) {
            return malformed(fmt::format("contains an invalid host name: \"{}\".", (*names)[i]),
                             kSlurmRemedy, nodes_name);
        }
        unique.find_or_add((*names)[i]).num_slots += (*tasks)[i];
        total += (*tasks)[i];
    }
    return total > kMaxSlots ? std::optional<Error>(too_many_slots(tasks_name)) : std::nullopt;
}

// ---- slots ----

// As in Slots::known.
constexpr unsigned bit(Level level) { return 1u << static_cast<unsigned>(level); }

}  // namespace

bool is_host_name(std::string_view name) {
    in6_addr address = {};
    if (name.find(':') != std::string_view::npos) {
        return inet_pton(AF_INET6, std::string(name).c_str(), &address) == 1;
    }
    return !name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), is_host_char);
}

Result<Hostfile> parse_hostfile(std::string_view text, const std::string& where) {
    Hostfile file;
    UniqueHosts unique;
    std::size_t total = 0;
    int number = 0;
    for (const std::string_view whole : split(text, '\n')) {
        const Line line = {whole.substr(0, whole.find('#')), ++number, where};
        if (trim(line.text).empty()) {
            continue;
        }
        if (std::optional<Error> error = add_line(line, unique, file.lines)) {
            return std::move(*error);
        }
        total += file.lines.back().num_slots;
        if (total > kMaxSlots || file.lines.size() > kMaxSlots) {
            return too_many_slots(where);
        }
    }
    file.hosts = std::move(unique.hosts);
    return file.hosts.empty() ? Result<Hostfile>(malformed("contains no host.", kHostfileRemedy, where))
                              : std::move(file);
}

Result<std::vector<Host>> slurm_hosts(const Variable& variable) {
    UniqueHosts unique;
    std::size_t total = 0;
    for (const std::string& component : slurm_components(variable)) {
        if (std::optional<Error> error = add_component(variable, component, unique, total)) {
            return std::move(*error);
        }
    }
    return std::move(unique.hosts);
}

Result<Slots> slots_of(const TableDocument& table, const std::string& where) {
    Slots slots{{}, 0, table.machines};
    for (unsigned level = 0; level < kNumLevels; ++level) {
        slots.known |= table.levels[level].known == Known::kNone ? 0 : 1u << level;
    }
    std::unordered_map<std::string, std::int32_t> nodes;
    for (const RankRow& row : table.ranks) {
        Slot slot;
        slot.host = row.names[kNode].value_or("");
        std::copy(row.address.begin(), row.address.end(), slot.address.begin());
        std::copy_n(row.names.begin(), slot.network.size(), slot.network.begin());
        slot.cpus = row.cpus;
        slot.allowed = row.allowed;
        slot.machine = table.machine_of(row);
        slots.slots.push_back(slot);
        if (!is_host_name(slot.host)) {
            return malformed(fmt::format("has no host for rank {}.", slots.slots.size() - 1),
                             kTableRemedy, where);
        }
        if (nodes.emplace(slot.host, slot.address[kNode]).first->second != slot.address[kNode]) {
            return malformed(fmt::format("has two nodes called {}.", slot.host), kTableRemedy, where);
        }
    }
    return slots;
}

Slots slots_of(const std::vector<Host>& hosts) {
    Slots slots;
    slots.known = bit(kNode);
    std::unordered_map<std::string, std::int32_t> nodes;
    for (const Host& host : hosts) {
        Slot slot;
        slot.host = host.name;
        slot.address[kNode] =
            nodes.emplace(host.name, static_cast<std::int32_t>(nodes.size())).first->second;
        slots.slots.insert(slots.slots.end(), host.num_slots, slot);
    }
    return slots;
}

Result<Slots> in_network(Slots slots, const FindLevels& find, const std::string& where) {
    std::map<std::string, RawAddress> found;  // by host
    for (std::size_t rank = 0; rank < slots.slots.size(); ++rank) {
        const auto [entry, is_new] = found.try_emplace(slots.slots[rank].host);
        if (is_new) {
            Result<RawAddress> levels = find(entry->first, static_cast<int>(rank));
            if (!levels) {
                return levels.error();
            }
            entry->second = std::move(*levels);
        }
    }
    Level innermost = kSwitch;  // that any host has
    for (const Level level : {kCluster, kIsland, kSwitch}) {
        const bool is_had = std::any_of(found.begin(), found.end(), [&](const auto& entry) {
            return entry.second[level].has_value();
        });
        if (!is_had) {
            continue;
        }
        innermost = level;
        std::map<RawValue, std::int32_t> numbers;  // of names, in the order of first sight
        for (Slot& slot : slots.slots) {
            const std::optional<RawValue>& name = found.at(slot.host)[level];
            slot.address[level] =
                name ? numbers.emplace(*name, static_cast<std::int32_t>(numbers.size())).first->second
                     : -1;
            slot.network[level] = name ? OptionalText(name->visible().to_string()) : std::nullopt;
        }
        slots.known |= bit(level);
    }
    std::vector<std::string> missing;
    for (const auto& [host, levels] : found) {
        if (!levels[innermost]) {
            missing.push_back(host);
        }
    }
    if (missing.empty()) {
        return slots;
    }
    const std::string count = counted(missing.size(), "host");
    return malformed(fmt::format("has no {} for {}: {}.", level_name(innermost), count,
                                 compress_hosts(std::move(missing))),
                     "Correct the host names in this file, or add the missing hosts", where);
}

Slots without_inside(Slots slots) {
    slots.known &= bit(kCluster) | bit(kIsland) | bit(kSwitch) | bit(kNode);
    for (Slot& slot : slots.slots) {
        std::fill(slot.address.begin() + kL2Numa, slot.address.end(), 0);
    }
    return slots;
}

bool share_nodes_as(const Slots& slots, const TableDocument& table) {
    if (slots.slots.size() != table.ranks.size()) {
        return false;
    }
    std::unordered_map<std::int32_t, std::int32_t> node_of, slot_node_of;
    for (std::size_t rank = 0; rank < slots.slots.size(); ++rank) {
        const std::int32_t here = slots.slots[rank].address[kNode];
        const std::int32_t there = table.ranks[rank].address[kNode];
        if (node_of.emplace(here, there).first->second != there ||
            slot_node_of.emplace(there, here).first->second != here) {
            return false;
        }
    }
    return true;
}

}  // namespace hitopo::tool
