// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/message.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"

namespace hitopo {
namespace {

// New indices by old ones, each made when it is first asked for.
template <class Make>
class Renumbering {
public:
    Renumbering(std::size_t num_old, Make make) : numbers_(num_old, kNotYet), make_(std::move(make)) {}

    std::uint32_t operator[](std::uint32_t old) {
        if (numbers_[old] == kNotYet) {
            numbers_[old] = make_(old);
        }
        return numbers_[old];
    }

private:
    static constexpr std::uint32_t kNotYet = UINT32_MAX;
    std::vector<std::uint32_t> numbers_;
    Make make_;
};

// The index of an item among distinct ones, of which it becomes one. hash: of all that makes it.
template <class Item, class Like>
std::uint32_t number_among(std::vector<Item>& items, FlatMap& numbers, std::uint64_t hash,
                           const Like& like) {
    for (;; hash = combine(hash, 1)) {
        const std::uint32_t number = numbers.number_of(hash);
        if (number == items.size()) {
            items.emplace_back(like);
        }
        if (items[number] == like) {
            return number;
        }
    }
}

template <class Names>
void renumber(LevelAnswer& answer, Names& names) {
    answer.component = names[answer.component];
    answer.value = names[answer.value];
}

template <class Names, class Machines>
void renumber(NodeRecord& record, Names& names, Machines& machines) {
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

// But for layout, ranks, machine, and whether the host was asked.
bool are_alike(const NodeRecord& a, const NodeRecord& b) {
    const auto key = [](const NodeRecord& record) {
        return std::tie(record.host_id, record.node_id, record.shared_id, record.best, record.forced,
                        record.uplinks_component, record.settings, record.side);
    };
    return key(a) == key(b);
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

std::uint32_t MessageMaker::settings(const AgreedSettings& settings) {
    ByteWriter bytes;
    put(settings, bytes);
    return number_among(all_.settings, settings_, hash_bytes(bytes.bytes()), settings);
}

void MessageMaker::add_uplinks(std::string_view encoded) {
    (void)number_among(all_.uplinks, uplinks_, hash_bytes(encoded), encoded);
}

void MessageMaker::add_error(const ReportedError& error) {
    if (!all_.error || stands_before(error, *all_.error)) {
        all_.error = error;
    }
}

void MessageMaker::append(const RecordMessage& other, std::size_t num_groups) {
    Renumbering names(other.names.size(), [&](std::uint32_t i) { return name(other.names[i]); });
    Renumbering machines(other.machines.size(),
                         [&](std::uint32_t i) { return machine(other.machines[i]); });
    Renumbering places(other.places.size(), [&](std::uint32_t i) {
        SeatPlace own = other.places[i];
        for (SeatPlace::Inner& inner : own.inner) {
            renumber(inner.answer, names);
        }
        return place(own);
    });
    Renumbering layouts(other.layouts.size(), [&](std::uint32_t i) {
        std::vector<std::uint32_t> own = other.layouts[i];
        for (std::uint32_t& seat : own) {
            seat = places[seat];
        }
        return layout(own);
    });
    Renumbering settings(other.settings.size(),
                         [&](std::uint32_t i) { return this->settings(other.settings[i]); });
    const auto is_over = [&](const NodeRecord& record) {
        return record.begins_group && num_groups-- == 0;
    };
    const auto end = std::find_if(other.records.begin(), other.records.end(), is_over);
    if (other.records.size() > 1) {  // many come seldom
        all_.records.reserve(all_.records.size() +
                             static_cast<std::size_t>(end - other.records.begin()));
    }
    std::for_each(other.records.begin(), end, [&](NodeRecord record) {
        renumber(record, names, machines);
        record.layout = layouts[record.layout];
        record.settings = settings[record.settings];
        add(std::move(record));
    });
    for (const std::string& encoded : other.uplinks) {
        add_uplinks(encoded);
    }
    if (other.error) {
        add_error(*other.error);
    }
}

RecordMessage join_group(RecordMessage members) {
    std::vector<NodeRecord> joined;
    std::vector<std::vector<std::uint32_t>> layouts;  // of joined records
    for (NodeRecord& member : members.records) {
        const std::uint32_t rank = member.ranks.front();
        const std::uint32_t seat = members.layouts[member.layout].front();
        const auto known = std::find_if(joined.begin(), joined.end(), [&](const NodeRecord& other) {
            return are_alike(other, member);
        });
        const auto number = static_cast<std::size_t>(known - joined.begin());
        if (known == joined.end()) {
            member.ranks = {};
            member.begins_group = joined.empty();
            member.layout = static_cast<std::uint32_t>(number);
            joined.push_back(std::move(member));
            layouts.emplace_back();
        } else {
            known->is_host_asked |= member.is_host_asked;
            if (known->machine.component == 0) {
                known->machine = member.machine;
            }
        }
        joined[number].ranks.add(rank);
        layouts[number].push_back(seat);
    }
    members.records = std::move(joined);
    members.layouts = std::move(layouts);
    return members;
}

}  // namespace hitopo
