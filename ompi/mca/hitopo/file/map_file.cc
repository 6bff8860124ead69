// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/map_file.h"

#include <optional>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/answer.h"
#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/rank_list.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

using Words = std::vector<MapWord>;
using MaybeError = std::optional<Error>;

// The error of a list that is one word of the line.
Error inside(const MapWord& word, Error error) {
    error.column = word.column_of(static_cast<std::size_t>(error.column) - 1);
    return error;
}

Name to_name(std::string_view text, bool is_quoted) {
    const std::optional<std::uint64_t> number = is_quoted ? std::nullopt : parse_number(text);
    return number ? Name::number(*number) : Name(std::string(text));
}

// The line's value of this level or side resource; NULL: none.
RawValue* value_of(MapAnswer& line, std::string_view what) {
    const std::optional<Level> level = parse_level(what);
    const auto side = line.side.find(std::string(what));
    return level ? (line.levels[*level] ? &*line.levels[*level] : nullptr)
                 : (side != line.side.end() ? &side->second : nullptr);
}

// assign = LEVEL "=" VALUE { LEVEL "+=" VALUE }
//
//   switch=leaf1    island="the old racks"    socket=0
//   nvlink://Domain=rack7
//   island=core1 island+=spine2       spine2 below core1
MaybeError parse_value(const MapWord& word, MapAnswer& line) {
    const std::size_t equals = word.text.find('=');
    if (equals == std::string::npos) {
        return word.malformed("this is not LEVEL=VALUE; write it as switch=leaf1");
    }
    const std::string_view text = word.text;
    const std::string_view what = text.substr(0, equals);
    const bool is_below = !what.empty() && what.back() == '+';
    RawValue* above = is_below ? value_of(line, what.substr(0, what.size() - 1)) : nullptr;
    const bool is_side = what.find("://") != std::string_view::npos;
    if (is_side && above == nullptr && !is_side_type(what)) {
        return word.malformed(
            "this is not the URI of a side resource; write SCHEME://NAME with letters, digits and +-._, "
            "and a scheme other than hwloc, hitopo, mpi and slurm");
    }
    const std::optional<Level> level = parse_level(what);
    if (!is_side && !level && above == nullptr) {
        return word.malformed(
            "this is not a level; write cluster, island, switch, node, l2numa, socket, core or "
            "hwthread");
    }
    if (value_of(line, what) != nullptr) {
        return word.malformed("this line has the level twice; remove one of the values");
    }
    if (equals + 1 == text.size()) {
        return word.malformed("the value is missing; write it after '=' without a space");
    }
    const Name value = to_name(text.substr(equals + 1), word.is_quoted);
    if (above != nullptr) {
        above->path.push_back(value);
    } else if (level) {
        line.levels[*level] = value;
    } else {
        line.side.emplace(what, value);
    }
    return std::nullopt;
}

Result<bool> has_host(const MapWord& word, std::string_view host) {
    const Result<Hostlist> list = Hostlist::parse(word.text);
    if (!list) {
        return inside(word, list.error());
    }
    return list->contains_host(host);
}

Result<bool> has_rank(const MapWord& word, int rank) {
    const Result<NumberRanges> list = parse_ranges(word.text);
    if (!list) {
        return inside(word, list.error());
    }
    return has_number(*list, rank);
}

// One walk over a map and all that it includes, for one process.
class Walk {
public:
    Walk(const MapProcess& process, const MapReader& reader)
        : process_(process), open_(reader, [this](std::string_view& rest, int number) {
              line_ = number;
              return walk_line(take_line(rest));
          }) {}

    MaybeError walk_file(const std::string& path) { return open_.walk_file(path); }

