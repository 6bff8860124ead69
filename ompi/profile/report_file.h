// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A file that appears under its name when it is whole. What is no file (a device, a pipe, a link to one)
// stays what it is, and is written as it comes.
#ifndef OMPI_PROFILE_REPORT_FILE_H
#define OMPI_PROFILE_REPORT_FILE_H

#include <cstdio>
#include <string>
#include <string_view>

namespace hitopo::profile {

class ReportFile {
public:
    explicit ReportFile(std::string path);
    ~ReportFile();  // removes what was not finished
    ReportFile(const ReportFile&) = delete;
    ReportFile& operator=(const ReportFile&) = delete;

    bool is_open() const { return file_ != nullptr; }
    void write(std::string_view text);
    void finish();

    // What went wrong, and the remedy; "" where all went well.
    std::string complaint() const;

private:
    std::string written() const { return is_replaced_ ? path_ + ".part" : path_; }
    void remove() const;
    void note_error(bool is_good);

    std::string path_;
    bool is_replaced_;
    int error_ = 0;
    std::FILE* file_;
};

}  // namespace hitopo::profile

#endif
