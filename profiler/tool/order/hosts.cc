// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/order/hosts.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ompi/mca/hitopo/core/text/host_name.h"
#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo::tool {
namespace {

constexpr const char* kSlurmRemedy =
    "Run hitopo order in a Slurm allocation with tasks (salloc -N .. -n ..), or name the hosts with "
    "--hostfile or --table";

Error malformed(std::string value, std::string message, std::string where) {
    return {Errc::kMalformed, std::move(value), std::move(message), std::move(where), 0, 0};
}

std::optional<std::size_t> slots_in(std::string_view digits) {
    const std::optional<std::uint64_t> number = parse_number(digits);
    return number ? std::optional<std::size_t>(std::min<std::uint64_t>(*number, kMaxSlots + 1))
                  : std::nullopt;
}

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

// Adds what the two variables of one component of the job say.
std::optional<Error> add_component(const Variable& variable, const std::string& component,
                                   std::vector<Host>& hosts) {
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
        hosts.push_back({(*names)[i], (*tasks)[i]});
    }
    return std::nullopt;
}

}  // namespace

Error too_many_slots(const std::string& where) {
    return {Errc::kTooLarge,
            "too many slots.",
            fmt::format("Name at most {} in all", kMaxSlots),
            where,
            0,
            0};
}

bool is_host_name(std::string_view name) {
    in6_addr address = {};
    if (name.find(':') != std::string_view::npos) {
        return inet_pton(AF_INET6, std::string(name).c_str(), &address) == 1;
    }
    return !name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), is_host_char);
}

std::vector<Host> merged(const std::vector<Host>& hosts) {
    std::vector<Host> once;
    std::unordered_map<std::string_view, std::size_t> numbers;
    for (const Host& host : hosts) {
        const auto [found, is_new] = numbers.emplace(host.name, once.size());
        if (is_new) {
            once.push_back({host.name, 0});
        }
        once[found->second].num_slots += host.num_slots;
    }
    return once;
}

Result<std::vector<Host>> slurm_hosts(const Variable& variable) {
    std::vector<Host> hosts;
    for (const std::string& component : slurm_components(variable)) {
        if (std::optional<Error> error = add_component(variable, component, hosts)) {
            return std::move(*error);
        }
        std::size_t total = 0;
        for (const Host& host : hosts) {
            total += host.num_slots;
        }
        if (total > kMaxSlots || hosts.size() > kMaxSlots) {
            return too_many_slots("SLURM_TASKS_PER_NODE" + component);
        }
    }
    return merged(hosts);
}

}  // namespace hitopo::tool
