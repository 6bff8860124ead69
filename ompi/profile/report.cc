// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/profile/report.h"

#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ompi/mca/hitopo/base/hitopo_describe.h"
#include "ompi/mca/hitopo/core/lane.h"
#include "ompi/mca/hitopo/core/report_path.h"
#include "ompi/mca/hitopo/core/version.h"
#include "ompi/profile/document.h"
#include "ompi/profile/job.h"
#include "ompi/profile/ledger.h"
#include "ompi/profile/private_world.h"
#include "ompi/profile/profile_glue.h"
#include "ompi/profile/report_file.h"

namespace hitopo::profile {
namespace {

constexpr int kSchema = 1;

// ---- one process's part ----

class Part {
public:
    Part(int rank, const WorldTable& table)
        : communicators_(Ledger::instance().kept()), table_(table), rank_(rank) {}

    std::vector<std::uint64_t> keys() const {
        std::vector<std::uint64_t> keys;
        for (const Communicator* communicator : communicators_) {
            keys.push_back(communicator->key());
        }
        return keys;
    }

    // Of those that rank 0 had not heard of: a document in a line.
    std::string descriptions(const std::vector<std::int32_t>& is_new) const {
        Json list = Json::array();
        for (std::size_t i = 0; i < communicators_.size(); ++i) {
            if (is_new[i] != 0) {
                list.push_back(describe(*communicators_[i]));
            }
        }
        return to_text(list);
    }

    std::string traffic(const std::vector<std::int32_t>& ids) const {
        Json list = Json::array();
        for (std::size_t i = 0; i < communicators_.size(); ++i) {
            list.push_back(describe_traffic(*communicators_[i], ids[i], table_));
        }
        return to_text({{"rank", rank_}, {"communicators", std::move(list)}});
    }

private:
    std::vector<Communicator*> communicators_;
    const WorldTable& table_;
    int rank_;
};

// ---- the document, at rank 0 ----

std::string table_or_null() {
    const char* reason = "";
    const std::unique_ptr<char, void (*)(void*)> text(ompi_hitopo_describe_table(&reason), std::free);
    return text == nullptr ? "null" : text.get();
}

class Writer {
public:
    Writer(ReportFile& file, const WorldTable& table, int snapshot, int size)
        : file_(file), table_(table) {
        Json lanes = Json::array();
        for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
            lanes.push_back(lane_name(static_cast<Lane>(lane)));
        }
        const Json head = {{"hitopo", kHitopoVersion},
                           {"schema", kSchema},
                           {"document", "profile"},
                           {"size", size},
                           {"snapshot", snapshot},
                           {"seconds", static_cast<double>(elapsed_ns()) * 1e-9},
                           {"lanes", lanes}};
        std::string text = to_text(head);
        text.pop_back();
        file_.write(text + ",\n\"table\": " + table_or_null() + ",\n\"processes\": [\n");
    }

    // The ids of these keys, and which of them are new.
    std::vector<std::int32_t> number(const std::vector<std::uint64_t>& keys,
                                     std::vector<std::int32_t>& is_new) {
        std::vector<std::int32_t> ids;
        for (const std::uint64_t key : keys) {
            const auto [entry, is_first] = ids_.emplace(key, static_cast<std::int32_t>(ids_.size()));
            ids.push_back(entry->second);
            is_new.push_back(is_first ? 1 : 0);
        }
        return ids;
    }

    void add_descriptions(const std::string& text) {
        for (const Json& communicator : Json::parse(text)) {
            Json entry = {{"id", communicators_.size()}};
            entry.update(communicator);
            entry["spans"] = describe_spans(communicator["ranks"], table_);
            communicators_.push_back(to_text(entry));
        }
    }

    void note_left_out(bool has_left_out) { has_left_out_ = has_left_out_ || has_left_out; }

    void begin_process() {
        if (has_process_) {
            file_.write(",\n");
        }
        has_process_ = true;
    }
    void add(std::string_view text) { file_.write(text); }

    void finish() {
        file_.write("\n],\n\"communicators\": [");
        const char* separator = "\n";
        for (const std::string& communicator : communicators_) {
            file_.write(separator + communicator);
            separator = ",\n";
        }
        Json warnings = Json::array();
        if (has_left_out_) {
            warnings.push_back("some registered communicators were not counted: there were more than " +
                               std::to_string(hitopo_profile_settings()->max_communicators) +
                               ", which MCA variable hitopo_prof_max_communicators can raise");
        }
        file_.write("\n],\n\"warnings\": " + to_text(warnings) + "}\n");
        file_.finish();
    }

private:
    ReportFile& file_;
    const WorldTable& table_;
    std::unordered_map<std::uint64_t, std::int32_t> ids_;
    std::vector<std::string> communicators_;
    bool has_process_ = false;
    bool has_left_out_ = false;
};

// ---- the two sides ----

void collect_own(Writer& writer, const Part& part) {
    std::vector<std::int32_t> is_new;
    const std::vector<std::int32_t> ids = writer.number(part.keys(), is_new);
    writer.note_left_out(Ledger::instance().has_left_out());
    writer.add_descriptions(part.descriptions(is_new));
    writer.begin_process();
    writer.add(part.traffic(ids));
}

void collect(const PrivateWorld& world, int from, Writer& writer) {
    std::vector<std::int32_t> is_new;
    const auto ids = writer.number(world.receive<std::uint64_t>(from), is_new);
    world.send(from, ids);
    world.send(from, is_new);
    writer.note_left_out(world.receive<std::int32_t>(from).front() != 0);
    std::string descriptions;
    world.receive_text(from, [&](const std::string& piece) { descriptions += piece; });
    writer.add_descriptions(descriptions);
    writer.begin_process();
    world.receive_text(from, [&](const std::string& piece) { writer.add(piece); });
}

void contribute(const PrivateWorld& world, const Part& part) {
    world.send(0, part.keys());
    const auto ids = world.receive<std::int32_t>(0);
    const auto is_new = world.receive<std::int32_t>(0);
    world.send(0, std::vector<std::int32_t>{Ledger::instance().has_left_out() ? 1 : 0});
    world.send(0, part.descriptions(is_new));
    world.send(0, part.traffic(ids));
}

void write_as_first(const PrivateWorld& world, const WorldTable& table, const Part& part, int snapshot,
                    std::string path) {
    ReportFile file(std::move(path));
    if (world.is_first_ready(file.is_open())) {
        Writer writer(file, table, snapshot, world.size());
        collect_own(writer, part);
        for (int rank = 1; rank < world.size(); ++rank) {
            collect(world, rank, writer);
        }
        writer.finish();
    }
    if (!file.complaint().empty()) {
        hitopo_profile_warn(file.complaint().c_str());
    }
}

}  // namespace

void write_report(int snapshot) {
    const char* pattern = hitopo_profile_settings()->report;
    const PrivateWorld world;
    const WorldTable table;
    const Part part(world.rank(), table);
    if (world.rank() != 0) {
        if (world.is_first_ready(false)) {
            contribute(world, part);
        }
    } else if (pattern == nullptr || *pattern == '\0') {
        (void)world.is_first_ready(false);
    } else {
        write_as_first(world, table, part, snapshot, report_path(pattern, snapshot, getpid()));
    }
}

}  // namespace hitopo::profile
