// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/include_stack.h"

#include <algorithm>

namespace hitopo {
namespace {

// Names with ".." stay as they are: behind a symbolic link they mean another folder. A cycle through
// them ends at the depth's limit.
std::string join_path(const std::string& including, std::string_view included) {
    while (included.substr(0, 2) == "./") {
        included.remove_prefix(2);
    }
    const bool is_absolute = included.substr(0, 1) == "/";
    return (is_absolute ? "" : including.substr(0, including.rfind('/') + 1)) + std::string(included);
}

}  // namespace

std::optional<Error> IncludeStack::walk_file(const std::string& path) {
    const Result<std::string> text = open(path);
    if (!text) {
        return text.error();
    }
    std::optional<Error> error = walk_lines(*text);
    open_.pop_back();
    return error;
}

std::optional<Error> IncludeStack::include(std::string_view included, int column) {
    const Result<std::string> path = resolve(included);
    std::optional<Error> error = path ? walk_file(*path) : path.error();
    if (error && error->line == 0) {
        error->column = column;
    }
    return error;
}

// An error with a line is of a file that this line includes.
std::optional<Error> IncludeStack::walk_lines(std::string_view rest) {
    for (std::ptrdiff_t number = 1; !rest.empty();) {
        const std::string_view before = rest;
        std::optional<Error> error = read_line_(rest, static_cast<int>(number));
        if (error && error->line == 0) {
            error->where = top();
            error->line = static_cast<int>(number);
        }
        if (error && error->code == Errc::kTooLarge) {
            return error;
        }
        if (error) {
            skipped_.add(std::move(*error));
        }
        number += std::count(before.begin(), rest.begin(), '\n');
    }
    return std::nullopt;
}

Result<std::string> IncludeStack::open(const std::string& path) {
    const std::size_t num_left = kMaxMapBytes - num_bytes_;
    ++num_files_;  // also those that cannot be read, which cost only their line
    Result<std::string> text = reader_(path, num_left);
    if (!text) {
        return text;
    }
    if (text->size() > num_left) {
        return Error{Errc::kTooLarge, path,
                     "a map and its included files have at most 16 MiB; write lists of hosts, such as "
                     "node[1-64]"};
    }
    num_bytes_ += text->size();
    open_.push_back(path);
    return text;
}

Result<std::string> IncludeStack::resolve(std::string_view included) const {
    std::string path = join_path(top(), included);
    if (std::find(open_.begin(), open_.end(), path) != open_.end()) {
        return Error{Errc::kMalformed, std::string(included),
                     "this map includes itself; remove the line"};
    }
    if (open_.size() > kMaxMapDepth || num_files_ >= kMaxMapFiles) {
        return Error{Errc::kTooLarge, std::string(included),
                     "a map includes at most 1000 files, nested at most 16 deep; use fewer files, and "
                     "no file that includes itself"};
    }
    return path;
}

}  // namespace hitopo
