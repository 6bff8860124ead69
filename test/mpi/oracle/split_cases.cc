// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/mpi/oracle/split_cases.h"

#include <mpi.h>

#include <algorithm>
#include <cctype>
#include <climits>
#include <numeric>

#include "mpiext_hitopo_c.h"
#include "test/mpi/oracle/split_random.h"

namespace split_oracle {
namespace {

enum Purpose { kPlan, kBindings };

// How people write a type. What is listed twice is drawn twice as often.
struct Spelling {
    const char* uri;
    std::vector<std::string> words;
};

const std::vector<Spelling>& spellings() {
    static const std::vector<Spelling> all = {
        {"hitopo://Cluster", {"hitopo://Cluster", "cluster"}},
        {"hitopo://Island", {"hitopo://Island", "island"}},
        {"hitopo://Switch", {"hitopo://Switch", "switch", "cu"}},
        {"hitopo://Node", {"hitopo://Node", "node", "host"}},
        {"hitopo://L2NUMA", {"hitopo://L2NUMA", "l2numa", "board"}},
        {"hitopo://Socket", {"hitopo://Socket"}},
        {"hitopo://Core", {"hitopo://Core"}},
        {"hitopo://HWThread", {"hitopo://HWThread"}},
        {"gpu://Nearest", {"gpu://Nearest"}},
        {"nic://Nearest", {"nic://Nearest"}},
        {"hwloc://Machine", {"hwloc://Machine", "Machine", "HWLOC_OBJ_MACHINE"}},
        {"hwloc://Group0", {"hwloc://Group0", "Group0", "hwloc://Group", "HWLOC_OBJ_GROUP"}},
        {"hwloc://Group1", {"hwloc://Group1", "Group1"}},
        {"hwloc://Package",
         {"hwloc://Package", "Package", "HWLOC_OBJ_PACKAGE", "socket", "hwloc://Socket"}},
        {"hwloc://Package", {"hwloc://Package", "Package", "HWLOC_OBJ_SOCKET", "socket"}},
        {"hwloc://Die", {"hwloc://Die", "Die", "HWLOC_OBJ_DIE"}},
        {"hwloc://NUMANode", {"hwloc://NUMANode", "numanode", "NUMA", "HWLOC_OBJ_NUMANODE"}},
        {"hwloc://NUMANode", {"hwloc://NUMANode", "numanode", "NUMA", "HWLOC_OBJ_NUMANODE"}},
        {"hwloc://L5Cache", {"hwloc://L5Cache", "L5Cache", "L5", "HWLOC_OBJ_L5CACHE"}},
        {"hwloc://L4Cache", {"hwloc://L4Cache", "L4Cache", "L4", "HWLOC_OBJ_L4CACHE"}},
        {"hwloc://L3Cache", {"hwloc://L3Cache", "L3Cache", "L3", "HWLOC_OBJ_L3CACHE"}},
        {"hwloc://L3Cache", {"hwloc://L3Cache", "L3Cache", "L3", "HWLOC_OBJ_L3CACHE"}},
        {"hwloc://L2Cache", {"hwloc://L2Cache", "L2Cache", "L2", "HWLOC_OBJ_L2CACHE"}},
        {"hwloc://L1Cache", {"hwloc://L1Cache", "L1Cache", "L1", "HWLOC_OBJ_L1CACHE"}},
        {"hwloc://L1iCache", {"hwloc://L1iCache", "L1iCache", "HWLOC_OBJ_L1ICACHE"}},
        {"hwloc://Core", {"hwloc://Core", "core", "HWLOC_OBJ_CORE"}},
        {"hwloc://Core", {"hwloc://Core", "core", "HWLOC_OBJ_CORE"}},
        {"hwloc://PU", {"hwloc://PU", "PU", "hwthread", "HWLOC_OBJ_PU"}},
        // Names of nothing. Open MPI's own splits take each word that begins with one of their own.
        {"",
         {"core_xyz", "hwloc://core_xyz", "cor", "core ", "L7Cache", "hwloc://", "mpi://WORLD",
          "hosts"}},
        {"", {"nonsense", "nvlink"}},
    };
    return all;
}

// Open MPI's own split types.
struct OwnType {
    int split_type;
    const char* uri;
};
const std::vector<OwnType> kOwnTypes = {
    {OMPI_COMM_TYPE_CLUSTER, "hitopo://Cluster"}, {OMPI_COMM_TYPE_CU, "hitopo://Switch"},
    {OMPI_COMM_TYPE_HOST, "hitopo://Node"},       {OMPI_COMM_TYPE_BOARD, "hitopo://L2NUMA"},
    {OMPI_COMM_TYPE_NUMA, "hwloc://NUMANode"},    {OMPI_COMM_TYPE_SOCKET, "hwloc://Package"},
    {OMPI_COMM_TYPE_L3CACHE, "hwloc://L3Cache"},  {OMPI_COMM_TYPE_L2CACHE, "hwloc://L2Cache"},
    {OMPI_COMM_TYPE_L1CACHE, "hwloc://L1Cache"},  {OMPI_COMM_TYPE_CORE, "hwloc://Core"},
    {OMPI_COMM_TYPE_HWTHREAD, "hwloc://PU"}};

std::string in_any_case(Random& random, std::string word) {
    for (char& c : word) {
        if (random.chance(50)) {
            c = static_cast<char>(random.chance(50) ? std::toupper(c) : std::tolower(c));
        }
    }
    return word;
}

Ranks first(int count) {
    Ranks ranks(static_cast<std::size_t>(count));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

class Planner {
public:
    Planner(Random& random, int num_processes) : random_(random), num_processes_(num_processes) {}

    Case plan(const std::vector<std::string>& xml_machines) {
        const int num_nodes = random_.between(1, 4);
        plan_machines(num_nodes, xml_machines);
        plan_names(num_nodes);
        place_processes(num_nodes);
        plan_families();
        for (int i = 0; i < 8; ++i) {
            plan_call();
        }
        for (int i = 0; i < 6; ++i) {
            plan_question(i % 2 == 0 ? Call::What::kMinDomain : Call::What::kNeighbours);
        }
        return std::move(case_);
    }

private:
    // ---- the cluster ----

    std::string plan_machine(const std::vector<std::string>& xml_machines) {
        const bool is_xml = !xml_machines.empty() && random_.chance(8);
        return is_xml ? random_.pick(xml_machines) : random_machine(random_);
    }

    void plan_machines(int num_nodes, const std::vector<std::string>& xml_machines) {
        const bool are_equal = random_.chance(50);
        for (int node = 0; node < num_nodes; ++node) {
            case_.machines.push_back(are_equal && node > 0 ? case_.machines[0]
                                                           : plan_machine(xml_machines));
        }
    }

    // Names of different parents may be equal. A number and a name of the same digits are two.
    void plan_names(int num_nodes) {
        const bool has_cluster = random_.chance(50);
        const bool has_island = random_.chance(50);
        const bool has_switch = random_.chance(70);
        const auto maybe = [this](bool is_told, const std::vector<std::string>& values) {
            return is_told && !random_.chance(12) ? random_.pick(values) : std::string();
        };
        for (int node = 0; node < num_nodes; ++node) {
            NodeNames names;
            names.cluster = maybe(has_cluster, {"c0", "\"c 1\""});
            names.island = maybe(has_island, {"i0", "i1", "i10"});
            names.leaf_switch = maybe(has_switch, {"0", "1", "\"1\"", "s2"});
            names.node = 'n' + std::to_string(random_.chance(30) ? 0 : node);
            if (is_used(names)) {
                names.node = "other" + std::to_string(node);
            }
            case_.names.push_back(names);
        }
        case_.has_map = num_nodes > 1 || random_.chance(70);
        if (num_nodes == 1 && random_.chance(50)) {
            case_.names[0].node.clear();  // the real node
        }
        if (!case_.has_map) {
            case_.names[0] = NodeNames();
        }
    }

    bool is_used(const NodeNames& names) const {
        return std::any_of(case_.names.begin(), case_.names.end(), [&names](const NodeNames& other) {
            return names.cluster == other.cluster && names.island == other.island &&
                   names.leaf_switch == other.leaf_switch && names.node == other.node;
        });
    }

    void place_processes(int num_nodes) {
        const int way = random_.below(3);
        for (int process = 0; process < num_processes_; ++process) {
            const int node = way == 0   ? process * num_nodes / num_processes_
                             : way == 1 ? process % num_nodes
                                        : random_.below(num_nodes);
            case_.node_of.push_back(node);
        }
    }

    // ---- communicators ----

    void plan_families() {
        case_.families.push_back({Family::How::kWorld, {first(num_processes_)}});
        case_.families.push_back(plan_parts());
        if (random_.chance(10)) {
            case_.families.push_back({Family::How::kSelf, {}});
            for (const int rank : first(num_processes_)) {
                case_.families.back().comms.push_back({rank});
            }
        }
        if (random_.chance(50)) {
            Ranks ranks = first(num_processes_);
            random_.shuffle(ranks);
            ranks.resize(static_cast<std::size_t>(random_.between(1, num_processes_)));
            case_.families.push_back({Family::How::kCreate, {ranks}});
        }
    }

    Family plan_parts() {
        Ranks ranks = first(num_processes_);
        if (random_.chance(70)) {
            random_.shuffle(ranks);
        }
        Family family{random_.chance(30) ? Family::How::kDup : Family::How::kSplit, {}};
        family.comms.resize(static_cast<std::size_t>(random_.between(1, 3)));
        const int left_out_percent = random_.chance(40) ? 25 : 0;
        for (const int rank : ranks) {
            if (!random_.chance(left_out_percent)) {
                family
                    .comms[static_cast<std::size_t>(
                        random_.below(static_cast<int>(family.comms.size())))]
                    .push_back(rank);
            }
        }
        family.comms.erase(std::remove_if(family.comms.begin(), family.comms.end(),
                                          [](const Ranks& comm) { return comm.empty(); }),
                           family.comms.end());
        return family;
    }

    // ---- calls ----

    void plan_call() {
        Call call;
        call.family = random_.below(static_cast<int>(case_.families.size()));
        call.entry = random_.below(4);
        call.arguments.resize(static_cast<std::size_t>(num_processes_));
        const int what = random_.below(20);
        if (what == 0) {
            call.what = Call::What::kLoop;
            call.split_type = MPI_COMM_TYPE_HW_UNGUIDED;
        } else if (what < 3) {
            call.what = Call::What::kHierarchy;
            call.max_steps = random_.chance(70) ? 20 : random_.below(4);
            call.wants_types = random_.chance(80);
        } else {
            call.what = what < 8 ? Call::What::kRoots : Call::What::kSplit;
            plan_rule(call);
            plan_keys(call);
            plan_abstainers(call);
        }
        case_.calls.push_back(std::move(call));
    }

    // Local, of communicators that were split before: others go by the tree of MPI_Init.
    void plan_question(Call::What what) {
        Call call;
        call.what = what;
        call.family = random_.pick(case_.calls).family;
        call.entry = random_.below(2);
        if (what == Call::What::kMinDomain) {
            for (int i = random_.below(5); i > 0; --i) {
                call.listed.push_back(random_.below(num_processes_));
            }
        } else {
            call.hops = random_.chance(10) ? 1000 : random_.below(6);
            call.metric = random_.between(MPIX_HW_METRIC_COMPUTE, MPIX_HW_METRIC_NETWORK);
        }
        call.arguments.resize(static_cast<std::size_t>(num_processes_));
        case_.calls.push_back(std::move(call));
    }

    void plan_rule(Call& call) {
        const int which = random_.below(20);
        if (which < 8) {
            plan_guided(call,
                        random_.chance(60) ? MPI_COMM_TYPE_HW_GUIDED : MPI_COMM_TYPE_RESOURCE_GUIDED,
                        kTypeKey);
        } else if (which < 9) {
            plan_guided(call, MPIX_COMM_TYPE_HW_DOMAIN, kHsplitKey);
        } else if (which < 12) {
            const OwnType& own = random_.pick(kOwnTypes);
            set_rule(call, Call::Rule::kGuidedWithoutNull, own.split_type);
            call.uri = own.uri;
        } else if (which < 13) {
            set_rule(call, Call::Rule::kShared, MPI_COMM_TYPE_SHARED);
        } else if (which < 14) {
            set_rule(call, Call::Rule::kAlone, MPIX_COMM_TYPE_ADDRESS_SPACE);
        } else if (which < 15) {
            set_rule(call, Call::Rule::kUnguided,
                     random_.chance(50) ? MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY : MPIX_COMM_TYPE_HW_DOMAIN);
        } else {
            set_rule(call, Call::Rule::kUnguided, MPI_COMM_TYPE_HW_UNGUIDED);
            for (Argument& argument : call.arguments) {
                argument.info =
                    random_.pick<Info>({Info::kEmpty, Info::kEmpty, Info::kGarbage, Info::kNull});
            }
        }
    }

    static void set_rule(Call& call, Call::Rule rule, int split_type) {
        call.rule = rule;
        call.split_type = split_type;
    }

    void plan_guided(Call& call, int split_type, const char* key) {
        set_rule(call, Call::Rule::kGuided, split_type);
        call.info_key = key;
        const int which = random_.below(20);
        if (which == 0) {
            call.rule = Call::Rule::kShared;
            call.word = in_any_case(random_, "mpi_shared_memory");
        } else if (which < 3) {
            call.hw_level = random_.below(16);
            call.word = in_any_case(random_, "MPI_HW_LEVEL") + std::to_string(call.hw_level);
        } else {
            const Spelling& spelling = random_.pick(spellings());
            call.uri = spelling.uri;
            call.word = random_.pick(spelling.words);
            call.word = call.uri.empty() ? call.word : in_any_case(random_, call.word);
        }
        const bool are_some_without = random_.chance(25);
        for (Argument& argument : call.arguments) {
            const bool is_without = are_some_without && random_.chance(30);
            argument.info = !is_without
                                ? Info::kWord
                                : random_.pick<Info>({Info::kNull, Info::kEmpty, Info::kGarbage});
        }
    }

    void plan_abstainers(Call& call) {
        const int percent = random_.chance(25) ? random_.between(1, 60) : 0;
        for (Argument& argument : call.arguments) {
            argument.is_undefined = random_.chance(percent);
        }
    }

    void plan_keys(Call& call) {
        const int pattern = random_.below(8);
        const int offset = random_.between(-1000, 1000);
        for (const Ranks& comm : case_.families[static_cast<std::size_t>(call.family)].comms) {
            Ranks shuffled = first(static_cast<int>(comm.size()));
            random_.shuffle(shuffled);
            for (std::size_t i = 0; i < comm.size(); ++i) {
                call.arguments[static_cast<std::size_t>(comm[i])].key = key_of(
                    pattern, offset, static_cast<int>(i), static_cast<int>(comm.size()), shuffled[i]);
            }
        }
    }

    int key_of(int pattern, int offset, int rank, int size, int shuffled) {
        switch (pattern) {
            case 0:
                return offset;
            case 1:
            case 2:
                return rank;
            case 3:
                return rank + offset;
            case 4:
                return size - rank;
            case 5:
                return shuffled - size;
            case 6:
                return random_.between(-2, 2);
            default:
                return random_.pick<int>({INT_MIN, INT_MIN + 1, -1, 0, 1, INT_MAX - 1, INT_MAX});
        }
    }

    Random& random_;
    const int num_processes_;
    Case case_;
};

}  // namespace

Case make_case(std::uint64_t seed, int number, int num_processes,
               const std::vector<std::string>& xml_machines) {
    Random random(seed, static_cast<std::uint64_t>(number), kPlan);
    return Planner(random, num_processes).plan(xml_machines);
}

std::vector<std::string> make_bindings(std::uint64_t seed, int number, const Case& test,
                                       const Machines& machines) {
    Random random(seed, static_cast<std::uint64_t>(number), kBindings);
    const int irregular_percent = random.pick<int>({0, 20, 100});
    const std::string usual_type =
        random.pick<std::string>({"PU", "Core", "Core", "NUMANode", "L2Cache"});
    std::vector<int> num_placed(machines.size());
    std::vector<Cpus> last(machines.size());
    std::vector<std::string> bindings;
    for (const int node : test.node_of) {
        const Machine& machine = *machines.at(node);
        last[node] = random.chance(irregular_percent)
                         ? random_binding(random, machine, last[node])
                         : nth_instance(machine, usual_type, num_placed[node]);
        ++num_placed[node];
        const bool is_unbound = last[node] == machine.cpus && random.chance(50);
        bindings.push_back(is_unbound ? "none" : to_list(last[node]));
    }
    return bindings;
}

Cpus cpus_of_binding(const std::string& binding, const Machine& machine) {
    return binding == "none" ? machine.cpus : parse_cpus(binding);
}

// ---- what a case says of itself ----

namespace {

std::string level_text(const char* level, const std::string& value) {
    return value.empty() ? "" : std::string(" ") + level + '=' + value;
}

std::string names_text(const NodeNames& names) {
    return level_text("cluster", names.cluster) + level_text("island", names.island) +
           level_text("switch", names.leaf_switch) + level_text("node", names.node);
}

}  // namespace

const Ranks* Family::of(int rank) const {
    for (const Ranks& comm : comms) {
        if (std::find(comm.begin(), comm.end(), rank) != comm.end()) {
            return &comm;
        }
    }
    return nullptr;
}

bool Call::is_reporting() const { return split_type == MPI_COMM_TYPE_HW_UNGUIDED; }

bool Call::takes_part(int process) const {
    const Argument& argument = arguments.at(process);
    return !argument.is_undefined && (info_key.empty() || argument.info == Info::kWord);
}

bool Call::is_undirected(const Ranks& comm) const {
    return info_key == kHsplitKey && std::none_of(comm.begin(), comm.end(), [this](int process) {
               const Argument& own = arguments.at(process);
               return !own.is_undefined && (own.info == Info::kWord || own.info == Info::kGarbage);
           });
}

std::map<std::string, std::string> Call::info_values(Info kind) const {
    const std::string key = info_key.empty() ? kTypeKey : info_key;
    switch (kind) {
        case Info::kGarbage:
            return {{key, kGarbage}, {"mine", "untouched"}};
        case Info::kWord:
            return {{key, word}, {"mine", "untouched"}};
        default:
            return {};
    }
}

std::string Call::describe() const {
    const std::vector<std::string> names = {"a split",       "a split with roots", "the recursive loop",
                                            "the hierarchy", "the least domain",   "neighbours"};
    std::string text = names[static_cast<std::size_t>(what)] + ", type " + std::to_string(split_type);
    if (!info_key.empty()) {
        text += ", " + info_key + '=' + word;
    }
    if (what == What::kHierarchy) {
        text += ", max_steps " + std::to_string(max_steps);
    }
    for (const int rank : listed) {
        text += ' ' + std::to_string(rank);
    }
    return text +
           (hops > 0 ? ", hops " + std::to_string(hops) + ", metric " + std::to_string(metric) : "");
}

std::string Case::map() const {
    std::string text;
    for (std::size_t process = 0; process < node_of.size(); ++process) {
        const std::string told = names_text(names[static_cast<std::size_t>(node_of[process])]);
        if (!told.empty()) {
            text += "rank " + std::to_string(process) + told + '\n';
        }
    }
    return text.empty() ? "# tells nothing\n" : text;
}

}  // namespace split_oracle
