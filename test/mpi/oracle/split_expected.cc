// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/mpi/oracle/split_expected.h"

#include <algorithm>
#include <climits>
#include <map>
#include <set>
#include <utility>

namespace split_oracle {
namespace {

using split_rules::Part;

// What one process gets of a split.
struct Made {
    Ranks members;  // in their order; empty is MPI_COMM_NULL
    std::string type;
    std::size_t number = 0;  // of its communicator, by lowest rank in the parent
};

struct Step {
    Ranks members;
    std::string type;
    Ranks roots;  // empty is MPI_COMM_NULL
};

// The steps of each process, outermost first.
void add_steps(const split_rules::Tree& tree, std::map<int, std::vector<Step>>& steps) {
    for (const split_rules::Tree& part : tree.parts) {
        for (const int process : part.members) {
            const bool is_root = process == part.members.front();
            steps[process].push_back({part.members, part.uri, is_root ? roots_of(tree) : Ranks()});
        }
        add_steps(part, steps);
    }
}

std::string loop_line(const std::vector<Step>& steps) {
    std::string text;
    for (const Step& step : steps) {
        text += (text.empty() ? "" : ", ") + to_text(step.members) + ' ' + step.type;
    }
    return text.empty() ? "none" : text;
}

std::string hierarchy_line(const Call& call, const std::vector<Step>& steps) {
    std::string text = std::to_string(steps.size()) + " steps";
    for (std::size_t i = 0; i < steps.size() && static_cast<int>(i) < call.max_steps; ++i) {
        text += ", " + to_text(steps[i].members) + " roots " + to_text(steps[i].roots) +
                (call.wants_types ? ' ' + steps[i].type : "");
    }
    return text;
}

// One call of all processes of one communicator.
class Expectation {
public:
    Expectation(const Job& job, const Call& call, const Ranks& comm)
        : job_(job), call_(call), comm_(comm) {}

    // By rank.
    std::vector<std::string> lines() const {
        std::vector<std::string> lines;
        switch (call_.what) {
            case Call::What::kLoop:
            case Call::What::kHierarchy:
                return step_lines();
            case Call::What::kMinDomain:
                for (const int process : comm_) {
                    lines.push_back(min_domain_line(process));
                }
                return lines;
            case Call::What::kNeighbours:
                for (const int process : comm_) {
                    lines.push_back(to_text(split_rules::neighbours_of(process, call_.hops, comm_,
                                                                       job_.walk(call_.metric))));
                }
                return lines;
            default:
                return split_lines();
        }
    }

private:
    std::vector<std::string> step_lines() const {
        std::map<int, std::vector<Step>> steps;
        add_steps(split_rules::tree_of(comm_, job_.nesting()), steps);
        std::vector<std::string> lines;
        for (const int process : comm_) {
            lines.push_back(call_.what == Call::What::kLoop ? loop_line(steps[process])
                                                            : hierarchy_line(call_, steps[process]));
        }
        return lines;
    }

    std::string min_domain_line(int process) const {
        Ranks listed;
        for (const int rank : call_.listed) {
            listed.push_back(comm_[static_cast<std::size_t>(rank) % comm_.size()]);
        }
        if (std::count(listed.begin(), listed.end(), process) == 0) {
            return "Invalid";
        }
        const std::string domain = split_rules::smallest_domain(listed, comm_, job_.nesting());
        return domain.empty() ? "Unknown" : domain;
    }

    std::vector<std::string> split_lines() const {
        const std::vector<Made> groups = make();
        Ranks roots;
        for (const int process : comm_) {
            if (is_root(group_of(process, groups), process)) {
                roots.push_back(process);
            }
        }
        std::vector<std::string> lines;
        for (const int process : comm_) {
            const Made made = group_of(process, groups);
            const std::string roots_line = " roots " + to_text(is_root(made, process) ? roots : Ranks());
            lines.push_back(to_text(made.members) +
                            (call_.what == Call::What::kRoots ? roots_line : "") +
                            info_line(process, made) + domain_line(made, groups.size()));
        }
        return lines;
    }

