// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Arrays that do not change, in memory of their own or in a block (core/text/block.h) that several
// processes may share.
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_ARRAY_H
#define OMPI_MCA_HITOPO_CORE_TEXT_ARRAY_H

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace hitopo {

// Copies share the memory.
template <class T>
class Array {
    static_assert(std::is_trivially_copyable_v<T>, "blocks hold bytes");

public:
    Array() = default;
    Array(std::vector<T> values) : size_(values.size()) {  // NOLINT: implicit by intent
        if (size_ > 0) {
            values.shrink_to_fit();
            auto own = std::make_shared<const std::vector<T>>(std::move(values));
            data_ = own->data();
            owner_ = std::move(own);
        }
    }
    // Elements in memory that `owner` keeps.
    Array(std::shared_ptr<const void> owner, const T* data, std::size_t size)
        : owner_(std::move(owner)), data_(data), size_(size) {}

    const T& operator[](std::size_t index) const { return data_[index]; }
    const T* data() const { return data_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }
    const T& back() const { return data_[size_ - 1]; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::size_t num_bytes() const { return size_ * sizeof(T); }

private:
    std::shared_ptr<const void> owner_;
    const T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace hitopo

#endif
