// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Bytes that never change, which their holder reads in place: its own, or a mapping that it has in
// common with the other processes of its node.
#ifndef OMPI_MCA_HITOPO_BASE_JOB_SHARED_BYTES_H
#define OMPI_MCA_HITOPO_BASE_JOB_SHARED_BYTES_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace hitopo {

// Moved, never copied; a view stays what it is when its object is moved.
class SharedBytes {
public:
    // A copy in this process's memory. Throws std::bad_alloc.
    explicit SharedBytes(std::string_view bytes);

    // Those of a mapping behind its first num_skipped ones, a multiple of 8; unmaps it in the end.
    SharedBytes(void* mapping, std::size_t num_mapped, std::size_t num_skipped);

    // Aligned to 8 bytes.
    std::string_view view() const { return view_; }
    bool is_mapped() const { return mapping_ != nullptr; }

private:
    struct Unmap {
        std::size_t num_bytes;
        void operator()(void* mapping) const;
    };

    std::unique_ptr<std::uint64_t[]> own_;
    std::unique_ptr<void, Unmap> mapping_{nullptr, Unmap{0}};
    std::string_view view_;
};

}  // namespace hitopo

#endif
