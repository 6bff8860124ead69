// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/wire_form.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <utility>

namespace hitopo {
namespace {

// How much of each list the first records use.
struct Beginnings {
    std::size_t names = 0, machines = 0, places = 0, layouts = 0, words = 0, records = 0;
};

void include(std::size_t index, std::size_t& beginning) { beginning = std::max(beginning, index + 1); }

void include(const LevelAnswer& answer, Beginnings& used) {
    include(answer.component, used.names);
    include(answer.value, used.names);
}

void include(const NodeRecord& record, Beginnings& used) {
    for (std::size_t level = 0; level < record.best.size(); ++level) {
        include(record.best[level], used);
        include(record.forced[level], used);
    }
    for (const SideValue& side : record.side) {
        include(std::max({side.type, side.component, side.value}), used.names);
    }
    include(std::max(record.uplinks_component, record.machine.component), used.names);
    if (record.machine.component != 0) {
        include(record.machine.machine, used.machines);
    }
    include(record.layout, used.layouts);
    include(record.words, used.words);
}

Beginnings beginnings_of(const RecordMessage& message, std::size_t num_records) {
    Beginnings used;
    used.names = std::min<std::size_t>(message.names.size(), 1);
    used.records = num_records;
    for (std::size_t i = 0; i < num_records; ++i) {
        include(message.records[i], used);
    }
    for (std::size_t i = 0; i < used.layouts; ++i) {
        for (const std::uint32_t place : message.layouts[i]) {
            include(place, used.places);
        }
    }
    for (std::size_t i = 0; i < used.places; ++i) {
        for (const SeatPlace::Inner& inner : message.places[i].inner) {
            include(inner.answer, used);
        }
    }
    return used;
}

// Writes what it is given. Writer and Reader have the same functions, so that one description of each
// piece serves for both.
class Writer {
public:
    explicit Writer(ByteWriter& out) : out_(out) {}

    void id(std::uint64_t id) { out_.put_u64(id); }
    void id_beside(std::uint64_t id, std::uint64_t other) { out_.put_varint(id ^ other); }
    void number(std::int32_t number) { out_.put_signed(number); }
    void text(const std::string& text) { out_.put_short(text); }
    void code(Errc code) { out_.put_signed(static_cast<int>(code)); }
    void inner_level(Level level) { out_.put_varint(static_cast<std::uint64_t>(level - kL2Numa)); }
    void name(std::uint32_t index) { out_.put_varint(index); }
    void value(std::uint32_t index) { out_.put_varint(index); }
    void machine(std::uint32_t index) { out_.put_varint(index); }
    void place(std::uint32_t index) { out_.put_varint(index); }
    void words(std::uint32_t index) { out_.put_varint(index); }
    void rank(std::uint32_t rank) { out_.put_varint(rank); }
    void cpus(const CpuSet& cpus) { put_cpus(cpus, out_); }

    template <class... Flags>
    void bits(const Flags&... flags) {
        std::uint8_t bits = 0, bit = 1;
        (void)std::initializer_list<int>{(bits |= flags ? bit : 0, bit <<= 1, 0)...};
        out_.put_u8(bits);
    }

    // The first `end` of them, each by pass(item).
    template <class Item, class Pass>
    void list(const std::vector<Item>& items, std::size_t end, Pass pass) {
        out_.put_varint(end);
        std::for_each(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(end), pass);
    }

    template <class Item, class Pass>
    void option(const std::optional<Item>& item, Pass pass) {
        out_.put_u8(item ? 1 : 0);
        if (item) {
            pass(*item);
        }
    }

    void layout_and_ranks(std::uint32_t layout, const RankRuns& ranks) {
        out_.put_varint(layout);
        out_.put_varint(ranks.num_runs());
        std::uint32_t next = 0;
        for (std::size_t i = 0; i < ranks.num_runs(); ++i) {
            const RankRun run = ranks.run(i);
            out_.put_varint(run.first - next);
            out_.put_varint(run.count - 1);
            if (run.count > 1) {
                out_.put_varint(run.stride);
            }
            next = run.last() + 1;
        }
    }

private:
    ByteWriter& out_;
};

// Reads any bytes: what is out of range fails it.
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
    void name(std::uint32_t& index) { index = below(read_.names.size()); }
    void value(std::uint32_t& index) {
        name(index);
        if (are_values_.empty()) {
            std::transform(read_.names.begin(), read_.names.end(), std::back_inserter(are_values_),
                           is_value);
        }
        if (in_.has_failed() || !are_values_[index]) {
            in_.fail();
        }
    }
    void machine(std::uint32_t& index) { index = below(read_.machines.size()); }
    void place(std::uint32_t& index) { index = below(read_.places.size()); }
    void words(std::uint32_t& index) { index = below(read_.words.size()); }
    void rank(std::uint32_t& rank) { rank = below(num_processes_); }
    void cpus(CpuSet& cpus) { cpus = get_cpus(in_); }

    template <class... Flags>
    void bits(Flags&... flags) {
        std::uint8_t bits = in_.get_u8();
        (void)std::initializer_list<int>{(flags = (bits & 1) != 0, bits >>= 1, 0)...};
    }

