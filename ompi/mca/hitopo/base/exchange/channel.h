// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Messages between the processes of one exchange: a status header and bytes.
#ifndef OMPI_MCA_HITOPO_BASE_EXCHANGE_CHANNEL_H
#define OMPI_MCA_HITOPO_BASE_EXCHANGE_CHANNEL_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hitopo {

// Goes with every message; headers merge on their way.
struct StatusHeader {
    static constexpr std::uint32_t kNobody = UINT32_MAX;

    std::uint32_t flags = 0;         // set where one process sets them
    std::uint32_t absent = kNobody;  // the lowest that is not here, or could not take part
    std::int64_t identity = 0;       // of the exchange, above 0, as its lowest process gives it

    void merge(const StatusHeader& other);
};

// A message that failed, and Open MPI's code. Without fault tolerance it ends the job where it fails.
struct MessageFailed {
    int code;
};

// Sends and receives by Open MPI, or by a test in its place. Processes are numbered as in CommSides.
class ExchangeWire {
public:
    virtual ~ExchangeWire() = default;
    virtual std::uint32_t own() const = 0;
    virtual std::size_t size() const = 0;

    // Sends to one process and receives from another, each of which may be StatusHeader::kNobody.
    // Returns the number of bytes received; more than `capacity` are an error. Throws MessageFailed.
    virtual std::size_t swap(std::uint32_t to, const void* sent, std::size_t num_sent,
                             std::uint32_t from, void* received, std::size_t capacity) = 0;
};

struct Received {
    StatusHeader header;
    std::string bytes;
};

// Has 16 KiB, which is much for a thread's stack.
class Channel {
public:
    static constexpr std::uint32_t kNobody = StatusHeader::kNobody;

    explicit Channel(ExchangeWire& wire) : wire_(wire) {}  // which lives longer

    std::uint32_t own() const { return wire_.own(); }
    std::size_t size() const { return wire_.size(); }

    // Sends to one process and receives from another, either of which may be kNobody. The other side
    // does the same at the same time. One message of 8 KiB, and a second one with the rest. Throws
    // MessageFailed.
    Received pass(std::uint32_t to, const StatusHeader& header, std::string_view bytes,
                  std::uint32_t from);
    void send(std::uint32_t to, const StatusHeader& header, std::string_view bytes) {
        (void)pass(to, header, bytes, kNobody);
    }
    Received receive(std::uint32_t from) { return pass(kNobody, {}, {}, from); }

private:
    struct FirstPart {
        static constexpr std::size_t kBytes = 8192;

        StatusHeader header;
        std::uint64_t num_bytes = 0;  // of the whole
        char bytes[kBytes - sizeof(StatusHeader) - sizeof(std::uint64_t)];

        std::size_t num_here() const {
            return static_cast<std::size_t>(std::min<std::uint64_t>(num_bytes, sizeof bytes));
        }
        std::size_t num_left() const { return static_cast<std::size_t>(num_bytes) - num_here(); }
        std::size_t length() const { return offsetof(FirstPart, bytes) + num_here(); }
    };
    static_assert(sizeof(FirstPart) == FirstPart::kBytes, "no padding");

    ExchangeWire& wire_;
    FirstPart out_, in_;
};

}  // namespace hitopo

#endif
