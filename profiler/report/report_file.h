// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A file that appears under its name when it is whole. Until then it has a name that nobody can know,
// and nobody else's file or link is written to, since the folder may be everybody's (/tmp).
//
// What is no file (a device, a pipe, a link) stays what it is, and is written as it comes, where it is
// the user's own or root's. Nobody is waited for who does not read: neither for a pipe's other end, nor
// for more than kPatienceMs for it to take the next bytes.
#ifndef PROFILER_REPORT_REPORT_FILE_H
#define PROFILER_REPORT_REPORT_FILE_H

#include <string>
#include <string_view>

namespace hitopo::profile {

class ReportFile {
public:
    explicit ReportFile(std::string path);
    ~ReportFile();  // removes what was not finished
    ReportFile(const ReportFile&) = delete;
    ReportFile& operator=(const ReportFile&) = delete;

    bool is_open() const { return descriptor_ >= 0; }
    void write(std::string_view text);
    void finish();

    // What went wrong, and the remedy; "" where all went well.
    std::string complaint() const;

private:
    static constexpr int kPatienceMs = 10000;
    static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

    void open_part();
    void flush();
    void remove_part() const;
    void note_error(bool is_good);

    std::string path_;
    std::string part_;  // the name until it is whole; "" for what is no file
    std::string buffer_;
    int descriptor_ = -1;
    int error_ = 0;
};

}  // namespace hitopo::profile

#endif
