// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// How much memory C++ code holds: linking live_bytes.cc replaces operator new by one that counts.
#ifndef BENCH_LIVE_BYTES_H
#define BENCH_LIVE_BYTES_H

#include <cstddef>

namespace hitopo::bench {

std::size_t live_bytes();
std::size_t peak_bytes();  // the most since the last reset_peak
void reset_peak();

}  // namespace hitopo::bench

#endif
