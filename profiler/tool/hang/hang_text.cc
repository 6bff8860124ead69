// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ctime>

#include "ompi/tools/hitopo/domain.h"
#include "ompi/tools/hitopo/words.h"
#include "profiler/tool/hang/hang.h"

namespace hitopo::tool {
namespace {

constexpr std::size_t kMaxLines = 40;   // of the list
constexpr std::size_t kMaxMembers = 8;  // of a circle
constexpr std::size_t kMaxOfOneKind = 3;

// Processes of which the same is to say.
struct Line {
    std::string one, many;   // "waits in MPI_Barrier number 3 of WORLD", where there is one, or more
    std::int64_t since = 0;  // the last one's; 0: it has no time
    std::vector<int> ranks = {};
};

class HangText {
public:
    HangText(const Hang& hang, Charset charset) : hang_(hang), charset_(charset) {}

    std::string text() const {
        const HangFindings findings = find_in(hang_);
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
        return heading() + list() +
               (sentences.empty() ? "No process is found that others wait for."
                                  : fmt::format("{}", fmt::join(sentences, "\n")) + hint(culprits)) +
               '\n';
    }

private:
    std::string safe_text(const char* text) const { return safe(text, charset_); }
    std::int64_t age(std::int64_t since) const {
        return std::max<std::int64_t>(0, hang_.written - since);
    }

