// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// JSON in memory of a fixed size. It takes no memory and no lock, so that signal handlers can write it.
#ifndef PROFILER_WATCH_FIXED_TEXT_H
#define PROFILER_WATCH_FIXED_TEXT_H

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hitopo::profile {

class FixedText {
public:
    FixedText(char* begin, std::size_t capacity) : begin_(begin), capacity_(capacity) {}

    std::string_view text() const { return {begin_, size_}; }
    bool is_full() const { return is_full_; }  // something did not fit

    FixedText& operator<<(std::string_view text) {
        is_full_ = is_full_ || text.size() > capacity_ - size_;
        for (std::size_t i = 0; i < text.size() && !is_full_; ++i) {
            begin_[size_++] = text[i];
        }
        return *this;
    }
    FixedText& operator<<(std::int64_t number) {
        char digits[24];
        std::size_t at = sizeof digits;
        auto rest = static_cast<std::uint64_t>(number);
        rest = number < 0 ? 0 - rest : rest;
        do {
            digits[--at] = static_cast<char>('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        return *this << (number < 0 ? "-" : "") << std::string_view(digits + at, sizeof digits - at);
    }
    FixedText& operator<<(int number) { return *this << std::int64_t{number}; }
    FixedText& operator<<(std::uint64_t number) { return *this << static_cast<std::int64_t>(number); }

    // A string in quotes: other bytes than printable ASCII become '?'. Cut where it is longer.
    FixedText& put_string(std::string_view text, std::size_t max_bytes = 128) {
        *this << "\"";
        for (const char c : text.substr(0, max_bytes)) {
            const bool is_plain = c >= ' ' && c <= '~' && c != '"' && c != '\\';
            *this << std::string_view(is_plain ? &c : "?", 1);
        }
        return *this << "\"";
    }
    FixedText& put_hex(std::uint64_t number) {
        for (int shift = 60; shift >= 0; shift -= 4) {
            *this << std::string_view(&"0123456789abcdef"[number >> shift & 15], 1);
        }
        return *this;
    }

    // All that body() writes, or nothing where that does not fit and leaves `reserve` bytes; whether it
    // did.
    template <class Body>
    bool put_whole(std::size_t reserve, Body&& body) {
        const std::size_t before = size_;
        const bool was_full = is_full_;
        body();
        const bool fits = !is_full_ && capacity_ - size_ >= reserve;
        if (!fits) {
            size_ = before;
            is_full_ = was_full;
        }
        return fits;
    }

private:
    char* begin_;
    std::size_t capacity_;
    std::size_t size_ = 0;
    bool is_full_ = false;
};

}  // namespace hitopo::profile

#endif
