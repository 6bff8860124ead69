// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What leaders make of all that was said, and each process its table of: the same bytes at all.
#ifndef OMPI_MCA_HITOPO_BASE_JOB_PAYLOAD_H
#define OMPI_MCA_HITOPO_BASE_JOB_PAYLOAD_H

#include <cstddef>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/exchange/dictionary.h"

namespace hitopo {

// sum, led: of the collections of those names (base/job/collections.h); led may be "".
std::string encode_payload(std::string_view sum, std::string_view led);

// num_processes: that said something. Throws std::runtime_error for what encode_payload does not give.
Directory read_payload(std::string_view payload, std::size_t num_processes);

}  // namespace hitopo

#endif
