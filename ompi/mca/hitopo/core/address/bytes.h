// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Little-endian byte strings, which processes send each other. A reader takes any bytes: after a short
// or absurd input it is failed() and every get answers zero.
#ifndef OMPI_MCA_HITOPO_CORE_ADDRESS_BYTES_H
#define OMPI_MCA_HITOPO_CORE_ADDRESS_BYTES_H

#include <cstdint>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/address/name.h"

namespace hitopo {

class ByteWriter {
public:
    void put_u8(std::uint8_t value) { put_int(value, 1); }
    void put_u16(std::uint16_t value) { put_int(value, 2); }
    void put_u32(std::uint32_t value) { put_int(value, 4); }
    void put_u64(std::uint64_t value) { put_int(value, 8); }
    void put(std::string_view text);        // u32 length, bytes
    void put(const RawValue& value);        // u16 count, then per name: u8 is_number, u64 or text
    void put_varint(std::uint64_t value) {  // 7 bits a byte, the lowest first
        for (; value >= 0x80; value >>= 7) {
            bytes_ += static_cast<char>(value | 0x80);
        }
        bytes_ += static_cast<char>(value);
    }
    void put_signed(std::int64_t value) {  // the same; small ones of both signs are short
        const auto bits = static_cast<std::uint64_t>(value);
        put_varint(bits << 1 ^ (value < 0 ? ~std::uint64_t{0} : 0));
    }
    void put_short(std::string_view text) {  // length as varint, bytes
        put_varint(text.size());
        bytes_ += text;
    }
    void reserve(std::size_t num_bytes) { bytes_.reserve(num_bytes); }

    const std::string& bytes() const { return bytes_; }
    std::string take() { return std::move(bytes_); }

private:
    void put_int(std::uint64_t value, int num_bytes);

    std::string bytes_;
};

class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

    std::uint8_t get_u8() { return static_cast<std::uint8_t>(get_int(1)); }
    std::uint16_t get_u16() { return static_cast<std::uint16_t>(get_int(2)); }
    std::uint32_t get_u32() { return static_cast<std::uint32_t>(get_int(4)); }
    std::uint64_t get_u64() { return get_int(8); }
    std::string get_string() { return std::string(get_text()); }
    std::string_view get_text();  // the same within the bytes that are read
    RawValue get_value();         // an empty name where the bytes hold none
    std::uint64_t get_varint() {
        constexpr std::size_t kMaxBytes = 10;
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < kMaxBytes && i < rest_.size(); ++i) {
            const auto byte = static_cast<std::uint8_t>(rest_[i]);
            value |= static_cast<std::uint64_t>(byte & 0x7f) << 7 * i;
            if (byte < 0x80) {
                rest_.remove_prefix(i + 1);
                return value;
            }
        }
        fail();
        return 0;
    }
    std::int64_t get_signed() {
        const std::uint64_t bits = get_varint();
        return static_cast<std::int64_t>(bits >> 1 ^ ((bits & 1) != 0 ? ~std::uint64_t{0} : 0));
    }
    std::string_view get_short() {  // within the bytes that are read
        return take(static_cast<std::size_t>(get_varint()));
    }
    // A number of things that follow, of which each takes so many bytes at least.
    std::size_t get_count(std::size_t bytes_each = 1);

    bool has_failed() const { return has_failed_; }
    void fail();  // as after a short input
    std::size_t num_left() const { return rest_.size(); }
    std::string_view rest() const { return rest_; }  // which stays to be read

private:
    std::uint64_t get_int(int num_bytes);
    std::string_view take(std::size_t num_bytes) {
        if (num_bytes > rest_.size()) {
            fail();
            return {};
        }
        const std::string_view piece = rest_.substr(0, num_bytes);
        rest_.remove_prefix(num_bytes);
        return piece;
    }

    std::string_view rest_;
    bool has_failed_ = false;
};

}  // namespace hitopo

#endif
