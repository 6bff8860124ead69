// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/profile/report_file.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace hitopo::profile {
namespace {

bool is_absent_or_file(const std::string& path) {
    struct stat status;
    return lstat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

}  // namespace

ReportFile::ReportFile(std::string path)
    : path_(std::move(path)),
      is_replaced_(is_absent_or_file(path_)),
      file_(std::fopen(written().c_str(), "w")) {
    note_error(file_ != nullptr);
}

ReportFile::~ReportFile() {
    if (file_ != nullptr) {
        (void)std::fclose(file_);
        remove();
    }
}

void ReportFile::remove() const {
    if (is_replaced_) {
        (void)std::remove(written().c_str());
    }
}

void ReportFile::write(std::string_view text) {
    note_error(std::fwrite(text.data(), 1, text.size(), file_) == text.size());
}

void ReportFile::finish() {
    note_error(std::fclose(file_) == 0);
    file_ = nullptr;
    if (is_replaced_ && error_ == 0) {
        note_error(std::rename(written().c_str(), path_.c_str()) == 0);
    }
    if (error_ != 0) {
        remove();
    }
}

std::string ReportFile::complaint() const {
    return error_ == 0 ? ""
                       : "cannot write " + path_ + ": " + std::strerror(error_) +
                             " (MCA variable hitopo_prof_report names another file)";
}

void ReportFile::note_error(bool is_good) {
    if (!is_good && error_ == 0) {
        error_ = errno != 0 ? errno : EIO;
    }
}

}  // namespace hitopo::profile
