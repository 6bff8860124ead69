// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Where the profiler writes: the name of a report, and its file.
#ifndef PROFILER_REPORT_REPORT_FILE_H
#define PROFILER_REPORT_REPORT_FILE_H

#include <ctime>
#include <string>
#include <string_view>

namespace hitopo::profile {

// Names the job that a report is of, by its rank 0: of one process id there can be several, in
// containers, and of one host name.
struct ReportOrigin {
    std::string host;
    std::string job;  // as the launcher calls it
    long process;
    std::time_t start;
    bool is_spawned = false;  // and has the pattern of the job that spawned it
};

// Where a report goes. In the pattern %t is the start as 20261126T100702, in UTC, so that names sort by
// time; %h is the host, %j the job, %p the process id, %% one %, and any other % itself. Host and job
// are cut to their last 64 bytes, and letters, digits and ._@+- stand for themselves, anything else for
// _. Before the name's last dot stand the job, where it is spawned and the pattern has neither %j nor
// %p, and a snapshot's number: a.b/profile.json and 2 give a.b/profile.2.json.
std::string report_path(std::string_view pattern, int snapshot, const ReportOrigin& origin);

// Beside it, the folder of the parts that processes write by themselves: a.b/profile.json gives
// a.b/profile.parts.
std::string parts_folder(std::string report);

// A file that appears under its name when it is whole. Until then it has a name that no other user can
// know, and no file or link of another user is written to, since the folder may be shared (/tmp).
//
// A device, a pipe or a link stays as it is, and is written as the text comes, if it is the user's own
// or root's. The writer does not wait for a pipe's reader to come, and kPatienceMs at most for it to
// take the next bytes.
class ReportFile {
public:
    explicit ReportFile(std::string path);
    ~ReportFile();  // removes an unfinished file
    ReportFile(const ReportFile&) = delete;
    ReportFile& operator=(const ReportFile&) = delete;

    const std::string& path() const { return path_; }
    bool is_open() const { return descriptor_ >= 0; }
    void write(std::string_view text);
    void finish();

    // The fault and the remedy; "" if all went well.
    std::string complaint() const;

private:
    static constexpr int kPatienceMs = 10000;
    static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

    void flush();
    void remove_part() const;
    void note_error(bool is_good);

    std::string path_;
    std::string part_;  // the name until it is whole; "" for a device, pipe or link
    std::string buffer_;
    int descriptor_ = -1;
    int error_ = 0;
};

}  // namespace hitopo::profile

#endif