    std::string heading() const {
        std::int64_t last = 0;
        for (const auto& [rank, process] : hang_.processes) {
            for (const WatchedThread& thread : threads_of(process)) {
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

    // "rank 12 (n7, switch s3)", "ranks 3,5 (switch s1)": where they lie, as far as all lie there.
    std::string ranks_with_places(const std::vector<int>& ranks) const {
        std::vector<std::string> places;
        for (const Level level : {kNode, kSwitch}) {
            const auto name_of = [&](int rank) {
                return hang_.table ? hang_.table->ranks[static_cast<std::size_t>(rank)].names[level]
                                   : std::nullopt;
            };
            const OptionalText name = name_of(ranks.front());
            if (name && std::all_of(ranks.begin(), ranks.end(),
                                    [&](int rank) { return name_of(rank) == name; })) {
                places.push_back((level == kNode ? "" : "switch ") + safe(*name, charset_));
            }
        }
        return ranks_phrase(ranks) +
               (places.empty() ? "" : fmt::format(" ({})", fmt::join(places, ", ")));
    }

    // ---- the list ----

    std::string comm_phrase(const WatchedComm* comm) const {
        return comm == nullptr
                   ? "a communicator"
                   : safe_text(comm->kind) +
                         (comm->name[0] == '\0' ? "" : " (\"" + safe_text(comm->name) + "\")");
    }

    static std::string message_phrase(const WatchedWait& wait) {
        const std::string peer = wait.peer == profile::kAnyPeer ? "any rank"
                                 : wait.peer < 0                ? "an unknown process"
                                                                : fmt::format("rank {}", wait.peer);
        return fmt::format(" {} {}{}", wait.what == 's' ? "to" : "from", peer,
                           wait.tag >= 0 ? fmt::format(", tag {}", wait.tag) : "");
    }

    // "MPI_Recv from rank 12, tag 7".
    std::string call_phrase(const WatchedThread& thread, const WatchedProcess& process) const {
        const std::string function = safe_text(thread.function);
        std::vector<std::string> requests;
        for (const WatchedWait& wait : waits_of(thread)) {
            const std::string comm = comm_phrase(comm_of(wait, process));
            if (wait.what == 'c') {
                return fmt::format("{} number {} of {}", function, wait.number, comm);
            }
            if (function.rfind("MPI_Wait", 0) != 0) {
                return function + message_phrase(wait);
            }
            requests.push_back(wait.what == 'i'   ? "a collective of " + comm
                               : wait.what == 'o' ? "a request"
                                                  : "a message" + message_phrase(wait));
        }
        if (thread.num_waits > profile::kMaxWaits) {
            requests.push_back(fmt::format("{} more", thread.num_waits - profile::kMaxWaits));
        }
        return function + (requests.empty() ? "" : fmt::format(" for {}", fmt::join(requests, ", ")));
    }

    Line line_of(const WatchedProcess& process) const {
        std::vector<std::string> calls;
        std::string outside;
        std::int64_t since = 0;
        for (const WatchedThread& thread : threads_of(process)) {
            since = std::max(since, thread.since);
            if (!is_outside(thread)) {
                calls.push_back(call_phrase(thread, process));
            } else if (outside.empty()) {
                outside =
                    " outside MPI" + (thread.polls ? ", polling by " + safe_text(thread.function) : "");
            }
        }
        const std::string where =
            calls.empty() ? outside
                          : fmt::format(" in {}{}", fmt::join(calls, " and "),
                                        outside.empty() ? "" : "; another thread is" + outside);
        const std::string before = ", last seen" + where;
        switch (process.state) {
            case 'F':
                return {"left MPI_Finalize", "left MPI_Finalize"};
            case '-':
                return {"died" + before, "died" + before};
            case 'T':
            case 't':
                return {"is stopped by a signal or a debugger" + before,
                        "are stopped by a signal or a debugger" + before, since};
        }
        const std::string how = process.state == 'D'   ? ", blocked in input or output"
                                : process.state == 'S' ? ", asleep in a system call"
                                                       : "";
        return calls.empty() ? Line{"is" + where + how, "are" + where + how, since}
                             : Line{"waits" + where, "wait" + where, since};
    }

    std::string list() const {
        std::map<std::string, Line> by_text;
        for (int rank = 0; rank < hang_.size; ++rank) {
            const auto found = hang_.processes.find(rank);
            const Line own = found == hang_.processes.end() ? Line{"without news", "without news"}
                                                            : line_of(found->second);
            Line& line = by_text.try_emplace(own.many, own).first->second;
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
        std::string text;
        for (std::size_t i = 0; i < std::min(lines.size(), kMaxLines); ++i) {
            const Line& line = lines[i];
            const std::size_t num = line.ranks.size();
            const bool are_most = num > 1 && 2 * num > static_cast<std::size_t>(hang_.size);
            text +=
                fmt::format("{:4} {}{}{}\n", num, are_most ? "" : ranks_with_places(line.ranks) + ' ',
                            num == 1 ? line.one : line.many,
                            line.since > 0 ? fmt::format(", since {} s", age(line.since)) : "");
        }
        return text + (lines.size() > kMaxLines
                           ? fmt::format("     and {} more lines\n", lines.size() - kMaxLines)
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
        add(fmt::format("Collectives of {} differ: {}.", comm_phrase(&mismatch.comm),
                        fmt::join(phrases, ", ")),
            *fewest);
    }

    static std::string cycle_sentence(const std::vector<int>& cycle) {
        std::vector<std::string> steps;
        for (std::size_t i = 0; i < cycle.size() && i < kMaxMembers; ++i) {
            steps.push_back(fmt::format("{} waits for {}", cycle[i], cycle[(i + 1) % cycle.size()]));
        }
        return fmt::format("A deadlock: {}{}.", fmt::join(steps, ", "),
                           cycle.size() > kMaxMembers
                               ? fmt::format(" and so on, {} more", cycle.size() - kMaxMembers)
                               : "");
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
        for (const int rank : ranks) {
            const auto found = hang_.processes.find(rank);
            if (found != hang_.processes.end() && found->second.state != '-') {
                return fmt::format(" To see where {} is: ssh {} gdb -p {}",
                                   ranks.size() == 1 ? "it" : fmt::format("rank {}", rank),
                                   safe_text(found->second.host), found->second.pid);
            }
        }
        return "";
    }

    const Hang& hang_;
    const Charset charset_;
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
