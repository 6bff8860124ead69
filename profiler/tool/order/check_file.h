// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Whether a written order fits an allocation.
#ifndef PROFILER_TOOL_ORDER_CHECK_FILE_H
#define PROFILER_TOOL_ORDER_CHECK_FILE_H

#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/tools/hitopo/options.h"
#include "profiler/tool/order/hosts.h"

namespace hitopo::tool {

// How many ranks a file puts on each host, in the order of first sight; of an mpich-order, which names
// no host, all on one without a name. Errors have line and column.
Result<std::vector<Host>> hosts_of_file(std::string_view text, LaunchFormat format,
                                        const std::string& where);

// One sentence: "32 ranks on 8 hosts fit this allocation.", and one more where it leaves open how many
// slots hosts have: these have room for all. The error: hosts that the allocation has not, or more ranks
// than it has slots on one.
Result<std::string> check_file(std::string_view text, LaunchFormat format, const std::string& where,
                               const std::vector<ListedHost>& allocation);

}  // namespace hitopo::tool

#endif
