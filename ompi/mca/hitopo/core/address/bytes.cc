// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/address/bytes.h"

namespace hitopo {

void ByteWriter::put_int(std::uint64_t value, int num_bytes) {
    for (int i = 0; i < num_bytes; ++i) {
        bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
    }
}

void ByteWriter::put(std::string_view text) {
    put_u32(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
}

void ByteWriter::put(const RawValue& value) {
    put_u16(static_cast<std::uint16_t>(value.path.size()));
    for (const Name& name : value.path) {
        put_u8(name.is_number() ? 1 : 0);
        if (name.is_number()) {
            put_u64(name.number());
        } else {
            put(std::string_view(name.text()));
        }
    }
}

void ByteWriter::put_varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
        put_u8(static_cast<std::uint8_t>(value | 0x80));
    }
    put_u8(static_cast<std::uint8_t>(value));
}

void ByteWriter::put_signed(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    put_varint(bits << 1 ^ (value < 0 ? ~std::uint64_t{0} : 0));
}

void ByteWriter::put_short(std::string_view text) {
    put_varint(text.size());
    bytes_ += text;
}

void ByteReader::fail() {
    has_failed_ = true;
    rest_ = {};
}

std::string_view ByteReader::take(std::size_t num_bytes) {
    if (num_bytes > rest_.size()) {
        fail();
        return {};
    }
    const std::string_view piece = rest_.substr(0, num_bytes);
    rest_.remove_prefix(num_bytes);
    return piece;
}

std::uint64_t ByteReader::get_int(int num_bytes) {
    std::uint64_t value = 0;
    int shift = 0;
    for (const char c : take(static_cast<std::size_t>(num_bytes))) {
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(c)) << shift;
        shift += 8;
    }
    return value;
}

std::string_view ByteReader::get_text() {
    const std::uint32_t length = get_u32();
    return take(length);
}

std::uint64_t ByteReader::get_long_varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        const std::uint64_t byte = get_u8();
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
    fail();
    return 0;
}

std::int64_t ByteReader::get_signed() {
    const std::uint64_t bits = get_varint();
    return static_cast<std::int64_t>(bits >> 1 ^ ((bits & 1) != 0 ? ~std::uint64_t{0} : 0));
}

std::string_view ByteReader::get_short() {
    const std::uint64_t length = get_varint();
    return take(static_cast<std::size_t>(length));
}

std::size_t ByteReader::get_count() {
    const std::uint64_t count = get_varint();
    if (count > rest_.size()) {
        fail();
        return 0;
    }
    return static_cast<std::size_t>(count);
}

std::string_view ByteReader::skip_value() {
    const std::string_view before = rest_;
    const int count = get_u16();
    for (int i = 0; i < count && !has_failed_; ++i) {
        if (get_u8() != 0) {
            get_u64();
        } else {
            get_text();
        }
    }
    return before.substr(0, before.size() - rest_.size());
}

RawValue ByteReader::get_value() {
    RawValue value;
    const int count = get_u16();
    for (int i = 0; i < count && !has_failed_; ++i) {
        if (get_u8() != 0) {
            value.path.push_back(Name::number(get_u64()));
        } else {
            value.path.emplace_back(get_string());
        }
    }
    if (value.path.empty()) {
        value.path.emplace_back();
    }
    return value;
}

}  // namespace hitopo
