// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Document "profile" of docs/json.md from the parts of processes, at rank 0.
#ifndef PROFILER_REPORT_REPORT_WRITER_H
#define PROFILER_REPORT_REPORT_WRITER_H

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profiler/count/world.h"
#include "profiler/report/part.h"
#include "profiler/report/report_file.h"

namespace hitopo::profile {

// What a part begins with: its time, remarks, keys.
std::vector<std::uint64_t> head_of(const Part& part);

// The communicators of a part: their ids in this document, and whether nobody had them before.
struct NumberedKeys {
    std::vector<std::int32_t> ids;
    std::vector<std::int32_t> is_new;
};

class ReportWriter {
public:
    // All outlive this. snapshot: 0 at the end. size: of MPI_COMM_WORLD.
    ReportWriter(ReportFile& file, const WorldTable& table, int snapshot, int size)
        : file_(file), table_(table), snapshot_(snapshot), size_(size) {}

    // For each part in the order of ranks: its head, then the rest of it, or take_back if that never
    // came.
    NumberedKeys number(const std::vector<std::uint64_t>& head);
    void add(const std::string& descriptions, const std::string& traffic);
    void take_back();

    void finish();

private:
    void begin(double seconds);

    ReportFile& file_;
    const WorldTable& table_;
    int snapshot_;
    int size_;
    std::unordered_map<std::uint64_t, std::int32_t> ids_;
    std::vector<std::uint64_t> new_keys_;  // of the part that comes in
    std::vector<std::string> communicators_;
    std::uint64_t remarks_ = 0;
    double seconds_ = 0;  // of the part that comes in
    bool has_begun_ = false;
};

}  // namespace hitopo::profile

#endif
