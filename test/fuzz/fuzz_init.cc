// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// runs: 2000
//
// The exchange of MPI_Init at one process, which receives what the others of a random job send, changed:
// it ends, by an exception or not, and a tree that it takes answers everything. base/exchange runs as it
// is, over messages of our own; the others do not receive it.
//
//   input = u8 seed of the job, u8 rank, changes: u8 which message that it receives, and one of
//   test/fuzz/changes.h
#include <sanitizer/asan_interface.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/base/exchange/exchange.h"
#include "ompi/mca/hitopo/core/record/make_record.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "test/core/record/random_job.h"
#include "test/fuzz/changes.h"
#include "test/fuzz/exchange_way.h"

namespace {

constexpr std::size_t kFirstBytes = 8192, kLengthAt = sizeof(hitopo::StatusHeader);  // channel.h
constexpr std::uint64_t kMaxLength = 1 << 20;
constexpr int kErrorOther = 16;  // MPI_ERR_OTHER of Open MPI
constexpr std::size_t kBytesOfChange = 5;

// By receiver and sender, in their order.
using Messages = std::map<std::pair<int, int>, std::vector<std::string>>;

// One run of one process.
class FuzzWire : public hitopo::ExchangeWire {
public:
    FuzzWire(int rank, int size, Messages& messages, std::string_view changes)
        : rank_(rank), size_(size), messages_(messages), changes_(changes) {}
    ~FuzzWire() override { ASAN_UNPOISON_MEMORY_REGION(beyond, num_beyond); }

    std::uint32_t own() const override { return static_cast<std::uint32_t>(rank_); }
    std::size_t size() const override { return static_cast<std::size_t>(size_); }
    std::size_t swap(std::uint32_t to, const void* sent, std::size_t num_sent, std::uint32_t from,
                     void* received, std::size_t capacity) override {
        constexpr std::uint32_t kNobody = hitopo::StatusHeader::kNobody;
        require((to == kNobody || to < size()) && (from == kNobody || from < size()));
        if (to != kNobody) {
            send(static_cast<int>(to), {static_cast<const char*>(sent), num_sent});
        }
        return from == kNobody ? 0 : receive(static_cast<int>(from), received, capacity);
    }

private:
    const int rank_, size_;
    Messages& messages_;
    const std::string_view changes_;
    std::map<std::pair<int, int>, std::size_t> num_had;
    std::uint8_t num_received = 0;
    char* beyond = nullptr;  // where the last message ends, in memory for a longer one
    std::size_t num_beyond = 0;

    std::size_t next(int to, int from) { return num_had[{to, from}]++; }

    // What was sent before stays.
    void send(int to, std::string_view bytes) {
        std::vector<std::string>& sent_before = messages_[{to, rank_}];
        if (next(to, rank_) == sent_before.size() && changes_.empty()) {
            sent_before.emplace_back(bytes);
        }
    }

    // What did not come may not be read, until the next one comes.
    std::size_t receive(int from, void* to, std::size_t capacity) {
        ASAN_UNPOISON_MEMORY_REGION(beyond, num_beyond);
        num_beyond = 0;
        const std::vector<std::string>& sent_before = messages_[{rank_, from}];
        const std::size_t number = next(rank_, from);
        if (number >= sent_before.size()) {
            throw hitopo::MessageFailed{kErrorOther};
        }
        const std::string bytes = changed(sent_before[number]);
        if (bytes.size() > capacity) {
            throw hitopo::MessageFailed{kErrorOther};
        }
        (void)bytes.copy(static_cast<char*>(to), capacity);
        beyond = static_cast<char*>(to) + bytes.size();
        num_beyond = capacity - bytes.size();
        ASAN_POISON_MEMORY_REGION(beyond, num_beyond);
        return bytes.size();
    }

