// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// runs: 1500
//
// The exchange's whole way from the sum of all summaries to addresses and domains: any bytes are
// refused, or give a table in which every index is in range.
//
//   input = u8 kind, then
//     kind even: u8 number of processes, the sum; with kHasVersion, behind its version
//     kind odd:  u8 seed of a random job, changes to its sum and to what leaders told; each is u16
//     where,
//                u8 what
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "ompi/mca/hitopo/core/table/domain.h"
#include "test/core/exchange/random_job.h"
#include "test/fuzz/require.h"

namespace {

using namespace hitopo;

bool is_index(std::int64_t index, std::size_t size) {
    return index >= 0 && index < static_cast<std::int64_t>(size);
}
bool is_index_or_none(std::int64_t index, std::size_t size) {
    return index == -1 || is_index(index, size);
}

// What arrived.
struct Arrived {
    std::size_t num_processes;
    std::string bytes;
    std::vector<std::string> led;
};

enum Kind : std::uint8_t { kJob = 1, kHasVersion = 2 };

Arrived arbitrary(std::uint8_t kind, std::string_view data) {
    Arrived arrived;
    arrived.num_processes = data.empty() ? 1 : 1 + static_cast<unsigned char>(data[0]) % 6;
    data.remove_prefix(std::min<std::size_t>(data.size(), 1));
    ByteWriter version;
    version.put_u16(kExchangeVersion);
    arrived.bytes = (kind & kHasVersion) != 0 ? version.take() : "";
    arrived.bytes += data;
    return arrived;
}

// The job of each seed, made once.
struct Job {
    std::size_t size;
    Gathered all;
};
const Job& job_of(std::uint8_t seed) {
    static std::array<std::optional<Job>, 256> jobs;
    if (!jobs[seed]) {
        std::mt19937_64 random(seed);
        const FakeJob job = random_job(random, {true, true, 2, true});
        jobs[seed] = Job{job.size(), gather(job)};
    }
    return *jobs[seed];
}

Arrived changed_job(std::string_view data) {
    const Job& job = job_of(data.empty() ? 0 : static_cast<std::uint8_t>(data[0]));
    Arrived arrived = {job.size, job.all.bytes, job.all.led};
    std::vector<char*> places;
    for (char& byte : arrived.bytes) {
        places.push_back(&byte);
    }
    for (std::string& told : arrived.led) {
        for (char& byte : told) {
            places.push_back(&byte);
        }
    }
    for (std::size_t i = 1; i + 2 < data.size(); i += 3) {
        std::uint16_t place = 0;
        std::memcpy(&place, &data[i], sizeof place);
        *places[place % places.size()] = data[i + 2];
    }
    return arrived;
}

void require_sound(const Summary& summary, const Plan& plan, std::size_t num_processes) {
    std::vector<bool> is_there(num_processes, false);
    for (std::size_t node = 0; node < plan.nodes.size(); ++node) {
        for (const Member& member : members_of(summary, plan, node)) {
            require(member.rank < num_processes && !is_there[member.rank]);
            is_there[member.rank] = true;
        }
    }
    require(std::find(is_there.begin(), is_there.end(), false) == is_there.end());
    for (const std::uint32_t leader : plan.leaders) {
        require(leader < num_processes);
    }
    for (const std::uint32_t rank : plan.unspoken) {
        require(rank < num_processes);
    }
}

void require_sound(const DictionaryDraft& dictionary, const NodeInfo& node, const Pattern& pattern) {
    const std::vector<int>& instances = pattern.placement.instances;
    for (std::size_t type = 0; type < instances.size(); ++type) {
        require(node.machine >= 0);
        const std::vector<MachineType>& types =
            dictionary.machines[static_cast<std::size_t>(node.machine)].types();
        require(instances.size() == types.size());
        require(is_index_or_none(instances[type], types[type].instances.size()));
    }
}

void require_sound(const Directory& directory, std::size_t num_processes) {
    const DictionaryDraft& dictionary = directory.dictionary;
    require(dictionary.warnings.size() <= 8);
    for (const NodeInfo& node : dictionary.nodes) {
        require(is_index_or_none(node.machine, dictionary.machines.size()));
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            require(is_index_or_none(node.values[level], dictionary.values[level].size()));
        }
    }
    const Sequences& patterns = directory.occupancy.patterns;
    std::size_t num_placed = 0;
    for (const Occupancy::Node& node : directory.occupancy.nodes) {
        require(node.node < dictionary.nodes.size() && node.patterns < patterns.size());
        require(patterns.length(node.patterns) == node.ranks.size());
        num_placed += node.ranks.size();
        std::for_each(
            patterns.begin(node.patterns), patterns.end(node.patterns), [&](std::uint32_t pattern) {
                require(pattern < dictionary.patterns.size());
                require_sound(dictionary, dictionary.nodes[node.node], dictionary.patterns[pattern]);
            });
    }
    require(num_placed == num_processes && directory.occupancy.num_processes == num_processes);
}

void require_sound(const Table& table) {
    for (std::size_t rank = 0; rank < table.size(); ++rank) {
        const Address address = table.address(rank);
        for (int i = 0; i < kNumLevels; ++i) {
            const Level level = static_cast<Level>(i);
            const bool is_known = table.known(level) != Table::Known::kNone;
            require(is_known ? is_index_or_none(address[level],
                                                static_cast<std::size_t>(table.num_distinct(level)))
                             : address[level] == 0);
        }
    }
    for (const ResourceType& type : resource_types(table)) {
        const Domains domains = domains_of(table, type);
        require(domains.domain.size() == table.size());
        for (const std::int32_t domain : domains.domain) {
            require(is_index_or_none(domain, static_cast<std::size_t>(domains.count)));
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::string_view rest(reinterpret_cast<const char*>(data + 1), size - 1);
    const Arrived arrived = (data[0] & kJob) != 0 ? changed_job(rest) : arbitrary(data[0], rest);
    const Result<Summary> summary = Summary::decode(arrived.bytes, arrived.num_processes);
    if (!summary) {
        require(summary.error().code == Errc::kDisagree);
        return 0;
    }
    require(Summary::decode(summary->encode(1), arrived.num_processes).is_ok());
    Result<Plan> plan = make_plan(*summary, arrived.num_processes);
    if (!plan) {
        require(plan.error().code == Errc::kDisagree && !plan.error().value.empty());
        return 0;
    }
    require_sound(*summary, *plan, arrived.num_processes);
    Directory directory = make_directory(*summary, *plan, arrived.led);
    require_sound(directory, arrived.num_processes);
    const Table made(std::move(directory.dictionary), directory.occupancy);
    const auto block = std::make_shared<const std::string>(made.to_block());
    const std::optional<Table> read = Table::from_block(block, *block);
    require(read.has_value());
    const Table& table = *read;
    require_sound(table);
    require_sound(table.restrict_to({static_cast<std::uint32_t>(table.size() - 1), 0}));
    return 0;
}
