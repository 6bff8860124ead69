// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What gathering needs of the outside: messages between processes of MPI_COMM_WORLD that wait for each
// other by name, and the parts of the process itself. Ranks are those of MPI_COMM_WORLD.
#ifndef PROFILER_GATHER_POST_H
#define PROFILER_GATHER_POST_H

#include <optional>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "profiler/gather/answers.h"
#include "profiler/gather/heads.h"
#include "profiler/gather/order.h"

namespace hitopo {

// What one process sends, the other has to receive, whatever happens to either: else one waits for ever.
class Post {
public:
    virtual ~Post() = default;

    // False where the other is gone.
    [[nodiscard]] virtual bool send(int to, std::string_view bytes) noexcept = 0;
    // None where the other is gone; kLost where there was no memory for what came.
    [[nodiscard]] virtual std::optional<std::string> receive(int from) noexcept = 0;

    // No heads, order or answers. So short that it needs no memory.
    static constexpr std::string_view kLost = "?";
};

class PartSource {
public:
    virtual ~PartSource() = default;

    // Adds what this process has; nothing where it has nothing to tell. Throws where memory is lacking.
    virtual void tell(Heads& heads) const = 0;
    // Answers of this process: one, or none where it has no such part. Likewise.
    virtual std::string answer(const Order& order) const = 0;
};

// What body() gives, "" where memory is lacking.
template <class Body>
std::string text_of(Body&& body) noexcept {
    std::string text;
    const int rc = guarded([&] { text = body(); });
    return rc == kSuccess ? std::move(text) : std::string();
}

// Whether body() had memory for all that it did.
template <class Body>
bool has_done(Body&& body) noexcept {
    return guarded([&] { body(); }) == kSuccess;
}

}  // namespace hitopo

#endif
