// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Random jobs, each simulated by the processes of this one: what its splits give against what the oracle
// says.
//
//     mpirun -np N split_oracle_test SEED FIRST COUNT MACHINES SCRATCH
//
// Runs the cases FIRST..FIRST+COUNT-1 of SEED. MACHINES: a folder of XML files that hwloc reads;
// SCRATCH: a folder for maps. The exit status is 0 if all agreed.
#include "test/mpi/oracle/split_oracle.h"

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "test/mpi/oracle/split_cases.h"
#include "test/mpi/oracle/split_counter.h"
#include "test/mpi/oracle/split_expected.h"
#include "test/mpi/oracle/split_given.h"

namespace split_oracle {
namespace {

constexpr unsigned kMaxSecondsPerCase = 300;
constexpr int kMaxShown = 5;  // mismatches

// ---- if a case hangs ----

char where[256] = "";  // what the signal handler prints

void set_where(std::uint64_t seed, int number, const std::string& what) {
    std::snprintf(where, sizeof(where), "seed %llu, case %d: stuck in %s\n",
                  static_cast<unsigned long long>(seed), number, what.c_str());
}

void give_up(int) {
    const bool is_said = write(STDERR_FILENO, where, std::strlen(where)) >= 0;
    _exit(is_said ? EXIT_FAILURE : 2);
}

// ---- all cases ----

std::string lines_text(const std::vector<std::string>& lines) {
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
            bindings = lines_text(make_bindings(settings_.seed, number, test, machines));
            std::ofstream(settings_.map_path) << test.map();
        }
        const std::vector<std::string> all_bindings = split_lines(broadcast(bindings));
        simulate(test, all_bindings);
        const std::vector<std::string> lines =
            lines_given(world_, test, number % 4 == 0,
                        [&](const Call& call) { set_where(settings_.seed, number, call.describe()); });
        const std::vector<std::string> all_lines = gather(world_, lines_text(lines));
        if (world_.rank == 0) {
            compare(number, test, machines, all_bindings, all_lines);
        }
    }

    // Makes this process one of the case's job.
    void simulate(const Case& test, const std::vector<std::string>& bindings) const {
        const std::string& machine = test.machines.at(test.node_of.at(world_.rank));
        const int error = ompi_hitopo_simulate(machine.c_str(), bindings.at(world_.rank).c_str(),
                                               test.has_map ? settings_.map_path.c_str() : "");
        if (error != 0) {
            throw std::runtime_error("ompi_hitopo_simulate gives " + std::to_string(error));
        }
    }

    static Job described_job() {
        const char* reason = "";
        const std::unique_ptr<char, void (*)(void*)> table(ompi_hitopo_describe_table(&reason),
                                                           std::free);
        return table ? Job(table.get()) : throw std::runtime_error(std::string("no table: ") + reason);
    }

    // Where the case puts a process, as Job::place has it.
    static std::vector<std::string> place_of(const NodeNames& names, const Cpus& cpus) {
        char host[256] = "";
        gethostname(host, sizeof(host) - 1);
        std::vector<std::string> place = {names.cluster, names.island, names.leaf_switch,
                                          names.node.empty() ? host : names.node, to_list(cpus)};
        for (std::string& text : place) {
            text.erase(std::remove(text.begin(), text.end(), '"'), text.end());
        }
        return place;
    }

    void compare(int number, const Case& test, const Machines& machines,
                 const std::vector<std::string>& bindings, const std::vector<std::string>& all_lines) {
        const Job job = described_job();
        const std::vector<std::vector<std::string>> expected = lines_expected(job, test);
        std::string differences;
        for (int process = 0; process < world_.size; ++process) {
            const auto node = static_cast<std::size_t>(test.node_of[process]);
            const Cpus cpus = cpus_of_binding(bindings.at(process), *machines[node]);
            if (job.place(process) != place_of(test.names[node], cpus)) {
                differences += "  rank " + std::to_string(process) + ": the table has it at " +
                               joined(job.place(process)) + '\n';
            }
            differences +=
                differences_of(process, test, split_lines(all_lines[process]), expected[process]);
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
                text += "  rank " + std::to_string(process) + ", " + what_text(process, test, i) +
                        "\n      gave        " + line + "\n      should give " + expected[i] + '\n';
            }
        }
        return text;
    }

    static std::string what_text(int process, const Case& test, std::size_t line) {
        if (line < kQuestions.size()) {
            return kQuestions[line];
        }
        const Call& call = test.calls[line - kQuestions.size()];
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
    // Counts what Open MPI calls also where it has HiTopo in it. An info object of MPI
    // begins with one of its own.
    using Function = decltype(&MPI_Comm_split_type);
    const auto next = counter == nullptr
                          ? nullptr
                          : reinterpret_cast<Function>(dlsym(counter, "ompi_comm_split_type"));
    MPI_Comm comm = MPI_COMM_NULL;
    if (next != nullptr) {
        next(MPI_COMM_SELF, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
        MPI_Comm_free(&comm);
    }
    const int counting = place_of("libsplit_counter.so");
#ifndef HITOPO_IN_TREE
    const int ours = place_of("libmpi_hitopo.so");
    if (ours < 0 || ours > counting) {
        return false;
    }
#endif
    return split_counter_calls() > 0 && counting < place_of("libmpi.so");
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
        std::fprintf(stderr, "split_oracle_test: %s\n%s", error.what(), split_oracle::where);
        return EXIT_FAILURE;
    }
}
