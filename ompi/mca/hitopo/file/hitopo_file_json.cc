// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/hitopo_file_json.h"

#include <algorithm>
#include <istream>
#include <nlohmann/json.hpp>
#include <streambuf>
#include <string>
#include <utility>

#include "ompi/mca/hitopo/file/yaml/yaml_text.h"

namespace hitopo {
namespace {

using Json = nlohmann::json;

// Knows where it has got to.
class PieceBuffer : public std::streambuf {
public:
    explicit PieceBuffer(TextSource source) : source_(std::move(source)) {}

    // The value that was read last.
    TextPlace place() {
        const char* newline = nullptr;
        for (const char* at = counted_;
             (at = std::find(at, static_cast<const char*>(gptr()), '\n')) != gptr();) {
            newline = ++at;
            ++line_;
        }
        counted_ = gptr();
        const std::size_t num_bytes = num_before_ + static_cast<std::size_t>(gptr() - eback());
        if (newline != nullptr) {
            line_begin_ = num_before_ + static_cast<std::size_t>(newline - eback());
        }
        return {line_, static_cast<int>(num_bytes - line_begin_), num_bytes};
    }

protected:
    // A source that fails ends the text, as a limit does: it is then no JSON.
    int_type underflow() override {
        (void)place();
        num_before_ += piece_.size();
        Result<std::string> piece = source_();
        piece_ = piece && num_before_ <= kMaxYamlBytes ? std::move(*piece) : "";
        setg(piece_.data(), piece_.data(), piece_.data() + piece_.size());
        counted_ = gptr();
        return piece_.empty() ? traits_type::eof() : traits_type::to_int_type(piece_.front());
    }

private:
    TextSource source_;
    std::string piece_;
    const char* counted_ = nullptr;  // to here lines are counted
    int line_ = 1;
    std::size_t num_before_ = 0;  // bytes before piece_
    std::size_t line_begin_ = 0;  // where the line begins, in bytes
};

// nlohmann's events, to a builder. Each answers whether to go on.
class JsonEvents {
public:
    JsonEvents(const IsWanted& is_wanted, PieceBuffer& buffer) : builder_(is_wanted), buffer_(buffer) {}

    bool null() { return text(""); }
    bool boolean(bool value) { return text(value ? "true" : "false"); }
    bool number_integer(Json::number_integer_t value) { return text(std::to_string(value)); }
    bool number_unsigned(Json::number_unsigned_t value) { return text(std::to_string(value)); }
    bool number_float(Json::number_float_t, const std::string& written) { return text(written); }
    bool string(std::string& value) { return text(value); }
    bool binary(Json::binary_t&) { return false; }
    bool key(std::string& value) { return text(value); }
    bool start_object(std::size_t) { return open(YamlDocuments::Kind::kMap); }
    bool end_object() { return close(); }
    bool start_array(std::size_t) { return open(YamlDocuments::Kind::kList); }
    bool end_array() { return close(); }
    bool parse_error(std::size_t, const std::string&, const Json::exception&) { return false; }

    const std::optional<Error>& error() const { return error_; }
    YamlDocuments documents() { return builder_.documents(); }

private:
    bool text(std::string_view value) {
        error_ = builder_.take_text(value, "", buffer_.place());
        return !error_;
    }
    bool open(YamlDocuments::Kind kind) {
        error_ = builder_.open(kind, "", buffer_.place());
        return !error_;
    }
    bool close() {
        builder_.close();
        return true;
    }

    YamlBuilder builder_;
    PieceBuffer& buffer_;
    std::optional<Error> error_;
};

}  // namespace

Result<std::optional<YamlDocuments>> parse_json(TextSource source, const IsWanted& is_wanted) {
    PieceBuffer buffer(std::move(source));
    std::istream stream(&buffer);
    JsonEvents events(is_wanted, buffer);
    while (!(stream >> std::ws).eof()) {
        if (!Json::sax_parse(stream, &events, Json::input_format_t::json, false)) {
            return events.error() ? Result<std::optional<YamlDocuments>>(*events.error())
                                  : std::optional<YamlDocuments>();
        }
    }
    return std::optional<YamlDocuments>(events.documents());
}

}  // namespace hitopo
