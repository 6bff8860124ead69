// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/name_book.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/address/bytes.h"

namespace hitopo {
namespace {

std::uint64_t key_of(Level level, std::uint64_t value, std::uint32_t component) {
    return combine(value, static_cast<std::uint64_t>(component) << 8 | static_cast<unsigned>(level));
}

}  // namespace

NameBook::NameBook(const Record* records, const Plan& plan, std::string_view bytes) : records_(records) {
    for (const Piece& piece : plan.pieces) {
        const Record& record = records[piece.rank];
        std::string_view rest =
            bytes.substr(std::min<std::size_t>(piece.offset, bytes.size()), piece.num_bytes);
        const auto take = [&](Piece::Part part, std::uint32_t num_bytes) {
            const std::string_view taken = (piece.parts & part) != 0 ? rest.substr(0, num_bytes) : "";
            rest.remove_prefix(taken.size());
            return taken;
        };
        add_names(take(Piece::kNames, record.names_bytes));
        add_cpus(piece.rank, take(Piece::kCpus, record.cpus_bytes));
        add_machine(record.machine_hash, take(Piece::kMachine, record.machine_bytes));
        add_led(take(Piece::kUplinks, record.uplinks_bytes));
    }
    settle_led();
}

void NameBook::add_names(std::string_view bytes) {
    for (const NamedValue& named : read_names(bytes)) {
        const std::uint64_t key =
            key_of(named.level, hash_bytes(named.value), component_id(named.component));
        const std::uint32_t number = name_numbers_.number_of(key);
        if (number == names_.size()) {
            names_.push_back({std::string(named.component), ByteReader(named.value).get_value()});
            encoded_.push_back(named.value);
        } else {
            has_collision_ |=
                encoded_[number] != named.value || names_[number].component != named.component;
        }
    }
}

void NameBook::add_cpus(std::uint32_t rank, std::string_view bytes) {
    if (!bytes.empty() && cpu_numbers_.number_of(rank + std::uint64_t{1}) == cpus_.size()) {
        cpus_.push_back(read_cpus(bytes));
    }
}

void NameBook::add_machine(std::uint64_t hash, std::string_view bytes) {
    if (!bytes.empty() && machine_numbers_.number_of(hash) == machines_.size()) {
        machines_.push_back(bytes);
    }
}

void NameBook::add_led(std::string_view bytes) {
    std::optional<LedSwitch> led = decode_led_switch(bytes);
    if (led && led_numbers_.number_of(combine(hash_of(led->value), component_id(led->component))) ==
                   led_.size()) {
        led_.push_back(std::move(*led));
    }
}

void NameBook::settle_led() {
    const std::vector<SettledSwitch> settled = settle(led_);
    for (std::size_t i = 0; i < settled.size(); ++i) {
        led_switches_.push_back({led_[i].component, settled[i].value});
        led_islands_.push_back({led_[i].component, settled[i].island});
    }
}

const LevelValue* NameBook::find_led(Level level, const Candidate& candidate) const {
    const std::uint32_t number = led_numbers_.look_up(combine(candidate.value, candidate.component));
    if (number == FlatMap::kAbsent) {
        return level == kIsland ? nullptr : find(level, candidate);
    }
    return level == kIsland ? &led_islands_[number] : &led_switches_[number];
}

const LevelValue* NameBook::find(Level level, const Candidate& candidate) const {
    const std::uint32_t number =
        name_numbers_.look_up(key_of(level, candidate.value, candidate.component));
    return candidate.component == 0 || number == FlatMap::kAbsent ? nullptr : &names_[number];
}

CpuSet NameBook::cpus_of(std::uint32_t rank) const {
    const std::uint32_t number = cpu_numbers_.look_up(rank + std::uint64_t{1});
    return number == FlatMap::kAbsent ? from_runs(records_[rank].cpus) : cpus_[number];
}

NameBook::MachinePiece NameBook::machine_of(std::uint64_t machine_hash) const {
    const std::uint32_t number = machine_numbers_.look_up(machine_hash);
    if (number == FlatMap::kAbsent) {
        return {};
    }
    ByteReader reader(machines_[number]);
    MachinePiece piece;
    piece.component = reader.get_string();
    piece.encoded = reader.get_string();
    return piece;
}

std::string NameBook::component_name(std::uint32_t id) const {
    for (const LevelValue& named : names_) {
        if (component_id(named.component) == id) {
            return named.component;
        }
    }
    return "";
}

}  // namespace hitopo
