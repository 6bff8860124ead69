// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Random jobs, each simulated by the processes of this one: what its splits give against what the oracle
// says.
//
//     split_oracle_test --self-check
//     mpirun -np N split_oracle_test SEED FIRST COUNT MACHINES SCRATCH
//
// Runs the cases FIRST..FIRST+COUNT-1 of SEED. MACHINES: a folder of XML files that hwloc reads;
// SCRATCH: a folder for maps. The exit status is 0 if all agreed.
#include "test/mpi/split_oracle.h"

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "ompi/mpiext/hitopo/c/mpiext_hitopo_c.h"
#include "test/mpi/split_cases.h"
#include "test/mpi/split_counter.h"
#include "test/mpi/split_oracle_check.h"
#include "test/mpi/split_text.h"

namespace split_oracle {
namespace {

constexpr unsigned kMaxSecondsPerCase = 40;
constexpr int kMaxShown = 5;  // mismatches
constexpr const char* kTypeKey = "mpi_hw_resource_type";
constexpr const char* kGarbage = "hwloc://Garbage";

// ---- if a case hangs ----

char where[256];  // what the signal handler prints

void set_where(std::uint64_t seed, int number, const std::string& what) {
    std::snprintf(where, sizeof(where), "seed %llu, case %d stuck in %s\n",
                  static_cast<unsigned long long>(seed), number, what.c_str());
}

void give_up(int) {
    if (write(STDERR_FILENO, where, std::strlen(where)) >= 0) {
        _exit(EXIT_FAILURE);
    }
    _exit(EXIT_FAILURE);
}

// ---- what MPI gave, as text ----

struct World {
    int rank = 0, size = 0;
    MPI_Group group = MPI_GROUP_NULL;
};

// The members in their order, by rank of MPI_COMM_WORLD.
std::string members_text(const World& world, MPI_Comm comm) {
    if (comm == MPI_COMM_NULL) {
        return "NULL";
    }
    MPI_Group group;
    int size, rank;
    MPI_Comm_group(comm, &group);
    MPI_Group_size(group, &size);
    Ranks inside(static_cast<std::size_t>(size)), members(inside.size());
    std::iota(inside.begin(), inside.end(), 0);
    MPI_Group_translate_ranks(group, size, inside.data(), world.group, members.data());
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &rank);
    const bool is_in_place = members.at(rank) == world.rank;
    return to_text(members) + (is_in_place ? "" : " with the wrong rank");
}

// Whether a message gets through to all of comm and to nobody else. Collective over comm.
std::string broken_text(const World& world, MPI_Comm comm) {
    if (comm == MPI_COMM_NULL) {
        return "";
    }
    MPI_Group group;
    int size, sum = 0, expected = 0;
    MPI_Comm_group(comm, &group);
    MPI_Group_size(group, &size);
    for (int rank = 0; rank < size; ++rank) {
        int process;
        MPI_Group_translate_ranks(group, 1, &rank, world.group, &process);
        expected += 1 << process;
    }
    MPI_Group_free(&group);
    const int own = 1 << world.rank;
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, comm);
    return sum == expected ? "" : " where messages go astray";
}

std::string value_text(MPI_Info info) {
    char value[MPI_MAX_INFO_VAL + 1];
    int is_there;
    MPI_Info_get(info, kTypeKey, MPI_MAX_INFO_VAL, value, &is_there);
    return is_there != 0 ? value : "unset";
}

std::string domain_text(MPI_Comm comm) {
    int num_siblings = -1, number = -1;
    char* type = nullptr;
    MPIX_Get_hw_domain_info(comm, &num_siblings, &number, &type, MPI_INFO_NULL);
    return std::to_string(number) + " of " + std::to_string(num_siblings);
}

void free_comm(MPI_Comm& comm) {
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_free(&comm);
    }
}

// ---- communicators ----

