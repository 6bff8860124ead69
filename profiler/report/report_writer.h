// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Document "profile" of docs/json.md from the parts of processes, at rank 0.
#ifndef PROFILER_REPORT_REPORT_WRITER_H
#define PROFILER_REPORT_REPORT_WRITER_H

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/count/world.h"
#include "profiler/gather/root.h"
#include "profiler/report/report_file.h"

namespace hitopo::profile {

class ReportWriter {
public:
    // All outlive this. snapshot: 0 at the end. size: of MPI_COMM_WORLD. has_peers: each, and not their
    // sums.
    ReportWriter(ReportFile& file, const WorldTable& table, int snapshot, int size, bool has_peers)
        : file_(file), table_(table), snapshot_(snapshot), size_(size), has_peers_(has_peers) {}

    // For each part, in the order of ranks.
    void add(const Root::Taken& part);

    void finish();

private:
    void begin(std::uint64_t elapsed_ns);

    ReportFile& file_;
    const WorldTable& table_;
    int snapshot_;
    int size_;
    bool has_peers_;
    std::vector<std::string> communicators_;
    std::uint64_t remarks_ = 0;
    bool has_begun_ = false;
};

}  // namespace hitopo::profile

#endif
