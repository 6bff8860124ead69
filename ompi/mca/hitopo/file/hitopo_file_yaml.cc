// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/hitopo_file_yaml.h"

#include <algorithm>
#include <istream>
#include <nlohmann/json.hpp>
#include <optional>
#include <streambuf>
#include <string>
#include <utility>

#ifdef HITOPO_HAVE_LIBYAML
#include <yaml.h>

#include "ompi/mca/hitopo/core/text/safe_text.h"
#endif

namespace hitopo {
namespace {

using MaybeError = std::optional<Error>;
using Kind = YamlValue::Kind;
using Json = nlohmann::json;

// ---- JSON ----

// A text that knows how far it is read.
class TextBuffer : public std::streambuf {
public:
    explicit TextBuffer(std::string_view text) {
        char* begin = const_cast<char*>(text.data());  // is only read
        setg(begin, begin, begin + text.size());
        counted_ = line_begin_ = begin;
    }

    int line() {
        while ((counted_ = std::find(counted_, static_cast<const char*>(gptr()), '\n')) != gptr()) {
            line_begin_ = ++counted_;
            ++line_;
        }
        return line_;
    }
    int column() const { return static_cast<int>(gptr() - line_begin_); }

private:
    const char* counted_;  // to here lines are counted
    const char* line_begin_;
    int line_ = 1;
};

// nlohmann's events, to a builder. Each answers whether to go on.
class JsonEvents {
public:
    explicit JsonEvents(TextBuffer& buffer) : buffer_(buffer) {}

    bool null() { return text(""); }
    bool boolean(bool value) { return text(value ? "true" : "false"); }
    bool number_integer(Json::number_integer_t value) { return text(std::to_string(value)); }
    bool number_unsigned(Json::number_unsigned_t value) { return text(std::to_string(value)); }
    bool number_float(Json::number_float_t, const std::string& written) { return text(written); }
    bool string(std::string& value) { return text(value); }
    bool binary(Json::binary_t&) { return false; }
    bool key(std::string& value) { return text(value); }
    bool start_object(std::size_t) { return open(Kind::kMap); }
    bool end_object() { return close(); }
    bool start_array(std::size_t) { return open(Kind::kList); }
    bool end_array() { return close(); }
    bool parse_error(std::size_t, const std::string&, const Json::exception&) { return false; }

    const MaybeError& error() const { return error_; }
    YamlDocuments take() { return builder_.take(); }

private:
    bool text(std::string_view value) {
        const int line = buffer_.line();
        error_ = builder_.add_text(value, line, buffer_.column());
        return !error_;
    }
    bool open(Kind kind) {
        const int line = buffer_.line();
        error_ = builder_.open(kind, line, buffer_.column());
        return !error_;
    }
    bool close() {
        builder_.close();
        return true;
    }

