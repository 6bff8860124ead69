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

void ByteReader::fail() {
    has_failed_ = true;
    rest_ = {};
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

std::size_t ByteReader::get_count(std::size_t bytes_each) {
    const std::uint64_t count = get_varint();
    if (count > rest_.size() / bytes_each) {
        fail();
        return 0;
    }
    return static_cast<std::size_t>(count);
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