    // The errors if there are lines, and none could be read.
    Result<MapAnswer> take_answer() {
        if (num_whole_ == 0 && !open_.skipped().is_empty()) {
            return *open_.skipped().as_one(open_.skipped().kept().front().code);
        }
        const RawAddress own = answer_.levels;
        make_relative(answer_.levels);
        for (const Level level : unique_) {
            answer_.levels[level] = own[level];
        }
        answer_.skipped = open_.skipped().as_one();
        return std::move(answer_);
    }

private:
    // line = "host" HOSTLIST assign { assign } | "rank" RANKLIST assign { assign }
    //      | "*" assign { assign } | "unique" LEVEL { LEVEL } | "include" PATH | shape
    //
    //   host node[1-16],login switch=leaf1 island=east
    //   rank 0-3,8,16-31:4 switch=leaf1
    MaybeError walk_line(std::string_view line) {
        const Result<Words> words = split_map_words(line);
        if (!words || words->empty()) {
            return words ? MaybeError() : words.error();
        }
        const std::string& keyword = words->front().text;
        if (keyword == "include") {
            return include(*words);
        }
        if (keyword == "shape") {
            return shape(*words);
        }
        if (keyword == "unique") {
            return unique(*words);
        }
        if (keyword == "*") {
            return assign(*words, 1, true);
        }
        if (keyword != "host" && keyword != "rank") {
            return words->front().malformed(
                "this line is of an unknown kind; begin it with host, rank, *, shape, unique or "
                "include");
        }
        if (words->size() == 1) {
            return words->front().malformed("the list is missing; write host node[1-4] or rank 0-3");
        }
        const MapWord& list = (*words)[1];
        if (keyword == "host" && answer_.first_hosts.empty()) {
            answer_.first_hosts = list.text;
        }
        const Result<bool> is_meant =
            keyword == "host" ? has_host(list, process_.host) : has_rank(list, process_.rank);
        answer_.names_host |= keyword == "host" && is_meant && *is_meant;
        return is_meant ? assign(*words, 2, *is_meant) : is_meant.error();
    }

    MaybeError assign(const Words& words, std::size_t first, bool is_meant) {
        if (words.size() == first) {
            return words.back().malformed("this line has no value; write LEVEL=VALUE at its end");
        }
        MapAnswer line;
        for (std::size_t i = first; i < words.size(); ++i) {
            if (MaybeError error = parse_value(words[i], line)) {
                return error;
            }
        }
        ++num_whole_;
        if (!is_meant) {
            return std::nullopt;
        }
        line.side.insert(answer_.side.begin(), answer_.side.end());
        if (line.side.size() > kMaxSideTypes) {
            return words.front().malformed("a process has at most 16 side resources; remove some");
        }
        take(line.levels);
        answer_.side = std::move(line.side);
        return std::nullopt;
    }

    MaybeError shape(const Words& words) {
        if (words.size() == 1) {
            return words.front().malformed("the shape is missing; write shape node:4 ranks:2");
        }
        const Result<MapShape> shape = MapShape::parse({words.begin() + 1, words.end()});
        if (!shape) {
            return shape.error();
        }
        ++num_whole_;
        take(shape->address_of(process_.rank));
        return std::nullopt;
    }

    // Each of these levels' names is one thing wherever it stands.
    MaybeError unique(const Words& words) {
        for (std::size_t i = 1; i < words.size(); ++i) {
            const std::optional<Level> level = parse_level(words[i].text);
            if (!level) {
                return words[i].malformed("this is not a level; write unique switch");
            }
            unique_.push_back(*level);
        }
        return std::nullopt;
    }

    MaybeError include(const Words& words) {
        if (words.size() != 2) {
            return words.front().malformed(
                "include takes one file name; put a name with spaces in quotes");
        }
        return open_.include(words[1].text, words[1].column);
    }

    void take(const RawAddress& levels) {
        for (std::size_t i = 0; i < levels.size(); ++i) {
            if (levels[i]) {
                answer_.levels[i] = levels[i];
                answer_.source[i] = open_.top() + ':' + std::to_string(line_);
            }
        }
    }

    const MapProcess& process_;
    MapAnswer answer_;
    IncludeStack open_;
    std::vector<Level> unique_;
    int line_ = 0;       // of the innermost open file
    int num_whole_ = 0;  // lines that set levels, of any process
};

}  // namespace

Result<MapAnswer> read_map(const std::string& path, const MapProcess& process, const MapReader& reader) {
    Walk walk(process, reader);
    if (const MaybeError error = walk.walk_file(path)) {
        return *error;
    }
    return walk.take_answer();
}

}  // namespace hitopo
