// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What contributions (core/exchange/contribution.h) say, with a number in place of each name.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_CARDS_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_CARDS_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/contribution.h"
#include "ompi/mca/hitopo/core/exchange/distinct.h"
#include "ompi/mca/hitopo/core/exchange/node_cards.h"

namespace hitopo {

// One component's value for one level.
struct Candidate {
    std::uint32_t component = 0;  // of Names; 0: there is none
    std::int32_t priority = 0;
    std::uint32_t value = 0;   // of Names
    bool is_named = false;     // else the leader of the switch will tell its name
    bool is_for_node = false;  // it counts for all processes of the node
};

// Components and values by number: equal numbers, equal names.
class Names {
public:
    Names() {
        (void)components_.number_of("");
        (void)side(std::string_view());
    }

    // The numbers of components, of layers, and of types of side resources.
    std::uint32_t component(std::string_view name) {
        const std::uint32_t number = few_.size() > name.size() ? few_[name.size()] : kNone;
        if (number != kNone && components_[number] == name) {
            return number;  // there are few, mostly of different lengths
        }
        return add_component(name);
    }
    std::uint32_t value(std::string_view encoded);  // as ByteWriter::put(RawValue) gives it

    // The number of what a node card has of side resources; "" is 0.
    std::uint32_t side(std::string_view field);
    const SideClaims& side_claims(std::uint32_t number) const { return side_claims_[number]; }

    const std::string& component_name(std::uint32_t number) const { return components_[number]; }
    RawValue value_of(std::uint32_t number) const;
    // The text of value_of(number).visible(), within what is kept until the next value; empty: it is a
    // number.
    std::optional<std::string_view> visible_text(std::uint32_t number) const;
    std::string visible(std::uint32_t number) const;  // what people see

private:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    std::uint32_t add_component(std::string_view name);

    Distinct components_;             // "" is 0
    std::vector<std::uint32_t> few_;  // by length: the latest component of that
    DistinctPieces values_;           // encoded
    Distinct side_fields_;
    std::vector<SideClaims> side_claims_;  // by number of the field
    std::uint32_t latest_ = kNone;
};

using Candidates = std::array<Candidate, kNumCandidates>;  // highest priority first

struct NodeCard {
    std::uint64_t host_id = 0;            // the operating system instance
    std::uint64_t node_id = 0;            // the same unless simulated
    std::uint64_t shared_id = 0;          // of the host, /dev/shm and the IPC namespace together
    std::uint32_t uplinks_component = 0;  // that can tell the uplinks of its switch; 0: none
    std::array<Candidates, kNode + 1> network;
    std::uint32_t side = 0;  // of Names
};
NodeCard read_node_card(std::string_view bytes, Names& names);  // any bytes

// Reads card after card: what one has in common with the one before is not looked up again.
class NodeCardReader {
public:
    // Both have to stay.
    NodeCardReader(const NodeCards& cards, Names& names) : reader_(cards), names_(names) {}

    const NodeCard& next();
    // Whether the one read last differs from the one before in what decides the level's choice.
    bool has_changed(Level level) const;

private:
    void read_identity();

    NodeCards::Reader reader_;
    Names& names_;
    std::uint32_t changed_ = 0;  // fields
    NodeCard card_;
};

// All that decides where in its node a process lies.
struct Place {
    CpuSet cpus;
    std::string rule;                          // of binding, in place of the CPUs; "": none
    std::array<Candidates, kNumLevels> inner;  // of the levels below the node
    bool has_values = false;                   // in `inner`
};

struct ComponentError {
    std::string component;
    Error error;
};

struct ProcessCard {
    std::uint32_t place = 0;  // index into ProcessCards::places
    std::uint8_t flags = 0;   // of ProcessFlag
    std::uint64_t settings_hash = 0;
    std::uint32_t layers = 0;        // of Names, as ProcessFacts::layers
    std::uint64_t machine_hash = 0;  // of Contribution::machine; 0: it tells none
    std::uint32_t machine_component = 0;
    std::int32_t machine_priority = 0;
    std::array<std::uint32_t, kNumLevels> forced = {};  // components; 0: by priority
    std::optional<ComponentError> error;
};

// All distinct process cards.
class ProcessCards {
public:
    // Any bytes.
    void add(std::string_view bytes, Names& names);

    const ProcessCard& operator[](std::size_t number) const { return cards_[number]; }
    std::size_t size() const { return cards_.size(); }
    const Place& place(std::uint32_t number) const { return places_[number]; }
    bool has_values() const { return has_values_; }  // some place

private:
    bool has_values_ = false;
    std::vector<ProcessCard> cards_;
    Distinct encoded_places_;
    std::vector<Place> places_;
};

}  // namespace hitopo

#endif
