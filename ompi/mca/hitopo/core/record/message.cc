// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/message.h"

#include <algorithm>
#include <map>
#include <string>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"

namespace hitopo {
namespace {

using Numbers = std::vector<std::uint32_t>;  // new ones by old ones

// The index of an item among distinct ones, of which it becomes one. hash: of all that makes it.
template <class Item, class Said>
std::uint32_t number_among(std::vector<Item>& items, FlatMap& numbers, std::uint64_t hash,
                           const Said& said) {
    for (;; hash = combine(hash, 1)) {
        const std::uint32_t number = numbers.number_of(hash);
        if (number == items.size()) {
            items.emplace_back(said);
        }
        if (items[number] == said) {
            return number;
        }
    }
}

void renumber(LevelAnswer& answer, const Numbers& names) {
    answer.component = names[answer.component];
    answer.value = names[answer.value];
}

void renumber(NodeRecord& record, const Numbers& names, const Numbers& machines) {
    for (NodeRecord::Answers* answers : {&record.best, &record.forced}) {
        for (LevelAnswer& answer : *answers) {
            renumber(answer, names);
        }
    }
    for (SideValue& side : record.side) {
        side.type = names[side.type];
        side.component = names[side.component];
        side.value = names[side.value];
    }
    record.uplinks_component = names[record.uplinks_component];
    if (record.machine.component != 0) {
        record.machine.component = names[record.machine.component];
        record.machine.machine = machines[record.machine.machine];
    }
}

}  // namespace

MessageMaker::MessageMaker() { (void)name(""); }

std::uint32_t MessageMaker::name(std::string_view text) {
    return number_among(all_.names, names_, hash_bytes(text), text);
}

std::uint32_t MessageMaker::machine(std::string_view encoded) {
    return number_among(all_.machines, machines_, hash_bytes(encoded), encoded);
}

std::uint32_t MessageMaker::place(const SeatPlace& place) {
    ByteWriter bytes;
    put(place, bytes);
    return number_among(all_.places, places_, hash_bytes(bytes.bytes()), place);
}

std::uint32_t MessageMaker::layout(const std::vector<std::uint32_t>& places) {
    const std::string_view bytes(reinterpret_cast<const char*>(places.data()),
                                 places.size() * sizeof places[0]);
    return number_among(all_.layouts, layouts_, hash_bytes(bytes), places);
}

std::uint32_t MessageMaker::words(const SameWords& words) {
    ByteWriter bytes;
    put(words, bytes);
    return number_among(all_.words, words_, hash_bytes(bytes.bytes()), words);
}

void MessageMaker::add_uplinks(std::string_view encoded) {
    (void)number_among(all_.uplinks, uplinks_, hash_bytes(encoded), encoded);
}

void MessageMaker::add_error(const ReportedError& error) {
    if (!all_.error || stands_before(error, *all_.error)) {
        all_.error = error;
    }
}

void MessageMaker::append(const RecordMessage& other) {
    Numbers names, machines, places, layouts, words;
    for (const std::string& text : other.names) {
        names.push_back(name(text));
    }
    for (const std::string& encoded : other.machines) {
        machines.push_back(machine(encoded));
    }
    for (SeatPlace seat : other.places) {
        for (SeatPlace::Inner& inner : seat.inner) {
            renumber(inner.answer, names);
        }
        places.push_back(place(seat));
    }
    for (std::vector<std::uint32_t> seats : other.layouts) {
        for (std::uint32_t& seat : seats) {
            seat = places[seat];
        }
        layouts.push_back(layout(seats));
    }
    for (const SameWords& all : other.words) {
        words.push_back(this->words(all));
    }
    if (other.records.size() > 1) {  // many come seldom
        all_.records.reserve(all_.records.size() + other.records.size());
    }
    for (NodeRecord record : other.records) {
        renumber(record, names, machines);
        record.layout = layouts[record.layout];
        record.words = words[record.words];
        add(std::move(record));
    }
    for (const std::string& encoded : other.uplinks) {
        add_uplinks(encoded);
    }
    if (other.error) {
        add_error(*other.error);
    }
}

RecordMessage join_group(RecordMessage members) {
    std::map<std::string, std::size_t> numbers;  // by what they say
    std::vector<NodeRecord> joined;
    std::vector<std::vector<std::uint32_t>> seats;
    for (NodeRecord& member : members.records) {
        ByteWriter said;
        put_said(member, said);
        const std::size_t number = numbers.emplace(said.take(), joined.size()).first->second;
        const std::uint32_t rank = member.ranks.front();
        const std::uint32_t seat = members.layouts[member.layout].front();
        if (number == joined.size()) {
            member.ranks = {};
            joined.push_back(std::move(member));
            joined.back().begins_group = joined.size() == 1;
            seats.emplace_back();
        } else {
            joined[number].is_host_asked |= member.is_host_asked;
            if (joined[number].machine.component == 0) {
                joined[number].machine = member.machine;
            }
        }
        joined[number].ranks.add(rank);
        seats[number].push_back(seat);
    }
    members.layouts = seats;
    std::sort(members.layouts.begin(), members.layouts.end());
    members.layouts.erase(std::unique(members.layouts.begin(), members.layouts.end()),
                          members.layouts.end());
    for (std::size_t i = 0; i < joined.size(); ++i) {
        joined[i].layout = static_cast<std::uint32_t>(
            std::lower_bound(members.layouts.begin(), members.layouts.end(), seats[i]) -
            members.layouts.begin());
    }
    members.records = std::move(joined);
    return members;
}

}  // namespace hitopo
