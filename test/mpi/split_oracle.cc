// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/mpi/split_oracle.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace split_oracle {
namespace {

// Outermost first; a Group of any depth stands for "Group".
const std::vector<std::string> kCatalogue = {
    "hitopo://Cluster", "hitopo://Island",  "hitopo://Switch",  "hitopo://Node",    "hwloc://Machine",
    "hitopo://L2NUMA",  "hwloc://Group",    "hwloc://Package",  "hitopo://Socket",  "hwloc://Die",
    "hwloc://NUMANode", "hwloc://L5Cache",  "hwloc://L4Cache",  "hwloc://L3Cache",  "hwloc://L3iCache",
    "hwloc://L2Cache",  "hwloc://L2iCache", "hwloc://L1Cache",  "hwloc://L1iCache", "hwloc://Core",
    "hitopo://Core",    "hwloc://PU",       "hitopo://HWThread"};

const std::string kGroup = "hwloc://Group";

bool is_of_machine(const std::string& uri) { return uri.rfind("hwloc://", 0) == 0; }
bool is_group(const std::string& uri) { return uri.rfind(kGroup, 0) == 0; }

// (place, depth of a Group): compares as the catalogue orders.
std::pair<std::ptrdiff_t, std::string> place_of(const std::string& uri) {
    const std::string known = is_group(uri) ? kGroup : uri;
    const auto found = std::find(kCatalogue.begin(), kCatalogue.end(), known);
    if (found == kCatalogue.end()) {
        throw std::runtime_error("the oracle's catalogue lacks " + uri);
    }
    return {found - kCatalogue.begin(), uri};
}

// ---- machines ----

void add_distinct(std::vector<Cpus>& sets, const Cpus& set) {
    const auto is_same = [&set](const Cpus& known) { return known.equals(set); };
    if (!set.is_empty() && std::none_of(sets.begin(), sets.end(), is_same)) {
        sets.push_back(set);
    }
}

bool has_equal_sets(const std::vector<Cpus>& a, const std::vector<Cpus>& b) {
    return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&b](const Cpus& set) {
               return std::any_of(b.begin(), b.end(),
                                  [&set](const Cpus& other) { return set.equals(other); });
           });
}

std::vector<Cpus> sets_at(hwloc_topology_t topology, int depth) {
    std::vector<Cpus> sets;
    for (hwloc_obj_t object = nullptr;
         (object = hwloc_get_next_obj_by_depth(topology, depth, object)) != nullptr;) {
        add_distinct(sets, Cpus::copy_of(object->complete_cpuset));
    }
    return sets;
}

// hwloc gives a NUMA node without CPUs the set of its locality, which then holds the sets of the nodes
// whose memory those CPUs have.
std::vector<Cpus> numa_nodes(hwloc_topology_t topology) {
    const std::vector<Cpus> all = sets_at(topology, HWLOC_TYPE_DEPTH_NUMANODE);
    std::vector<Cpus> nodes;
    for (const Cpus& set : all) {
        const auto is_other_inside = [&set](const Cpus& other) {
            return !other.equals(set) && other.lies_in(set);
        };
        if (std::none_of(all.begin(), all.end(), is_other_inside)) {
            nodes.push_back(set);
        }
    }
    return nodes;
}

// The outermost Groups and NUMA nodes of at least two whole packages, but not of the whole machine.
std::vector<Cpus> find_boards(const Machine& machine) {
    std::vector<Cpus> wide;
    for (const MachineType& type : machine.types) {
        if (type.name != "NUMANode" && type.name.rfind("Group", 0) != 0) {
            continue;
        }
        for (const Cpus& set : type.instances) {
            int num_packages = 0;
            for (const Cpus& package : machine.instances("Package")) {
                num_packages += package.lies_in(set) ? 1 : 0;
            }
            if (num_packages >= 2 && !machine.cpus.lies_in(set)) {
                add_distinct(wide, set);
            }
        }
    }
    std::vector<Cpus> boards;
    for (const Cpus& set : wide) {
        const auto is_around = [&set](const Cpus& other) {
            return !other.equals(set) && set.lies_in(other);
        };
        if (std::none_of(wide.begin(), wide.end(), is_around)) {
            boards.push_back(set);
        }
    }
    return boards;
}

// One type at two depths (caches around and inside packages) is one type.
void add_type(Machine& machine, const std::string& name, const std::vector<Cpus>& sets) {
    auto type = std::find_if(machine.types.begin(), machine.types.end(),
                             [&name](const MachineType& known) { return known.name == name; });
    if (type == machine.types.end()) {
        type = machine.types.insert(type, {name, {}});
    }
    for (const Cpus& set : sets) {
        add_distinct(type->instances, set);
    }
}

