// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// page_head.html, page.html, page.css and the page's scripts, as the makefile turns them into C++, and
// putting them together.
#ifndef OMPI_TOOLS_HITOPO_REPORT_PAGE_TEMPLATE_H
#define OMPI_TOOLS_HITOPO_REPORT_PAGE_TEMPLATE_H

#include <map>
#include <string>
#include <string_view>

namespace hitopo::tool {

extern const char* const kPageHead;
extern const char* const kPageBody;
extern const char* const kPageStyle;
extern const char* const kPageScript;

// `text` with each {{name}} replaced by the piece of that name; pieces are not looked into.
using Pieces = std::map<std::string_view, std::string>;
std::string filled(std::string_view text, const Pieces& pieces);

// For a page around `content`: only its own styles and scripts are used. A name in the content that knew
// the nonce would have to hold a hash of itself.
std::string nonce_of(std::string_view content);

// All before <body>. style: the page's, after kPageStyle.
std::string page_head(const std::string& title, const std::string& nonce, bool has_scripts,
                      const std::string& style = "");

}  // namespace hitopo::tool

#endif
