// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What dot.cc and svg.cc print.
#ifndef OMPI_TOOLS_HITOPO_SHOW_PICTURE_H
#define OMPI_TOOLS_HITOPO_SHOW_PICTURE_H

#include <string>

#include "ompi/tools/hitopo/document.h"
#include "ompi/tools/hitopo/show/boxes.h"

namespace hitopo::tool {

// The places as nested boxes, under a title, then side resources, each type by itself, and a legend.
// Inner places are summed up in their parents' boxes where there would be too many boxes to read.
Box picture_of(const TableDocument& table);

// "32 processes · 8 nodes".
std::string title_text(const TableDocument& table);

}  // namespace hitopo::tool

#endif
