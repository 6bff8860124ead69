// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/profile/report.h"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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
#include "ompi/profile/profile_glue.h"
#include "ompi/profile/world.h"

namespace hitopo::profile {
namespace {

constexpr int kSchema = 1;

// ---- talking ----

// All processes of MPI_COMM_WORLD, apart from what the program sends in it. A duplicate would copy the
// program's attributes.
class Line {
public:
    Line() {
        MPI_Group group = MPI_GROUP_NULL;
        PMPI_Comm_group(MPI_COMM_WORLD, &group);
        PMPI_Comm_create(MPI_COMM_WORLD, group, &comm_);  // collective
        PMPI_Group_free(&group);
        PMPI_Comm_rank(comm_, &rank_);
        PMPI_Comm_size(comm_, &size_);
    }
    ~Line() { PMPI_Comm_free(&comm_); }
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }

    // Rank 0's answer. Collective.
    bool agree(bool is_ready) const {
        int ready = is_ready ? 1 : 0;
        PMPI_Bcast(&ready, 1, MPI_INT, 0, comm_);
        return ready != 0;
    }

    template <class T>
    void send(int to, const std::vector<T>& values) const {
        send_bytes(to, reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    }
    void send(int to, const std::string& text) const { send_bytes(to, text.data(), text.size()); }

    template <class T>
    std::vector<T> receive(int from) const {
        std::vector<T> values(receive_length(from) / sizeof(T));
        receive_bytes(from, values.size() * sizeof(T), [&](std::size_t at, std::size_t) {
            return reinterpret_cast<char*>(values.data()) + at;
        });
        return values;
    }
    // Hands on a text piece by piece.
    template <class Take>
    void receive_text(int from, Take&& take) const {
        std::string piece;
        for (std::size_t left = receive_length(from); left > 0; left -= piece.size()) {
            piece.resize(std::min(left, kPiece));
            receive_bytes(from, piece.size(), [&](std::size_t, std::size_t) { return piece.data(); });
            take(piece);
        }
    }

private:
    static constexpr std::size_t kPiece = std::size_t{1} << 24;
    static constexpr int kTag = 0;

    void send_bytes(int to, const char* bytes, std::size_t count) const {
        std::uint64_t length = count;
        PMPI_Send(&length, 1, MPI_UINT64_T, to, kTag, comm_);
        for (std::size_t at = 0; at < count; at += kPiece) {
            PMPI_Send(bytes + at, static_cast<int>(std::min(kPiece, count - at)), MPI_BYTE, to, kTag,
                      comm_);
        }
    }
    std::size_t receive_length(int from) const {
        std::uint64_t length = 0;
        PMPI_Recv(&length, 1, MPI_UINT64_T, from, kTag, comm_, MPI_STATUS_IGNORE);
        return length;
    }
    template <class Place>
    void receive_bytes(int from, std::size_t count, Place&& place) const {
        for (std::size_t at = 0; at < count; at += kPiece) {
            const std::size_t piece = std::min(kPiece, count - at);
            PMPI_Recv(place(at, piece), static_cast<int>(piece), MPI_BYTE, from, kTag, comm_,
                      MPI_STATUS_IGNORE);
        }
    }

    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 1;
};

// ---- one process's part ----

class Part {
public:
    explicit Part(int rank) : communicators_(Ledger::instance().kept()), rank_(rank) {}

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
            list.push_back(describe_traffic(*communicators_[i], ids[i]));
        }
        return to_text({{"rank", rank_}, {"communicators", std::move(list)}});
    }

private:
    std::vector<Communicator*> communicators_;
    int rank_;
};

// ---- the file, at rank 0 ----

