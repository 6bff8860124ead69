// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A file's bytes for nlohmann's parser, which knows where it has got to.
#ifndef OMPI_TOOLS_HITOPO_REPORT_BYTE_SOURCE_H
#define OMPI_TOOLS_HITOPO_REPORT_BYTE_SOURCE_H

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <vector>

namespace hitopo::tool {

class ByteSource {
public:
    // An input iterator: all copies of one source move together.
    class Iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = char;
        using difference_type = std::ptrdiff_t;
        using pointer = const char*;
        using reference = char;

        explicit Iterator(ByteSource* source) : source_(source) {}
        char operator*() const { return source_->current(); }
        Iterator& operator++() {
            source_->advance();
            return *this;
        }
        bool operator==(const Iterator& other) const { return is_end() == other.is_end(); }
        bool operator!=(const Iterator& other) const { return !(*this == other); }

    private:
        bool is_end() const { return source_ == nullptr || source_->is_end(); }

        ByteSource* source_;
    };

    explicit ByteSource(std::FILE* file) : file_(file), buffer_(1 << 16) { fill(); }

    Iterator begin() { return Iterator(this); }
    static Iterator end() { return Iterator(nullptr); }

    bool is_end() const { return next_ == end_; }
    int error() const { return error_; }               // errno's value of a failed read, or 0
    std::uint64_t num_bytes() const { return read_; }  // taken so far

private:
    char current() const { return buffer_[next_]; }
    void advance() {
        ++read_;
        if (++next_ == end_) {
            fill();
        }
    }
    void fill() {
        errno = 0;
        next_ = 0;
        end_ = std::fread(buffer_.data(), 1, buffer_.size(), file_);
        error_ = std::ferror(file_) != 0 ? errno : 0;
    }

    std::FILE* const file_;
    std::vector<char> buffer_;
    std::size_t next_ = 0;
    std::size_t end_ = 0;
    std::uint64_t read_ = 0;
    int error_ = 0;
};

}  // namespace hitopo::tool

#endif