    template <class Item, class Pass>
    void list(std::vector<Item>& items, std::size_t, Pass pass) {
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

    void layout_and_ranks(std::uint32_t& layout, RankRuns& ranks) {
        layout = below(read_.layouts.size());
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
    static bool is_value(const std::string& bytes) {
        ByteReader reader(bytes);
        const bool has_path = ByteReader(bytes).get_u16() > 0;
        (void)reader.skip_value();
        return has_path && !reader.has_failed() && reader.num_left() == 0;
    }

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
    std::vector<bool> are_values_;  // by name, once they are all there
};

// The pieces. Io: Writer, and a constant piece, or Reader.

template <class Io, class Answer>
void pass_answer(Io& io, Answer& answer) {
    io.name(answer.component);
    if (answer.component != 0) {
        io.number(answer.priority);
        io.value(answer.value);
        io.bits(answer.is_named, answer.is_for_node);
    }
}

template <class Io, class Side>
void pass_side(Io& io, Side& side) {
    io.name(side.type);
    io.number(side.order);
    io.name(side.component);
    io.number(side.priority);
    io.value(side.value);
    io.bits(side.is_for_node);
}

template <class Io, class Place>
void pass_place(Io& io, Place& place) {
    io.text(place.rule);
    io.cpus(place.cpus);
    io.list(place.inner, place.inner.size(), [&](auto& inner) {
        io.inner_level(inner.level);
        pass_answer(io, inner.answer);
    });
}

template <class Io, class Words>
void pass_words(Io& io, Words& words) {
    io.list(words, words.size(), [&](auto& word) {
        io.text(word.first);
        io.text(word.second);
    });
}

template <class Io, class Record>
void pass_said(Io& io, Record& record) {
    io.id(record.host_id);
    io.id_beside(record.node_id, record.host_id);
    io.id(record.shared_id);
    for (std::size_t level = 0; level < record.best.size(); ++level) {
        pass_answer(io, record.best[level]);
        pass_answer(io, record.forced[level]);
    }
    io.name(record.uplinks_component);
    io.words(record.words);
    io.list(record.side, record.side.size(), [&](auto& side) { pass_side(io, side); });
}

template <class Io, class Record>
void pass_record(Io& io, Record& record) {
    pass_said(io, record);
    io.bits(record.begins_group, record.is_host_asked);
    io.name(record.machine.component);
    if (record.machine.component != 0) {
        io.number(record.machine.priority);
        io.machine(record.machine.machine);
        io.rank(record.machine.rank);
    }
    io.layout_and_ranks(record.layout, record.ranks);
}

template <class Io, class Told>
void pass_error(Io& io, Told& told) {
    io.rank(told.rank);
    io.text(told.component);
    io.code(told.error.code);
    io.text(told.error.value);
    io.text(told.error.message);
    io.text(told.error.where);
    io.number(told.error.line);
    io.number(told.error.column);
}

template <class Io, class Message>
void pass_message(Io& io, Message& message, const Beginnings& used) {
    const auto pass_text = [&](auto& text) { io.text(text); };
    io.list(message.names, used.names, pass_text);
    io.list(message.machines, used.machines, pass_text);
    io.list(message.places, used.places, [&](auto& place) { pass_place(io, place); });
    io.list(message.layouts, used.layouts, [&](auto& places) {
        io.list(places, places.size(), [&](auto& place) { io.place(place); });
    });
    io.list(message.words, used.words, [&](auto& words) { pass_words(io, words); });
    io.list(message.records, used.records, [&](auto& record) { pass_record(io, record); });
    io.list(message.uplinks, message.uplinks.size(), pass_text);
    io.option(message.error, [&](auto& error) { pass_error(io, error); });
}

std::string encode(const RecordMessage& message, const Beginnings& used) {
    constexpr std::size_t kUsualBytes = 80;  // of a record and its names
    ByteWriter out;
    out.reserve(kUsualBytes * used.records);
    Writer writer(out);
    pass_message(writer, message, used);
    return out.take();
}

}  // namespace

void put(const SeatPlace& place, ByteWriter& writer) {
    Writer io(writer);
    pass_place(io, place);
}

void put(const SameWords& words, ByteWriter& writer) {
    Writer io(writer);
    pass_words(io, words);
}

void put_said(const NodeRecord& record, ByteWriter& writer) {
    Writer io(writer);
    pass_said(io, record);
}

std::string encode(const RecordMessage& message) {
    return encode(message, {message.names.size(), message.machines.size(), message.places.size(),
                            message.layouts.size(), message.words.size(), message.records.size()});
}

std::string encode_groups(const RecordMessage& message, std::size_t num_groups) {
    const auto is_over = [&](const NodeRecord& record) {
        return record.begins_group && num_groups-- == 0;
    };
    const auto end = std::find_if(message.records.begin(), message.records.end(), is_over);
    return encode(message,
                  beginnings_of(message, static_cast<std::size_t>(end - message.records.begin())));
}

Result<RecordMessage> decode(std::string_view bytes, std::size_t num_processes) {
    RecordMessage message;
    ByteReader in(bytes);
    Reader reader(in, message, num_processes);
    pass_message(reader, message, {});
    const bool has_first_name = message.names.empty() || message.names[0].empty();
    if (in.has_failed() || in.num_left() > 0 || !has_first_name) {
        return Error{Errc::kDisagree, "the records of processes", "it arrived damaged", "", 0, 0};
    }
    return message;
}

}  // namespace hitopo
