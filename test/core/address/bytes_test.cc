// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/address/bytes.h"

#include <gtest/gtest.h>

#include <random>

namespace hitopo {
namespace {

RawValue path_of(std::vector<Name> names) { return RawValue(std::move(names)); }

std::string bytes_of(const RawValue& value) {
    ByteWriter writer;
    writer.put(value);
    return writer.take();
}

TEST(ByteWriter, writes_little_endian) {
    ByteWriter writer;
    writer.put_u8(0x01);
    writer.put_u16(0x0302);
    writer.put_u32(0x07060504);
    writer.put_u64(0x0f0e0d0c0b0a0908);
    EXPECT_EQ(writer.bytes(), "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f");
}

TEST(ByteWriter, writes_a_text_behind_its_length) {
    ByteWriter writer;
    writer.put(std::string_view("n7"));
    EXPECT_EQ(writer.bytes(), std::string("\x02\0\0\0n7", 6));
}

TEST(ByteReader, reads_back_integers) {
    ByteWriter writer;
    writer.put_u8(UINT8_MAX);
    writer.put_u16(0x1234);
    writer.put_u32(UINT32_MAX);
    writer.put_u64(0xfedcba9876543210);
    ByteReader reader(writer.bytes());
    EXPECT_EQ(reader.get_u8(), UINT8_MAX);
    EXPECT_EQ(reader.get_u16(), 0x1234);
    EXPECT_EQ(reader.get_u32(), UINT32_MAX);
    EXPECT_EQ(reader.get_u64(), 0xfedcba9876543210);
    EXPECT_EQ(reader.num_left(), 0u);
    EXPECT_FALSE(reader.has_failed());
}

TEST(ByteReader, reads_back_values) {
    const RawValue values[] = {Name("n1"), Name::number(7), Name(""), Name(std::string("a\0b\xff", 4)),
                               path_of({"r1", Name::number(3), "n12"})};
    for (const RawValue& value : values) {
        const std::string bytes = bytes_of(value);
        ByteReader reader(bytes);
        EXPECT_EQ(reader.get_value(), value) << value.to_string();
        EXPECT_EQ(reader.num_left(), 0u);
        EXPECT_FALSE(reader.has_failed());
    }
}

TEST(ByteReader, fails_on_every_proper_prefix) {
    const std::string whole = bytes_of(path_of({"root", Name::number(4), "leaf1"}));
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const std::string part = whole.substr(0, length);
        ByteReader reader(part);
        EXPECT_FALSE(reader.get_value().path.empty());
        EXPECT_TRUE(reader.has_failed()) << length;
    }
}

TEST(ByteReader, answers_zero_after_a_failure) {
    ByteReader reader(std::string_view("\x09\x09\x09", 3));
    EXPECT_EQ(reader.get_u32(), 0u);
    EXPECT_TRUE(reader.has_failed());
    EXPECT_EQ(reader.get_u8(), 0u);
    EXPECT_EQ(reader.get_string(), "");
    EXPECT_EQ(reader.get_value(), RawValue(Name("")));
    EXPECT_EQ(reader.num_left(), 0u);
}

TEST(ByteReader, refuses_a_length_beyond_the_input) {
    ByteReader reader(
        std::string_view("\xff\xff\xff\xff"
                         "abc",
                         7));
    EXPECT_EQ(reader.get_string(), "");
    EXPECT_TRUE(reader.has_failed());
}

TEST(ByteReader, takes_any_bytes) {
    std::mt19937 random(1);
    for (int round = 0; round < 2000; ++round) {
        std::string bytes(random() % 64, '\0');
        for (char& byte : bytes) {
            byte = static_cast<char>(random() % 4 == 0 ? random() : random() % 4);
        }
        ByteReader reader(bytes);
        const RawValue value = reader.get_value();
        if (!reader.has_failed() && reader.num_left() == 0) {
            const std::string again = bytes_of(value);
            ByteReader second(again);
            EXPECT_EQ(second.get_value(), value);
        }
    }
}

}  // namespace
}  // namespace hitopo
