// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/wire_form.h"

#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/core/machine/binding.h"

namespace hitopo {
namespace {

// Of an answer, below its value.
constexpr std::uint64_t kIsNamed = 1, kIsForNode = 2;
constexpr int kNumAnswerFlags = 2;
// Of a record.
constexpr std::uint64_t kBeginsGroup = 1, kIsHostAsked = 2, kHasMachine = 4;

// How much of each list the first records use.
struct Beginnings {
    std::size_t names = 1, machines = 0, places = 0, layouts = 0, words = 0, records = 0;
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

// Writing.

void put(const LevelAnswer& answer, ByteWriter& writer) {
    writer.put_varint(answer.component);
    writer.put_signed(answer.priority);
    writer.put_varint(std::uint64_t{answer.value} << kNumAnswerFlags | (answer.is_named ? kIsNamed : 0) |
                      (answer.is_for_node ? kIsForNode : 0));
}

// Which levels are known, and their answers.
void put(const NodeRecord::Answers& answers, ByteWriter& writer) {
    std::uint64_t known = 0;
    for (std::size_t level = 0; level < answers.size(); ++level) {
        known |= (answers[level].is_known() ? 1U : 0) << level;
    }
    writer.put_varint(known);
    for (const LevelAnswer& answer : answers) {
        if (answer.is_known()) {
            put(answer, writer);
        }
    }
}

void put(const SideValue& side, ByteWriter& writer) {
    writer.put_varint(side.type);
    writer.put_signed(side.order);
    put(LevelAnswer{side.component, side.priority, side.value, true, side.is_for_node}, writer);
}

void put(const RankRuns& ranks, ByteWriter& writer) {
    writer.put_varint(ranks.num_runs());
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < ranks.num_runs(); ++i) {
        const RankRun run = ranks.run(i);
        writer.put_varint(run.first - next);
        writer.put_varint(run.count - 1);
        if (run.count > 1) {
            writer.put_varint(run.stride);
        }
        next = run.last() + 1;
    }
}

void put(const NodeRecord& record, ByteWriter& writer) {
    put_said(record, writer);
    const MachineAnswer& machine = record.machine;
    const bool has_machine = machine.component != 0;
    writer.put_varint((record.begins_group ? kBeginsGroup : 0) |
                      (record.is_host_asked ? kIsHostAsked : 0) | (has_machine ? kHasMachine : 0));
    if (has_machine) {
        writer.put_varint(machine.component);
        writer.put_signed(machine.priority);
        writer.put_varint(machine.machine);
        writer.put_varint(machine.rank);
    }
    writer.put_varint(record.layout);
    put(record.ranks, writer);
}

void put(const ReportedError& told, ByteWriter& writer) {
    writer.put_varint(told.rank);
    writer.put_short(told.component);
    writer.put_signed(static_cast<int>(told.error.code));
    writer.put_short(told.error.value);
    writer.put_short(told.error.message);
    writer.put_short(told.error.where);
    writer.put_signed(told.error.line);
    writer.put_signed(told.error.column);
}

void put_text(const std::string& text, ByteWriter& writer) { writer.put_short(text); }

// A list's elements from one to another, and how many they are.
template <class Item, class Put>
void put_list(const std::vector<Item>& items, std::size_t begin, std::size_t end, Put put_item,
              ByteWriter& writer) {
    writer.put_varint(end - begin);
    for (std::size_t i = begin; i < end; ++i) {
        put_item(items[i], writer);
    }
}

std::string encode(const RecordMessage& message, const Beginnings& used) {
    constexpr std::size_t kUsualBytes = 80;  // of a record and its names
    const auto put_item = [](const auto& item, ByteWriter& out) { put(item, out); };
    const auto put_places = [](const std::vector<std::uint32_t>& places, ByteWriter& out) {
        put_list(
            places, 0, places.size(), [](std::uint32_t place, ByteWriter& o) { o.put_varint(place); },
            out);
    };
    ByteWriter writer;
    writer.reserve(kUsualBytes * used.records);
    put_list(message.names, 1, used.names, put_text, writer);
    put_list(message.machines, 0, used.machines, put_text, writer);
    put_list(message.places, 0, used.places, put_item, writer);
    put_list(message.layouts, 0, used.layouts, put_places, writer);
    put_list(message.words, 0, used.words, put_item, writer);
    put_list(message.records, 0, used.records, put_item, writer);
    put_list(message.uplinks, 0, message.uplinks.size(), put_text, writer);
    writer.put_u8(message.error ? 1 : 0);
    if (message.error) {
        put(*message.error, writer);
    }
    return writer.take();
}

// Reading.

class Decoder {
public:
    Decoder(std::string_view bytes, std::size_t num_processes)
        : reader_(bytes), num_processes_(num_processes) {}

