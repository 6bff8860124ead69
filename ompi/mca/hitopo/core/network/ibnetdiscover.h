// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The parser of what the tool `ibnetdiscover` prints.
#ifndef OMPI_MCA_HITOPO_CORE_NETWORK_IBNETDISCOVER_H
#define OMPI_MCA_HITOPO_CORE_NETWORK_IBNETDISCOVER_H

#include <cstddef>
#include <string_view>

#include "ompi/mca/hitopo/core/network/fabric.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

inline constexpr std::size_t kMaxFabricBytes = std::size_t{64} << 20;  // 100 000 hosts have 50 MB

// A finished fabric whose neighbours are all listed. Takes any bytes; linear but for the sorting of its
// result. `where` names the file in errors. Reads the output of `ibnetdiscover`, also with --full,
// --grouping, --show or a node name map, but not of --ports, --list and --diff. Lines of no known kind,
// such as warnings, cost themselves and stand in `skipped`; a file without others is kMalformed. A
// broken line of a switch or port costs the file, as does one that is missing: islands would come out
// wrong. Errors: kTooLarge; kMalformed, also for a file without switches and for one that was cut short
// (a linked switch is not listed).
Result<Fabric> parse_ibnetdiscover(std::string_view text, std::string_view where);

}  // namespace hitopo

#endif
