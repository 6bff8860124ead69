// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Kinds of communicators. The profiler counts by kind, since a program may make millions of
// communicators in a few places.
//
// A kind is its name and its sizes. The name has the function that made it and the kind of its parent,
// or the program gave it. All members of a communicator work out the same key, without a message: it
// depends on nothing in which they differ.
#ifndef PROFILER_TRAFFIC_KINDS_H
#define PROFILER_TRAFFIC_KINDS_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hitopo {

struct Kind {
    Kind(std::uint64_t key_, std::size_t number_, std::string_view name_, int size_, int remote_size_,
         bool is_duplicate_, int depth_)
        : key(key_),
          number(number_),
          name(name_),
          size(size_),
          remote_size(remote_size_),
          is_duplicate(is_duplicate_),
          depth(depth_) {}

    const std::uint64_t key;
    const std::size_t number;  // in the order of first sight, of this process
    const std::string name;    // "WORLD", "split of dup of WORLD"
    const int size;            // 0: of requests, files and others
    const int remote_size;     // of an intercommunicator, else 0; both sides have size <= remote_size
    const bool is_duplicate;
    const int depth;                         // number of parents in the name
    std::atomic<std::uint64_t> num_made{0};  // communicators of this kind that the process is or was in
};

// Thread safe. A kind is never freed.
class Kinds {
public:
    // Further ones than max_kinds are "(others)".
    explicit Kinds(std::size_t max_kinds) : max_kinds_(max_kinds) {}

    // The word for the way that a function makes a communicator: "split" for MPI_Comm_split,
    // "Cart_create", "dup" for each of the functions that duplicate.
    static std::string_view way_of(std::string_view function);
    static constexpr std::string_view kDuplicate = "dup";

    // The kind of one more communicator. parent: null where it has none, or members may have different
    // ones. A duplicate of a duplicate is of the same kind, and the fifth parent is "..": a program may
    // replace a communicator by one that is made of it, for ever. size 0: no communicator.
    Kind& made(std::string_view way, Kind* parent, int size, int remote_size = 0);
    // The kind of communicators that have been given this name.
    Kind& named(std::string_view name, int size, int remote_size = 0);

    // As many kinds as there can be, for arrays by their number.
    std::size_t capacity() const { return max_kinds_ + 1; }
    bool has_others() const { return has_others_; }
    // Calls body(kind) for each that there is.
    template <class Body>
    void for_each(Body&& body) {
        const std::lock_guard<std::mutex> lock(mutex_);
        for (const Kind& kind : kinds_) {
            body(kind);
        }
    }

private:
    Kind& find(std::uint64_t origin, std::string_view name, int size, int remote_size, bool is_duplicate,
               int depth);

    const std::size_t max_kinds_;
    std::atomic<bool> has_others_{false};
    std::mutex mutex_;  // of what follows
    std::deque<Kind> kinds_;
    std::unordered_map<std::uint64_t, Kind*> by_key_;
};

// "level #" for "level 17": a name that differs in numbers alone is one kind.
std::string without_numbers(std::string_view name);

}  // namespace hitopo

#endif
