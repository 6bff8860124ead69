// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What leaders gather: the summaries of their groups, and then what leaders of switches tell.
#ifndef OMPI_MCA_HITOPO_BASE_JOB_COLLECTIONS_H
#define OMPI_MCA_HITOPO_BASE_JOB_COLLECTIONS_H

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/base/job/gathering.h"
#include "ompi/mca/hitopo/core/exchange/summary.h"

namespace hitopo {

// Members say an encoded Contribution, or "".
class Summaries : public Collection {
public:
    // num_processes: that may say something; others are refused.
    explicit Summaries(std::size_t num_processes) : num_processes_(num_processes) {}

    void add(std::uint32_t process, std::string_view said) override;
    std::uint32_t close_group() override;  // kIsUnspoken, kMayLead
    std::string encode(std::size_t num_groups) override { return all_.encode(num_groups); }
    void append(std::string_view bytes) override;

    // All of it, the same at all leaders.
    Summary in_order() const { return all_.in_order(); }

private:
    const std::size_t num_processes_;
    std::vector<std::pair<std::uint32_t, Contribution>> members_;
    Summary all_;
};

// Members say an encoded LedSwitch (core/network/uplinks.h), or "".
class Told : public Collection {
public:
    void add(std::uint32_t process, std::string_view said) override;
    std::uint32_t close_group() override;
    std::string encode(std::size_t num_groups) override;
    void append(std::string_view bytes) override;

    // All of it, the same at all leaders. Once.
    std::vector<std::string> take_in_order();

private:
    std::vector<std::string> told_;
    std::vector<std::size_t> group_ends_;
};

}  // namespace hitopo

#endif