MPI_Comm split_into(const Ranks* own, const Family& family, int rank) {
    const int color = own == nullptr ? MPI_UNDEFINED : static_cast<int>(own - family.comms.data());
    const int key =
        own == nullptr ? 0 : static_cast<int>(std::find(own->begin(), own->end(), rank) - own->begin());
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, color, key, &comm);
    return comm;
}

MPI_Comm create(const World& world, const Ranks& ranks) {
    MPI_Group group;
    MPI_Comm comm;
    MPI_Group_incl(world.group, static_cast<int>(ranks.size()), ranks.data(), &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
    MPI_Group_free(&group);
    return comm;
}

// This process's communicator of the family. Collective over MPI_COMM_WORLD.
MPI_Comm make_comm(const World& world, const Family& family) {
    switch (family.how) {
        case Family::How::kWorld:
            return MPI_COMM_WORLD;
        case Family::How::kCreate:
            return create(world, family.comms.front());
        default:
            break;
    }
    MPI_Comm comm = split_into(family.of(world.rank), family, world.rank);
    if (family.how == Family::How::kDup && comm != MPI_COMM_NULL) {
        MPI_Comm original = comm;
        MPI_Comm_dup(original, &comm);
        MPI_Comm_free(&original);
    }
    return comm;
}

// ---- calls ----

MPI_Info make_info(const Call& call, Info kind) {
    MPI_Info info = MPI_INFO_NULL;
    if (kind == Info::kNull) {
        return info;
    }
    MPI_Info_create(&info);
    if (kind == Info::kGarbage) {
        MPI_Info_set(info, call.info_key.empty() ? kTypeKey : call.info_key.c_str(), kGarbage);
    } else if (kind == Info::kWord) {
        MPI_Info_set(info, call.info_key.c_str(), call.word.c_str());
    }
    return info;
}

void free_info(MPI_Info& info) {
    if (info != MPI_INFO_NULL) {
        MPI_Info_free(&info);
    }
}

std::string error_text(int error) {
    int error_class;
    MPI_Error_class(error, &error_class);
    return "error " + std::to_string(error_class);
}

int call_split_type(int entry, MPI_Comm comm, int split_type, int key, MPI_Info info,
                    MPI_Comm* newcomm) {
    const auto function =
        std::vector{MPI_Comm_split_type, PMPI_Comm_split_type, MPIX_Comm_split_type}[entry];
    return function(comm, split_type, key, info, newcomm);
}

// One process's run of one case.
class Run {
public:
    Run(const World& world, const Case& test, bool are_messages_sent)
        : world_(world), test_(test), are_messages_sent_(are_messages_sent) {}

    // Line i: what call i gave this process. Collective over MPI_COMM_WORLD.
    std::vector<std::string> operator()(std::uint64_t seed, int number) {
        std::vector<MPI_Comm> comms;
        for (const Family& family : test_.families) {
            comms.push_back(make_comm(world_, family));
        }
        std::vector<std::string> lines;
        for (const Call& call : test_.calls) {
            set_where(seed, number, call.describe());
            MPI_Comm comm = comms.at(call.family);
            lines.push_back(comm == MPI_COMM_NULL ? "" : do_call(call, comm));
        }
        for (MPI_Comm& comm : comms) {
            if (comm != MPI_COMM_WORLD) {
                free_comm(comm);
            }
        }
        return lines;
    }

private:
    std::string do_call(const Call& call, MPI_Comm comm) {
        switch (call.what) {
            case Call::What::kLoop:
                return do_loop(call, comm);
            case Call::What::kHierarchy:
                return do_hierarchy(call, comm);
            default:
                return do_split(call, comm);
        }
    }

    std::string do_split(const Call& call, MPI_Comm comm) {
        const Argument& own = call.arguments.at(world_.rank);
        const int split_type = own.is_undefined ? MPI_UNDEFINED : call.split_type;
        const bool has_roots = call.what == Call::What::kRoots;
        MPI_Info info = make_info(call, own.info);
        MPI_Comm newcomm = MPI_COMM_NULL, roots = MPI_COMM_NULL;
        const int error = has_roots
                              ? MPIX_Comm_split_roots(comm, split_type, own.key, info, &newcomm, &roots)
                              : call_split_type(call.entry, comm, split_type, own.key, info, &newcomm);
        std::string text = error == MPI_SUCCESS ? comm_text(newcomm) : error_text(error);
        if (has_roots) {
            text += " roots " + comm_text(roots);
        }
        if (call.is_reporting() && info != MPI_INFO_NULL) {
            text += " type " + value_text(info);
        }
        if (newcomm != MPI_COMM_NULL) {
            text += " number " + domain_text(newcomm);
        }
        free_comm(roots);
        free_comm(newcomm);
        free_info(info);
        return text;
    }

    std::string do_loop(const Call& call, MPI_Comm comm) {
        MPI_Info info = make_info(call, Info::kEmpty);
        std::vector<MPI_Comm> comms = {comm};
        std::string text;
        while (comms.back() != MPI_COMM_NULL) {
            int rank;
            MPI_Comm_rank(comms.back(), &rank);
            MPI_Comm newcomm = MPI_COMM_NULL;
            const int error =
                call_split_type(call.entry, comms.back(), call.split_type, rank, info, &newcomm);
            if (newcomm != MPI_COMM_NULL || error != MPI_SUCCESS) {
                text += (text.empty() ? "" : ", ") + (error == MPI_SUCCESS
                                                          ? comm_text(newcomm) + ' ' + value_text(info)
                                                          : error_text(error));
            }
            comms.push_back(newcomm);
        }
        for (std::size_t i = 1; i < comms.size(); ++i) {
            free_comm(comms[i]);
        }
        free_info(info);
        return text.empty() ? "none" : text;
    }

    std::string do_hierarchy(const Call& call, MPI_Comm comm) {
        const auto max_steps = static_cast<std::size_t>(call.max_steps);
        std::vector<MPI_Comm> newcomms(max_steps + 1, comm), roots(max_steps + 1, comm);
        std::vector<const char*> types(max_steps + 1, "untouched");
        int num_steps = -1;
        const int error =
            MPIX_Comm_split_hierarchy(comm, call.max_steps, newcomms.data(), roots.data(),
                                      call.wants_types ? types.data() : nullptr, &num_steps);
        if (error != MPI_SUCCESS) {
            return error_text(error);
        }
        std::string text = std::to_string(num_steps) + " steps";
        for (std::size_t i = 0; i < max_steps; ++i) {
            const bool is_step = static_cast<int>(i) < num_steps;
            text += is_step ? ", " + comm_text(newcomms[i]) + " roots " + comm_text(roots[i]) : "";
            text += is_step && call.wants_types ? std::string(" ") + types[i] : "";
            if (!is_step && (newcomms[i] != MPI_COMM_NULL || roots[i] != MPI_COMM_NULL ||
                             (call.wants_types && *types[i] != '\0'))) {
                return text + ", then not empty";
            }
            free_comm(newcomms[i]);
            free_comm(roots[i]);
        }
        const bool is_inside = newcomms.back() == comm && roots.back() == comm;
        return text + (is_inside ? "" : ", beyond the arrays");
    }

    std::string comm_text(MPI_Comm comm) {
        return members_text(world_, comm) + (are_messages_sent_ ? broken_text(world_, comm) : "");
    }

    const World& world_;
    const Case& test_;
    const bool are_messages_sent_;
};

// ---- what the oracle says, as the same text ----

class Expectation {
public:
    Expectation(const Job& job, const Case& test) : job_(job), test_(test) {}

    // Line i: what call i has to give to `process`.
    std::vector<std::string> lines_of(int process) {
        std::vector<std::string> lines;
        for (std::size_t i = 0; i < test_.calls.size(); ++i) {
            const Call& call = test_.calls[i];
            const Ranks* comm = test_.families.at(call.family).of(process);
            lines.push_back(comm == nullptr ? "" : line_of(i, *comm, process));
        }
        return lines;
    }

private:
    std::string line_of(std::size_t index, const Ranks& comm, int process) {
        const auto rank =
            static_cast<std::size_t>(std::find(comm.begin(), comm.end(), process) - comm.begin());
        // Worked out once for all processes of the communicator.
        std::vector<std::string>& lines = known_[{index, comm.front()}];
        if (lines.empty()) {
            lines = lines_of(test_.calls[index], comm);
        }
        return lines[rank];
    }

    // By rank of comm.
    std::vector<std::string> lines_of(const Call& call, const Ranks& comm) const {
        if (call.what == Call::What::kLoop || call.what == Call::What::kHierarchy) {
            return steps_lines(call, comm);
        }
        const bool is_undirected = call.is_undirected(comm);
        std::vector<Request> requests;
        for (const int process : comm) {
            const Argument& own = call.arguments.at(process);
            requests.push_back({is_undirected ? !own.is_undefined : call.takes_part(process), own.key});
        }
        const bool has_roots = call.what == Call::What::kRoots;
        const Split split = is_undirected ? job_.unguided(comm) : split_of(call, comm);
        const std::vector<Made> made = make(comm, split, requests, has_roots);
        const std::vector<Ranks> all_roots = roots(comm, made);
        std::vector<std::string> lines;
        for (std::size_t rank = 0; rank < comm.size(); ++rank) {
            lines.push_back(to_text(made[rank].members) +
                            (has_roots ? " roots " + to_text(all_roots[rank]) : "") +
                            type_line(call, comm[rank], made[rank]) + number_line(made[rank]));
        }
        return lines;
    }

    // A valid info gets the type's name where there is a new communicator, and else stays as it is.
    static std::string type_line(const Call& call, int process, const Made& made) {
        const Info info = call.arguments.at(process).info;
        if (!call.is_reporting() || info == Info::kNull) {
            return "";
        }
        const std::string before = info == Info::kGarbage ? kGarbage : "unset";
        return " type " + (made.members.empty() ? before : made.type);
    }

    static std::string number_line(const Made& made) {
        return made.members.empty() ? ""
                                    : " number " + std::to_string(made.number) + " of " +
                                          std::to_string(made.num_siblings);
    }

    std::vector<std::string> steps_lines(const Call& call, const Ranks& comm) const {
        std::vector<std::string> lines;
        for (const std::vector<Step>& steps : job_.hierarchy(comm)) {
            lines.push_back(call.what == Call::What::kLoop ? loop_line(steps)
                                                           : hierarchy_line(call, steps));
        }
        return lines;
    }

    static std::string loop_line(const std::vector<Step>& steps) {
        std::string text;
        for (const Step& step : steps) {
            text += (text.empty() ? "" : ", ") + to_text(step.members) + ' ' + step.type;
        }
        return text.empty() ? "none" : text;
    }

    static std::string hierarchy_line(const Call& call, const std::vector<Step>& steps) {
        std::string text = std::to_string(steps.size()) + " steps";
        for (std::size_t i = 0; i < steps.size() && static_cast<int>(i) < call.max_steps; ++i) {
            text += ", " + to_text(steps[i].members) + " roots " + to_text(steps[i].roots) +
                    (call.wants_types ? ' ' + steps[i].type : "");
        }
        return text;
    }

    Split split_of(const Call& call, const Ranks& comm) const {
        switch (call.rule) {
            case Call::Rule::kGuided:
                return job_.guided(comm, uri_of(call));
            case Call::Rule::kGuidedWithoutNull:
                return job_.guided_without_null(comm, call.uri);
            case Call::Rule::kShared:
                return shared(comm);
            case Call::Rule::kAlone:
                return alone(comm);
            default:
                return job_.unguided(comm);
        }
    }

    std::string uri_of(const Call& call) const {
        const std::vector<std::string> listed = job_.listed_types();
        return call.hw_level < 0                                 ? call.uri
               : call.hw_level < static_cast<int>(listed.size()) ? listed[call.hw_level]
                                                                 : "";
    }

    const Job& job_;
    const Case& test_;
    std::map<std::pair<std::size_t, int>, std::vector<std::string>> known_;  // by call and communicator
};

// ---- all cases ----

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
        text += line + '\n';
    }
    return text;
}

