// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Names that stand where a switch's name is not known. Nodes that share one share no switch.
#ifndef OMPI_MCA_HITOPO_CORE_NETWORK_PLACEHOLDERS_H
#define OMPI_MCA_HITOPO_CORE_NETWORK_PLACEHOLDERS_H

#include <string>
#include <string_view>
#include <vector>

namespace hitopo {

class Placeholders {
public:
    // What Topograph and soperator write: "no-topology,unknown,*.unknown".
    static constexpr std::string_view kUsual = "no-topology,unknown,*.unknown";

    // Names with commas, in any case; '*' in one stands for any characters, once.
    explicit Placeholders(std::string_view list = kUsual);

    bool has(std::string_view name) const;

private:
    std::vector<std::string> patterns_;
};

}  // namespace hitopo

#endif
