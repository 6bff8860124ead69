// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A machine as bytes: hardware is regular, so instances are written as series of one shape moved by a
// constant, and a node of 1024 CPUs takes a few hundred bytes.
//
//   machine  = u8 number of types, types
//   type     = name, u32 number of series, series
//   series   = u32 number of instances, u16 distance of one to the next, u16 number of runs, runs
//   run      = u16 first CPU of the first instance, u16 count, u16 stride
#include <algorithm>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/machine/catalogue.h"
#include "ompi/mca/hitopo/core/machine/machine.h"

namespace hitopo {
namespace {

// Limits of a machine from bytes: memory, and work beyond it.
constexpr std::size_t kMaxWords = std::size_t{64} << 17;  // 64 MiB of sets
constexpr std::size_t kMaxMembers = std::size_t{1} << 22;

struct Series {
    std::uint32_t num_instances = 1;
    int distance = 0;
    std::vector<CpuRun> runs;  // of the first instance

    CpuRun run(std::size_t i, std::uint32_t instance) const {
        CpuRun moved = runs[i];
        moved.first =
            static_cast<std::uint16_t>(moved.first + instance * static_cast<unsigned>(distance));
        return moved;
    }
    // Whether `next`, a set behind this series, is its next instance.
    bool continues(const std::vector<CpuRun>& next) const {
        const int step = next[0].first - run(0, num_instances - 1).first;
        if (next.size() != runs.size() || (num_instances > 1 && step != distance)) {
            return false;
        }
        const int moved = step + run(0, num_instances - 1).first - runs[0].first;
        return std::equal(
            runs.begin(), runs.end(), next.begin(), [moved](const CpuRun& a, const CpuRun& b) {
                return a.first + moved == b.first && a.count == b.count && a.stride == b.stride;
            });
    }
};

std::vector<Series> series_of(const std::vector<CpuSet>& instances) {
    std::vector<Series> all;
    for (const CpuSet& instance : instances) {
        std::vector<CpuRun> runs = runs_of(instance);
        if (!all.empty() && all.back().continues(runs)) {
            Series& series = all.back();
            series.distance =
                series.num_instances > 1 ? series.distance : runs[0].first - series.runs[0].first;
            ++series.num_instances;
        } else {
            all.push_back({1, 0, std::move(runs)});
        }
    }
    return all;
}

void put(ByteWriter& writer, const Series& series) {
    writer.put_u32(series.num_instances);
    writer.put_u16(static_cast<std::uint16_t>(series.distance));
    writer.put_u16(static_cast<std::uint16_t>(series.runs.size()));
    for (const CpuRun& run : series.runs) {
        writer.put_u16(run.first);
        writer.put_u16(run.count);
        writer.put_u16(run.stride);
    }
}

// The bytes of one machine, read once from front to back; every answer is false from the first error on.
class MachineReader {
public:
    explicit MachineReader(std::string_view bytes) : reader_(bytes) {}

    bool read(std::vector<MachineType>& types) {
        const int num_types = reader_.get_u8();
        for (int i = 0; i < num_types; ++i) {
            types.emplace_back();
            if (!read(types.back()) ||
                (i > 0 && !is_outer_type(types[types.size() - 2].name, types.back().name))) {
                return false;
            }
        }
        return num_types <= Machine::kMaxTypes && !reader_.has_failed() && reader_.num_left() == 0;
    }
    std::size_t num_left() const { return reader_.num_left(); }

private:
    bool read(MachineType& type) {
        type.name = reader_.get_string();
        const std::uint32_t num_series = reader_.get_u32();
        for (std::uint32_t i = 0; i < num_series; ++i) {
            if (!read(type.instances)) {
                return false;
            }
        }
        const auto is_disordered = [](const CpuSet& a, const CpuSet& b) { return !(a < b); };
        return !type.name.empty() && !type.instances.empty() &&
               std::adjacent_find(type.instances.begin(), type.instances.end(), is_disordered) ==
                   type.instances.end();
    }

    // Adds one series.
    bool read(std::vector<CpuSet>& instances) {
        Series series;
        series.num_instances = reader_.get_u32();
        series.distance = reader_.get_u16();
        const int num_runs = reader_.get_u16();
        for (int i = 0; i < num_runs && !reader_.has_failed(); ++i) {
            CpuRun run = {};
            run.first = reader_.get_u16();
            run.count = reader_.get_u16();
            run.stride = reader_.get_u16();
            series.runs.push_back(run);
        }
        if (reader_.has_failed() || !is_affordable(series)) {
            return false;
        }
        for (std::uint32_t i = 0; i < series.num_instances; ++i) {
            instances.push_back(instance(series, i));
        }
        return true;
    }

    static CpuSet instance(const Series& series, std::uint32_t number) {
        CpuSet set;
        for (std::size_t i = 0; i < series.runs.size(); ++i) {
            add_run(set, series.run(i, number));
        }
        return set;
    }

    // Whether all members are CPU numbers and the limits hold.
    bool is_affordable(const Series& series) {
        std::uint64_t last = 0;
        std::uint64_t num_members = 0;
        for (const CpuRun& run : series.runs) {
            if (run.count == 0) {
                return false;
            }
            num_members += run.count;
            last = std::max(last, run.first + (run.count - std::uint64_t{1}) * run.stride);
        }
        const std::uint64_t count = series.num_instances;
        last += (count - 1) * static_cast<std::uint64_t>(series.distance);
        if (count == 0 || count > CpuSet::kMaxCpus || num_members == 0 || last >= CpuSet::kMaxCpus) {
            return false;
        }
        num_members_ += count * num_members;
        num_words_ += count * (last / 64 + 1);
        return num_members_ <= kMaxMembers && num_words_ <= kMaxWords;
    }

    ByteReader reader_;
    std::uint64_t num_members_ = 0;
    std::uint64_t num_words_ = 0;
};

Error not_a_machine(std::string_view bytes, std::size_t num_left) {
    Error error = malformed_at(std::to_string(bytes.size()) + " bytes", bytes.size() - num_left,
                               "the description of a node's hardware cannot be read; install one "
                               "version of HiTopo on all nodes");
    error.code = bytes.size() > Machine::kMaxBytes ? Errc::kTooLarge : Errc::kMalformed;
    return error;
}

}  // namespace

std::string Machine::encode() const {
    ByteWriter writer;
    writer.put_u8(static_cast<std::uint8_t>(types_.size()));
    for (const MachineType& type : types_) {
        const std::vector<Series> all = series_of(type.instances);
        writer.put(type.name);
        writer.put_u32(static_cast<std::uint32_t>(all.size()));
        for (const Series& series : all) {
            put(writer, series);
        }
    }
    return writer.take();
}

Result<Machine> Machine::decode(std::string_view bytes) {
    Machine machine;
    MachineReader reader(bytes);
    if (bytes.size() > kMaxBytes || !reader.read(machine.types_)) {
        return not_a_machine(bytes, reader.num_left());
    }
    machine.index();
    return machine;
}

}  // namespace hitopo
