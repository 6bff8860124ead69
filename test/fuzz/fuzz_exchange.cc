// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// runs: 1500
//
// The exchange's whole way from records and pieces to addresses and domains: any bytes are refused, or
// give a table in which every index is in range.
//
//   input = u8 kind, then
//     kind even: u8 number of processes, their records, the gathered pieces
//     kind odd:  u8 seed of a random job, changes to its records and pieces; each is u16 where, u8 what
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
    std::vector<Record> records;
    std::string bytes;
};

enum Kind : std::uint8_t { kJob = 1, kHasHeaders = 2, kHasSmallPieces = 4 };

Arrived arbitrary(std::uint8_t kind, std::string_view data) {
    Arrived arrived;
    arrived.records.resize(data.empty() ? 1 : 1 + static_cast<unsigned char>(data[0]) % 6);
    data.remove_prefix(std::min<std::size_t>(data.size(), 1));
    const std::size_t num_bytes = std::min(data.size(), arrived.records.size() * sizeof(Record));
    std::memcpy(static_cast<void*>(arrived.records.data()), data.data(), num_bytes);
    arrived.bytes = data.substr(num_bytes);
    for (Record& record : arrived.records) {
        if ((kind & kHasHeaders) != 0) {
            record.magic = Record::kMagic;
            record.version = Record::kVersion;
            record.num_words = sizeof(Record) / sizeof(std::int32_t);
        }
        if ((kind & kHasSmallPieces) != 0) {
            record.names_bytes %= 64;
            record.cpus_bytes %= 64;
            record.machine_bytes %= 256;
            record.uplinks_bytes %= 256;
        }
    }
    return arrived;
}

// The job of each seed, made once.
const Gathered& gathered_job(std::uint8_t seed) {
    static std::array<std::optional<Gathered>, 256> jobs;
    if (!jobs[seed]) {
        std::mt19937_64 random(seed);
        jobs[seed] = gather(random_job(random, {true, true, 2, true}));
    }
    return *jobs[seed];
}

Arrived changed_job(std::string_view data) {
    const Gathered& all = gathered_job(data.empty() ? 0 : static_cast<std::uint8_t>(data[0]));
    Arrived arrived = {all.records, all.bytes};
    const std::size_t records_bytes = all.records.size() * sizeof(Record);
    for (std::size_t i = 1; i + 2 < data.size(); i += 3) {
        std::uint16_t place = 0;
        std::memcpy(&place, &data[i], sizeof place);
        const std::size_t where = place % (records_bytes + all.bytes.size());
        if (where < records_bytes) {
            reinterpret_cast<char*>(arrived.records.data())[where] = data[i + 2];
        } else {
            arrived.bytes[where - records_bytes] = data[i + 2];
        }
    }
    return arrived;
}

void require_sound(const Plan& plan, std::size_t num_processes) {
    require(plan.processes.size() == num_processes);
    std::uint64_t offset = 0;
    for (const Piece& piece : plan.pieces) {
        require(piece.rank < num_processes && piece.offset == offset && piece.num_bytes % 4 == 0);
        offset += piece.num_bytes;
    }
    require(offset == plan.num_bytes);
}

void require_sound(const Directory& directory, std::size_t num_processes) {
    const Dictionary& dictionary = directory.dictionary;
    require(directory.processes.size() == num_processes && dictionary.warnings.size() <= 8);
    for (const NodeInfo& node : dictionary.nodes) {
        require(is_index_or_none(node.machine, dictionary.machines.size()));
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            require(is_index_or_none(node.values[level], dictionary.values[level].size()));
        }
    }
    for (const Process& process : directory.processes) {
        require(process.node < dictionary.nodes.size());
        require(process.pattern < dictionary.patterns.size());
        const std::int32_t machine = dictionary.nodes[process.node].machine;
        const std::vector<int>& instances = dictionary.patterns[process.pattern].placement.instances;
        for (std::size_t type = 0; type < instances.size(); ++type) {
            require(machine >= 0);
            const std::vector<MachineType>& types =
                dictionary.machines[static_cast<std::size_t>(machine)].types();
            require(instances.size() == types.size());
            require(is_index_or_none(instances[type], types[type].instances.size()));
        }
    }
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
    const Result<Plan> plan = make_plan(arrived.records.data(), arrived.records.size());
    if (!plan) {
        require(plan.error().code == Errc::kDisagree && !plan.error().value.empty());
        return 0;
    }
    require_sound(*plan, arrived.records.size());
    Directory directory = make_directory(arrived.records.data(), *plan, arrived.bytes);
    require_sound(directory, arrived.records.size());
    const Table table(std::make_shared<const Dictionary>(std::move(directory.dictionary)),
                      directory.processes);
    require_sound(table);
    require_sound(table.restrict_to({static_cast<std::uint32_t>(table.size() - 1), 0}));
    return 0;
}
