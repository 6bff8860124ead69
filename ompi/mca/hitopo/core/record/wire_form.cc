// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/wire_form.h"

#include <algorithm>
#include <tuple>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {
namespace {

// Writer and Reader have the same functions, so that one description of each piece serves for both.
class Writer {
public:
    explicit Writer(ByteWriter& out) : out_(out) {}

    void id(std::uint64_t id) { out_.put_u64(id); }
    void id_beside(std::uint64_t id, std::uint64_t other) { out_.put_varint(id ^ other); }
    void number(std::int32_t number) { out_.put_signed(number); }
    void text(const std::string& text) { out_.put_short(text); }
    void code(Errc code) { out_.put_signed(static_cast<int>(code)); }
    void inner_level(Level level) { out_.put_varint(static_cast<std::uint64_t>(level - kL2Numa)); }
    template <class List>
    void index(std::uint32_t index, List) {
        out_.put_varint(index);
    }
    void rank(std::uint32_t rank) { out_.put_varint(rank); }
    void cpus(const CpuSet& cpus) { put_cpus(cpus, out_); }

    void flag(bool flag) { out_.put_u8(flag ? 1 : 0); }

    // Passes each item to pass().
    template <class Item, class Pass>
    void list(const std::vector<Item>& items, Pass pass) {
        out_.put_varint(items.size());
        std::for_each(items.begin(), items.end(), pass);
    }

    template <class Item, class Pass>
    void option(const std::optional<Item>& item, Pass pass) {
        out_.put_u8(item ? 1 : 0);
        if (item) {
            pass(*item);
        }
    }

    void ranks(const RankRuns& ranks, std::uint32_t) {
        std::uint32_t next = 0;
        list(ranks.runs(), [&](const RankRun& run) {
            out_.put_varint(run.first - next);
            out_.put_varint(run.count - 1);
            if (run.count > 1) {
                out_.put_varint(run.stride);
            }
            next = run.last() + 1;
        });
    }

private:
    ByteWriter& out_;
};

// Reads any bytes: a value out of range fails it.
class Reader {
public:
    Reader(ByteReader& in, const RecordMessage& read, std::size_t num_processes)
        : in_(in), read_(read), num_processes_(num_processes) {}

    void id(std::uint64_t& id) { id = in_.get_u64(); }
    void id_beside(std::uint64_t& id, std::uint64_t other) { id = in_.get_varint() ^ other; }
    void number(std::int32_t& number) { number = static_cast<std::int32_t>(in_.get_signed()); }
    void text(std::string& text) { text = in_.get_short(); }
    void code(Errc& code) { code = static_cast<Errc>(static_cast<int>(in_.get_signed())); }
    void inner_level(Level& level) {
        level = static_cast<Level>(kL2Numa + static_cast<int>(below(kNumLevels - kL2Numa)));
    }
    // The index of an item of a list of the message.
    template <class Item>
    void index(std::uint32_t& index, std::vector<Item> RecordMessage::*list) {
        index = below((read_.*list).size());
    }
    void rank(std::uint32_t& rank) { rank = below(num_processes_); }
    void cpus(CpuSet& cpus) { cpus = get_cpus(in_); }

    void flag(bool& flag) { flag = in_.get_u8() != 0; }

    template <class Item, class Pass>
    void list(std::vector<Item>& items, Pass pass) {
        constexpr std::size_t kFewBytes = 16;  // of most items
        std::size_t left = in_.get_count();
        items.reserve(std::min(left, in_.num_left() / kFewBytes));
        for (; left > 0 && !in_.has_failed(); --left) {
            pass(items.emplace_back());
        }
    }

    template <class Item, class Pass>
    void option(std::optional<Item>& item, Pass pass) {
        if (in_.get_u8() != 0) {
            pass(item.emplace());
        }
    }

    // layout: of the record, which is as long.
    void ranks(RankRuns& ranks, std::uint32_t layout) {
        std::uint64_t next = 0;
        for (std::size_t left = in_.get_count(); left > 0 && !in_.has_failed(); --left) {
            const std::uint64_t first = next + below(num_processes_);
            const std::uint64_t count = 1 + std::uint64_t{below(num_processes_)};
            const std::uint64_t stride = count > 1 ? below(num_processes_) : 1;
            next = first + (count - 1) * stride + 1;
            num_ranks_ += count;
            if (stride == 0 || next > num_processes_ || num_ranks_ > num_processes_) {
                in_.fail();
                return;
            }
            ranks.add({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(stride),
                       static_cast<std::uint32_t>(count)});
        }
        if (in_.has_failed() || ranks.empty() || ranks.size() != read_.layouts[layout].size()) {
            in_.fail();
        }
    }

private:
    std::uint32_t below(std::size_t limit) {
        const std::uint64_t number = in_.get_varint();
        if (number >= limit) {
            in_.fail();
            return 0;
        }
        return static_cast<std::uint32_t>(number);
    }