std::vector<std::string> split_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
        lines.push_back(text.substr(begin, end - begin));
    }
    return lines;
}

// Collective over MPI_COMM_WORLD.
std::string broadcast(std::string text) {
    int size = static_cast<int>(text.size());
    MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
    text.resize(static_cast<std::size_t>(size));
    MPI_Bcast(text.data(), size, MPI_CHAR, 0, MPI_COMM_WORLD);
    return text;
}

// At rank 0: everybody's, by rank. Collective over MPI_COMM_WORLD.
std::vector<std::string> gather(const World& world, const std::string& text) {
    const int size = static_cast<int>(text.size());
    std::vector<int> sizes(static_cast<std::size_t>(world.size)), offsets(sizes.size() + 1);
    MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
    std::partial_sum(sizes.begin(), sizes.end(), offsets.begin() + 1);
    std::string all(static_cast<std::size_t>(offsets.back()), ' ');
    MPI_Gatherv(text.data(), size, MPI_CHAR, all.data(), sizes.data(), offsets.data(), MPI_CHAR, 0,
                MPI_COMM_WORLD);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        texts.push_back(
            all.substr(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(sizes[i])));
    }
    return texts;
}

struct Settings {
    std::uint64_t seed;
    int first, count;
    std::vector<std::string> xml_machines;
    std::string map_path;
};

