// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/map/map.h"

#ifdef HITOPO_HAVE_YAML_CPP
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>
#endif

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "ompi/mca/hitopo/core/text/safe_text.h"

namespace hitopo::map {
namespace {

// All these files consist of lists of maps.
bool has_entries(const Json& value) {
    return std::any_of(value.begin(), value.end(), [&](const Json& each) {
        return value.is_array() ? each.is_object() : each.is_structured() && has_entries(each);
    });
}

// Makes values from events: those of nlohmann's parser, and others with an anchor. Each returns whether
// to go on; where not, `complaint` is the fault.
class Builder {
public:
    bool null() { return text(""); }
    bool boolean(bool value) { return text(value ? "true" : "false"); }
    bool number_integer(Json::number_integer_t value) { return text(std::to_string(value)); }
    bool number_unsigned(Json::number_unsigned_t value) { return text(std::to_string(value)); }
    bool number_float(Json::number_float_t, const std::string& written) { return text(written); }
    bool string(std::string& value) { return text(std::move(value)); }
    bool binary(Json::binary_t&) { return false; }
    bool key(std::string& value) { return text(std::move(value)); }
    bool start_object(std::size_t) { return open(Json::object()); }
    bool end_object() { return close(); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_array() { return close(); }
    bool parse_error(std::size_t at, const std::string&, const Json::exception& error) {
        const std::string what = error.what();
        num_bytes = at;
        return refuse("this is not JSON: " + what.substr(std::min(what.find(": ") + 2, what.size())) +
                      "; write the file again");
    }

    bool text(std::string value, std::size_t anchor = 0) {
        if (wants_key()) {
            open_.back().key = std::move(value);
            open_.back().has_key = true;
            return true;
        }
        return put(std::move(value), anchor);
    }

    bool open(Json value, std::size_t anchor = 0) {
        if (open_.size() == kMaxDepth) {
            return refuse("lists and maps are nested at most 64 deep; use fewer levels");
        }
        if (wants_key()) {
            return refuse(kNoKey);
        }
        open_.push_back({std::move(value), "", false, anchor});
        return true;
    }

    bool close() {
        Open last = std::move(open_.back());
        open_.pop_back();
        return put(std::move(last.value), last.anchor);
    }

    bool alias(std::size_t anchor) {
        const auto known = anchors_.find(anchor);
        if (known == anchors_.end()) {
            return refuse("no value before it has this anchor; correct the name");
        }
        return wants_key() && known->second.is_string() ? text(known->second.get<std::string>())
                                                        : put(known->second, kIsCopy);
    }

    void begin_document() { anchors_.clear(); }

    // Closes what is open where the text breaks off: the innermost list or map with whole entries, and
    // all around it, stand.
    void break_off() {
        for (bool stands = false; !open_.empty();) {
            stands = stands || has_entries(open_.back().value);
            if (stands) {
                (void)close();
            } else {
                open_.pop_back();
            }
        }
    }

    std::vector<Json> documents;
    std::vector<std::string> repeated_keys;
    std::string complaint;
    std::size_t num_bytes = 0;  // of JSON, read until the parser's error

private:
    static constexpr std::size_t kMaxDepth = 64;
    static constexpr std::size_t kMaxCopiedBytes = std::size_t{16} << 20;
    static constexpr std::size_t kIsCopy = static_cast<std::size_t>(-1);
    static constexpr const char* kNoKey = "a list or map is no key; write a text";

    struct Open {
        Json value;
        std::string key;  // of the field that comes next
        bool has_key;
        std::size_t anchor;
    };

    bool refuse(std::string fault) {
        complaint = std::move(fault);
        return false;
    }

    bool wants_key() const {
        return !open_.empty() && open_.back().value.is_object() && !open_.back().has_key;
    }

    bool put(Json value, std::size_t anchor) {
        if (wants_key()) {
            return refuse(kNoKey);
        }
        if (anchor != 0) {
            num_copied_bytes_ += value.dump().size();
            if (num_copied_bytes_ > kMaxCopiedBytes) {
                return refuse("anchors and aliases repeat more than 16 MiB; use fewer");
            }
        }
        if (anchor != 0 && anchor != kIsCopy) {
            anchors_[anchor] = value;
        }
        if (open_.empty()) {
            documents.push_back(std::move(value));
        } else if (open_.back().value.is_array()) {
            open_.back().value.push_back(std::move(value));
        } else {
            Open& map = open_.back();
            map.has_key = false;
            if (!map.value.emplace(map.key, std::move(value)).second) {
                repeated_keys.push_back(map.key);
            }
        }
        return true;
    }

    std::vector<Open> open_;
    std::map<std::size_t, Json> anchors_;
    std::size_t num_copied_bytes_ = 0;
};

Error error_at(int line, std::string_view message) {
    return {Errc::kMalformed, "", std::string(message), "", line, 1};
}

// ---- JSON ----

// One value, from the stream's place on; nothing where all is well.
std::optional<Error> take_value(std::istream& stream, std::string_view text, Builder& builder) {
    const auto begin = static_cast<std::size_t>(stream.tellg());
    if (Json::sax_parse(stream, &builder, Json::input_format_t::json, false)) {
        return std::nullopt;
    }
    const std::string_view before = text.substr(0, begin + builder.num_bytes);
    return error_at(1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
                    builder.complaint);
}

std::optional<Error> parse_as_json(const std::string& text, Builder& builder) {
    std::optional<Error> error;
    std::istringstream stream(text);
    while (!error && !(stream >> std::ws).eof()) {
        error = take_value(stream, text, builder);
    }
    return error;
}

// ---- YAML ----

#ifdef HITOPO_HAVE_YAML_CPP

int line_of(const YAML::Mark& mark) { return mark.is_null() ? 1 : mark.line + 1; }

// Throws an Error where an event is refused.
class YamlEvents : public YAML::EventHandler {
public:
    explicit YamlEvents(Builder& builder) : builder_(builder) {}

