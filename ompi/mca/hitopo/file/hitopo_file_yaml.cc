// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// By libyaml's events, not by its documents: it takes time in the square of the depth, of the anchors
// and of the %TAG lines, so each of them is counted before it takes the next.
#include "ompi/mca/hitopo/file/hitopo_file_yaml.h"

#include "ompi/mca/hitopo/file/hitopo_file_json.h"

#ifdef HITOPO_HAVE_LIBYAML
#include <yaml.h>

#include <optional>
#include <string>
#include <utility>

#include "ompi/mca/hitopo/file/yaml/yaml_text.h"

namespace hitopo {
namespace {

int line_of(const yaml_mark_t& mark) { return static_cast<int>(mark.line) + 1; }
int column_of(const yaml_mark_t& mark) { return static_cast<int>(mark.column) + 1; }

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

// A plain null is none.
std::string_view text_of(const yaml_event_t& event) {
    const auto& scalar = event.data.scalar;
    const std::string_view text(reinterpret_cast<const char*>(scalar.value), scalar.length);
    const bool is_null = scalar.style == YAML_PLAIN_SCALAR_STYLE && (text == "null" || text == "~");
    return is_null ? std::string_view() : text;
}

std::optional<Error> take(const yaml_event_t& event, YamlBuilder& builder) {
    using Kind = YamlDocuments::Kind;
    const TextPlace place = {line_of(event.start_mark), column_of(event.start_mark),
                             event.end_mark.index};
    switch (event.type) {
        case YAML_DOCUMENT_START_EVENT:
            builder.begin_document();
            return std::nullopt;
        case YAML_ALIAS_EVENT:
            return builder.take_alias(std::string(text_of(event.data.alias.anchor)), place);
        case YAML_SCALAR_EVENT:
            return builder.take_text(text_of(event), text_of(event.data.scalar.anchor), place);
        case YAML_SEQUENCE_START_EVENT:
            return builder.open(Kind::kList, text_of(event.data.sequence_start.anchor), place);
        case YAML_MAPPING_START_EVENT:
            return builder.open(Kind::kMap, text_of(event.data.mapping_start.anchor), place);
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT:
            builder.close();
            return std::nullopt;
        default:
            return std::nullopt;
    }
}

class YamlReader {
public:
    YamlReader(TextSource source, bool makes_readable)
        : text_(std::move(source), makes_readable), is_ready_(yaml_parser_initialize(&parser_) != 0) {
        if (is_ready_) {
            yaml_parser_set_input(&parser_, read, &text_);
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
    bool has_bad_byte() const {
        return is_ready_ && parser_.error == YAML_READER_ERROR && !text_.error();
    }

    Result<YamlDocuments> documents(const IsWanted& is_wanted, std::size_t& num_events) {
        YamlBuilder builder(is_wanted);
        while (is_ready_) {
            const Event event(&parser_);
            if (!event.is_parsed()) {
                break;
            }
            ++num_events;
            if ((*event).type == YAML_STREAM_END_EVENT) {
                return builder.documents();
            }
            if (const std::optional<Error> error = take(*event, builder)) {
                return *error;
            }
        }
        if (text_.error()) {
            return *text_.error();
        }
        const bool is_broken = is_ready_ && parser_.error != YAML_MEMORY_ERROR;
        std::optional<YamlDocuments> whole =
            is_broken ? builder.documents_before(problem()) : std::nullopt;
        return whole ? Result<YamlDocuments>(std::move(*whole)) : problem();
    }

private:
    static int read(void* text, unsigned char* bytes, std::size_t size, std::size_t* num_read) {
        auto& from = *static_cast<YamlText*>(text);
        *num_read = from.read(bytes, size);
        return from.error() ? 0 : 1;
    }

    Error problem() const {
        constexpr std::size_t kMaxEscape = 11;  // the longest token that is read as a whole, and an end
        const bool is_at_end = is_ready_ && parser_.eof != 0 && parser_.unread <= kMaxEscape;
        return {Errc::kMalformed,
                is_ready_ && parser_.problem != nullptr ? parser_.problem : "no memory",
                is_at_end ? "the text ends in the middle of a value; write the file again, or " +
                                std::string(kWriteLess)
                          : "this is not YAML; correct the line",
                "",
                line_of(parser_.problem_mark),
                column_of(parser_.problem_mark)};
    }

    YamlText text_;
    yaml_parser_t parser_ = {};
    const bool is_ready_;
};

Result<YamlDocuments> parse_by_libyaml(const OpenText& open, const IsWanted& is_wanted,
                                       std::size_t& num_events) {
    bool has_bad_byte = false;
    const auto read = [&](bool makes_readable) -> Result<YamlDocuments> {
        Result<TextSource> source = open();
        if (!source) {
            return source.error();
        }
        YamlReader reader(std::move(*source), makes_readable);
        Result<YamlDocuments> documents = reader.documents(is_wanted, num_events);
        has_bad_byte = reader.has_bad_byte();
        return documents;
    };
    // libyaml takes no byte that is no text, also in a comment.
    Result<YamlDocuments> documents = read(false);
    return has_bad_byte ? read(true) : documents;
}

}  // namespace
}  // namespace hitopo

#else

namespace hitopo {
namespace {

Result<YamlDocuments> parse_by_libyaml(const OpenText&, const IsWanted&, std::size_t&) {
    return Error{Errc::kUnreadable,
                 "YAML",
                 "HiTopo was built without libyaml; build it with libyaml (Debian: libyaml-dev), or use "
                 "a JSON file, a topology.conf or a map",
                 "",
                 1,
                 1};
}

}  // namespace
}  // namespace hitopo

#endif

namespace hitopo {

Result<YamlDocuments> parse_yaml_counting(const OpenText& open, const IsWanted& is_wanted,
                                          std::size_t& num_events) {
    num_events = 0;
    Result<TextSource> source = open();
    if (!source) {
        return source.error();
    }
    Result<std::optional<YamlDocuments>> json = parse_json(std::move(*source), is_wanted);
    if (!json) {
        return json.error();
    }
    return *json ? Result<YamlDocuments>(std::move(**json))
                 : parse_by_libyaml(open, is_wanted, num_events);
}

Result<YamlDocuments> parse_yaml(const OpenText& open, const IsWanted& is_wanted) {
    std::size_t num_events = 0;
    return parse_yaml_counting(open, is_wanted, num_events);
}

Result<YamlDocuments> parse_text(std::string_view text) {
    return parse_yaml([text] { return Result<TextSource>(source_of(text)); },
                      [](std::string_view, std::string_view) { return true; });
}

}  // namespace hitopo
