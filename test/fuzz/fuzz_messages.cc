// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// runs: 3000
//
// All that processes tell each other, as random jobs say it, and then changed: it is refused, or
// everything can be asked of it.
//
//   input = u8 kind of message, u8 seed of the job, changes (test/fuzz/changes.h)
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/base/exchange/local_groups.h"
#include "ompi/mca/hitopo/core/machine/machine.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"
#include "ompi/mca/hitopo/slurm/published_topology.h"
#include "profiler/gather/gather.h"
#include "test/core/record/random_job.h"
#include "test/core/record/record_job.h"
#include "test/core/tree/fake_tree.h"
#include "test/fuzz/changes.h"
#include "test/fuzz/exchange_way.h"

namespace {

using namespace hitopo;

// The job of each seed, made once.
const FakeJob& job_of(std::uint8_t seed) {
    static std::map<std::uint8_t, FakeJob> jobs;
    const auto [known, is_new] = jobs.try_emplace(seed);
    if (is_new) {
        std::mt19937_64 random(seed);
        known->second = random_job(random, {true, true, 2, true});
    }
    return known->second;
}

// ---- the exchange ----

// What all say, with what was told of uplinks.
std::string make_all(std::uint8_t seed) {
    return encode(message_of(job_of(seed), groups_by_host(job_of(seed))));
}
void read_all(std::uint8_t seed, const std::string& bytes) { go_the_way(bytes, job_of(seed).size()); }

std::string make_last(std::uint8_t seed) {
    return encode(record_of(job_of(seed), static_cast<std::uint32_t>(job_of(seed).size() - 1)));
}
// The others are a group, and it is one.
void read_last(std::uint8_t seed, const std::string& bytes) {
    const FakeJob& job = job_of(seed);
    const Result<RecordMessage> said = decode(bytes, job.size());
    if (!said) {
        return;
    }
    std::vector<std::uint32_t> others;
    for (std::uint32_t rank = 0; rank + 1 < job.size(); ++rank) {
        others.push_back(rank);
    }
    MessageMaker all;
    if (!others.empty()) {
        all.append(group_of(job, others));
    }
    all.append(*said);
    go_the_way(encode(all.message()), job.size());
}

bool is_index_or_none(std::int64_t index, std::size_t size) {
    return index >= -1 && index < static_cast<std::int64_t>(size);
}

std::string make_machine(std::uint8_t seed) {
    const std::vector<std::string> machines =
        message_of(job_of(seed), groups_by_host(job_of(seed))).machines;
    return machines.empty() ? "" : machines[seed % machines.size()];
}
void read_machine(std::uint8_t, const std::string& bytes) {
    const Result<Machine> machine = Machine::decode(bytes);
    if (!machine) {
        return;
    }
    const InstanceNumbers instance_numbers = place(*machine, machine->cpus());
    require(instance_numbers.instances.size() == machine->types().size());
    for (std::size_t type = 0; type < instance_numbers.instances.size(); ++type) {
        require(
            is_index_or_none(instance_numbers.instances[type], machine->types()[type].instances.size()));
    }
}

// Groups have one to three processes.
constexpr std::uint32_t kLedProcesses = 64;
std::string make_leaders(std::uint8_t seed) {
    std::mt19937_64 random(seed);
    LeaderList sent(kLedProcesses);
    for (std::uint32_t rank = 0; rank < kLedProcesses;) {
        const auto num_members = static_cast<std::uint32_t>(1 + random() % 3);
        sent.add(rank, num_members);
        rank += num_members;
    }
    return sent.encode(0, kLedProcesses);
}
void read_leaders(std::uint8_t seed, const std::string& bytes) {
    LeaderList received(kLedProcesses);
    const std::uint32_t first = seed % kLedProcesses;
    (void)received.decode(first, bytes);
    for (const std::uint32_t num_members : received.num_members()) {
        require(num_members <= kLedProcesses);
    }
    (void)received.encode(first, kLedProcesses);
}

// ---- the profiler ----

std::string make_parts(std::uint8_t seed) {
    std::mt19937_64 random(seed);
    Parts parts;
    for (int rank = 0; rank < 1 + seed % 4; ++rank) {
        parts.push_back({static_cast<int>(random() % 3), rank, std::string(random() % 40, '{')});
    }
    return encode(parts);
}
void read_parts(std::uint8_t, const std::string& bytes) {
    const std::optional<Parts> parts = decode_parts(bytes);
    for (const ProcessPart& part : parts.value_or(Parts())) {
        require(part.report >= 0 && part.rank >= 0 && part.bytes.size() <= bytes.size());
    }
    require(!parts || decode_parts(encode(*parts)));
}

// ---- slurm ----

std::string make_published(std::uint8_t seed) {
    const std::string printed =
        "topology:\n"
        "SwitchName=core Switches=leaf[1-3]\n"
        "SwitchName=leaf1 Nodes=n[1-9]\nSwitchName=leaf2 Nodes=n[10-19]\nSwitchName=leaf3 Nodes=n2\n"
        "end of topology\n";
    return make_published_topology(printed, "", "n[1-" + std::to_string(1 + seed % 19) + "]");
}
void read_published(std::uint8_t, const std::string& bytes) {
    const Result<SwitchTree> tree = read_published_topology(bytes);
    if (tree) {
        (void)tree->find("n1");
        (void)tree->find("n10");
        (void)tree->print({"n1", "n2"});
    }
}

struct Kind {
    std::string (*make)(std::uint8_t seed);
    void (*read)(std::uint8_t seed, const std::string& bytes);
};
constexpr Kind kKinds[] = {{make_all, read_all},         {make_last, read_last},
                           {make_machine, read_machine}, {make_leaders, read_leaders},
                           {make_parts, read_parts},     {make_published, read_published}};
constexpr std::size_t kNumKinds = sizeof kKinds / sizeof kKinds[0];
constexpr std::uint8_t kNumSeeds = 32;

// The message of each kind and seed is made once.
const std::string& message_of(std::size_t kind, std::uint8_t seed) {
    static std::map<std::pair<std::size_t, std::uint8_t>, std::string> messages;
    const auto [known, is_new] = messages.try_emplace({kind, seed});
    if (is_new) {
        known->second = kKinds[kind].make(seed);
    }
    return known->second;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const std::size_t kind = data[0] % kNumKinds;
    const auto seed = static_cast<std::uint8_t>(data[1] % kNumSeeds);
    std::string bytes = message_of(kind, seed);
    change(bytes, {reinterpret_cast<const char*>(data) + 2, size - 2}, job_of(seed).size());
    kKinds[kind].read(seed, bytes);
    return 0;
}