class Tester {
public:
    Tester(Settings settings, const World& world) : settings_(std::move(settings)), world_(world) {}

    // The number of mismatches, at all ranks. Collective over MPI_COMM_WORLD.
    int run_all() {
        for (int i = 0; i < settings_.count && num_mismatches_ < kMaxShown; ++i) {
            run(settings_.first + i);
            MPI_Bcast(&num_mismatches_, 1, MPI_INT, 0, MPI_COMM_WORLD);
        }
        return num_mismatches_;
    }

    long num_compared() const { return num_compared_; }
    long num_communicators() const { return num_communicators_; }

private:
    void run(int number) {
        set_where(settings_.seed, number, "ompi_hitopo_simulate");
        alarm(kMaxSecondsPerCase);
        const Case test = make_case(settings_.seed, number, world_.size, settings_.xml_machines);
        Machines machines;
        std::string bindings;
        if (world_.rank == 0) {
            for (const std::string& machine : test.machines) {
                machines.push_back(std::make_shared<const Machine>(Machine::load(machine)));
            }
            bindings = joined(make_bindings(settings_.seed, number, test, machines));
            std::ofstream(settings_.map_path) << test.map();
        }
        const std::vector<std::string> all_bindings = split_lines(broadcast(bindings));
        std::vector<std::string> lines = {simulate(test, all_bindings)};
        const std::vector<std::string> results =
            Run(world_, test, number % 4 == 0)(settings_.seed, number);
        lines.insert(lines.end(), results.begin(), results.end());
        const std::vector<std::string> all_lines = gather(world_, joined(lines));
        if (world_.rank == 0) {
            compare(number, test, machines, all_bindings, all_lines);
        }
    }

