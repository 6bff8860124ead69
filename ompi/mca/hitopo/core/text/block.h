// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Numbers and arrays one behind the other in one block of bytes without pointers, which processes of one
// node can share: they are read where they lie. Of this machine's byte order.
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_BLOCK_H
#define OMPI_MCA_HITOPO_CORE_TEXT_BLOCK_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "ompi/mca/hitopo/core/text/array.h"

namespace hitopo {

class BlockWriter {
public:
    template <class T>
    void put(const Array<T>& array) {
        static_assert(alignof(T) <= 8);
        static_assert(std::has_unique_object_representations_v<T>, "equal arrays have equal bytes");
        put_bytes({reinterpret_cast<const char*>(array.data()), array.num_bytes()});
    }
    // T has up to 64 bits.
    template <class T>
    void put_number(T number) {
        const auto bits = static_cast<std::uint64_t>(number);
        block_.append(reinterpret_cast<const char*>(&bits), sizeof bits);
    }
    void put_bytes(std::string_view bytes) {
        put_number(bytes.size());
        block_.append(bytes);
        block_.resize((block_.size() + 7) / 8 * 8);
    }
    std::string take() { return std::move(block_); }

private:
    std::string block_;
};

// Takes them in the order in which they were put. Any bytes: where they are too few has_failed(), and
// all that comes is empty.
class BlockReader {
public:
    // block: begins at an address that 8 divides; owner keeps it.
    BlockReader(std::shared_ptr<const void> owner, std::string_view block)
        : owner_(std::move(owner)), rest_(block) {}

    template <class T>
    Array<T> get() {
        const std::string_view bytes = get_bytes();
        if (bytes.size() % sizeof(T) != 0) {
            fail();
            return {};
        }
        return bytes.empty() ? Array<T>()
                             : Array<T>(owner_, reinterpret_cast<const T*>(bytes.data()),
                                        bytes.size() / sizeof(T));
    }
    template <class T>
    T get_number() {
        std::uint64_t bits = 0;
        if (rest_.size() < sizeof bits) {
            fail();
            return {};
        }
        std::memcpy(&bits, rest_.data(), sizeof bits);
        rest_.remove_prefix(sizeof bits);
        return static_cast<T>(bits);
    }
    std::string_view get_bytes() {
        const auto length = get_number<std::uint64_t>();
        if (length > rest_.size() || (length + 7) / 8 * 8 > rest_.size()) {
            fail();
            return {};
        }
        const std::string_view bytes = rest_.substr(0, length);
        rest_.remove_prefix((length + 7) / 8 * 8);
        return bytes;
    }

    bool has_failed() const { return has_failed_; }
    void fail() {
        has_failed_ = true;
        rest_ = {};
    }
    std::size_t num_left() const { return rest_.size(); }

private:
    std::shared_ptr<const void> owner_;
    std::string_view rest_;
    bool has_failed_ = false;
};

}  // namespace hitopo

#endif
