// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ctime>
#include <set>

#include "ompi/tools/hitopo/domain.h"
#include "ompi/tools/hitopo/words.h"
#include "profiler/tool/hang/hang.h"
#include "profiler/tool/profile/times.h"

namespace hitopo::tool {
namespace {

constexpr std::size_t kMaxLines = 40;   // of the list
constexpr std::size_t kMaxNames = 4;    // of nodes and switches in a line
constexpr std::size_t kMaxMembers = 8;  // of a circle
constexpr std::size_t kMaxOfOneKind = 3;

// Processes of which the same is to say.
struct Line {
    const char* one;  // "waits", where there is one
    const char* many;
    std::string what = {};   // " in MPI_Barrier number 3 of WORLD"
    std::int64_t since = 0;  // the last one's; 0: it has no time
    std::vector<int> ranks = {};
};

class HangText {
public:
    HangText(const Hang& hang, Charset charset) : hang_(hang), charset_(charset) {
        if (hang.table) {
            domains_ = make_domains(*hang.table);
        }
    }

    std::string text() const {
        const HangFindings findings = find_in(hang_);
        std::string text = heading() + list();
        std::vector<std::string> sentences;
        std::vector<int> culprits;  // of the first sentence
        const auto add = [&](const std::string& sentence, const std::vector<int>& ranks) {
            sentences.push_back(sentence);
            culprits = culprits.empty() ? ranks : culprits;
        };
        for (std::size_t i = 0; i < std::min(kMaxOfOneKind, findings.mismatches.size()); ++i) {
            add_mismatch(findings.mismatches[i], add);
        }
        for (std::size_t i = 0; i < std::min(kMaxOfOneKind, findings.cycles.size()); ++i) {
            add(cycle_sentence(findings.cycles[i]), findings.cycles[i]);
        }
        for (const auto& [cause, ranks] : findings.causes) {
            add(cause_sentence(cause, ranks), ranks);
        }
        text += sentences.empty() ? "No process is found that others wait for."
                                  : fmt::format("{}", fmt::join(sentences, "\n")) + hint(culprits);
        for (const std::string& file : hang_.left_out) {
            text += fmt::format("\nleft out: {}", safe(file, charset_));
        }
        return text + '\n';
    }

private:
    std::int64_t age(std::int64_t since) const {
        return std::max<std::int64_t>(0, hang_.written - since);
    }

    std::string heading() const {
        std::int64_t last = 0;
        for (const HangProcess& process : hang_.processes) {
            for (const HangPlace& thread : process.threads) {
                last = std::max(last, thread.since);
            }
        }
        const auto time = static_cast<std::time_t>(hang_.written);
        std::tm local = {};
        localtime_r(&time, &local);
        return fmt::format("{}; last seen {:%H:%M:%S}, {} s without progress\n",
                           hang_.table ? fmt::format("{}", fmt::join(job_counts(*hang_.table), ", "))
                                       : counted(static_cast<std::size_t>(hang_.size), "process"),
                           local, age(last));
    }

    // ---- ranks ----

    // "rank 12 (n7, switch s3)".
    std::string one_rank(int rank) const {
        std::vector<std::string> names;
        for (const Level level : {kNode, kSwitch}) {
            const OptionalText name =
                hang_.table ? hang_.table->ranks[static_cast<std::size_t>(rank)].names[level]
                            : std::nullopt;
            if (name) {
                names.push_back((level == kNode ? "" : "switch ") + safe(*name, charset_));
            }
        }
        return fmt::format("rank {}{}", rank,
                           names.empty() ? "" : fmt::format(" ({})", fmt::join(names, ", ")));
    }

    // Takes the ranks of whole islands, switches and nodes out of `ranks`, and adds their names.
    void take_whole(const Domain& domain, std::set<int>& ranks, std::vector<std::string>& names) const {
        for (const Domain& child : domain.children) {
            const std::vector<int> all = all_ranks(child);
            const bool is_whole =
                child.level >= kIsland && child.level <= kNode &&
                std::all_of(all.begin(), all.end(), [&](int rank) { return ranks.count(rank) > 0; });
            if (!is_whole) {
                take_whole(child, ranks, names);
                continue;
            }
            names.push_back(fmt::format("{} {}", level_name(child.level), safe(child.name, charset_)));
            for (const int rank : all) {
                ranks.erase(rank);
            }
        }
    }