    // Makes this process one of the case's job; gives what it then says of the job.
    std::string simulate(const Case& test, const std::vector<std::string>& bindings) const {
        const std::string& machine = test.machines.at(test.node_of.at(world_.rank));
        const int error = ompi_hitopo_simulate(machine.c_str(), bindings.at(world_.rank).c_str(),
                                               test.has_map ? settings_.map_path.c_str() : "");
        MPI_Info info;
        int num_types = -1;
        MPI_Info_create(&info);
        MPIX_Get_hw_topology_info(&num_types, info);
        std::string text = error == 0 ? "" : "error " + std::to_string(error);
        for (int i = 0; i < num_types; ++i) {
            char value[MPI_MAX_INFO_VAL + 1];
            int is_there;
            const std::string key = "MPI_HW_LEVEL" + std::to_string(i);
            MPI_Info_get(info, key.c_str(), MPI_MAX_INFO_VAL, value, &is_there);
            text += (text.empty() ? "" : " ") + std::string(is_there != 0 ? value : "unset");
        }
        MPI_Info_free(&info);
        return text;
    }

    static Job job_of(const Case& test, const Machines& machines,
                      const std::vector<std::string>& bindings) {
        std::vector<Node> nodes;
        for (std::size_t i = 0; i < machines.size(); ++i) {
            const NodeNames& names = test.names[i];
            nodes.push_back({machines[i], names.cluster, names.island, names.leaf_switch});
        }
        std::vector<Process> processes;
        for (std::size_t i = 0; i < test.node_of.size(); ++i) {
            const int node = test.node_of[i];
            processes.push_back({node, cpus_of_binding(bindings.at(i), *machines.at(node))});
        }
        return Job(nodes, processes);
    }

