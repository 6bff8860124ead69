// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Text in XML and HTML.
#ifndef OMPI_TOOLS_HITOPO_SHOW_MARKUP_H
#define OMPI_TOOLS_HITOPO_SHOW_MARKUP_H

#include <string>
#include <string_view>

namespace hitopo::tool {

// With XML's entities, for elements and for attributes in either quote. `text` has no control
// characters.
std::string escape_xml(std::string_view text);

}  // namespace hitopo::tool

#endif
