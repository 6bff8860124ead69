// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
//   parts        = each: report, rank, elapsed_ns, remarks, text of members, number of entries, entries
//   entry        = u64 key, u8 whether it can be described, text of traffic
//   question     = number of them, indices among all entries of the parts
//   descriptions = texts, in the order of the question
//
// Numbers are varints, and a text stands behind its length.
#include "profiler/gather/gather.h"

#include <algorithm>
#include <climits>
#include <iterator>
#include <set>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {
namespace {

constexpr int kRoot = 0;
constexpr std::size_t kEntryBytes = 10;  // at least

using Entry = ProcessPart::Entry;
// The communicators of each report that somebody has described.
using Known = std::set<std::pair<int, std::uint64_t>>;

std::string text_of(const std::function<std::string()>& make) noexcept {
    std::string text;
    return has_done([&] { text = make(); }) ? text : std::string();
}

std::vector<Entry*> entries_of(Parts& parts) {
    std::vector<Entry*> entries;
    for (ProcessPart& part : parts) {
        for (Entry& entry : part.entries) {
            entries.push_back(&entry);
        }
    }
    return entries;
}

// Only the first entry of each communicator is to describe it, and none that is known.
void describe_once(Parts& parts, const Known& known) {
    Known met;
    for (ProcessPart& part : parts) {
        for (Entry& entry : part.entries) {
            const std::pair key(part.report, entry.key);
            if (entry.describe && (known.count(key) != 0 || !met.insert(key).second)) {
                entry.describe = nullptr;
            }
        }
    }
}

void note(const Parts& parts, Known& known) {
    for (const ProcessPart& part : parts) {
        for (const Entry& entry : part.entries) {
            if (entry.describe) {
                known.insert({part.report, entry.key});
            }
        }
    }
}

std::string question_for(Parts& parts) {
    ByteWriter indices;
    std::size_t count = 0;
    const std::vector<Entry*> entries = entries_of(parts);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i]->describe) {
            indices.put_varint(i);
            ++count;
        }
    }
    ByteWriter question;
    question.put_varint(count);
    return count == 0 ? "" : question.take() + indices.bytes();
}

std::string descriptions_for(std::string_view question, Parts& parts) {
    const std::vector<Entry*> entries = entries_of(parts);
    ByteReader reader(question);
    ByteWriter descriptions;
    for (std::size_t count = reader.get_count(); count > 0; --count) {
        descriptions.put_short(entries.at(reader.get_varint())->describe());
    }
    return descriptions.take();
}

void take_descriptions(std::string_view bytes, Parts& parts) {
    ByteReader reader(bytes);
    for (Entry* entry : entries_of(parts)) {
        if (entry->describe) {
            std::string description(reader.get_short());
            entry->describe = [description = std::move(description)] { return description; };
        }
    }
    if (reader.has_failed()) {
        throw std::invalid_argument("not the descriptions that were asked for");
    }
}

void hand_in(Post& post, int to, Parts& parts) noexcept {
    if (!post.send(to, text_of([&] { return encode(parts); }))) {
        return;
    }
    const std::optional<std::string> question = post.receive(to);
    if (question && !question->empty()) {
        (void)post.send(to, text_of([&] { return descriptions_for(*question, parts); }));
    }
}

// Appends what `from` hands in, or nothing.
void take_in(Post& post, int from, Known& known, Parts& all) noexcept {
    const std::optional<std::string> bytes = post.receive(from);
    if (!bytes) {
        return;
    }
    Parts parts;
    const std::string question = text_of([&] {
        parts = decode_parts(*bytes).value_or(Parts());
        describe_once(parts, known);
        return question_for(parts);
    });
    std::optional<std::string> descriptions = "";
    if (!post.send(from, question) || (!question.empty() && !(descriptions = post.receive(from)))) {
        return;
    }
    (void)has_done([&] {
        take_descriptions(*descriptions, parts);
        all.reserve(all.size() + parts.size());
        note(parts, known);
        std::move(parts.begin(), parts.end(), std::back_inserter(all));
    });
}

// This process's node: its own parts and its members'.
Parts parts_of_node(Post& post, const std::vector<int>& members, const std::function<Parts()>& own,
                    Known& known) noexcept {
    Parts parts;
    if (!has_done([&] {
            parts = own();
            describe_once(parts, {});
            note(parts, known);
        })) {
        parts.clear();
    }
    for (const int member : members) {
        take_in(post, member, known, parts);
    }
    return parts;
}

}  // namespace

std::string encode(const Parts& parts) {
    ByteWriter writer;
    for (const ProcessPart& part : parts) {
        writer.put_varint(static_cast<std::uint64_t>(part.report));
        writer.put_varint(static_cast<std::uint64_t>(part.rank));
        writer.put_varint(part.elapsed_ns);
        writer.put_varint(part.remarks);
        writer.put_short(part.members);
        writer.put_varint(part.entries.size());
        for (const Entry& entry : part.entries) {
            writer.put_u64(entry.key);
            writer.put_u8(entry.describe ? 1 : 0);
            writer.put_short(entry.traffic);
        }
    }
    return writer.take();
}

std::optional<Parts> decode_parts(std::string_view bytes) {
    ByteReader reader(bytes);
    Parts parts;
    const auto get_int = [&] {
        const std::uint64_t number = reader.get_varint();
        if (number > INT_MAX) {
            reader.fail();
        }
        return static_cast<int>(number);
    };
    while (reader.num_left() > 0) {
        ProcessPart& part = parts.emplace_back();
        part.report = get_int();
        part.rank = get_int();
        part.elapsed_ns = reader.get_varint();
        part.remarks = reader.get_varint();
        part.members = reader.get_short();
        part.entries.resize(reader.get_count(kEntryBytes));
        for (Entry& entry : part.entries) {
            entry.key = reader.get_u64();
            if (reader.get_u8() != 0) {
                entry.describe = [] { return std::string(); };
            }
            entry.traffic = reader.get_short();
        }
    }
    return reader.has_failed() ? std::nullopt : std::optional(std::move(parts));
}

Duties duties_of(int rank, int size, const std::function<std::int64_t(int)>& node_of) {
    const std::int64_t own = node_of(rank);
    Duties duties;
    duties.leader = rank;
    std::unordered_set<std::int64_t> met;
    for (int other = 0; other < size; ++other) {
        const std::int64_t node = node_of(other);
        duties.hash = combine(duties.hash, static_cast<std::uint64_t>(node));
        if (other != rank && node >= 0 && node == own) {
            duties.leader = std::min(duties.leader, other);
            duties.members.push_back(other);
        } else if (rank == kRoot && other != kRoot && (node < 0 || met.insert(node).second)) {
            duties.leaders.push_back(other);
        }
    }
    if (duties.leader != rank) {
        duties.members.clear();
    }
    return duties;
}

void gather(Post& post, int rank, int size, const Duties& duties, const std::function<Parts()>& own,
            const Take& take) noexcept {
    Known known;
    Parts parts = parts_of_node(post, duties.members, own, known);
    if (rank != kRoot) {
        hand_in(post, duties.leader != rank ? duties.leader : kRoot, parts);
        return;
    }
    for (std::size_t node = 0; node <= duties.leaders.size(); ++node) {
        const int end = node < duties.leaders.size() ? duties.leaders[node] : size;
        (void)has_done([&] { take(std::exchange(parts, {}), end); });
        if (end < size) {
            take_in(post, end, known, parts);
        }
    }
}

}  // namespace hitopo