// Appears under its name when it is whole.
class File {
public:
    explicit File(std::string path)
        : path_(std::move(path)), file_(std::fopen(unfinished().c_str(), "w")) {
        note_error(file_ != nullptr);
    }
    ~File() {
        if (file_ != nullptr) {
            (void)std::fclose(file_);
            (void)std::remove(unfinished().c_str());
        }
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    bool is_open() const { return file_ != nullptr; }
    void write(std::string_view text) {
        note_error(std::fwrite(text.data(), 1, text.size(), file_) == text.size());
    }
    void finish() {
        note_error(std::fclose(file_) == 0);
        file_ = nullptr;
        note_error(error_ == 0 && std::rename(unfinished().c_str(), path_.c_str()) == 0);
        if (error_ != 0) {
            (void)std::remove(unfinished().c_str());
        }
    }
    // "" where all went well.
    std::string complaint() const {
        return error_ == 0 ? ""
                           : "cannot write " + path_ + ": " + std::strerror(error_) +
                                 " (MCA variable hitopo_prof_report names another file)";
    }

private:
    std::string unfinished() const { return path_ + ".part"; }
    void note_error(bool is_good) {
        if (!is_good && error_ == 0) {
            error_ = errno != 0 ? errno : EIO;
        }
    }

    std::string path_;
    int error_ = 0;
    std::FILE* file_;
};

Json table_or_null() {
    const char* reason = "";
    const std::unique_ptr<char, void (*)(void*)> text(ompi_hitopo_describe_table(&reason), std::free);
    return text == nullptr ? Json() : Json::parse(text.get());
}

class Writer {
public:
    Writer(File& file, int snapshot, int size) : file_(file) {
        Json lanes = Json::array();
        for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
            lanes.push_back(lane_name(static_cast<Lane>(lane)));
        }
        const Json head = {
            {"hitopo", kHitopoVersion}, {"schema", kSchema},
            {"document", "profile"},    {"size", size},
            {"snapshot", snapshot},     {"seconds", static_cast<double>(elapsed_ns()) * 1e-9},
            {"lanes", lanes},           {"table", table_or_null()}};
        std::string text = to_text(head);
        text.pop_back();
        file_.write(text + ",\n\"processes\": [\n");
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
            entry["spans"] = describe_spans(communicator["ranks"]);
            communicators_.push_back(to_text(entry));
        }
    }

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
        if (Ledger::instance().has_left_out()) {
            warnings.push_back("some registered communicators were not counted: there were more than " +
                               std::to_string(hitopo_profile_settings()->max_communicators) +
                               ", which MCA variable hitopo_prof_max_communicators can raise");
        }
        file_.write("\n],\n\"warnings\": " + to_text(warnings) + "}\n");
        file_.finish();
    }

private:
    File& file_;
    std::unordered_map<std::uint64_t, std::int32_t> ids_;
    std::vector<std::string> communicators_;
    bool has_process_ = false;
};

// ---- the two sides ----

void collect_own(Writer& writer, const Part& part) {
    std::vector<std::int32_t> is_new;
    const std::vector<std::int32_t> ids = writer.number(part.keys(), is_new);
    writer.add_descriptions(part.descriptions(is_new));
    writer.begin_process();
    writer.add(part.traffic(ids));
}

void collect(const Line& line, int from, Writer& writer) {
    std::vector<std::int32_t> is_new;
    const auto ids = writer.number(line.receive<std::uint64_t>(from), is_new);
    line.send(from, ids);
    line.send(from, is_new);
    std::string descriptions;
    line.receive_text(from, [&](const std::string& piece) { descriptions += piece; });
    writer.add_descriptions(descriptions);
    writer.begin_process();
    line.receive_text(from, [&](const std::string& piece) { writer.add(piece); });
}

void contribute(const Line& line, const Part& part) {
    line.send(0, part.keys());
    const auto ids = line.receive<std::int32_t>(0);
    const auto is_new = line.receive<std::int32_t>(0);
    line.send(0, part.descriptions(is_new));
    line.send(0, part.traffic(ids));
}

void write_as_first(const Line& line, const Part& part, int snapshot, std::string path) {
    File file(std::move(path));
    if (line.agree(file.is_open())) {
        Writer writer(file, snapshot, line.size());
        collect_own(writer, part);
        for (int rank = 1; rank < line.size(); ++rank) {
            collect(line, rank, writer);
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
    const Line line;
    const Part part(line.rank());
    if (line.rank() != 0) {
        if (line.agree(false)) {
            contribute(line, part);
        }
    } else if (pattern == nullptr || *pattern == '\0') {
        (void)line.agree(false);
    } else {
        write_as_first(line, part, snapshot, report_path(pattern, snapshot, getpid()));
    }
}

}  // namespace hitopo::profile
