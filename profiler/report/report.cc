// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/report/report.h"

#include <utility>

#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "profiler/profile_glue.h"
#include "profiler/report/report_writer.h"

namespace hitopo::profile {
namespace {

class OwnParts : public PartSource {
public:
    OwnParts(const PrivateWorld& world, const std::vector<Part>& parts, const WorldTable& table)
        : rank_(world.rank()), wants_peers_(keeps_peers(world.size())), parts_(parts), table_(table) {}

    void tell(Heads& heads) const override {
        std::vector<PartHead> own;
        for (const Part& part : parts_) {
            own.push_back(part.head(wants_peers_));
        }
        if (!own.empty()) {
            heads.add(rank_, parts_.back().keys(), own);
        }
    }

    std::string answer(const Order& order) const override {
        const auto number = static_cast<std::size_t>(order.number);
        if (parts_.empty() || (order.number != kEnd && number >= parts_.size())) {
            return "";
        }
        const Part& part = order.number == kEnd ? parts_.back() : parts_[number - 1];
        if (order.ids.size() != part.keys().size()) {
            return "";
        }
        return encode(Answer{rank_, part.descriptions(order.is_new),
                             part.traffic(rank_, order.ids, table_, order.wants_peers)});
    }

private:
    int rank_;
    bool wants_peers_;
    const std::vector<Part>& parts_;
    const WorldTable& table_;
};

// ---- rank 0 ----

// False where it cannot be written.
bool write(Root& root, std::int32_t number, std::string path, const WorldTable& table, int size) {
    ReportFile file(std::move(path));
    if (file.is_open()) {
        ReportWriter writer(file, table, {number, size});
        root.collect(number, keeps_peers(size), [&](const Root::Taken& part) { writer.add(part); });
        writer.finish();
    }
    if (!file.complaint().empty()) {
        hitopo_profile_warn(safe(file.complaint(), Charset::kAscii).c_str());
    }
    return file.complaint().empty();
}

void lead_job(Root& root, const ReportOrigin& origin, const WorldTable& table, int size) {
    const char* pattern = hitopo_profile_settings()->report;
    if (pattern == nullptr || *pattern == '\0') {
        return;
    }
    const auto write_one = [&](int number) {
        return write(root, number, report_path(pattern, number, origin), table, size);
    };
    bool is_good = true;
    for (int number = 1; is_good && number <= root.num_snapshots(); ++number) {
        is_good = write_one(number);
    }
    if (is_good) {
        (void)write_one(kEnd);
    }
}

}  // namespace

void write_reports(PrivateWorld& world, const Duties& duties, const std::vector<Part>& parts,
                   const ReportOrigin& origin) {
    const WorldTable table;
    const OwnParts own(world, parts, table);
    if (world.rank() == 0) {
        NodeLeader leader(world, 0, duties.members, own);
        Root root(world, world.size(), leader, duties.leaders);
        lead_job(root, origin, table, world.size());
    } else if (duties.leader == world.rank()) {
        lead_node(world, world.rank(), duties.members, own);
    } else {
        follow(world, duties.leader, own);
    }
}

}  // namespace hitopo::profile