    // The rest of a long message comes with the next one: memory for it is taken on its word. More than
    // this is left to tests in which memory fails.
    std::string changed(std::string bytes) {
        const std::uint8_t own = num_received++;
        for (std::string_view left = changes_; left.size() >= kBytesOfChange;
             left.remove_prefix(kBytesOfChange)) {
            if (static_cast<std::uint8_t>(left[0]) == own) {
                hitopo::change(bytes, left.substr(1, kBytesOfChange - 1), size());
            }
        }
        std::uint64_t length = 0;
        if (bytes.size() == kFirstBytes) {
            std::memcpy(&length, &bytes[kLengthAt], sizeof length);
            length = std::min(length, kMaxLength);
            std::memcpy(&bytes[kLengthAt], &length, sizeof length);
        }
        return bytes;
    }
};

using namespace hitopo;

class Process : public ExchangeSide {
public:
    Process(const FakeProcess& process, std::uint32_t rank, std::size_t num_processes)
        : process_(process), rank_(rank), num_processes_(num_processes) {}

    RecordMessage contribute(bool) override {
        return make_record(rank_, process_.facts, process_.answers);
    }
    std::string uplinks(const std::string& component) override {
        return uplinks_of(process_, component);
    }
    std::optional<Error> accept(RecordMessage all, std::int64_t) override {
        go_the_way(all, num_processes_);
        has_tree = true;
        return std::nullopt;
    }

    bool has_tree = false;

private:
    const FakeProcess& process_;
    const std::uint32_t rank_;
    const std::size_t num_processes_;
};

struct Job {
    FakeJob processes;
    std::vector<int> group_of;
    Messages messages;

    LocalGroups groups_of(int rank) const {
        return LocalGroups::of(
            static_cast<std::uint32_t>(rank), processes.size(), processes.size(),
            [this](std::uint32_t r) { return static_cast<std::size_t>(group_of[r]); });
    }
    std::size_t num_messages() const {
        std::size_t num = 0;
        for (const auto& [ends, sent_before] : messages) {
            num += sent_before.size();
        }
        return num;
    }
    // Whether it took a tree.
    bool run(int rank, std::string_view changes) {
        FuzzWire wire(rank, static_cast<int>(processes.size()), messages, changes);
        Channel channel(wire);
        Process me(processes[static_cast<std::size_t>(rank)], wire.own(), processes.size());
        try {
            (void)exchange(channel, groups_of(rank), me, 1);
        } catch (const MessageFailed&) {  // it lacks one, too
        } catch (const std::runtime_error&) {
        }
        return me.has_tree;
    }
};

Job random_job_of(std::uint8_t seed) {
    std::mt19937_64 random(seed);
    Job job;
    job.processes = random_job(random, {true, true, 2, true});
    job.group_of = groups_by_host(job.processes);
    for (int& group : job.group_of) {
        group = seed % 3 == 1 ? static_cast<int>(random() % 2) : group;
    }
    for (FakeProcess& process : job.processes) {
        process.facts.host_name += std::string(seed % 4 == 3 ? kFirstBytes : 0, 'x');
    }
    return job;
}

// Each process runs from the beginning up to where it lacks a message, until none has more to send. Made
// once.
Job& job_of(std::uint8_t seed) {
    static std::map<std::uint8_t, Job> jobs;
    const auto [known, is_new] = jobs.try_emplace(seed);
    Job& job = known->second;
    if (!is_new) {
        return job;
    }
    job = random_job_of(seed);
    std::size_t num_before = 0, num_trees = 0;
    do {
        num_before = job.num_messages();
        num_trees = 0;
        for (int rank = 0; rank < static_cast<int>(job.processes.size()); ++rank) {
            num_trees += job.run(rank, "") ? 1 : 0;
        }
    } while (job.num_messages() > num_before);
    require(num_trees == job.processes.size());
    return job;
}

constexpr std::uint8_t kNumSeeds = 32;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2 + kBytesOfChange) {
        return 0;
    }
    Job& job = job_of(data[0] % kNumSeeds);
    (void)job.run(static_cast<int>(data[1] % job.processes.size()),
                  {reinterpret_cast<const char*>(data) + 2, size - 2});
    return 0;
}