    // "node n3 (ranks 12-15)", "ranks 3,5".
    std::string some_ranks(const std::vector<int>& ranks) const {
        std::set<int> rest(ranks.begin(), ranks.end());
        std::vector<std::string> names;
        take_whole(domains_, rest, names);
        return ranks.size() == 1 ? one_rank(ranks.front())
               : names.empty() || names.size() > kMaxNames || !rest.empty()
                   ? ranks_phrase(ranks)
                   : fmt::format("{} ({})", fmt::join(names, ", "), ranks_phrase(ranks));
    }

    // ---- what a process does ----

    std::string comm_phrase(const HangCommunicator& comm) const {
        return safe(comm.kind, charset_) +
               (comm.name.empty() ? "" : " (\"" + safe(comm.name, charset_) + "\")");
    }

    static std::string peer_phrase(const HangPlace& place, bool sends) {
        const std::string peer = place.peer == kAnyPeer       ? "any rank"
                                 : place.peer == kUnknownPeer ? "an unknown process"
                                                              : fmt::format("rank {}", place.peer);
        return (place.peer == kNoPeer ? "" : (sends ? " to " : " from ") + peer) +
               (place.tag ? fmt::format(", tag {}", *place.tag) : "");
    }

    std::string request_phrase(const HangPlace& request) const {
        return request.awaits == "collective" ? "a collective of " + comm_phrase(request.comm)
               : request.awaits == "other"
                   ? "a request"
                   : "a message" + peer_phrase(request, request.awaits == "send");
    }

    // "MPI_Recv from rank 12, tag 7".
    std::string call_phrase(const HangPlace& thread) const {
        const bool sends = plain_name(thread.function).find("send") < 2 &&
                           thread.function.find("recv") == std::string::npos;
        std::string text = safe(thread.function, charset_) + peer_phrase(thread, sends);
        text += thread.number > 0
                    ? fmt::format(" number {} of {}", thread.number, comm_phrase(thread.comm))
                    : "";
        std::vector<std::string> requests;
        for (const HangPlace& request : thread.requests) {
            requests.push_back(request_phrase(request));
        }
        if (const auto num = static_cast<std::size_t>(thread.num_pending); num > requests.size()) {
            requests.push_back(fmt::format("{} more", num - requests.size()));
        }
        return text + (requests.empty() ? "" : fmt::format(" for {}", fmt::join(requests, ", ")));
    }

    Line line_of(const HangProcess& process) const {
        std::vector<std::string> calls;
        std::string outside;
        std::int64_t since = 0;
        for (const HangPlace& thread : process.threads) {
            since = std::max(since, thread.since);
            if (!thread.function.empty()) {
                calls.push_back(call_phrase(thread));
            } else if (outside.empty()) {
                outside = " outside MPI" +
                          (thread.polls.empty() ? "" : ", polling by " + safe(thread.polls, charset_));
            }
        }
        const std::string where =
            calls.empty() ? outside
                          : fmt::format(" in {}{}", fmt::join(calls, " and "),
                                        outside.empty() ? "" : "; another thread is" + outside);
        const std::string before = where.empty() ? "" : ", last seen" + where;
        if (process.has_ended()) {
            return {"left MPI_Finalize", "left MPI_Finalize"};
        }
        if (process.is_gone()) {
            return {"died", "died", before};
        }
        if (process.is_stopped()) {
            return {"is stopped by a signal or a debugger", "are stopped by a signal or a debugger",
                    before, since};
        }
        const char* const how = process.state == 'D'   ? ", blocked in input or output"
                                : process.state == 'S' ? ", asleep in a system call"
                                                       : "";
        return where.empty()   ? Line{"told nothing", "told nothing"}
               : calls.empty() ? Line{"is", "are", where + how, since}
                               : Line{"waits", "wait", where, since};
    }

    // ---- the list ----

    std::vector<Line> lines() const {
        std::map<std::string, Line> by_text;
        const Line silent = {"without news", "without news"};
        auto process = hang_.processes.begin();
        for (int rank = 0; rank < hang_.size; ++rank) {
            const bool has_record = process != hang_.processes.end() && process->rank == rank;
            Line own = has_record ? line_of(*process++) : silent;
            Line& line = by_text.try_emplace(own.many + own.what, own).first->second;
            line.ranks.push_back(rank);
            line.since = std::max(line.since, own.since);
        }
        std::vector<Line> lines;
        for (auto& [text, line] : by_text) {
            lines.push_back(std::move(line));
        }
        std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
            return std::pair(b.ranks.size(), a.ranks.front()) <
                   std::pair(a.ranks.size(), b.ranks.front());
        });
        return lines;
    }

