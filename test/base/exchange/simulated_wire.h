// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Processes that are threads of this program, of which one runs at a time, and messages between them: so
// each run of a job is the same, a process that waits for ever is found at once, and each allocation,
// message and process can fail in turn.
#ifndef TEST_BASE_EXCHANGE_SIMULATED_WIRE_H
#define TEST_BASE_EXCHANGE_SIMULATED_WIRE_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "ompi/mca/hitopo/base/exchange/channel.h"

namespace hitopo {

// What goes wrong, at one process. Allocations are counted from 1 on, messages too: a call of swap.
struct WireFault {
    enum Kind {
        kNone,
        kAllocation,  // num allocations fail, from number `first` on
        kUnsent,      // this message arrives, and its sender gets an error
        kLost,        // what this call receives is gone, with an error
        kCut,         // of what this call receives only a part comes
        kDamaged,     // what this call receives has other bytes behind its header
        kDeath        // instead of this message
    };
    Kind kind = kNone;
    std::uint32_t process = 0;
    long first = 1, num = 1;
};

struct SimulatedRun {
    std::vector<long> num_allocations, num_messages;  // by process, of its body
    // Processes that waited for another, which was over or waited, too; a message fails by that.
    int num_stranded = 0;

    // The first process whose body threw, but by its death, with the code of what it threw: there a job
    // ends, and what becomes of the others does not count.
    struct End {
        std::uint32_t process;
        int code;
        bool operator==(const End& other) const {
            return process == other.process && code == other.code;
        }
    };
    std::optional<End> end = {};
};

// Runs each process's body, and returns when all are over or have thrown.
SimulatedRun run_processes(std::size_t num_processes, const WireFault& fault,
                           const std::function<void(ExchangeWire&)>& body);

}  // namespace hitopo

#endif
