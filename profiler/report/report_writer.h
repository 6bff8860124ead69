// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Document "profile" of docs/json.md from the parts of processes, at rank 0.
#ifndef PROFILER_REPORT_REPORT_WRITER_H
#define PROFILER_REPORT_REPORT_WRITER_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/count/world.h"
#include "profiler/gather/root.h"
#include "profiler/report/report_file.h"

namespace hitopo::profile {

// Whether the report of a job of this size tells of each peer, and not of their sums.
bool keeps_peers(int size);

struct ReportKind {
    int snapshot;                   // 0 at the end
    int size;                       // of MPI_COMM_WORLD
    std::string_view part_of = {};  // the job, where one process writes its part by itself
    bool has_table = true;
};

class ReportWriter {
public:
    // All outlive this.
    ReportWriter(ReportFile& file, const WorldTable& table, const ReportKind& kind)
        : file_(file), table_(table), kind_(kind) {}

    // For each part, in the order of ranks.
    void add(const Root::Taken& part);

    void finish();

private:
    void begin(std::uint64_t elapsed_ns);

    ReportFile& file_;
    const WorldTable& table_;
    const ReportKind kind_;
    std::vector<std::string> communicators_;
    std::uint64_t remarks_ = 0;
    bool has_begun_ = false;
};

}  // namespace hitopo::profile

#endif
