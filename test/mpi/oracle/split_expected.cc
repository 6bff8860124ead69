// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/mpi/oracle/split_expected.h"

#include <algorithm>

#include "test/mpi/oracle/split_text.h"

namespace split_oracle {
namespace {

// A valid info gets the type's name where there is a new communicator, and else stays as it is.
std::string type_line(const Call& call, int process, const Made& made) {
    const Info info = call.arguments.at(process).info;
    if (!call.is_reporting() || info == Info::kNull) {
        return "";
    }
    const std::string before = info == Info::kGarbage ? kGarbage : "unset";
    return " type " + (made.members.empty() ? before : made.type);
}

std::string number_line(const Made& made) {
    return made.members.empty()
               ? ""
               : " number " + std::to_string(made.number) + " of " + std::to_string(made.num_siblings);
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

}  // namespace

std::vector<std::string> Expectation::lines_of(int process) {
    std::vector<std::string> lines = {joined(job_.listed_types()), to_text(job_.resource_info(process))};
    for (std::size_t i = 0; i < test_.calls.size(); ++i) {
        const Call& call = test_.calls[i];
        const Ranks* comm = test_.families.at(call.family).of(process);
        lines.push_back(comm == nullptr ? "" : line_of(i, *comm, process));
    }
    return lines;
}

std::string Expectation::line_of(std::size_t index, const Ranks& comm, int process) {
    const auto rank =
        static_cast<std::size_t>(std::find(comm.begin(), comm.end(), process) - comm.begin());
    // Worked out once for all processes of the communicator.
    std::vector<std::string>& lines = known_[{index, comm.front()}];
    if (lines.empty()) {
        lines = lines_of(test_.calls[index], comm);
    }
    return lines[rank];
}

std::vector<std::string> Expectation::lines_of(const Call& call, const Ranks& comm) const {
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

std::vector<std::string> Expectation::steps_lines(const Call& call, const Ranks& comm) const {
    std::vector<std::string> lines;
    for (const std::vector<Step>& steps : job_.hierarchy(comm)) {
        lines.push_back(call.what == Call::What::kLoop ? loop_line(steps) : hierarchy_line(call, steps));
    }
    return lines;
}

Split Expectation::split_of(const Call& call, const Ranks& comm) const {
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

std::string Expectation::uri_of(const Call& call) const {
    const std::vector<std::string> listed = job_.listed_types();
    return call.hw_level < 0                                 ? call.uri
           : call.hw_level < static_cast<int>(listed.size()) ? listed[call.hw_level]
                                                             : "";
}

}  // namespace split_oracle
