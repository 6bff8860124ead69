// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// page.html, page.css and the page's scripts, as the makefile turns them into C++.
#ifndef OMPI_TOOLS_HITOPO_REPORT_PAGE_TEMPLATE_H
#define OMPI_TOOLS_HITOPO_REPORT_PAGE_TEMPLATE_H

namespace hitopo::tool {

extern const char* const kPageHtml;
extern const char* const kPageStyle;
extern const char* const kPageScript;

}  // namespace hitopo::tool

#endif