    // yaml-cpp stays for ever at a closing bracket that no other opened.
    void OnDocumentStart(const YAML::Mark& mark) override {
        if (mark.pos <= last_begin_) {
            throw error_at(line_of(mark), "this is not YAML; correct the brackets");
        }
        last_begin_ = mark.pos;
        builder_.begin_document();
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        check(mark, builder_.text("", anchor));
    }
    void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  const std::string& text) override {
        check(mark, builder_.text(text, anchor));
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        check(mark, builder_.alias(anchor));
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        check(mark, builder_.open(Json::array(), anchor));
    }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        check(mark, builder_.open(Json::object(), anchor));
    }
    void OnSequenceEnd() override { check(YAML::Mark::null_mark(), builder_.close()); }
    void OnMapEnd() override { check(YAML::Mark::null_mark(), builder_.close()); }

private:
    void check(const YAML::Mark& mark, bool goes_on) {
        if (!goes_on) {
            throw error_at(line_of(mark), builder_.complaint);
        }
    }

    Builder& builder_;
    int last_begin_ = -1;  // of a document
};

std::optional<Error> parse_as_yaml(std::string_view text, Builder& builder) {
    std::istringstream stream(as_utf8(text));
    try {
        YAML::Parser parser(stream);
        YamlEvents events(builder);
        while (parser.HandleNextDocument(events)) {
        }
    } catch (const Error& refused) {
        return refused;
    } catch (const YAML::Exception& error) {
        return error_at(line_of(error.mark),
                        "this is not YAML: " + error.msg + "; write the file again");
    }
    return std::nullopt;
}

#else

std::optional<Error> parse_as_yaml(std::string_view, Builder&) {
    return error_at(
        1,
        "this is YAML, and hitopo was built without yaml-cpp; build it with yaml-cpp (Debian: "
        "libyaml-cpp-dev), or write the file as JSON (kubectl get nodes -o json)");
}

#endif

}  // namespace

Result<Documents> parse_documents(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    const bool is_json = begin != text.npos && (text[begin] == '{' || text[begin] == '[');
    Builder builder;
    const std::optional<Error> error =
        is_json ? parse_as_json(as_utf8(text, "\\\\"), builder) : parse_as_yaml(text, builder);
    Documents documents;
    if (error) {
        builder.break_off();
        if (builder.documents.empty()) {
            return *error;
        }
        documents.left_out.push_back(*error);
    }
    documents.values = std::move(builder.documents);
    for (const std::string& key : builder.repeated_keys) {
        documents.left_out.push_back(
            {Errc::kSkipped, key, "a map has this key twice; the first counts: remove one", ""});
    }
    return documents;
}

Result<Json> read_json_value(std::istream& stream, std::string_view text) {
    Builder builder;
    const std::optional<Error> error = take_value(stream, text, builder);
    return error ? Result<Json>(*error) : std::move(builder.documents.front());
}

const Json& member(const Json& value, const char* key) {
    static const Json none;
    if (!value.is_object()) {
        return none;
    }
    const auto found = value.find(key);
    return found == value.end() ? none : *found;
}

std::string text_of(const Json& value, const std::string& key) {
    const Json& found = member(value, key.c_str());
    return found.is_string() ? found.get<std::string>() : "";
}

std::string first_text(const Json& fields, std::initializer_list<std::string> keys) {
    for (const std::string& key : keys) {
        std::string text = text_of(fields, key);
        if (!text.empty()) {
            return text;
        }
    }
    return "";
}

}  // namespace hitopo::map
