// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// By libyaml's events, not by its documents: it takes time in the square of the depth, of the anchors
// and of the %TAG lines, so each of them is counted before it takes the next.
#include "ompi/mca/hitopo/file/hitopo_file_yaml.h"

#ifdef HITOPO_HAVE_LIBYAML
#include <yaml.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/text/safe_text.h"

namespace hitopo {
namespace {

using MaybeError = std::optional<Error>;
using Kind = YamlDocuments::Kind;

constexpr std::size_t kMaxValues = 1000000;
constexpr std::size_t kMinBytesOfValue = 4;
constexpr std::size_t kNumFreeValues = 1024;  // of any text
constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxAnchors = 256;
constexpr std::size_t kMaxTags = 64;

int line_of(const yaml_mark_t& mark) { return static_cast<int>(mark.line) + 1; }
int column_of(const yaml_mark_t& mark) { return static_cast<int>(mark.column) + 1; }

Error error_at(const yaml_mark_t& mark, Errc code, std::string value, std::string message) {
    return {code, std::move(value), std::move(message), "", line_of(mark), column_of(mark)};
}

std::string_view text_of(const yaml_char_t* text) {
    return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

class Event {
public:
    explicit Event(yaml_parser_t* parser) : is_parsed_(yaml_parser_parse(parser, &event_) != 0) {}
    ~Event() {
        if (is_parsed_) {
            yaml_event_delete(&event_);
        }
    }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    bool is_parsed() const { return is_parsed_; }
    const yaml_event_t& operator*() const { return event_; }

private:
    yaml_event_t event_ = {};
    const bool is_parsed_;
};

// From events to documents.
class Builder {
public:
    explicit Builder(std::size_t num_bytes)
        : max_written_(num_bytes / kMinBytesOfValue + kNumFreeValues), documents_(num_bytes) {}

    MaybeError take(const yaml_event_t& event) {
        switch (event.type) {
            case YAML_DOCUMENT_START_EVENT:
                anchors_.clear();
                return std::nullopt;
            case YAML_ALIAS_EVENT:
                return take_alias(event);
            case YAML_SCALAR_EVENT:
                return take_text(event);
            case YAML_SEQUENCE_START_EVENT:
                return open(Kind::kList, event, text_of(event.data.sequence_start.anchor));
            case YAML_MAPPING_START_EVENT:
                return open(Kind::kMap, event, text_of(event.data.mapping_start.anchor));
            case YAML_SEQUENCE_END_EVENT:
            case YAML_MAPPING_END_EVENT:
                return close();
            default:
                return std::nullopt;
        }
    }

    YamlDocuments documents() { return std::move(documents_); }

    // What is whole, where the text breaks off; nothing where no document is.
    std::optional<YamlDocuments> documents_before(const Error& problem) {
        std::vector<std::uint32_t> open;
        for (const Open& each : open_) {
            open.push_back(each.id);
        }
        documents_.cut_off(open, problem);
        return documents_.size() == 0 ? std::nullopt : std::optional(std::move(documents_));
    }

private:
    struct Anchored {
        std::uint32_t id;
        std::size_t num_values;  // with those that its aliases mean
    };
    struct Open {
        std::uint32_t id;
        std::size_t num_before;
        std::string anchor;
    };

    MaybeError count(const yaml_event_t& event, std::size_t num_values) {
        num_values_ += num_values;
        if (num_values_ <= kMaxValues && documents_.num_values() <= max_written_) {
            return std::nullopt;
        }
        return error_at(
            event.start_mark, Errc::kTooLarge, "values",
            "a file has at most a million values, each as often as aliases repeat it, and one "
            "for each four of its bytes; write it simpler");
    }

    MaybeError remember(const yaml_event_t& event, std::string_view anchor) {
        if (anchor.empty() || ++num_anchors_ <= kMaxAnchors) {
            return std::nullopt;
        }
        return error_at(event.start_mark, Errc::kTooLarge, std::string(anchor),
                        "a file has at most 256 anchors; write it simpler");
    }

    MaybeError take_alias(const yaml_event_t& event) {
        const std::string name(text_of(event.data.alias.anchor));
        const auto anchored = anchors_.find(name);
        if (anchored == anchors_.end()) {
            return error_at(event.start_mark, Errc::kMalformed, '*' + name,
                            "no value that ends before this one has this anchor; correct the name");
        }
        documents_.add_alias(anchored->second.id, line_of(event.start_mark),
                             column_of(event.start_mark));
        return count(event, anchored->second.num_values);
    }

    MaybeError take_text(const yaml_event_t& event) {
        const auto& scalar = event.data.scalar;
        const std::uint32_t id =
            documents_.add_text({reinterpret_cast<const char*>(scalar.value), scalar.length},
                                line_of(event.start_mark), column_of(event.start_mark));
        if (scalar.anchor != nullptr) {
            anchors_[std::string(text_of(scalar.anchor))] = {id, 1};
        }
        const MaybeError error = remember(event, text_of(scalar.anchor));
        return error ? error : count(event, 1);
    }

    MaybeError open(Kind kind, const yaml_event_t& event, std::string_view anchor) {
        if (open_.size() >= kMaxDepth) {
            return error_at(event.start_mark, Errc::kTooLarge, "nesting",
                            "lists and maps lie at most 64 deep; write it simpler");
        }
        const std::uint32_t id =
            documents_.begin(kind, line_of(event.start_mark), column_of(event.start_mark));
        open_.push_back({id, num_values_, std::string(anchor)});
        const MaybeError error = remember(event, anchor);
        return error ? error : count(event, 1);
    }

    MaybeError close() {
        const Open& last = open_.back();
        documents_.end(last.id);
        if (!last.anchor.empty()) {
            anchors_[last.anchor] = {last.id, num_values_ - last.num_before};
        }
        open_.pop_back();
        return std::nullopt;
    }

    const std::size_t max_written_;
    YamlDocuments documents_;
    std::vector<Open> open_;
    std::unordered_map<std::string, Anchored> anchors_;
    std::size_t num_values_ = 0;
    std::size_t num_anchors_ = 0;
};

class YamlReader {
public:
    explicit YamlReader(std::string_view text)
        : text_(text), is_ready_(yaml_parser_initialize(&parser_) != 0) {
        if (is_ready_) {
            // libyaml ends a program that gives it no address, for no bytes too.
            const char* begin = text.empty() ? "" : text.data();
            yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(begin),
                                         text.size());
        }
    }
    ~YamlReader() {
        if (is_ready_) {
            yaml_parser_delete(&parser_);
        }
    }
    YamlReader(const YamlReader&) = delete;
    YamlReader& operator=(const YamlReader&) = delete;

    // Whether parsing ended at a byte that is no text.
    bool has_bad_byte() const { return is_ready_ && parser_.error == YAML_READER_ERROR; }

    Result<YamlDocuments> documents(std::size_t& num_events) {
        Builder builder(text_.size());
        while (is_ready_) {
            const Event event(&parser_);
            if (!event.is_parsed()) {
                break;
            }
            ++num_events;
            if ((*event).type == YAML_STREAM_END_EVENT) {
                return builder.documents();
            }
            if (const MaybeError error = builder.take(*event)) {
                return *error;
            }
        }
        const bool is_broken = is_ready_ && parser_.error != YAML_MEMORY_ERROR;
        std::optional<YamlDocuments> whole =
            is_broken ? builder.documents_before(problem()) : std::nullopt;
        return whole ? Result<YamlDocuments>(std::move(*whole)) : problem();
    }

private:
    Error problem() const {
        return error_at(parser_.problem_mark, Errc::kMalformed,
                        is_ready_ && parser_.problem != nullptr ? parser_.problem : "no memory",
                        "this is no YAML; correct the line");
    }

    const std::string_view text_;
    yaml_parser_t parser_ = {};
    const bool is_ready_;
};

// libyaml takes no byte that is no text, also in a comment: such as \xe9 here, which names apart stay
// by.
std::string without_bad_bytes(std::string_view text) {
    std::string readable;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\n\r\t"), text.size());
        readable += safe(text.substr(0, end), Charset::kUtf8);
        readable += text.substr(end, 1);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return readable;
}

// libyaml takes all of a document's at once.
MaybeError find_many_tags(std::string_view text) {
    constexpr std::string_view kTag = "%TAG";
    std::size_t num_tags = 0;
    for (std::size_t at = text.find(kTag); at != text.npos; at = text.find(kTag, at + 1)) {
        num_tags += at == 0 || text[at - 1] == '\n' || text[at - 1] == '\r' ? 1 : 0;
    }
    if (num_tags <= kMaxTags) {
        return std::nullopt;
    }
    return Error{Errc::kTooLarge,
                 std::string(kTag),
                 "a file has at most 64 %TAG lines; write it simpler",
                 "",
                 1,
                 1};
}

}  // namespace

Result<YamlDocuments> parse_yaml_counting(std::string_view text, std::size_t& num_events) {
    num_events = 0;
    if (const MaybeError error = find_many_tags(text)) {
        return *error;
    }
    {
        YamlReader reader(text);
        Result<YamlDocuments> documents = reader.documents(num_events);
        if (!reader.has_bad_byte()) {
            return documents;
        }
    }
    const std::string readable = without_bad_bytes(text);
    return YamlReader(readable).documents(num_events);
}

}  // namespace hitopo

#else

namespace hitopo {

Result<YamlDocuments> parse_yaml_counting(std::string_view, std::size_t&) {
    return Error{Errc::kUnreadable,
                 "YAML",
                 "this HiTopo was built without libyaml; build it with (Debian: libyaml-dev), or name a "
                 "topology.conf or a map",
                 "",
                 1,
                 1};
}

}  // namespace hitopo

#endif

namespace hitopo {

Result<YamlDocuments> parse_yaml(std::string_view text) {
    std::size_t num_events = 0;
    return parse_yaml_counting(text, num_events);
}

}  // namespace hitopo
