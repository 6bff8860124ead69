// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/core/record/record_job.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "ompi/mca/hitopo/core/record/make_record.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"

namespace hitopo {
namespace {

class Text {
public:
    explicit Text(const RecordMessage& message) : message_(message) {}

    std::string of(const NodeRecord& record) {
        out_.str("");
        out_ << record.host_id << ' ' << record.node_id << ' ' << record.shared_id << ' '
             << message_.names[record.uplinks_component] << '\n';
        for (std::size_t level = 0; level < record.best.size(); ++level) {
            add(record.best[level]);
            add(record.forced[level]);
        }
        for (const auto& [key, value] : message_.settings[record.settings]) {
            out_ << key << '=' << value << '\n';
        }
        for (const SideValue& side : record.side) {
            out_ << message_.names[side.type] << ' ' << side.order << ' ' << side.is_for_node << ' ';
            add({side.component, side.priority, side.value, true});
        }
        return out_.str();
    }

    std::string of(const ProcessBinding& place) {
        out_.str("");
        out_ << place.cpus.to_string() << '|' << place.rule << '\n';
        for (const ProcessBinding::Inner& inner : place.inner) {
            out_ << level_name(inner.level) << ' ';
            add(inner.answer);
        }
        return out_.str();
    }

private:
    void add(const LevelAnswer& answer) {
        if (!answer.is_known()) {
            out_ << "unknown\n";
            return;
        }
        out_ << message_.names[answer.component] << ' ' << answer.priority << ' '
             << ByteReader(message_.names[answer.value]).get_value().to_string() << ' '
             << answer.is_named << '\n';
    }

    const RecordMessage& message_;
    std::ostringstream out_;
};

RecordMessage through_wire(const RecordMessage& message, std::size_t num_processes) {
    return *decode(encode(message), num_processes);
}

}  // namespace

RecordMessage record_of(const FakeJob& job, std::uint32_t rank) {
    return make_record(rank, job[rank].facts, job[rank].answers);
}

RecordMessage group_of(const FakeJob& job, const std::vector<std::uint32_t>& members) {
    MessageMaker maker;
    for (const std::uint32_t rank : members) {
        maker.append(through_wire(record_of(job, rank), job.size()));
    }
    return join_group(maker.take());
}

RecordMessage records_of(const FakeJob& job, const std::vector<std::vector<std::uint32_t>>& groups) {
    MessageMaker maker;
    for (const std::vector<std::uint32_t>& members : groups) {
        maker.append(through_wire(group_of(job, members), job.size()));
    }
    return maker.take();
}

std::vector<std::vector<std::uint32_t>> hosts_of(const FakeJob& job) {
    std::map<std::string, std::vector<std::uint32_t>> by_host;
    for (std::uint32_t rank = 0; rank < job.size(); ++rank) {
        by_host[job[rank].facts.host_name + '/' + job[rank].facts.boot_id].push_back(rank);
    }
    std::vector<std::vector<std::uint32_t>> hosts;
    for (const auto& [name, members] : by_host) {
        hosts.push_back(members);
    }
    std::sort(hosts.begin(), hosts.end());
    return hosts;
}

std::vector<std::string> contents_by_rank(const RecordMessage& message, std::size_t num_processes) {
    std::vector<std::string> said(num_processes);
    Text text(message);
    for (const NodeRecord& record : message.records) {
        const std::string alike = text.of(record);
        const std::uint32_t* place = message.layouts[record.layout].data();
        record.ranks.for_each(
            [&](std::uint32_t rank) { said[rank] += alike + text.of(message.places[*place++]); });
    }
    return said;
}

}  // namespace hitopo
