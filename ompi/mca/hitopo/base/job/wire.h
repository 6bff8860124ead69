// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Messages between the processes of one exchange.
#ifndef OMPI_MCA_HITOPO_BASE_JOB_WIRE_H
#define OMPI_MCA_HITOPO_BASE_JOB_WIRE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"

namespace hitopo {

// What goes with every message and comes together on its way: it takes no memory that could be short.
struct News {
    static constexpr std::uint32_t kNobody = UINT32_MAX;

    std::uint32_t flags = 0;         // set where one process sets them
    std::int32_t status = 0;         // the code of the lowest process that failed
    std::uint32_t failed = kNobody;  // that process
    std::uint32_t absent = kNobody;  // the lowest that is not here, or could not take part

    void hear(const News& other);
    void fail(std::uint32_t process, int code);  // a code of 0: it did not fail
};

struct Message {
    News news;
    std::string bytes;
};

// The processes of an intracommunicator by rank; those of an intercommunicator's two groups one after
// the other, in an order that both sides share.
class Wire {
public:
    static constexpr std::uint32_t kNobody = News::kNobody;

    explicit Wire(ompi_communicator_t* comm);
    // Takes the memory for its messages now. Without it they are on the stack, of which a program's
    // thread may have little.
    void reserve();

    std::size_t size() const { return num_local_ + num_remote_; }
    std::uint32_t own() const { return own_; }

    struct Passed {  // how each half went: kSuccess, or what failed
        int sent, received;
    };

    // Sends to one process and receives from another, either of which may be kNobody. The other side
    // does the same at the same time. A message that did not come, or not as long as it says, has no
    // bytes. received: kErrorOutOfResource: the news that came are there all the same. One message of 8
    // KiB, and a second one with what it does not hold, whatever became of the first: the other side may
    // have it, and waits for the rest.
    Passed pass(std::uint32_t to, const News& news, std::string_view bytes, std::uint32_t from,
                Message& received) const;
    int send(std::uint32_t to, const News& news, std::string_view bytes) const {
        Message none;
        return pass(to, news, bytes, kNobody, none).sent;
    }
    int receive(std::uint32_t from, Message& received) const {
        return pass(kNobody, {}, {}, from, received).received;
    }

private:
    struct FirstPart;
    struct FirstParts;
    Passed pass_on_stack(std::uint32_t to, const News& news, std::string_view bytes, std::uint32_t from,
                         Message& received) const;
    Passed pass_by(FirstParts& first, std::uint32_t to, const News& news, std::string_view bytes,
                   std::uint32_t from, Message& received) const;
    Passed pass_rest(std::uint32_t to, std::string_view sent, std::uint32_t from, std::size_t num_left,
                     char* place) const;
    hitopo_glue_swapped_t swap(std::uint32_t to, const void* sent, std::size_t num_sent,
                               std::uint32_t from, void* received, std::size_t capacity) const;

    ompi_communicator_t* comm_;
    std::size_t first_local_, num_local_, num_remote_;
    std::uint32_t own_;
    std::shared_ptr<FirstParts> first_parts_;
};

}  // namespace hitopo

#endif