    Result<RecordMessage> run() {
        out_.names.emplace_back();
        get_list(out_.names, [this] { return get_text(); });
        are_values_ = std::vector<bool>(out_.names.size());
        for (std::size_t i = 0; i < out_.names.size(); ++i) {
            are_values_[i] = is_value(out_.names[i]);
        }
        get_list(out_.machines, [this] { return get_text(); });
        get_list(out_.places, [this] { return get_place(); });
        get_list(out_.layouts, [this] { return get_layout(); });
        get_list(out_.words, [this] { return get_words(); });
        get_list(out_.records, [this] { return get_record(); });
        get_list(out_.uplinks, [this] { return get_text(); });
        if (reader_.get_u8() != 0) {
            out_.error = get_error();
        }
        if (reader_.has_failed() || reader_.num_left() > 0) {
            return Error{Errc::kDisagree, "what processes say", "it arrived damaged", "", 0, 0};
        }
        return std::move(out_);
    }

private:
    static bool is_value(std::string_view bytes) {
        ByteReader reader(bytes);
        const bool has_path = reader.rest().size() >= 2 && ByteReader(bytes).get_u16() > 0;
        (void)reader.skip_value();
        return has_path && !reader.has_failed() && reader.num_left() == 0;
    }

    template <class Item, class Get>
    void get_list(std::vector<Item>& items, Get get_item) {
        for (std::size_t left = reader_.get_count(); left > 0 && !reader_.has_failed(); --left) {
            items.push_back(get_item());
        }
    }

    std::string get_text() { return std::string(reader_.get_short()); }

    // Below a limit, else 0 after a failure.
    std::uint32_t get_below(std::size_t limit) {
        const std::uint64_t number = reader_.get_varint();
        if (number >= limit) {
            reader_.fail();
            return 0;
        }
        return static_cast<std::uint32_t>(number);
    }

    std::int32_t get_int() {
        const std::int64_t number = reader_.get_signed();
        if (number < INT32_MIN || number > INT32_MAX) {
            reader_.fail();
        }
        return static_cast<std::int32_t>(number);
    }

    LevelAnswer get_answer() {
        LevelAnswer answer;
        answer.component = get_below(out_.names.size());
        answer.priority = get_int();
        const std::uint64_t value = reader_.get_varint();
        answer.is_named = (value & kIsNamed) != 0;
        answer.is_for_node = (value & kIsForNode) != 0;
        if (answer.component == 0 || value >> kNumAnswerFlags >= out_.names.size() ||
            !are_values_[value >> kNumAnswerFlags]) {
            reader_.fail();
            return {};
        }
        answer.value = static_cast<std::uint32_t>(value >> kNumAnswerFlags);
        return answer;
    }

    NodeRecord::Answers get_answers() {
        NodeRecord::Answers answers;
        const std::uint32_t known = get_below(std::size_t{1} << answers.size());
        for (std::size_t level = 0; level < answers.size(); ++level) {
            if ((known >> level & 1) != 0) {
                answers[level] = get_answer();
            }
        }
        return answers;
    }

    SideValue get_side() {
        SideValue side;
        side.type = get_below(out_.names.size());
        side.order = get_int();
        const LevelAnswer answer = get_answer();
        side.component = answer.component;
        side.priority = answer.priority;
        side.value = answer.value;
        side.is_for_node = answer.is_for_node;
        return side;
    }

    SeatPlace get_place() {
        SeatPlace place;
        place.rule = reader_.get_short().substr(0, kMaxRuleLength);
        if (place.rule.empty()) {
            place.cpus = get_cpus(reader_);
        }
        get_list(place.inner, [this] {
            SeatPlace::Inner inner;
            inner.level = static_cast<Level>(kL2Numa + get_below(kNumLevels - kL2Numa));
            inner.answer = get_answer();
            return inner;
        });
        return place;
    }

    std::vector<std::uint32_t> get_layout() {
        std::vector<std::uint32_t> places;
        get_list(places, [this] { return get_below(out_.places.size()); });
        return places;
    }

