// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Parts that processes wrote by themselves (MCA variable hitopo_prof_every), as one profile.
#ifndef PROFILER_TOOL_PROFILE_PROFILE_PARTS_H
#define PROFILER_TOOL_PROFILE_PROFILE_PARTS_H

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/tool/profile/profile.h"

namespace hitopo::tool {

class JoinedParts {
public:
    // The part of that rank, from the file `path`; ranks ascend. One that cannot be read, or does not go
    // with those before, is left out. Of several jobs the one that began last counts.
    void add(int rank, const std::string& path, Result<Profile> part);

    // Once, of all that were added: its warnings tell how many wrote when, and what is left out. None
    // where there is no part.
    std::optional<Profile> take();

    // The first file that is left out, and what is wrong with it; "": none is.
    const std::string& first_fault() const { return first_fault_; }

private:
    std::string fault_of(int rank, const Profile& part) const;
    void begin(Profile&& part);
    void join(Profile&& part);
    // The index of a part's kind in the whole.
    int whole_index(Kind&& kind);
    std::vector<std::string> warnings() const;

    std::optional<Profile> whole_;
    std::unordered_map<std::string, int> indices_;  // of kinds, by key
    double first_seconds_ = 0;
    std::size_t num_faults_ = 0;
    std::size_t num_old_ = 0;  // of jobs that began before
    std::string first_fault_;
};

// The files RANK.json of a folder. kUnreadable, kMalformed: as open_profile.
Result<Profile> open_parts(const std::string& folder);

}  // namespace hitopo::tool

#endif