    // The new communicators, by their lowest ranks in the parent.
    std::vector<Made> make() const {
        std::map<int, Made> by_lowest_rank;
        for (const Part& part : parts()) {
            std::set<std::pair<long, int>> order;  // key, rank
            int lowest = INT_MAX;
            for (const int process : part.members) {
                const int rank = rank_of(process);
                if (takes_part(process)) {
                    order.emplace(key_of(process, rank), rank);
                    lowest = std::min(lowest, rank);
                }
            }
            for (const auto& [key, rank] : order) {
                by_lowest_rank[lowest].members.push_back(comm_[static_cast<std::size_t>(rank)]);
                by_lowest_rank[lowest].type = part.uri;
            }
        }
        std::vector<Made> groups;
        for (const auto& [lowest, made] : by_lowest_rank) {
            groups.push_back(made);
            groups.back().number = groups.size() - 1;
        }
        return groups;
    }

    // Before anybody abstains.
    std::vector<Part> parts() const {
        if (call_.is_undirected(comm_)) {
            return split_rules::split_unguided(comm_, job_.nesting());
        }
        std::vector<Part> alone;
        for (const int process : comm_) {
            alone.push_back({{process}, ""});
        }
        switch (call_.rule) {
            case Call::Rule::kGuided:
                return job_.guided(comm_, guided_uri());
            case Call::Rule::kGuidedWithoutNull:
                return job_.guided_without_null(comm_, call_.uri);
            case Call::Rule::kShared:
                return {{comm_, ""}};  // no test leaves its host
            case Call::Rule::kAlone:
                return alone;
            default:
                return split_rules::split_unguided(comm_, job_.nesting());
        }
    }

    std::string guided_uri() const {
        const std::vector<std::string>& listed = job_.listed_types();
        return call_.hw_level < 0                                 ? call_.uri
               : call_.hw_level < static_cast<int>(listed.size()) ? listed[call_.hw_level]
                                                                  : "";
    }

    bool takes_part(int process) const {
        return call_.is_undirected(comm_) ? !call_.arguments.at(process).is_undefined
                                          : call_.takes_part(process);
    }

    // In a split with roots, rank 0 sorts before every key.
    long key_of(int process, int rank) const {
        const bool leads = call_.what == Call::What::kRoots && rank == 0;
        return leads ? LONG_MIN : call_.arguments.at(process).key;
    }

    int rank_of(int process) const {
        return static_cast<int>(std::find(comm_.begin(), comm_.end(), process) - comm_.begin());
    }

    static Made group_of(int process, const std::vector<Made>& groups) {
        for (const Made& made : groups) {
            if (std::count(made.members.begin(), made.members.end(), process) > 0) {
                return made;
            }
        }
        return {};
    }

    static bool is_root(const Made& made, int process) {
        return !made.members.empty() && made.members.front() == process;
    }

    // A valid info of an unguided split gets the type's name where there is a new communicator; nothing
    // else changes.
    std::string info_line(int process, const Made& made) const {
        const Info info = call_.arguments.at(process).info;
        std::map<std::string, std::string> values = call_.info_values(info);
        if (call_.is_reporting() && !made.members.empty()) {
            values[kTypeKey] = made.type;
        }
        return info == Info::kNull ? "" : " info " + to_text(values);
    }

    static std::string domain_line(const Made& made, std::size_t num_siblings) {
        return made.members.empty()
                   ? ""
                   : " domain " + std::to_string(made.number) + " of " + std::to_string(num_siblings) +
                         ' ' + (made.type.empty() ? "Unknown" : made.type);
    }

    const Job& job_;
    const Call& call_;
    const Ranks& comm_;
};

std::string topology_line(const Job& job) {
    std::map<std::string, std::string> values = {{"mine", "untouched"}};
    for (const std::string& type : job.listed_types()) {
        values["MPI_HW_LEVEL" + std::to_string(values.size() - 1)] = type;
    }
    return std::to_string(values.size() - 1) + ' ' + to_text(values);
}

}  // namespace

std::vector<std::vector<std::string>> lines_expected(const Job& job, const Case& test) {
    std::vector<std::vector<std::string>> lines(test.node_of.size());
    for (std::size_t process = 0; process < lines.size(); ++process) {
        lines[process] = {topology_line(job), to_text(job.resource_info(static_cast<int>(process)))};
    }
    for (const Call& call : test.calls) {
        for (std::vector<std::string>& of_process : lines) {
            of_process.emplace_back();
        }
        for (const Ranks& comm : test.families.at(call.family).comms) {
            const std::vector<std::string> by_rank = Expectation(job, call, comm).lines();
            for (std::size_t rank = 0; rank < comm.size(); ++rank) {
                lines[static_cast<std::size_t>(comm[rank])].back() = by_rank[rank];
            }
        }
    }
    return lines;
}

}  // namespace split_oracle