    SameWords get_words() {
        SameWords words;
        get_list(words, [this] {
            std::string key = get_text();
            return std::pair(std::move(key), get_text());
        });
        return words;
    }

    RankRuns get_ranks() {
        RankRuns ranks;
        std::uint64_t next = 0;
        for (std::size_t left = reader_.get_count(2); left > 0; --left) {
            const std::uint64_t first = next + get_below(num_processes_);
            const std::uint64_t count = 1 + std::uint64_t{get_below(num_processes_)};
            const std::uint64_t stride = count > 1 ? get_below(num_processes_) : 1;
            next = first + (count - 1) * stride + 1;
            num_ranks_ += count;
            if (reader_.has_failed() || stride == 0 || next > num_processes_ ||
                num_ranks_ > num_processes_) {
                reader_.fail();
                return {};
            }
            ranks.add({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(stride),
                       static_cast<std::uint32_t>(count)});
        }
        return ranks;
    }

    MachineAnswer get_machine() {
        MachineAnswer machine;
        machine.component = get_below(out_.names.size());
        machine.priority = get_int();
        machine.machine = get_below(out_.machines.size());
        machine.rank = get_below(num_processes_);
        return machine;
    }

    NodeRecord get_record() {
        NodeRecord record;
        record.host_id = reader_.get_u64();
        record.node_id = reader_.get_u8() != 0 ? reader_.get_u64() : record.host_id;
        record.shared_id = reader_.get_u64();
        record.best = get_answers();
        record.forced = get_answers();
        record.uplinks_component = get_below(out_.names.size());
        record.words = get_below(out_.words.size());
        get_list(record.side, [this] { return get_side(); });
        const std::uint64_t flags = reader_.get_varint();
        record.begins_group = (flags & kBeginsGroup) != 0;
        record.is_host_asked = (flags & kIsHostAsked) != 0;
        if ((flags & kHasMachine) != 0) {
            record.machine = get_machine();
        }
        record.layout = get_below(out_.layouts.size());
        record.ranks = get_ranks();
        if (reader_.has_failed() || record.ranks.empty() ||
            record.ranks.size() != out_.layouts[record.layout].size()) {
            reader_.fail();
        }
        return record;
    }

    ReportedError get_error() {
        ReportedError told;
        told.rank = get_below(num_processes_);
        told.component = get_text();
        told.error.code = static_cast<Errc>(get_int());
        told.error.value = get_text();
        told.error.message = get_text();
        told.error.where = get_text();
        told.error.line = get_int();
        told.error.column = get_int();
        return told;
    }

    ByteReader reader_;
    const std::size_t num_processes_;
    std::uint64_t num_ranks_ = 0;
    std::vector<bool> are_values_;
    RecordMessage out_;
};

}  // namespace

void put(const SeatPlace& place, ByteWriter& writer) {
    writer.put_short(place.rule);
    if (place.rule.empty()) {
        put_cpus(place.cpus, writer);
    }
    writer.put_varint(place.inner.size());
    for (const SeatPlace::Inner& inner : place.inner) {
        writer.put_varint(static_cast<std::uint64_t>(inner.level - kL2Numa));
        put(inner.answer, writer);
    }
}

void put(const SameWords& words, ByteWriter& writer) {
    writer.put_varint(words.size());
    for (const auto& [key, value] : words) {
        writer.put_short(key);
        writer.put_short(value);
    }
}

void put_said(const NodeRecord& record, ByteWriter& writer) {
    writer.put_u64(record.host_id);
    writer.put_u8(record.node_id != record.host_id ? 1 : 0);
    if (record.node_id != record.host_id) {
        writer.put_u64(record.node_id);
    }
    writer.put_u64(record.shared_id);
    put(record.best, writer);
    put(record.forced, writer);
    writer.put_varint(record.uplinks_component);
    writer.put_varint(record.words);
    writer.put_varint(record.side.size());
    for (const SideValue& side : record.side) {
        put(side, writer);
    }
}

std::string encode(const RecordMessage& message) {
    return encode(message, {std::max<std::size_t>(message.names.size(), 1), message.machines.size(),
                            message.places.size(), message.layouts.size(), message.words.size(),
                            message.records.size()});
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
    return Decoder(bytes, num_processes).run();
}

}  // namespace hitopo