    YamlBuilder builder_;
    TextBuffer& buffer_;
    MaybeError error_;
};

// Nothing where the text is not JSON to its end, and so perhaps YAML.
std::optional<Result<YamlDocuments>> parse_json(std::string_view text) {
    TextBuffer buffer(text);
    std::istream stream(&buffer);
    JsonEvents events(buffer);
    while (!(stream >> std::ws).eof()) {
        if (!Json::sax_parse(stream, &events, Json::input_format_t::json, false)) {
            return events.error() ? std::optional(Result<YamlDocuments>(*events.error())) : std::nullopt;
        }
    }
    return events.take();
}

// ---- YAML ----

#ifdef HITOPO_HAVE_LIBYAML

int line_of(const yaml_mark_t& mark) { return static_cast<int>(mark.line) + 1; }
int column_of(const yaml_mark_t& mark) { return static_cast<int>(mark.column) + 1; }

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

MaybeError take(const yaml_event_t& event, YamlBuilder& builder) {
    const int line = line_of(event.start_mark);
    const int column = column_of(event.start_mark);
    switch (event.type) {
        case YAML_ALIAS_EVENT:
            return Error{Errc::kMalformed,
                         '*' + std::string(reinterpret_cast<const char*>(event.data.alias.anchor)),
                         "Slurm and HiTopo read no aliases; repeat the value that is meant",
                         "",
                         line,
                         column};
        case YAML_SCALAR_EVENT: {
            const auto& scalar = event.data.scalar;
            const std::string_view text(reinterpret_cast<const char*>(scalar.value), scalar.length);
            const bool is_null =
                scalar.style == YAML_PLAIN_SCALAR_STYLE && (text == "null" || text == "~");
            return builder.add_text(is_null ? "" : text, line, column);
        }
        case YAML_SEQUENCE_START_EVENT:
            return builder.open(Kind::kList, line, column);
        case YAML_MAPPING_START_EVENT:
            return builder.open(Kind::kMap, line, column);
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT:
            builder.close();
            return std::nullopt;
        default:
            return std::nullopt;
    }
}

// By libyaml's events, not by its documents: it takes time in the square of the depth, so the builder
// counts it before libyaml takes the next.
class YamlReader {
public:
    explicit YamlReader(std::string_view text) : is_ready_(yaml_parser_initialize(&parser_) != 0) {
        if (is_ready_) {
            yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
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

    Result<YamlDocuments> documents() {
        YamlBuilder builder;
        while (is_ready_) {
            const Event event(&parser_);
            if (!event.is_parsed()) {
                break;
            }
            if ((*event).type == YAML_STREAM_END_EVENT) {
                return builder.take();
            }
            if (const MaybeError error = take(*event, builder)) {
                return *error;
            }
        }
        constexpr std::size_t kMaxEscape = 11;  // the longest token that is read as a whole, and an end
        const bool is_at_end = is_ready_ && parser_.eof != 0 && parser_.unread <= kMaxEscape;
        return Error{Errc::kMalformed,
                     is_ready_ && parser_.problem != nullptr ? parser_.problem : "no memory",
                     is_at_end ? "the text ends in the middle of a value; write the file again, or " +
                                     std::string(kWriteLess)
                               : "this is not YAML; correct the line",
                     "",
                     line_of(parser_.problem_mark),
                     column_of(parser_.problem_mark)};
    }

private:
    yaml_parser_t parser_ = {};
    const bool is_ready_;
};

// In the square of their number libyaml takes time.
bool has_many_tags(std::string_view text) {
    constexpr int kMaxTags = 64;
    constexpr std::string_view kTag = "%TAG";
    int num_tags = 0;
    for (std::size_t at = text.find(kTag); at != text.npos; at = text.find(kTag, at + 1)) {
        num_tags += at == 0 || text[at - 1] == '\n' || text[at - 1] == '\r' ? 1 : 0;
    }
    return num_tags > kMaxTags;
}

// Names apart stay apart.
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

Result<YamlDocuments> parse_by_libyaml(std::string_view text) {
    if (has_many_tags(text)) {
        return Error{Errc::kTooLarge, "%TAG", "a file has at most 64 %TAG lines; use fewer", "", 1, 1};
    }
    YamlReader reader(text);
    Result<YamlDocuments> documents = reader.documents();
    // libyaml takes no byte that is no text, also in a comment.
    return reader.has_bad_byte() ? YamlReader(without_bad_bytes(text)).documents() : documents;
}

#else

Result<YamlDocuments> parse_by_libyaml(std::string_view) {
    return Error{Errc::kUnreadable,
                 "YAML",
                 "HiTopo was built without libyaml; build it with libyaml (Debian: libyaml-dev), or use "
                 "a JSON file, a topology.conf or a map",
                 "",
                 1,
                 1};
}

#endif

}  // namespace

Result<YamlDocuments> parse_yaml(std::string_view text) {
    std::optional<Result<YamlDocuments>> json = parse_json(text);
    return json ? std::move(*json) : parse_by_libyaml(text);
}

}  // namespace hitopo