void add_types(Machine& machine, hwloc_topology_t topology) {
    std::vector<std::vector<Cpus>> groups;  // by depth
    for (int depth = 0; depth < hwloc_topology_get_depth(topology); ++depth) {
        const hwloc_obj_type_t type = hwloc_get_depth_type(topology, depth);
        std::vector<Cpus> sets = sets_at(topology, depth);
        if (type == HWLOC_OBJ_GROUP && !sets.empty()) {
            groups.push_back(std::move(sets));
        } else if (type != HWLOC_OBJ_GROUP) {
            add_type(machine, hwloc_obj_type_string(type), sets);
        }
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const std::string depth = groups.size() == 1 ? "" : std::to_string(i);
        add_type(machine, "Group" + depth, groups[i]);
    }
    add_type(machine, "NUMANode", numa_nodes(topology));
}

// An instruction cache counts only where it is not the cache of its depth.
void drop_twin_caches(Machine& machine) {
    for (const char* depth : {"L1", "L2", "L3"}) {
        const std::vector<Cpus> caches = machine.instances(std::string(depth) + "Cache");
        const auto is_twin = [&](const MachineType& type) {
            return type.name == std::string(depth) + "iCache" && has_equal_sets(type.instances, caches);
        };
        machine.types.erase(std::remove_if(machine.types.begin(), machine.types.end(), is_twin),
                            machine.types.end());
    }
}

struct TopologyDeleter {
    void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, TopologyDeleter>;

// With the CPUs that a cgroup forbade, and with instruction caches.
Topology load_topology(const std::string& source) {
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0) {
        throw std::bad_alloc();
    }
    Topology topology(raw);
    const bool is_xml = source.find('/') != std::string::npos;
    if (hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) != 0 ||
        hwloc_topology_set_icache_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL) != 0 ||
        (is_xml ? hwloc_topology_set_xml(raw, source.c_str())
                : hwloc_topology_set_synthetic(raw, source.c_str())) != 0 ||
        hwloc_topology_load(raw) != 0) {
        throw std::runtime_error("hwloc does not read the machine " + source);
    }
    return topology;
}

// ---- instances ----

// The one of `sets` that holds all of `cpus`; NULL where none or several do.
const Cpus* only_one_around(const std::vector<Cpus>& sets, const Cpus& cpus) {
    const Cpus* found = nullptr;
    for (const Cpus& set : sets) {
        if (cpus.lies_in(set)) {
            if (found != nullptr) {
                return nullptr;
            }
            found = &set;
        }
    }
    return found;
}

// "node 2: 0-3", or "".
std::string instance_among(const std::vector<Cpus>& sets, const Process& process) {
    const Cpus* around = only_one_around(sets, process.cpus);
    return around == nullptr ? "" : "node " + std::to_string(process.node) + ": " + around->list();
}

std::string instance_of(const std::string& uri, const Node& node, const Process& process) {
    const std::string name = uri.substr(uri.find("://") + 3);
    if (is_of_machine(uri)) {
        return instance_among(node.machine->instances(name), process);
    }
    const std::string cluster = node.cluster;
    const std::string island = cluster + '/' + node.island;
    if (name == "Cluster") {
        return cluster;
    }
    if (name == "Island") {
        return node.island.empty() ? "" : island;
    }
    if (name == "Switch") {
        return node.leaf_switch.empty() ? "" : island + '/' + node.leaf_switch;
    }
    const std::string whole_node = "node " + std::to_string(process.node);
    if (name == "Node") {
        return whole_node;
    }
    if (name == "L2NUMA") {
        return node.machine->boards.empty() ? whole_node : instance_among(node.machine->boards, process);
    }
    const std::map<std::string, std::string> twins = {
        {"Socket", "Package"}, {"Core", "Core"}, {"HWThread", "PU"}};
    return instance_among(node.machine->instances(twins.at(name)), process);
}

bool is_anywhere(const std::string& instance) { return !instance.empty(); }

// ---- communicators ----

int rank_in(const Ranks& comm, int process) {
    return static_cast<int>(std::find(comm.begin(), comm.end(), process) - comm.begin());
}

bool contains(const Ranks& ranks, int rank) {
    return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

void sort_by_lowest_rank(const Ranks& comm, Split& split) {
    std::sort(split.begin(), split.end(), [&comm](const Group& a, const Group& b) {
        return rank_in(comm, a.members.front()) < rank_in(comm, b.members.front());
    });
}

}  // namespace

Cpus Cpus::parse(const std::string& list) {
    Cpus cpus;
    if (hwloc_bitmap_list_sscanf(cpus.bitmap_.get(), list.c_str()) != 0) {
        throw std::runtime_error("no list of CPUs: " + list);
    }
    return cpus;
}

void Cpus::add(const Cpus& other) {
    *this = copy_of(get());
    hwloc_bitmap_or(bitmap_.get(), get(), other.get());
}