    void compare(int number, const Case& test, const Machines& machines,
                 const std::vector<std::string>& bindings, const std::vector<std::string>& all_lines) {
        const Job job = job_of(test, machines, bindings);
        Expectation expectation(job, test);
        std::string types;
        for (const std::string& uri : job.listed_types()) {
            types += (types.empty() ? "" : " ") + uri;
        }
        std::string differences;
        for (int process = 0; process < world_.size; ++process) {
            std::vector<std::string> expected = {types};
            const std::vector<std::string> calls = expectation.lines_of(process);
            expected.insert(expected.end(), calls.begin(), calls.end());
            differences += differences_of(process, test, split_lines(all_lines[process]), expected);
        }
        if (!differences.empty()) {
            ++num_mismatches_;
            std::fprintf(stderr, "seed %llu, case %d\n%s%s",
                         static_cast<unsigned long long>(settings_.seed), number,
                         job_text(test, bindings).c_str(), differences.c_str());
        }
    }

    std::string differences_of(int process, const Case& test, const std::vector<std::string>& given,
                               const std::vector<std::string>& expected) {
        std::string text;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const std::string line = i < given.size() ? given[i] : "nothing";
            ++num_compared_;
            num_communicators_ += std::count(line.begin(), line.end(), '{');
            if (line != expected[i]) {
                text += "  rank " + std::to_string(process) + ", " +
                        (i == 0 ? "MPIX_Get_hw_topology_info"
                                : call_text(process, test, test.calls[i - 1])) +
                        "\n      gave        " + line + "\n      should give " + expected[i] + '\n';
            }
        }
        return text;
    }

    static std::string call_text(int process, const Case& test, const Call& call) {
        std::string text =
            call.describe() + " of " + to_text(*test.families.at(call.family).of(process));
        text += ", keys";
        for (const Argument& argument : call.arguments) {
            text += ' ' + (argument.is_undefined ? "undefined" : std::to_string(argument.key));
        }
        return text;
    }

    static std::string job_text(const Case& test, const std::vector<std::string>& bindings) {
        std::string text;
        for (std::size_t node = 0; node < test.machines.size(); ++node) {
            text += "  node " + std::to_string(node) + ": " + test.machines[node] + '\n';
            for (std::size_t process = 0; process < bindings.size(); ++process) {
                if (test.node_of[process] == static_cast<int>(node)) {
                    text += "    rank " + std::to_string(process) + ": CPUs " + bindings[process] + '\n';
                }
            }
        }
        return text + (test.has_map ? "  map:\n" + test.map() : "  no map\n");
    }

    const Settings settings_;
    const World& world_;
    int num_mismatches_ = 0;
    long num_compared_ = 0;
    long num_communicators_ = 0;
};

