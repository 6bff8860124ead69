// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/order/check_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ompi/mca/hitopo/core/text/host_name.h"
#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/words.h"
#include "profiler/tool/order/hostfile.h"

namespace hitopo::tool {
namespace {

Error malformed(std::string what, const std::string& where, int line) {
    return {Errc::kMalformed,
            std::move(what),
            "Name a file that hitopo order wrote, and its --format",
            where,
            line,
            line > 0 ? 1 : 0};
}

Error misfit(std::string what, const std::string& where) {
    return {Errc::kStale, std::move(what), "Run hitopo order again for the present hosts", where, 0, 0};
}

// line: "rank" number "=" host "slot=" list, ranks ascending
//
//     rank 0=node1 slot=0-1
bool read_rank_line(std::string_view line, std::size_t rank, std::string_view& host) {
    const std::string head = fmt::format("rank {}=", rank);
    const std::size_t slot = line.find(" slot=");
    if (line.substr(0, head.size()) != head || slot == std::string_view::npos || slot < head.size()) {
        return false;
    }
    host = line.substr(head.size(), slot - head.size());
    return is_host_name(host) && slot + 6 < line.size();
}

Result<std::string> hosts_of_rankfile(std::string_view text, const std::string& where) {
    std::string hosts;
    int number = 0;
    std::size_t rank = 0;
    for (const std::string_view line : split(text, '\n')) {
        ++number;
        std::string_view host;
        if (trim(line).empty() || line.front() == '#') {
            continue;
        }
        if (!read_rank_line(line, rank, host)) {
            return malformed(fmt::format("is not a rankfile: rank {} has no line.", rank), where,
                             number);
        }
        hosts.append(host).append("\n");
        ++rank;
    }
    return hosts;
}

// "4-7" or "9"
bool read_ranks(std::string_view piece, std::vector<bool>& seen) {
    const std::size_t dash = piece.find('-');
    const std::optional<std::uint64_t> first = parse_number(trim(piece.substr(0, dash)));
    const std::optional<std::uint64_t> last =
        dash == std::string_view::npos ? first : parse_number(trim(piece.substr(dash + 1)));
    if (!first || !last || *last >= kMaxSlots || *first > *last) {
        return false;
    }
    seen.resize(std::max<std::size_t>(seen.size(), *last + 1));
    for (std::uint64_t rank = *first; rank <= *last; ++rank) {
        if (seen[rank]) {
            return false;
        }
        seen[rank] = true;
    }
    return true;
}

// line: ranks {"," ranks} | "#" comment; ranks: number ["-" number]
//
//     0-3,8,9
Result<std::vector<Host>> hosts_of_mpich_order(std::string_view text, const std::string& where) {
    std::vector<bool> seen;
    int number = 0;
    for (const std::string_view line : split(text, '\n')) {
        ++number;
        if (trim(line).empty() || line.front() == '#') {
            continue;
        }
        for (const std::string_view piece : split(line, ',')) {
            if (!read_ranks(piece, seen)) {
                return malformed(fmt::format("is not an order of ranks: \"{}\".", piece), where, number);
            }
        }
    }
    if (seen.empty() || std::find(seen.begin(), seen.end(), false) != seen.end()) {
        return malformed("is not an order of ranks: it does not contain each rank once.", where, 0);
    }
    return std::vector<Host>{{"", seen.size()}};
}

std::size_t sum_of(const std::vector<Host>& hosts) {
    std::size_t sum = 0;
    for (const Host& host : hosts) {
        sum += host.num_slots;
    }
    return sum;
}

// The slots of hosts by name; a short name and a full one mean the same host.
class Allocation {
public:
    explicit Allocation(const std::vector<ListedHost>& hosts) : hosts_(hosts) {
        for (const ListedHost& host : hosts) {
            by_name_.emplace(host.name, &host);
        }
    }
    const ListedHost* find(const std::string& name) const {
        const auto exact = by_name_.find(name);
        if (exact != by_name_.end()) {
            return exact->second;
        }
        const auto found = std::find_if(hosts_.begin(), hosts_.end(), [&](const ListedHost& host) {
            return is_same_host(host.name, name);
        });
        return found == hosts_.end() ? nullptr : &*found;
    }

private:
    const std::vector<ListedHost>& hosts_;
    std::unordered_map<std::string, const ListedHost*> by_name_;
};

// A sentence on the hosts whose slots are open; "" where there are none.
std::string open_slots(const std::vector<ListedHost>& allocation) {
    std::vector<std::string> open;
    for (const ListedHost& host : allocation) {
        if (!host.num_slots) {
            open.push_back(host.name);
        }
    }
    const std::size_t count = open.size();
    return count == 0 ? ""
                      : fmt::format(" The number of slots of {} is unknown: {}.", counted(count, "host"),
                                    compress_hosts(std::move(open)));
}

std::optional<Error> misfit_of(const std::vector<Host>& hosts, const std::string& where,
                               const Allocation& allocation) {
    std::vector<std::string> gone, full;
    for (const Host& host : hosts) {
        const ListedHost* here = allocation.find(host.name);
        if (here == nullptr) {
            gone.push_back(host.name);
        } else if (here->num_slots.value_or(host.num_slots) < host.num_slots) {
            full.push_back(host.name);
        }
    }
    if (!gone.empty()) {
        return misfit(fmt::format("names {} that this allocation does not have: {}.",
                                  counted(gone.size(), "host"), compress_hosts(gone)),
                      where);
    }
    if (!full.empty()) {
        return misfit(fmt::format("places more ranks on {} than slots: {}.",
                                  counted(full.size(), "host"), compress_hosts(full)),
                      where);
    }
    return std::nullopt;
}

}  // namespace

Result<std::vector<Host>> hosts_of_file(std::string_view text, LaunchFormat format,
                                        const std::string& where) {
    if (format == LaunchFormat::kMpichOrder) {
        return hosts_of_mpich_order(text, where);
    }
    const Result<std::string> lines = format == LaunchFormat::kRankfile
                                          ? hosts_of_rankfile(text, where)
                                          : Result<std::string>(std::string(text));
    if (!lines) {
        return lines.error();
    }
    const Result<Hostfile> file = parse_hostfile(*lines, where);
    return file ? merged(as_ranks(file->lines)) : Result<std::vector<Host>>(file.error());
}

Result<std::string> check_file(std::string_view text, LaunchFormat format, const std::string& where,
                               const std::vector<ListedHost>& allocation) {
    const Result<std::vector<Host>> hosts = hosts_of_file(text, format, where);
    if (!hosts) {
        return hosts.error();
    }
    const std::size_t num_ranks = sum_of(*hosts);
    const std::string open = open_slots(allocation);
    if (format == LaunchFormat::kMpichOrder) {
        const std::size_t num_slots = sum_of(as_ranks(allocation));
        if (open.empty() ? num_ranks != num_slots : num_ranks < num_slots) {
            return misfit(fmt::format("orders {}, but this allocation has {}.",
                                      counted(num_ranks, "rank"), counted(num_slots, "slot")),
                          where);
        }
        return fmt::format("{} fit this allocation.{}", counted(num_ranks, "rank"), open);
    }
    if (std::optional<Error> error = misfit_of(*hosts, where, Allocation(allocation))) {
        return std::move(*error);
    }
    return fmt::format("{} on {} fit this allocation.{}", counted(num_ranks, "rank"),
                       counted(hosts->size(), "host"), open);
}

}  // namespace hitopo::tool