void Cpus::keep(const Cpus& other) {
    *this = copy_of(get());
    hwloc_bitmap_and(bitmap_.get(), get(), other.get());
}

std::string Cpus::list() const {
    char* text = nullptr;
    hwloc_bitmap_list_asprintf(&text, get());
    const std::string list = text;
    std::free(text);
    return list;
}

Machine Machine::load(const std::string& source) {
    const Topology topology = load_topology(source);
    Machine machine;
    add_types(machine, topology.get());
    drop_twin_caches(machine);
    for (const Cpus& set : machine.instances("PU")) {
        machine.cpus.add(set);
    }
    machine.boards = find_boards(machine);
    return machine;
}

const std::vector<Cpus>& Machine::instances(const std::string& type) const {
    static const std::vector<Cpus> none;
    const auto found = std::find_if(types.begin(), types.end(),
                                    [&type](const MachineType& known) { return known.name == type; });
    return found == types.end() ? none : found->instances;
}

Job::Job(const std::vector<Node>& nodes, const std::vector<Process>& processes) {
    std::set<std::string> uris;
    for (const std::string& uri : kCatalogue) {
        if (!is_of_machine(uri)) {
            uris.insert(uri);
        }
    }
    for (const Process& process : processes) {
        for (const MachineType& type : nodes.at(process.node).machine->types) {
            if (!type.instances.empty()) {
                uris.insert("hwloc://" + type.name);
            }
        }
    }
    for (const std::string& uri : uris) {
        Type& type = types_.emplace_back(Type{uri, {}});
        for (const Process& process : processes) {
            type.instance.push_back(instance_of(uri, nodes.at(process.node), process));
        }
    }
    std::sort(types_.begin(), types_.end(),
              [](const Type& a, const Type& b) { return place_of(a.uri) < place_of(b.uri); });
}

std::vector<std::string> Job::listed_types() const {
    const std::set<std::string> levels = {"hitopo://Cluster", "hitopo://Island", "hitopo://Switch",
                                          "hitopo://Node"};
    std::vector<std::string> listed;
    for (const Type& type : types_) {
        const bool is_known = levels.count(type.uri) != 0 &&
                              std::any_of(type.instance.begin(), type.instance.end(), is_anywhere);
        if (is_known || is_of_machine(type.uri)) {
            listed.push_back(type.uri);
        }
    }
    return listed;
}

Split Job::by_instance(const Ranks& comm, const Type& type) {
    std::map<std::string, Ranks> members;
    for (const int rank : comm) {
        if (!type.instance.at(rank).empty()) {
            members[type.instance.at(rank)].push_back(rank);
        }
    }
    Split split;
    for (const auto& [instance, ranks] : members) {
        split.push_back({ranks, type.uri});
    }
    sort_by_lowest_rank(comm, split);
    return split;
}

// A machine has either Group, or Group0 and more.
Job::Type Job::outermost_group() const {
    Type outermost{kGroup, std::vector<std::string>(types_.front().instance.size())};
    for (const Type& type : types_) {
        for (std::size_t rank = 0; rank < type.instance.size(); ++rank) {
            if (type.uri == kGroup || type.uri == kGroup + '0') {
                outermost.instance[rank] += type.instance[rank];
            }
        }
    }
    return outermost;
}

Split Job::guided(const Ranks& comm, const std::string& uri) const {
    if (uri == kGroup) {
        return by_instance(comm, outermost_group());
    }
    for (const Type& type : types_) {
        if (type.uri == uri) {
            return by_instance(comm, type);
        }
    }
    return {};
}

Split Job::guided_without_null(const Ranks& comm, const std::string& uri) const {
    Split split = guided(comm, uri);
    if (split.empty() && !is_of_machine(uri)) {
        return guided(comm, "hitopo://Node");
    }
    for (const int rank : comm) {
        if (std::none_of(split.begin(), split.end(),
                         [rank](const Group& group) { return contains(group.members, rank); })) {
            split.push_back({{rank}, uri});
        }
    }
    sort_by_lowest_rank(comm, split);
    return split;
}

// A domain that could become a communicator.
struct Job::Candidate {
    Ranks members;
    std::ptrdiff_t type;  // place in types_
    int lowest;           // rank in the communicator

    bool is_better_than(const Candidate& other) const {
        if (members.size() != other.members.size()) {
            return members.size() > other.members.size();
        }
        return std::pair(type, lowest) < std::pair(other.type, other.lowest);
    }
    bool meets(const std::set<int>& ranks) const {
        return std::any_of(members.begin(), members.end(),
                           [&ranks](int rank) { return ranks.count(rank) != 0; });
    }
};

