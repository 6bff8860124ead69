// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Numbers as people read them: lists of ranks, counts with their plural.
#ifndef OMPI_TOOLS_HITOPO_WORDS_H
#define OMPI_TOOLS_HITOPO_WORDS_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/text/safe_text.h"

namespace hitopo::tool {

// Ascending numbers as a list: "0-3,8,10". Three or more with equal steps are "0-28:4", as in Linux's
// CPU lists. A list longer than max_chars ends in "..".
inline constexpr std::size_t kMaxListChars = 60;
std::string number_list(const std::vector<int>& numbers, std::size_t max_chars = kMaxListChars);

// "rank 5", "ranks 0-3", "ranks 0,2,5,9,.. (400 ranks)".
std::string ranks_phrase(const std::vector<int>& ranks);

// "nodes", "switches"; "1 node", "8 nodes".
std::string plural(std::string_view noun);
std::string counted(std::size_t count, std::string_view noun);

// `text` filled up with spaces to `width` columns.
std::string pad_right(std::string text, std::size_t width);
std::string pad_left(const std::string& text, std::size_t width);

// Safe text in at most `width` (3 or more) columns: where some of it is dropped it ends in an ellipsis.
std::string cut(const std::string& text, std::size_t width, Charset charset);

// `cells` as lines of columns, two spaces apart, each line with `indent` before it and no space at
// its end. Rows may differ in length.
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::string_view indent);

// The same of rows of one length, with an indent of two, in at most `columns`: the first cells are cut
// to the columns that the others leave, which stand at the right of theirs.
std::string fitted(std::vector<std::vector<std::string>> rows, std::size_t columns, Charset charset);

// `text`'s words in lines of at most `width` columns (longer words stand alone), each with `indent`
// before it and a newline after it.
std::string wrapped(std::string_view text, std::string_view indent, std::size_t width);

// A name as a map's value: in quotes where it has blanks or is digits, which are a number without them.
std::string map_word(const std::string& name);

// With XML's entities, for elements and for attributes in either quote. `text` has no control
// characters.
std::string escape_xml(std::string_view text);

}  // namespace hitopo::tool

#endif