// ---- Open MPI's own splits ----

// The place of a library among those loaded, which is the order in which symbols are looked for.
struct Search {
    const char* name;
    int place = -1, num_seen = 0;
};

int see_library(dl_phdr_info* library, std::size_t, void* data) {
    Search& search = *static_cast<Search*>(data);
    if (search.place < 0 && std::strstr(library->dlpi_name, search.name) != nullptr) {
        search.place = search.num_seen;
    }
    ++search.num_seen;
    return 0;
}

int place_of(const char* library) {
    Search search{library};
    dl_iterate_phdr(see_library, &search);
    return search.place;
}

// The counter counts, and stands where libmpi_hitopo would find Open MPI's functions.
bool is_counter_in_place() {
    void* counter = dlopen("libsplit_counter.so", RTLD_NOW | RTLD_NOLOAD);
    using Function = decltype(&MPI_Comm_split_type);
    const auto next = counter == nullptr
                          ? nullptr
                          : reinterpret_cast<Function>(dlsym(counter, "PMPI_Comm_split_type"));
    MPI_Comm comm = MPI_COMM_NULL;
    if (next != nullptr) {
        next(MPI_COMM_SELF, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
        free_comm(comm);
    }
    const int ours = place_of("libmpi_hitopo.so");
    const int counting = place_of("libsplit_counter.so");
    return split_counter_calls() > 0 && ours >= 0 && ours < counting && counting < place_of("libmpi.so");
}

std::vector<std::string> xml_files_in(const std::string& folder) {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".xml") {
            paths.push_back(entry.path().string());
        }
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

int run(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], "--self-check") == 0) {
        const int num_failed = check_oracle();
        std::printf("self-check: %d failed\n", num_failed);
        return num_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    if (argc != 6) {
        std::fprintf(stderr, "usage: split_oracle_test SEED FIRST COUNT MACHINES SCRATCH\n");
        return EXIT_FAILURE;
    }
    MPI_Init(&argc, &argv);
    std::signal(SIGALRM, give_up);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    World world;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.size);
    MPI_Comm_group(MPI_COMM_WORLD, &world.group);
    const Settings settings = {std::strtoull(argv[1], nullptr, 10), std::atoi(argv[2]),
                               std::atoi(argv[3]), xml_files_in(argv[4]),
                               std::string(argv[5]) + "/job.map"};
    int num_failed = is_counter_in_place() ? 0 : 1;
    if (num_failed != 0) {
        std::fprintf(stderr, "rank %d: libsplit_counter.so does not stand behind libmpi_hitopo\n",
                     world.rank);
    }
    const long num_before = split_counter_calls();
    Tester tester(settings, world);
    num_failed += tester.run_all();
    long num_passed_on = split_counter_calls() - num_before;
    MPI_Allreduce(MPI_IN_PLACE, &num_passed_on, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (world.rank == 0) {
        std::printf(
            "seed %llu: %d cases at %d ranks, %ld results compared, %ld communicators, "
            "%d mismatches, %ld splits reached Open MPI's own\n",
            static_cast<unsigned long long>(settings.seed), settings.count, world.size,
            tester.num_compared(), tester.num_communicators(), num_failed, num_passed_on);
    }
    MPI_Group_free(&world.group);
    MPI_Finalize();
    return num_failed == 0 && num_passed_on == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace split_oracle

int main(int argc, char** argv) {
    try {
        return split_oracle::run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "split_oracle_test: %s\n", error.what());
        return EXIT_FAILURE;
    }
}