    std::string list() const {
        std::string text;
        std::size_t num_lines = 0;
        for (const Line& line : lines()) {
            const std::size_t num = line.ranks.size();
            const bool are_most = 2 * num > static_cast<std::size_t>(hang_.size);
            if (++num_lines <= kMaxLines) {
                text += fmt::format("{:4} {}{}{}{}\n", num,
                                    num > 1 && are_most ? "" : some_ranks(line.ranks) + ' ',
                                    num == 1 ? line.one : line.many, line.what,
                                    line.since > 0 ? fmt::format(", since {} s", age(line.since)) : "");
            }
        }
        return text + (num_lines > kMaxLines
                           ? fmt::format("     and {} more lines\n", num_lines - kMaxLines)
                           : "");
    }

    // ---- findings ----

    template <class Add>
    void add_mismatch(const Mismatch& mismatch, Add&& add) const {
        std::vector<std::string> phrases;
        const std::vector<int>* fewest = nullptr;
        for (const auto& [collective, ranks] : mismatch.groups) {
            phrases.push_back(fmt::format("{} {} in {} number {}", ranks_phrase(ranks),
                                          ranks.size() == 1 ? "is" : "are",
                                          safe(collective.second, charset_), collective.first));
            fewest = fewest == nullptr || ranks.size() < fewest->size() ? &ranks : fewest;
        }
        add(fmt::format("Collectives of {} differ: {}.", comm_phrase(mismatch.comm),
                        fmt::join(phrases, ", ")),
            *fewest);
    }

    static std::string cycle_sentence(const std::vector<int>& cycle) {
        std::vector<std::string> steps;
        for (std::size_t i = 0; i < cycle.size() && i < kMaxMembers; ++i) {
            steps.push_back(fmt::format("{} waits for {}", cycle[i], cycle[(i + 1) % cycle.size()]));
        }
        const std::size_t num_more = cycle.size() - steps.size();
        return fmt::format("A deadlock: {}{}.", fmt::join(steps, ", "),
                           num_more > 0 ? fmt::format(" and so on, {} more", num_more) : "");
    }

    static std::string cause_sentence(Cause cause, const std::vector<int>& ranks) {
        static const std::map<Cause, const char*> kWhy = {
            {Cause::kGone, "; dead"},
            {Cause::kStopped, "; stopped"},
            {Cause::kSilent, "; without news: on their way, or their node or network is down"},
            {Cause::kBlocked, "; blocked in input or output"},
            {Cause::kEnded, "; past MPI_Finalize"},
            {Cause::kThread, "; with a thread outside MPI"},
            {Cause::kUnknown, "; what for is unknown"}};
        const auto why = kWhy.find(cause);
        std::string who = ranks_phrase(ranks);
        who.front() = 'R';
        return fmt::format("{} {} what the others wait for{}.", who, ranks.size() == 1 ? "is" : "are",
                           why == kWhy.end() ? "" : why->second);
    }

    std::string hint(const std::vector<int>& ranks) const {
        for (const HangProcess& process : hang_.processes) {
            if (!process.is_gone() &&
                std::find(ranks.begin(), ranks.end(), process.rank) != ranks.end()) {
                return fmt::format(" To see where {} is: ssh {} gdb -p {}",
                                   ranks.size() == 1 ? "it" : fmt::format("rank {}", process.rank),
                                   safe(process.host, charset_), process.pid);
            }
        }
        return "";
    }

    const Hang& hang_;
    const Charset charset_;
    Domain domains_;  // without children: there is no table
};

}  // namespace

std::string format_hang(const Hang& hang, Charset charset) { return HangText(hang, charset).text(); }

Rendered render_hang(const Options& options, Charset charset) {
    std::vector<std::string> paths = options.other_profiles;
    paths.insert(paths.begin(), options.profile);
    const Result<Hang> hang = open_hang(paths);
    return hang ? Rendered{format_hang(*hang, charset), ""} : Rendered{"", error_line(hang.error())};
}

}  // namespace hitopo::tool