    ByteReader& in_;
    const RecordMessage& read_;
    const std::size_t num_processes_;
    std::uint64_t num_ranks_ = 0;
};

// The pieces. Io: Writer, and a constant piece, or Reader.

template <class Io, class Answer>
void pass_answer(Io& io, Answer& answer) {
    io.index(answer.component, &RecordMessage::names);
    if (answer.component != 0) {
        io.number(answer.priority);
        io.index(answer.value, &RecordMessage::names);
        io.flag(answer.is_named);
    }
}

template <class Io, class Side>
void pass_side(Io& io, Side& side) {
    io.index(side.type, &RecordMessage::names);
    io.number(side.order);
    io.index(side.component, &RecordMessage::names);
    io.number(side.priority);
    io.index(side.value, &RecordMessage::names);
    io.flag(side.is_for_node);
}

template <class Io, class Place>
void pass_place(Io& io, Place& place) {
    io.text(place.rule);
    io.cpus(place.cpus);
    io.list(place.inner, [&](auto& inner) {
        io.inner_level(inner.level);
        pass_answer(io, inner.answer);
    });
}

template <class Io, class Record>
void pass_common(Io& io, Record& record) {
    io.id(record.host_id);
    io.id_beside(record.node_id, record.host_id);
    io.id(record.shared_id);
    for (std::size_t level = 0; level < record.best.size(); ++level) {
        pass_answer(io, record.best[level]);
        pass_answer(io, record.forced[level]);
    }
    io.index(record.uplinks_component, &RecordMessage::names);
    io.index(record.settings, &RecordMessage::settings);
    io.list(record.side, [&](auto& side) { pass_side(io, side); });
}

template <class Io, class Record>
void pass_record(Io& io, Record& record) {
    pass_common(io, record);
    io.flag(record.begins_group);
    io.flag(record.is_host_asked);
    io.index(record.machine.component, &RecordMessage::names);
    if (record.machine.component != 0) {
        io.number(record.machine.priority);
        io.index(record.machine.machine, &RecordMessage::machines);
        io.rank(record.machine.rank);
    }
    io.index(record.layout, &RecordMessage::layouts);
    io.ranks(record.ranks, record.layout);
}

template <class Io, class AnyError>
void pass_entry(Io& io, AnyError& error) {
    io.code(error.code);
    io.text(error.value);
    io.text(error.message);
    io.text(error.where);
    io.number(error.line);
    io.number(error.column);
}

template <class Io, class Reported>
void pass_error(Io& io, Reported& reported) {
    io.rank(reported.rank);
    io.text(reported.component);
    pass_entry(io, reported.error);
    io.text(reported.error.variable);
    io.list(reported.error.others, [&](auto& other) { pass_entry(io, other); });
    io.number(reported.error.num_more);
}

template <class Io, class Message>
void pass_message(Io& io, Message& message) {
    const auto pass_text = [&](auto& text) { io.text(text); };
    io.list(message.names, pass_text);
    io.list(message.machines, pass_text);
    io.list(message.places, [&](auto& place) { pass_place(io, place); });
    io.list(message.layouts, [&](auto& places) {
        io.list(places, [&](auto& place) { io.index(place, &RecordMessage::places); });
    });
    io.list(message.settings, [&](auto& settings) {
        io.list(settings, [&](auto& setting) {
            io.text(setting.first);
            io.text(setting.second);
        });
    });
    io.list(message.records, [&](auto& record) { pass_record(io, record); });
    io.list(message.uplinks, pass_text);
    io.option(message.error, [&](auto& error) { pass_error(io, error); });
}

}  // namespace

std::string bytes_of(const ProcessBinding& place) {
    ByteWriter out;
    Writer io(out);
    pass_place(io, place);
    return out.take();
}

std::string bytes_of(const NodeRecord& record) {
    ByteWriter out;
    Writer io(out);
    pass_common(io, record);
    return out.take();
}

std::string encode(const RecordMessage& message) {
    constexpr std::size_t kUsualBytes = 80;  // of a record and its names
    ByteWriter out;
    out.reserve(kUsualBytes * message.records.size());
    Writer writer(out);
    pass_message(writer, message);
    return out.take();
}

std::string encode_groups(const RecordMessage& message, std::size_t num_groups) {
    MessageMaker first;
    first.append(message, num_groups);
    return encode(first.message());
}

Result<RecordMessage> decode(std::string_view bytes, std::size_t num_processes) {
    RecordMessage message;
    ByteReader in(bytes);
    Reader reader(in, message, num_processes);
    pass_message(reader, message);
    const bool has_first_name = message.names.empty() || message.names[0].empty();
    if (in.has_failed() || in.num_left() > 0 || !has_first_name) {
        return Error{Errc::kDisagree, "the records of processes", "it arrived damaged", "", 0, 0};
    }
    return message;
}

// ---- messages that become one ----

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

std::uint32_t MessageMaker::place(const ProcessBinding& place) {
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
        ProcessBinding own = other.places[i];
        for (ProcessBinding::Inner& inner : own.inner) {
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
