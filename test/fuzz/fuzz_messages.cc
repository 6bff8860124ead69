// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// runs: 3000
//
// All that processes tell each other, as random jobs say it, and then changed: it is refused, or
// everything can be asked of it.
//
//   input = u8 kind of message, u8 seed of the job, changes (test/fuzz/changes.h)
#include <algorithm>
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

#include "ompi/mca/hitopo/core/exchange/leader_list.h"
#include "ompi/mca/hitopo/core/machine/placement.h"
#include "ompi/mca/hitopo/core/record/message.h"
#include "ompi/mca/hitopo/core/record/selection.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"
#include "ompi/mca/hitopo/core/tree/make_tree.h"
#include "ompi/mca/hitopo/slurm/published_topology.h"
#include "profiler/gather/answers.h"
#include "profiler/gather/heads.h"
#include "profiler/gather/order.h"
#include "test/core/exchange/random_job.h"
#include "test/core/record/record_job.h"
#include "test/core/table/random_table.h"
#include "test/fuzz/changes.h"
#include "test/fuzz/exchange_way.h"

namespace {

using namespace hitopo;

// The job of each seed, made once.
struct Job {
    FakeJob processes;
    Gathered all;
    std::size_t size() const { return processes.size(); }
};
const Job& job_of(std::uint8_t seed) {
    static std::map<std::uint8_t, Job> jobs;
    const auto known = jobs.find(seed);
    if (known != jobs.end()) {
        return known->second;
    }
    std::mt19937_64 random(seed);
    FakeJob job = random_job(random, {true, true, 2, true});
    Gathered all = gather(job);
    return jobs.emplace(seed, Job{std::move(job), std::move(all)}).first->second;
}

// ---- the exchange ----

// A table of a job, or of a shape that jobs seldom have.
Table table_of(std::uint8_t seed) {
    std::mt19937_64 random(seed);
    const Directory& directory = job_of(seed).all.directory;
    constexpr TableTraits kSmall = {4, 4};
    return seed % 2 == 0 ? random_table(random, kSmall)
                         : Table(directory.dictionary, directory.occupancy);
}
std::string make_block(std::uint8_t seed) { return table_of(seed).to_block(); }
void read_block(std::uint8_t seed, const std::string& bytes) {
    const auto block = std::make_shared<const std::string>(bytes);
    const std::size_t size = seed % 2 == 0 ? table_of(seed).size() : job_of(seed).size();
    const std::optional<Table> read = Table::from_block(block, *block, size);
    require(!read || first_wrong_answer(*read).empty());
}

std::string make_summary(std::uint8_t seed) { return job_of(seed).all.bytes; }
void read_summary(std::uint8_t seed, const std::string& bytes) {
    go_the_way(bytes, job_of(seed).all.led, job_of(seed).size());
}

// All that leaders told of their switches.
std::string make_told(std::uint8_t seed) {
    ByteWriter all;
    for (const std::string& told : job_of(seed).all.led) {
        all.put_short(told);
    }
    return all.take();
}
void read_told(std::uint8_t seed, const std::string& bytes) {
    ByteReader reader(bytes);
    std::vector<std::string> led;
    while (reader.num_left() > 0) {
        led.emplace_back(reader.get_short());
    }
    go_the_way(job_of(seed).all.bytes, led, job_of(seed).size());
}

std::string make_records(std::uint8_t seed) {
    const FakeJob& job = job_of(seed).processes;
    RecordMessage all = records_of(job, hosts_of(job));
    for (const SwitchToAsk& leaf : switches_to_ask(all)) {
        all.uplinks.push_back(uplinks_of(job[leaf.rank], all.names[leaf.component]));
    }
    return encode(all);
}
// Refused, or a tree in which every process has an address and a position.
void read_records(std::uint8_t seed, const std::string& bytes) {
    const std::size_t size = job_of(seed).size();
    const Result<RecordMessage> read = decode(bytes, size);
    if (!read) {
        return;
    }
    MessageMaker again;
    again.append(*read);
    require(said_by_rank(again.message(), size) == said_by_rank(*read, size));
    (void)hosts_to_ask(read->records);
    (void)switches_to_ask(*read);
    const Result<AddressTree> tree = make_tree(*read, size, 1);
    require(tree.is_ok() == !first_not_once(read->records, size));
    for (std::uint32_t rank = 0; tree && rank < size; ++rank) {
        require(tree->rank_at(tree->position_of(rank)) == rank);
        const Address address = tree->address(rank);
        for (int level = 0; level < kNumLevels; ++level) {
            require(address[level] < std::max(tree->num_distinct(static_cast<Level>(level)), 1));
        }
    }
}

Contribution said_by(const FakeProcess& process) {
    return make_contribution(process.facts, process.answers);
}
std::string make_contribution_of_last(std::uint8_t seed) {
    return encode(said_by(job_of(seed).processes.back()));
}
// The others are a group, and it is one.
void read_contribution(std::uint8_t seed, const std::string& bytes) {
    Result<Contribution> said = decode_contribution(bytes);
    if (!said) {
        return;
    }
    const FakeJob& job = job_of(seed).processes;
    const auto last = static_cast<std::uint32_t>(job.size() - 1);
    std::vector<std::pair<std::uint32_t, Contribution>> others;
    for (std::uint32_t rank = 0; rank < last; ++rank) {
        others.emplace_back(rank, said_by(job[rank]));
    }
    Summary all = others.empty() ? Summary() : Summary::of_group(others);
    all.append(Summary::of_group({{last, std::move(*said)}}));
    go_the_way(all.in_order().encode(1), job_of(seed).all.led, job.size());
}

std::string make_machine(std::uint8_t seed) {
    const std::vector<Machine>& machines = job_of(seed).all.directory.dictionary.machines;
    return machines.empty() ? "" : machines[seed % machines.size()].encode();
}
void read_machine(std::uint8_t, const std::string& bytes) {
    const Result<Machine> machine = Machine::decode(bytes);
    if (!machine) {
        return;
    }
    const Placement placement = place(*machine, machine->cpus());
    require(placement.instances.size() == machine->types().size());
    for (std::size_t type = 0; type < placement.instances.size(); ++type) {
        require(is_index_or_none(placement.instances[type], machine->types()[type].instances.size()));
    }
}

// Groups have one to three processes.
constexpr std::uint32_t kLedProcesses = 64;
std::string make_leaders(std::uint8_t seed) {
    std::mt19937_64 random(seed);
    LeaderList told(kLedProcesses);
    for (std::uint32_t rank = 0; rank < kLedProcesses;) {
        const auto num_members = static_cast<std::uint32_t>(1 + random() % 3);
        told.add({rank, num_members});
        rank += num_members;
    }
    return std::string(told.encode());
}
void read_leaders(std::uint8_t seed, const std::string& bytes) {
    LeaderList heard(kLedProcesses);
    heard.add({seed % kLedProcesses, 1});
    (void)heard.merge(bytes);
    for (const LeaderList::Leader& leader : heard.leaders()) {
        require(leader.rank < kLedProcesses);
    }
    require(heard.encode().size() <= heard.max_bytes());
}

// ---- the profiler ----

Heads heads_of(std::uint8_t seed) {
    std::mt19937_64 random(seed);
    Heads heads;
    for (int rank = 0; rank < 1 + seed % 4; ++rank) {
        std::vector<std::uint64_t> keys;
        while (keys.size() < 1 + random() % 4) {
            keys.push_back(70 + random() % 6);
        }
        const auto some = static_cast<std::uint32_t>(random() % (keys.size() + 1));
        heads.add(rank, keys, {{1, 0, 100, some}, {2, 1, 200, static_cast<std::uint32_t>(keys.size())}});
    }
    return heads;
}
NodeOrder order_for(const Heads& heads) {
    NodeOrder order;
    order.end = static_cast<int>(heads.processes().size());
    for (std::size_t key = 0; key < heads.keys().size(); ++key) {
        order.ids.push_back(static_cast<std::int32_t>(key));
        order.ranks.push_back(0);
    }
    return order;
}

std::string make_heads(std::uint8_t seed) { return heads_of(seed).encode(); }
// As leaders do: join them, and give each process an order.
void read_heads(std::uint8_t seed, const std::string& bytes) {
    const std::optional<Heads> heads = Heads::decode(bytes);
    if (!heads) {
        return;
    }
    const NodeOrder order = order_for(*heads);
    for (const Heads::Process& process : heads->processes()) {
        require(order.order_of(*heads, process).ids.size() == heads->part_of(process, kEnd)->num_keys);
        for (int number = 1; number <= Heads::num_snapshots(process); ++number) {
            require(heads->part_of(process, number)->num_keys <= heads->keys_of(process).size());
        }
    }
    Heads joined = heads_of(seed);
    joined.join(*heads);
    require(joined.encode().size() >= bytes.size());
}

std::string make_node_order(std::uint8_t seed) { return order_for(heads_of(seed)).encode(); }
void read_node_order(std::uint8_t, const std::string& bytes) {
    const std::optional<NodeOrder> order = NodeOrder::decode(bytes);
    require(!order || (order->number >= 0 && order->ids.size() == order->ranks.size()));
}

std::string make_order(std::uint8_t seed) {
    const Heads heads = heads_of(seed);
    return order_for(heads).order_of(heads, heads.processes()[0]).encode();
}
void read_order(std::uint8_t, const std::string& bytes) {
    const std::optional<Order> order = Order::decode(bytes);
    require(!order || (order->number >= 0 && order->ids.size() == order->is_new.size()));
}

std::string make_answers(std::uint8_t seed) {
    std::string bytes;
    for (int rank = 0; rank < 1 + seed % 3; ++rank) {
        bytes += encode(Answer{rank, "[{\"key\":1}]", "{\"rank\":1}"});
    }
    return bytes;
}
void read_answers(std::uint8_t, const std::string& bytes) {
    for (const Answer& answer : decode_answers(bytes).value_or(std::vector<Answer>())) {
        require(answer.rank >= 0 && answer.descriptions.size() + answer.traffic.size() <= bytes.size());
    }
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
constexpr Kind kKinds[] = {
    {make_block, read_block},         {make_contribution_of_last, read_contribution},
    {make_summary, read_summary},     {make_told, read_told},
    {make_machine, read_machine},     {make_leaders, read_leaders},
    {make_heads, read_heads},         {make_node_order, read_node_order},
    {make_order, read_order},         {make_answers, read_answers},
    {make_published, read_published}, {make_records, read_records}};
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
