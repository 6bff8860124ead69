// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The members of a profile that stay when its processes are taken out, and what all of them must agree
// in.
#ifndef OMPI_TOOLS_HITOPO_REPORT_PROFILE_MEMBERS_H
#define OMPI_TOOLS_HITOPO_REPORT_PROFILE_MEMBERS_H

#include "ompi/tools/hitopo/report/profile_parser.h"

namespace hitopo::tool {

// `document` is what `parser` left. Throws std::invalid_argument with the member and what is wrong with
// it.
Profile to_profile(const Json& document, ProfileParser&& parser);

}  // namespace hitopo::tool

#endif
