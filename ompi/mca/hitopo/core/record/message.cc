// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/message.h"

#include <algorithm>
#include <map>
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

int weight_of(Errc code) {
    return code == Errc::kAbsent ? 0 : code == Errc::kNone ? 1 : 1 + cost_of(code);
}

// Errors that cost more stand first, then lower ranks. Absent files cost less than no error at all: they
// are shown only where all processes report them.
bool stands_before(const ReportedError& a, const ReportedError& b) {
    return std::tuple(-weight_of(a.error.code), a.rank) < std::tuple(-weight_of(b.error.code), b.rank);
}

}  // namespace

MessageMaker::MessageMaker() { (void)name(""); }

std::uint32_t MessageMaker::name(std::string_view text) {
    return number_among(all_.names, names_, std::string(text), text);
}

std::uint32_t MessageMaker::machine(std::string_view encoded) {
    return number_among(all_.machines, machines_, std::string(encoded), encoded);
}

std::uint32_t MessageMaker::place(const SeatPlace& place) {
    return number_among(all_.places, places_, bytes_of(place), place);
}

std::uint32_t MessageMaker::layout(const std::vector<std::uint32_t>& places) {
    return number_among(all_.layouts, layouts_, places, places);
}

std::uint32_t MessageMaker::settings(const AgreedSettings& settings) {
    return number_among(all_.settings, settings_, settings, settings);
}

void MessageMaker::add_uplinks(std::string_view encoded) {
    (void)number_among(all_.uplinks, uplinks_, std::string(encoded), encoded);
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

std::optional<std::uint32_t> first_not_once(const std::vector<NodeRecord>& records,
                                            std::size_t num_processes) {
    std::vector<bool> is_there(num_processes, false);
    std::optional<std::uint32_t> twice;
    for (const NodeRecord& record : records) {
        record.ranks.for_each([&](std::uint32_t rank) {
            if (is_there[rank] && rank < twice.value_or(UINT32_MAX)) {
                twice = rank;
            }
            is_there[rank] = true;
        });
    }
    const auto missing = std::find(is_there.begin(), is_there.end(), false);
    return twice || missing == is_there.end()
               ? twice
               : std::optional(static_cast<std::uint32_t>(missing - is_there.begin()));
}

RecordMessage join_group(RecordMessage members) {
    std::vector<NodeRecord> joined;
    std::vector<std::vector<std::uint32_t>> layouts;  // of joined records
    std::map<std::string, std::uint32_t> numbers;
    for (NodeRecord& member : members.records) {
        const std::uint32_t rank = member.ranks.front();
        const std::uint32_t seat = members.layouts[member.layout].front();
        member.ranks = {};
        member.begins_group = joined.empty();
        member.layout = static_cast<std::uint32_t>(joined.size());
        const std::uint32_t number = number_among(joined, numbers, bytes_of(member), member);
        NodeRecord& own = joined[number];
        own.is_host_asked |= member.is_host_asked;
        if (own.machine.component == 0) {
            own.machine = member.machine;
        }
        own.ranks.add(rank);
        layouts.resize(joined.size());
        layouts[number].push_back(seat);
    }
    members.records = std::move(joined);
    members.layouts = std::move(layouts);
    return members;
}

}  // namespace hitopo
