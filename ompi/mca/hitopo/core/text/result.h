// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Result<T>: a value, or the one error that a reader of the input needs to mend it.
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_RESULT_H
#define OMPI_MCA_HITOPO_CORE_TEXT_RESULT_H

#include <string>
#include <utility>
#include <variant>

namespace hitopo {

// What is wrong with an input. The values travel in the exchange and name the topic of the
// component's help file: append only.
enum class Errc : int {
    kNone = 0,
    kMalformed = 1,   // the bytes do not follow the grammar
    kStale = 2,       // well formed, but of another node or time
    kUnreadable = 3,  // a file that cannot be opened or read
    kTooLarge = 4,    // over a documented limit
    kFailed = 5,      // the system refused a call
    kDisagree = 6,    // processes of one job say different things
    kSkipped = 7,     // entries that cost only themselves: all else was used
    kAbsent = 8,      // a file that tells nothing of this process
};

// The topic of any code, also one that came from elsewhere.
constexpr const char* topic_of(Errc code) {
    constexpr const char* kTopics[] = {"",       "malformed", "stale",   "unreadable", "too-large",
                                       "failed", "disagree",  "skipped", "absent"};
    return code > Errc::kNone && code <= Errc::kAbsent ? kTopics[static_cast<int>(code)] : "malformed";
}

// The error that costs most is shown: whole files before entries.
constexpr int cost_of(Errc code) { return code == Errc::kAbsent ? 0 : code == Errc::kSkipped ? 1 : 2; }

struct Error {
    Errc code = Errc::kMalformed;
    std::string value;    // the offending piece of the input, any bytes
    std::string message;  // what is wrong with it and the remedy, one sentence
    std::string where;    // file name or variable; may be empty
    int line = 0;         // 1-based; 0: not applicable
    int column = 0;       // 1-based byte; 0: not applicable

    // "site.map:3:7", "hitopo_hostname_pattern, column 5", or `where` alone.
    std::string position() const {
        if (line > 0) {
            return where + ':' + std::to_string(line) + ':' + std::to_string(column);
        }
        return column > 0 ? where + ", column " + std::to_string(column) : where;
    }
};

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::move(value)) {}      // NOLINT: implicit by intent
    Result(Error error) : state_(std::move(error)) {}  // NOLINT: implicit by intent

    bool is_ok() const { return state_.index() == 0; }
    explicit operator bool() const { return is_ok(); }

    // Only after is_ok().
    T& operator*() { return std::get<0>(state_); }
    const T& operator*() const { return std::get<0>(state_); }
    T* operator->() { return &std::get<0>(state_); }
    const T* operator->() const { return &std::get<0>(state_); }

    // Only after !is_ok().
    const Error& error() const { return std::get<1>(state_); }

private:
    std::variant<T, Error> state_;
};

}  // namespace hitopo

#endif
