// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/order/hosts.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo::tool {
namespace {

constexpr const char* kHostfileRemedy = "Write a host a line, as in \"node1 slots=4\"";
constexpr const char* kSlurmRemedy =
    "Run it in a Slurm allocation with tasks (salloc -N .. -n ..), or name hosts by --hostfile or "
    "--table";

Error malformed(std::string value, std::string message, std::string where) {
    return {Errc::kMalformed, std::move(value), std::move(message), std::move(where), 0, 0};
}

Error too_many(const std::string& where) {
    return {Errc::kTooLarge,
            "too many slots.",
            fmt::format("Name at most {} in all", kMaxSlots),
            where,
            0,
            0};
}

class HostList {
public:
    void add(std::string_view name, std::size_t num_slots) {
        hosts.push_back({std::string(name), num_slots});
        total_ += num_slots;
    }
    bool is_too_large() const { return total_ > kMaxSlots || hosts.size() > kMaxSlots; }

    std::vector<Host> hosts;

private:
    std::size_t total_ = 0;
};

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at < line.size();) {
        std::size_t end = at;
        while (end < line.size() && !is_space(line[end])) {
            ++end;
        }
        if (end > at) {
            words.push_back(line.substr(at, end - at));
        }
        at = end + 1;
    }
    return words;
}

std::optional<std::size_t> slots_in(std::string_view digits) {
    const std::optional<std::uint64_t> number = parse_number(digits);
    return number ? std::optional<std::size_t>(std::min<std::uint64_t>(*number, kMaxSlots + 1))
                  : std::nullopt;
}

// One line without its comment. Nothing where it is well formed.
class HostLine {
public:
    // The word that is wrong, or an empty view.
    std::string_view read(std::string_view line) {
        for (const std::string_view word : words_of(line)) {
            if (name.empty() ? !read_name(word) : !read_option(word)) {
                return word;
            }
        }
        return {};
    }

    std::string_view name;
    std::size_t num_slots = 1;

private:
    // "node1" or "node1:4"
    bool read_name(std::string_view word) {
        const std::size_t colon = word.find(':');
        name = word.substr(0, colon);
        return is_host_name(name) &&
               (colon == std::string_view::npos || read_slots(word.substr(colon + 1)));
    }
    // "slots=4", "max_slots=8"
    bool read_option(std::string_view word) {
        const std::size_t equals = word.find('=');
        const std::string_view key = word.substr(0, equals);
        const std::string_view value =
            equals == std::string_view::npos ? std::string_view() : word.substr(equals + 1);
        if (key == "max_slots" || key == "max-slots") {
            return parse_number(value).has_value();
        }
        return (key == "slots" || key == "slot") && read_slots(value);
    }
    bool read_slots(std::string_view digits) {
        const std::optional<std::size_t> number = slots_in(digits);
        num_slots = number.value_or(0);
        return number.has_value();
    }
};

Error wrong_word(std::string_view word, std::string_view line, int number, const std::string& where) {
    Error error = malformed(fmt::format("is no hostfile: \"{}\".", word), kHostfileRemedy, where);
    error.line = number;
    error.column = static_cast<int>(word.data() - line.data()) + 1;
    return error;
}

// "2(x3),1"
Result<std::vector<std::size_t>> parse_tasks(std::string_view text) {
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
            return malformed(fmt::format("is no list of tasks: \"{}\".", text),
                             "Slurm sets it: \"4(x2),3\"", "SLURM_TASKS_PER_NODE");
        }
        tasks.insert(tasks.end(), *times, *number);
    }
    return tasks;
}

Result<std::vector<Host>> join(const std::vector<std::string>& names,
                               const std::vector<std::size_t>& tasks) {
    if (names.size() != tasks.size()) {
        return malformed(
            fmt::format("is of {} nodes, and SLURM_JOB_NODELIST names {}.", tasks.size(), names.size()),
            kSlurmRemedy, "SLURM_TASKS_PER_NODE");
    }
    HostList list;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!is_host_name(names[i])) {
            return malformed(fmt::format("holds what is no host: \"{}\".", names[i]), kSlurmRemedy,
                             "SLURM_JOB_NODELIST");
        }
        list.add(names[i], tasks[i]);
    }
    return list.is_too_large() ? Result<std::vector<Host>>(too_many("SLURM_TASKS_PER_NODE"))
                               : merged(list.hosts);
}

}  // namespace

bool is_host_name(std::string_view name) {
    return !name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), [](char c) {
        return is_digit(c) || (to_lower(c) >= 'a' && to_lower(c) <= 'z') || c == '.' || c == '-' ||
               c == '_';
    });
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

// line: [host [":" slots] {"slots=" number | "max_slots=" number}] ["#" comment]
//
//     node1.example.org slots=4 max_slots=8  # the first
Result<std::vector<Host>> parse_hostfile(std::string_view text, const std::string& where) {
    HostList list;
    int number = 0;
    for (const std::string_view line : split(text, '\n')) {
        ++number;
        HostLine read;
        const std::string_view wrong = read.read(line.substr(0, line.find('#')));
        if (!wrong.empty()) {
            return wrong_word(wrong, line, number, where);
        }
        if (!read.name.empty()) {
            list.add(read.name, read.num_slots);
        }
        if (list.is_too_large()) {
            return too_many(where);
        }
    }
    if (list.hosts.empty()) {
        return malformed("names no host.", kHostfileRemedy, where);
    }
    return std::move(list.hosts);
}

Result<std::vector<Host>> slurm_hosts(const std::optional<std::string>& node_list,
                                      const std::optional<std::string>& tasks_per_node) {
    if (!node_list || !tasks_per_node) {
        return malformed("is not set.", kSlurmRemedy,
                         node_list ? "SLURM_TASKS_PER_NODE" : "SLURM_JOB_NODELIST");
    }
    const Result<std::vector<std::string>> names = expand_hosts(*node_list);
    if (!names) {
        return malformed(fmt::format("is no list of hosts: \"{}\",", names.error().value),
                         names.error().message, "SLURM_JOB_NODELIST");
    }
    const Result<std::vector<std::size_t>> tasks = parse_tasks(*tasks_per_node);
    return tasks ? join(*names, *tasks) : Result<std::vector<Host>>(tasks.error());
}

}  // namespace hitopo::tool
