// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Result<T>: a value, or the one error that a reader of the input needs to mend it. Skipped: the errors
// of entries that a reader left out of a file of which it uses the rest.
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_RESULT_H
#define OMPI_MCA_HITOPO_CORE_TEXT_RESULT_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace hitopo {

// The kinds of errors in an input. Their values travel in the exchange and name the topic of the
// component's help file: append only.
enum class Errc : int {
    kNone = 0,
    kMalformed = 1,   // the bytes do not follow the grammar
    kStale = 2,       // well formed, but of another node or time
    kUnreadable = 3,  // a file that cannot be opened or read
    kTooLarge = 4,    // over a documented limit
    kFailed = 5,      // the system refused a call
    kDisagree = 6,    // processes of one job differ
    kSkipped = 7,     // entries that cost only themselves: all else was used
    kAbsent = 8,      // a file without an entry for this process
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
    std::string value = {};     // the offending piece of the input, any bytes
    std::string message = {};   // the fault and the remedy, one sentence
    std::string where = {};     // file name or variable; may be empty
    int line = 0;               // 1-based; 0: not applicable
    int column = 0;             // 1-based byte; 0: not applicable
    std::string variable = {};  // that names the file `where`; may be empty
    // Other entries of the same input that are wrong, without others of their own; and how many more.
    std::vector<Error> others = {};
    int num_more = 0;

    // "site.map:3:7", "hitopo_hostname_pattern, column 5", or `where` alone.
    std::string position() const {
        if (line > 0) {
            return where + ':' + std::to_string(line) + ':' + std::to_string(column);
        }
        return column > 0 ? where + ", column " + std::to_string(column) : where;
    }
};

// An input that does not follow the grammar, at the 0-based `offset` of its text or line.
inline Error malformed_at(std::string_view value, std::size_t offset, std::string message) {
    return {
        Errc::kMalformed, std::string(value), std::move(message), "", 0, static_cast<int>(offset) + 1};
}

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

// Entries that cost only themselves: of a kind that is not known, cut off, or against the rules.
class Skipped {
public:
    static constexpr std::size_t kMaxKept = 20;

    // Its value names the entry, or, of a kSkipped, the kind, which is kept once.
    void add(Error error);

    bool is_empty() const { return kept_.empty(); }
    // The first ones, as they were added.
    const std::vector<Error>& kept() const { return kept_; }

    std::size_t num_more() const { return num_more_; }

    // The first one as of this code, with the others. Values are cut after kMaxValueBytes.
    std::optional<Error> as_one(Errc code = Errc::kSkipped) const;
    static constexpr std::size_t kMaxValueBytes = 200;

private:
    std::vector<Error> kept_;
    std::size_t num_more_ = 0;
};

}  // namespace hitopo

#endif
