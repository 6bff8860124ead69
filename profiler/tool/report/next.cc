// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/report/next.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "ompi/tools/hitopo/words.h"
#include "profiler/tool/profile/phrases.h"

namespace hitopo::tool {
namespace {

constexpr std::size_t kMaxAdvice = 3;
constexpr double kMinGain = 0.10;  // of the traffic across a lane or level

std::string html_of(const std::string& file) {
    return fmt::format("hitopo report {} --format html --output report.html", file);
}

// ---- late ranks ----

bool has(const std::vector<int>& ranks, int rank) {
    return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

// The largest place of several ranks all of which are late, and one of which is the latest.
const PlaceTime* late_place(const Waits& waits, const std::vector<int>& late) {
    const PlaceTime* best = nullptr;
    for (const std::vector<PlaceTime>* places : {&waits.nodes, &waits.switches}) {
        for (const PlaceTime& place : *places) {
            if (place.ranks.size() > (best == nullptr ? 1 : best->ranks.size()) &&
                has(place.ranks, late.front()) &&
                std::all_of(place.ranks.begin(), place.ranks.end(),
                            [&](int rank) { return has(late, rank); })) {
                best = &place;
            }
        }
    }
    return best;
}

std::string short_name(const std::string& name) {
    constexpr std::size_t kMaxBytes = 40;
    return name.size() <= kMaxBytes ? name : name.substr(0, kMaxBytes - 2) + "..";
}

std::string late_phrase(const Waits& waits, const PlaceTime* place, int rank) {
    if (place != nullptr) {
        return fmt::format("The {} ranks of {} come late: ", place->ranks.size(),
                           short_name(place->name));
    }
    const auto node = std::find_if(waits.nodes.begin(), waits.nodes.end(),
                                   [&](const PlaceTime& one) { return has(one.ranks, rank); });
    return fmt::format("Rank {}{} comes late: ", rank,
                       node == waits.nodes.end() ? "" : fmt::format(" ({})", short_name(node->name)));
}

// ---- calls ----

// The time of all functions that `is` takes.
template <class Is>
std::uint64_t ns_of(const TrafficSums& sums, Is is) {
    std::uint64_t ns = 0;
    for (const CallCount& call : sums.by_call) {
        add_to(ns, is(call) ? call.ns : 0);
    }
    return ns;
}

bool is_test(const CallCount& call) {
    const std::string name = plain_name(call.name);
    return name.substr(0, 4) == "test" || name == "iprobe" || name == "improbe" ||
           name.substr(0, 18) == "request_get_status";
}

bool starts_or_sends(const CallCount& call) {
    constexpr std::string_view kSends[] = {"MPI_Send", "MPI_Bsend", "MPI_Rsend", "MPI_Ssend"};
    return group_of(call.name) == Group::kStarting ||
           std::find(std::begin(kSends), std::end(kSends), call.name) != std::end(kSends);
}

std::optional<Advice> advise(bool is_passed, double share, std::string text, std::string command) {
    return is_passed ? std::optional(Advice{share, std::move(text), std::move(command)}) : std::nullopt;
}

// A file name as a word of a command.
std::string shell_word(const std::string& file) {
    constexpr std::string_view kPlain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-+=:@%,";
    if (file == "-" || file.empty()) {
        return "FILE";
    }
    if (file.find_first_not_of(kPlain) == std::string::npos) {
        return file;
    }
    std::string word = "'";
    for (const char c : file) {
        word += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return word + '\'';
}

}  // namespace

std::optional<Advice> advise_elsewhere(double in_mpi) {
    return advise(in_mpi < 0.10, 1 - in_mpi,
                  fmt::format("Only {} of the time is in MPI: look for the rest in the program itself",
                              percent_text(in_mpi)),
                  "mpirun .. sh -c 'perf record -o perf.$PMIX_RANK ./program'");
}

std::optional<Advice> advise_late(const Waits& waits, std::uint64_t run_ns, const std::string& file) {
    constexpr double kMinLate = 0.05;
    std::vector<RankTime> ranks;
    std::copy_if(waits.ranks.begin(), waits.ranks.end(), std::back_inserter(ranks),
                 [](const RankTime& rank) { return rank.has_waits; });
    const std::uint64_t median = median_ns(ranks);
    const std::uint64_t least = ranks.empty() ? 0 : ranks.front().ns;
    std::vector<int> late;
    for (const RankTime& rank : ranks) {
        if (share_of(median - std::min(median, rank.ns), run_ns) > kMinLate) {
            late.push_back(rank.rank);
        }
    }
    if (late.empty()) {
        return std::nullopt;
    }
    const PlaceTime* const place = late_place(waits, late);
    const std::vector<int> own = place != nullptr ? place->ranks : std::vector<int>{late.front()};
    ranks.erase(std::remove_if(ranks.begin(), ranks.end(),
                               [&](const RankTime& rank) { return has(own, rank.rank); }),
                ranks.end());
    const std::uint64_t ns = place != nullptr ? place->ns : least;
    const std::uint64_t waited = median - ns;
    return Advice{share_of(waited, run_ns),
                  fmt::format("{}{} in MPI{}, the others {} to {}. They wait some {} of {}: give {} "
                              "less to do. All ranks",
                              late_phrase(waits, place, late.front()), human_ns(ns),
                              place != nullptr ? " on average" : "", human_ns(ranks.front().ns),
                              human_ns(ranks.back().ns), human_ns(waited), human_ns(run_ns),
                              place != nullptr ? "them" : "it"),
                  html_of(file)};
}

std::optional<Advice> advise_order(const Plan& plan, double in_mpi, const std::string& file) {
    const std::uint64_t all = std::accumulate(plan.before.begin(), plan.before.end(),
                                              std::uint64_t{0});  // of edges: below 2^62
    std::uint64_t leaving = 0, most_saved = 0;
    std::size_t best = 0;
    for (const Lane lane : {Lane::kSwitch, Lane::kIsland, Lane::kCluster, Lane::kOutside}) {
        const auto i = static_cast<std::size_t>(lane);
        const std::uint64_t saved = plan.before[i] - std::min(plan.before[i], plan.after[i]);
        leaving += plan.before[i];
        best = saved > most_saved ? i : best;
        most_saved = std::max(saved, most_saved);
    }
    const double less = share_of(most_saved, plan.before[best]);
    return advise(less >= kMinGain, in_mpi * share_of(most_saved, all),
                  fmt::format("{} of the bytes leave their node. Another order of ranks sends {} less "
                              "over lane {}",
                              percent_text(share_of(leaving, all)), percent_text(less),
                              lane_name(static_cast<Lane>(best))),
                  fmt::format("hitopo order {} --format hostfile --output hosts", file));
}

std::optional<Advice> advise_reorder(const std::vector<OrderCount>& orders, double in_mpi) {
    std::optional<Advice> best;
    for (const OrderCount& order : orders) {
        for (std::size_t i = 0; i < order.levels.size() && !order.is_applied; ++i) {
            const std::uint64_t before = order.before[i];
            const double less = share_of(before - std::min(before, order.after[i]), before);
            if (less >= kMinGain && in_mpi * less > (best ? best->share : 0)) {
                best = {in_mpi * less,
                        fmt::format("{} of {} with reorder = 1: with other ranks {} less crosses the "
                                    "level {} ({})",
                                    order.call, counted(static_cast<std::size_t>(order.size), "process"),
                                    percent_text(less), order.levels[i], unit_phrase(order)),
                        "mpirun --mca topo_hitopo_reorder on .."};
            }
        }
    }
    return best;
}

std::optional<Advice> advise_serving(double share, std::size_t num_nodes, bool is_served) {
    return advise(share > 0.20 && num_nodes >= 2 && !is_served, share,
                  fmt::format("{} of the time is in collectives between nodes that HiTopo's can serve, "
                              "and did not",
                              percent_text(share)),
                  "mpirun --tune $HITOPO_ROOT/share/hitopo/hitopo.conf ..");
}

bool can_be_served(std::string_view function) {
    const std::string name = plain_name(function);
    constexpr std::string_view kServed[] = {
        "bcast",      "reduce",   "allreduce",      "allgather",
        "allgatherv", "alltoall", "reduce_scatter", "reduce_scatter_block",
        "barrier"};
    return std::find(std::begin(kServed), std::end(kServed), name.substr(name[0] == 'i' ? 1 : 0)) !=
           std::end(kServed);
}

std::optional<Advice> advise_tests(const TrafficSums& sums, std::uint64_t run_ns,
                                   const std::string& file) {
    CallCount tests, most;
    for (const CallCount& call : sums.by_call) {
        if (is_test(call)) {
            add_to(tests, call);
            most = call.count > most.count ? call : most;
        }
    }
    const double share = share_of(tests.ns, run_ns);
    const double each = share_of(tests.count, sums.messages);
    return advise(
        (sums.messages == 0 ? tests.count > 0 : each > 10) && share >= 0.01, share,
        fmt::format("Tests such as {} were called {} times, {}, and took {} of the time: a "
                    "process spins where it could wait (MPI_Waitany) or compute. By "
                    "communicator",
                    most.name, human_count(tests.count),
                    sums.messages == 0 ? "for no message" : fmt::format("{:.0f} for each message", each),
                    percent_text(share)),
        html_of(file));
}

std::optional<Advice> advise_short(double part, double share, const std::string& file) {
    return advise(part > 0.5 && share >= 0.10, share,
                  fmt::format("{} of the messages are below 1 KiB, and starting and sending take {} of "
                              "the time: send several as one. By communicator",
                              percent_text(part), percent_text(share)),
                  html_of(file));
}

std::optional<Advice> advise_files(double share) {
    return advise(share >= 0.10, share,
                  fmt::format("{} of the time is in MPI_File functions. Compare Open MPI's other "
                              "component for files, ROMIO",
                              percent_text(share)),
                  "mpirun --mca io ^ompio ..");
}

Next what_next(const Profile& profile, const ProfileSums& sums, const Waits& waits,
               const std::string& name) {
    const std::string file = shell_word(name);
    const TrafficSums& whole = sums.whole;
    const std::uint64_t run = run_ns(profile);
    Next next;
    if (run == 0) {
        return next;
    }
    const auto share = [&](auto is) { return share_of(ns_of(whole, is), run); };
    const double in_mpi = std::min(share_of(whole.ns, run), 1.0);
    std::uint64_t num_short = 0;
    for (const std::size_t size : {0, 1, 2}) {  // of kSizeNames: below 1 KiB
        add_to(num_short, whole.sizes[size].messages);
    }
    const Result<Plan> plan = plan_nodes(profile, file);
    for (const std::optional<Advice>& advice :
         {advise_elsewhere(in_mpi), advise_late(waits, run / profile.processes.size(), file),
          plan ? advise_order(*plan, in_mpi, file) : std::nullopt,
          advise_reorder(merged_orders(profile), in_mpi),
          advise_serving(share([](const CallCount& call) { return can_be_served(call.name); }),
                         waits.nodes.size(), !whole.served.empty()),
          advise_tests(whole, run, file),
          advise_short(share_of(num_short, whole.messages), share(starts_or_sends), file),
          advise_files(
              share([](const CallCount& call) { return group_of(call.name) == Group::kFiles; }))}) {
        if (advice) {
            next.advice.push_back(*advice);
        }
    }
    std::stable_sort(next.advice.begin(), next.advice.end(),
                     [](const Advice& a, const Advice& b) { return a.share > b.share; });
    next.advice.resize(std::min(next.advice.size(), kMaxAdvice));
    if (!plan) {
        next.sentences.push_back("No order of ranks was tried: the profile " + plan.error().value);
    } else if (next.advice.empty()) {
        next.sentences.emplace_back("No order of ranks found sends less between nodes.");
    }
    if (next.advice.empty()) {
        next.sentences.emplace_back("No rank comes late.");
    }
    return next;
}

}  // namespace hitopo::tool
