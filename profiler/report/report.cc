// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/report/report.h"

#include <unistd.h>

#include <algorithm>

#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "profiler/profile_glue.h"
#include "profiler/report/report_path.h"
#include "profiler/report/report_writer.h"

namespace hitopo::profile {
namespace {

// Rank 0 first hears from each how many snapshots it has. Then it asks for parts, one after the other,
// by their number, until it lets the others go.
constexpr std::int32_t kEnd = 0;  // the part of the end; snapshots count from 1
constexpr std::int32_t kLeave = -1;

const Part& part_of(const std::vector<Part>& parts, std::int32_t number) {
    return number == kEnd ? parts.back() : parts[static_cast<std::size_t>(number) - 1];
}

// ---- the others ----

bool hand_in(const PrivateWorld& world, const WorldTable& table, const Part& part) {
    if (!world.send(0, head_of(part))) {
        return false;
    }
    const auto ids = world.receive<std::vector<std::int32_t>>(0);
    const auto is_new = world.receive<std::vector<std::int32_t>>(0);
    return ids && is_new && world.send(0, part.descriptions(*is_new)) &&
           world.send(0, part.traffic(world.rank(), *ids, table));
}

void follow(const PrivateWorld& world, const WorldTable& table, const std::vector<Part>& parts) {
    bool is_asked = world.send(0, std::vector<std::uint64_t>{parts.size() - 1});
    while (is_asked) {
        const auto number = world.receive<std::vector<std::int32_t>>(0);
        is_asked = number && number->front() != kLeave &&
                   hand_in(world, table, part_of(parts, number->front()));
    }
}

// ---- rank 0 ----

class Leader {
public:
    Leader(const PrivateWorld& world, const WorldTable& table, const std::vector<Part>& parts)
        : world_(world), table_(table), parts_(parts), num_snapshots_{parts.size() - 1} {
        for (int rank = 1; rank < world.size(); ++rank) {
            const auto num = world.receive<std::vector<std::uint64_t>>(rank);
            num_snapshots_.push_back(num ? num->front() : 0);
        }
    }
    // Whatever went wrong here, nobody waits.
    ~Leader() {
        for (int rank = 1; rank < world_.size(); ++rank) {
            (void)world_.send(rank, std::vector<std::int32_t>{kLeave});
        }
    }
    Leader(const Leader&) = delete;
    Leader& operator=(const Leader&) = delete;

    std::uint64_t max_snapshots() const {
        return *std::max_element(num_snapshots_.begin(), num_snapshots_.end());
    }

    // False where it cannot be written.
    bool write(std::int32_t number, std::string path) const {
        ReportFile file(std::move(path));
        if (file.is_open()) {
            ReportWriter writer(file, table_, number, world_.size());
            for (int rank = 0; rank < world_.size(); ++rank) {
                if (static_cast<std::uint64_t>(number) <=
                    num_snapshots_[static_cast<std::size_t>(rank)]) {
                    add(writer, rank, number);
                }
            }
            writer.finish();
        }
        if (!file.complaint().empty()) {
            hitopo_profile_warn(safe(file.complaint(), Charset::kAscii).c_str());
        }
        return file.complaint().empty();
    }

private:
    void add(ReportWriter& writer, int rank, std::int32_t number) const {
        if (rank == 0) {
            const Part& part = part_of(parts_, number);
            const NumberedKeys keys = writer.number(head_of(part));
            writer.add(part.descriptions(keys.is_new), part.traffic(0, keys.ids, table_));
        } else if (world_.send(rank, std::vector<std::int32_t>{number})) {
            collect(writer, rank);
        }
    }

    // A process that dies meanwhile is left out.
    void collect(ReportWriter& writer, int rank) const {
        const auto head = world_.receive<std::vector<std::uint64_t>>(rank);
        if (!head) {
            return;
        }
        const NumberedKeys keys = writer.number(*head);
        if (world_.send(rank, keys.ids) && world_.send(rank, keys.is_new)) {
            const auto descriptions = world_.receive<std::string>(rank);
            const auto traffic = world_.receive<std::string>(rank);
            if (descriptions && traffic) {
                writer.add(*descriptions, *traffic);
                return;
            }
        }
        writer.take_back();
    }

    const PrivateWorld& world_;
    const WorldTable& table_;
    const std::vector<Part>& parts_;
    std::vector<std::uint64_t> num_snapshots_;  // of each rank; 0 of those that are gone
};

std::string host_name() {
    char name[256] = "";
    (void)gethostname(name, sizeof name - 1);
    return name;
}

void lead(const Leader& leader, const std::string& job) {
    const char* pattern = hitopo_profile_settings()->report;
    const std::string host = host_name();
    const auto path_of = [&](std::int32_t number) {
        return report_path(pattern, number, {host, job, getpid()});
    };
    if (pattern == nullptr || *pattern == '\0') {
        return;
    }
    const auto last = static_cast<std::int32_t>(leader.max_snapshots());
    bool is_good = true;
    for (std::int32_t number = 1; is_good && number <= last; ++number) {
        is_good = leader.write(number, path_of(number));
    }
    if (is_good) {
        (void)leader.write(kEnd, path_of(kEnd));
    }
}

}  // namespace

void write_reports(const PrivateWorld& world, const std::vector<Part>& parts, const std::string& job) {
    const WorldTable table;
    if (world.rank() == 0) {
        lead(Leader(world, table, parts), job);
    } else {
        follow(world, table, parts);
    }
}

}  // namespace hitopo::profile
