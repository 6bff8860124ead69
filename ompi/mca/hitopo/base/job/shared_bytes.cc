// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/shared_bytes.h"

#include <sys/mman.h>

#include <algorithm>

namespace hitopo {

SharedBytes::SharedBytes(std::string_view bytes) : own_(new std::uint64_t[bytes.size() / 8 + 1]) {
    char* begin = reinterpret_cast<char*>(own_.get());
    std::copy(bytes.begin(), bytes.end(), begin);
    view_ = {begin, bytes.size()};
}

SharedBytes::SharedBytes(void* mapping, std::size_t num_mapped, std::size_t num_skipped)
    : mapping_(mapping, Unmap{num_mapped}),
      view_(static_cast<const char*>(mapping) + num_skipped, num_mapped - num_skipped) {}

void SharedBytes::Unmap::operator()(void* mapping) const { ::munmap(mapping, num_bytes); }

}  // namespace hitopo
