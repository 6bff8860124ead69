// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange/local_groups.h"

#include <numeric>

#include "ompi/mca/hitopo/core/address/bytes.h"

namespace hitopo {

// Runs of leaders: the distance of each from the one before, the members of each, the number of leaders.
std::string LeaderList::encode(std::uint32_t first, std::size_t num) const {
    ByteWriter bytes;
    std::uint32_t distance = 0, num_members = 0, count = 0;  // of the present run
    const auto end_run = [&] {
        for (const std::uint32_t number : {distance, num_members, count}) {
            bytes.put_varint(number);
        }
    };
    std::size_t last = 0;
    for (std::size_t i = 0; i < num; ++i) {
        const std::uint32_t members = num_members_[(first + i) % num_members_.size()];
        if (members == 0) {
            continue;
        }
        const auto step = static_cast<std::uint32_t>(i - last);
        if (count > 0 && (step != distance || members != num_members)) {
            end_run();
            count = 0;
        }
        distance = step;
        num_members = members;
        ++count;
        last = i;
    }
    if (count > 0) {
        end_run();
    }
    return bytes.take();
}

bool LeaderList::decode(std::uint32_t first, std::string_view bytes) {
    const std::size_t num_processes = num_members_.size();
    ByteReader reader(bytes);
    std::uint64_t at = 0;
    while (reader.num_left() > 0) {
        const std::uint64_t distance = reader.get_varint(), num_members = reader.get_varint(),
                            count = reader.get_varint();
        if (reader.has_failed() || distance >= num_processes || num_members > num_processes ||
            count > num_processes || (distance == 0 && count > 1)) {
            return false;
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            at += distance;
            if (at >= num_processes) {
                return false;
            }
            num_members_[(first + at) % num_processes] = static_cast<std::uint32_t>(num_members);
        }
    }
    return true;
}

bool LeaderList::is_whole() const {
    return std::accumulate(num_members_.begin(), num_members_.end(), std::uint64_t{0}) ==
           num_members_.size();
}

}  // namespace hitopo
