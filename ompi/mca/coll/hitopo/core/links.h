// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Links as text, for the MCA variable coll_hitopo_links.
//     links  = link *( "," link )
//     link   = level ":" latency ":" bandwidth ":" message
//     level  = one of the eight words of an address, or "process"
// Latency and message in microseconds, bandwidth in bytes a microsecond (which is MB/s):
//     switch:150:12:100,node:170:80:95,process:80:70:10
#ifndef OMPI_MCA_COLL_HITOPO_CORE_LINKS_H
#define OMPI_MCA_COLL_HITOPO_CORE_LINKS_H

#include <string>
#include <string_view>

#include "ompi/mca/coll/hitopo/core/model.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo::coll {

// An error about `value`, which is a part of `whole`, the text of that MCA variable.
Error wrong_value(std::string_view value, std::string_view whole, std::string_view variable,
                  std::string message);

// Figures of clusters of today: within a node through memory, beyond it 100 Gbit/s.
Links default_links();

// The default ones but for those in the text, which may be empty. An error has column, value and remedy.
Result<Links> parse_links(std::string_view text);

// Those of the levels at which the shape has groups, as text that parse_links() reads; "" where none
// are.
std::string format_links(const Links& links, const Shape& shape);

}  // namespace hitopo::coll

#endif
