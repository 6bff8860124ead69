// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Parts that processes wrote by themselves (MCA variable hitopo_prof_every), as one profile.
#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "ompi/tools/hitopo/words.h"
#include "profiler/tool/profile/profile.h"
#include "profiler/tool/profile/profile_sums.h"

namespace hitopo::tool {
namespace {

// The process that wrote it.
int own_rank(const Profile& part) { return part.processes.front().rank; }

// 17 for "17.json"; -1 for any other name.
int rank_in(const char* name) {
    const char* const end = name + std::strlen(name);
    int rank = -1;
    const auto [rest, error] = std::from_chars(name, end, rank);
    return error == std::errc() && std::strcmp(rest, ".json") == 0 ? rank : -1;
}

Error no_parts(const std::string& folder, const std::string& why) {
    return {Errc::kUnreadable, why,
            "Name a file that the profiler wrote, or a folder with parts that processes wrote by "
            "themselves (MCA variable hitopo_prof_every)",
            folder};
}

class JoinedParts {
public:
    // The part of that rank, from the file `path`; ranks ascend. One that cannot be read, or does not go
    // with those before, is left out. Of several jobs the one that began last counts.
    void add(int rank, const std::string& path, Result<Profile> part) {
        const std::string fault = part ? fault_of(rank, *part) : part.error().value;
        if (!fault.empty()) {
            first_fault_ = num_faults_ == 0 ? fmt::format("{}: {}", path, fault) : first_fault_;
            ++num_faults_;
        } else if (whole_ && part->part_of < whole_->part_of) {
            ++num_old_;
        } else if (!whole_ || part->part_of > whole_->part_of) {
            num_old_ += whole_ ? whole_->processes.size() : 0;
            whole_ = std::move(*part);
            first_seconds_ = whole_->seconds;
            indices_.clear();
            for (const KindRecord& kind : whole_->kinds) {
                indices_.emplace(kind.key, static_cast<int>(indices_.size()));
            }
        } else {
            join(*whole_, std::move(*part));
        }
    }

    // Call it once, after all were added: warnings have the numbers and times of parts, and the files
    // left out. Empty if there is no part.
    std::optional<Profile> take() {
        if (whole_) {
            for (std::string& warning : warnings()) {
                whole_->warnings.push_back(std::move(warning));
            }
            mark_allowed(*whole_);
        }
        return std::move(whole_);
    }

    // The first file that is left out, and its fault; "": none is.
    const std::string& first_fault() const { return first_fault_; }

private:
    // The reader of the part has made sure that indices and ranks are in range.
    std::string fault_of(int rank, const Profile& part) const {
        if (part.part_of.empty() || part.processes.size() != 1 || own_rank(part) != rank) {
            return fmt::format("it is no part that rank {} wrote by itself.", rank);
        }
        if (!whole_ || part.part_of != whole_->part_of) {
            return "";
        }
        if (part.size != whole_->size || part.lanes != whole_->lanes ||
            part.max_peers != whole_->max_peers || part.has_pairs != whole_->has_pairs) {
            return fmt::format("it does not go with the part of rank {}.", own_rank(*whole_));
        }
        for (const KindRecord& kind : part.kinds) {
            const auto found = indices_.find(kind.key);
            if (found != indices_.end()) {
                const KindRecord& other = whole_->kinds[static_cast<std::size_t>(found->second)];
                if (other.size != kind.size || other.remote_size != kind.remote_size) {
                    return "one of its kinds of communicators has another size than in parts of lower "
                           "ranks.";
                }
            }
        }
        return "";
    }

    void join(Profile& whole, Profile&& part) {
        std::vector<int> indices;
        for (KindRecord& kind : part.kinds) {
            const auto [entry, is_new] =
                indices_.emplace(kind.key, static_cast<int>(whole.kinds.size()));
            if (is_new) {
                whole.kinds.push_back(std::move(kind));
            }
            indices.push_back(entry->second);
        }
        for (TrafficRecord& traffic : part.processes.front().kinds) {
            traffic.kind = indices[static_cast<std::size_t>(traffic.kind)];
        }
        whole.processes.push_back(std::move(part.processes.front()));
        if (!whole.table) {
            whole.table = std::move(part.table);
        }
        for (std::string& warning : part.warnings) {
            if (std::find(whole.warnings.begin(), whole.warnings.end(), warning) ==
                whole.warnings.end()) {
                whole.warnings.push_back(std::move(warning));
            }
        }
        first_seconds_ = std::min(first_seconds_, part.seconds);
        whole.seconds = std::max(whole.seconds, part.seconds);
    }

    std::vector<std::string> warnings() const {
        std::vector<int> missing;
        auto process = whole_->processes.begin();
        for (int rank = 0; rank < whole_->size; ++rank) {
            if (process != whole_->processes.end() && process->rank == rank) {
                ++process;
            } else {
                missing.push_back(rank);
            }
        }
        std::vector<std::string> warnings = {fmt::format(
            "this is what {} of {} wrote by themselves, {:.4g} to {:.4g} s after MPI_Init; what came "
            "later "
            "is not in it{}",
            whole_->processes.size(), counted(static_cast<std::size_t>(whole_->size), "process"),
            first_seconds_, whole_->seconds,
            missing.empty() ? "" : ", nor is anything of " + ranks_phrase(missing))};
        if (num_faults_ > 0) {
            warnings.push_back(
                fmt::format("left out: {}{}", first_fault_,
                            num_faults_ > 1 ? fmt::format(" And {} more.", num_faults_ - 1) : ""));
        }
        if (num_old_ > 0) {
            warnings.push_back(fmt::format("left out: {} of a job that began before this one",
                                           counted(num_old_, "part")));
        }
        return warnings;
    }

    std::optional<Profile> whole_;
    std::unordered_map<std::string, int> indices_;  // of kinds, by key
    double first_seconds_ = 0;
    std::size_t num_faults_ = 0;
    std::size_t num_old_ = 0;  // of jobs that began before
    std::string first_fault_;
};

}  // namespace

Result<Profile> open_parts(const std::string& folder) {
    const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
    if (!open) {
        return no_parts(folder, fmt::format("cannot be read: {}.", std::strerror(errno)));
    }
    std::vector<int> ranks;
    while (const dirent* entry = ::readdir(open.get())) {
        if (const int rank = rank_in(entry->d_name); rank >= 0) {
            ranks.push_back(rank);
        }
    }
    std::sort(ranks.begin(), ranks.end());
    JoinedParts parts;
    for (const int rank : ranks) {
        const std::string path = fmt::format("{}/{}.json", folder, rank);
        parts.add(rank, path, open_profile(path));
    }
    std::optional<Profile> whole = parts.take();
    if (!whole) {
        return no_parts(folder, parts.first_fault().empty() ? "is a folder without parts of a profile."
                                                            : parts.first_fault());
    }
    return std::move(*whole);
}

}  // namespace hitopo::tool