std::vector<Job::Candidate> Job::candidates(const Ranks& comm) const {
    std::vector<Candidate> candidates;
    for (const Type& type : types_) {
        for (Group& group : by_instance(comm, type)) {
            if (group.members.size() < comm.size()) {
                const int lowest = rank_in(comm, group.members.front());
                candidates.push_back({std::move(group.members), &type - types_.data(), lowest});
            }
        }
    }
    return candidates;
}

// Of the machine's types if one has exactly these processes of comm in an instance, else of the levels.
std::string Job::deepest_type(const Ranks& comm, const Ranks& members) const {
    for (const bool is_machine : {true, false}) {
        for (auto type = types_.rbegin(); type != types_.rend(); ++type) {
            if (is_of_machine(type->uri) != is_machine) {
                continue;
            }
            const std::string& instance = type->instance.at(members.front());
            Ranks inside;
            std::copy_if(comm.begin(), comm.end(), std::back_inserter(inside), [&](int rank) {
                return !instance.empty() && type->instance.at(rank) == instance;
            });
            if (inside == members) {
                return type->uri;
            }
        }
    }
    throw std::logic_error("a group that is no domain");
}

// Takes the best of all candidates that are still whole until none is left.
Split Job::unguided(const Ranks& comm) const {
    std::vector<Candidate> left = candidates(comm);
    std::set<int> taken;
    Split split;
    while (!left.empty()) {
        const Candidate best = *std::min_element(
            left.begin(), left.end(),
            [](const Candidate& a, const Candidate& b) { return a.is_better_than(b); });
        taken.insert(best.members.begin(), best.members.end());
        split.push_back({best.members, deepest_type(comm, best.members)});
        left.erase(
            std::remove_if(left.begin(), left.end(),
                           [&taken](const Candidate& candidate) { return candidate.meets(taken); }),
            left.end());
    }
    sort_by_lowest_rank(comm, split);
    return split;
}

std::vector<std::vector<Step>> Job::hierarchy(const Ranks& comm) const {
    const Split split = unguided(comm);
    Ranks roots;
    for (const Group& group : split) {
        roots.push_back(group.members.front());
    }
    std::vector<std::vector<Step>> steps(comm.size());
    for (const Group& group : split) {
        const std::vector<std::vector<Step>> inner = hierarchy(group.members);
        for (std::size_t i = 0; i < group.members.size(); ++i) {
            std::vector<Step>& own = steps[static_cast<std::size_t>(rank_in(comm, group.members[i]))];
            own.push_back({group.members, group.type, i == 0 ? roots : Ranks()});
            own.insert(own.end(), inner[i].begin(), inner[i].end());
        }
    }
    return steps;
}

Split shared(const Ranks& comm) { return {{comm, "mpi_shared_memory"}}; }

Split alone(const Ranks& comm) {
    Split split;
    for (const int rank : comm) {
        split.push_back({{rank}, ""});
    }
    return split;
}

std::vector<Made> make(const Ranks& comm, const Split& split, const std::vector<Request>& requests,
                       bool leads) {
    std::vector<Made> groups;
    for (const Group& group : split) {
        std::vector<std::pair<long, int>> order;  // key, rank in comm
        for (const int process : group.members) {
            const int rank = rank_in(comm, process);
            const Request& request = requests.at(rank);
            if (request.takes_part) {
                const bool is_first = leads && rank == 0;
                order.emplace_back(is_first ? std::numeric_limits<long>::min() : request.key, rank);
            }
        }
        std::sort(order.begin(), order.end());
        Made made{{}, group.type, 0, 0};
        for (const auto& [key, rank] : order) {
            made.members.push_back(comm.at(rank));
        }
        if (!made.members.empty()) {
            groups.push_back(made);
        }
    }
    const auto lowest = [&comm](const Made& made) {
        int rank = static_cast<int>(comm.size());
        for (const int process : made.members) {
            rank = std::min(rank, rank_in(comm, process));
        }
        return rank;
    };
    std::sort(groups.begin(), groups.end(),
              [&lowest](const Made& a, const Made& b) { return lowest(a) < lowest(b); });
    std::vector<Made> made(comm.size());
    for (std::size_t i = 0; i < groups.size(); ++i) {
        groups[i].number = static_cast<int>(i);
        groups[i].num_siblings = static_cast<int>(groups.size());
        for (const int process : groups[i].members) {
            made[static_cast<std::size_t>(rank_in(comm, process))] = groups[i];
        }
    }
    return made;
}

std::vector<Ranks> roots(const Ranks& comm, const std::vector<Made>& made) {
    Ranks all;
    for (std::size_t i = 0; i < comm.size(); ++i) {
        if (!made[i].members.empty() && made[i].members.front() == comm[i]) {
            all.push_back(comm[i]);
        }
    }
    std::vector<Ranks> roots(comm.size());
    for (const int process : all) {
        roots[static_cast<std::size_t>(rank_in(comm, process))] = all;
    }
    return roots;
}

}  // namespace split_oracle
