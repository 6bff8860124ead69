// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Byte order marks, which editors and tools of other systems write before a text.
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_PLAIN_TEXT_H
#define OMPI_MCA_HITOPO_CORE_TEXT_PLAIN_TEXT_H

#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// The text without a mark of UTF-8. kMalformed in the file `path` where it is UTF-16 or UTF-32, with a
// mark or by its zero bytes; an error that comes in goes out.
Result<std::string> plain_text(Result<std::string> text, const std::string& path);

// Without a mark of UTF-8 at its begin.
std::string_view without_byte_order_mark(std::string_view text);

}  // namespace hitopo

#endif
