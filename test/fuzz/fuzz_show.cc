// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// runs: 3000
//
// Any bytes as the library's documents: the command's texts never crash, and never hold a character
// that a terminal would obey.
#include <cstdint>
#include <string>

#include "ompi/tools/hitopo/render.h"
#include "test/fuzz/harmless.h"

using hitopo::Charset;
using hitopo::tool::Command;
using hitopo::tool::Format;
using hitopo::tool::Options;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    for (const Charset charset : {Charset::kAscii, Charset::kUtf8}) {
        for (const Format format : {Format::kTable, Format::kTree, Format::kJson}) {
            const Options options = {Command::kShow, format, true, "", ""};
            require_harmless(hitopo::tool::render_show({text, "", {text, ""}}, options, charset),
                             charset);
        }
        for (const Format format : {Format::kText, Format::kJson}) {
            hitopo::tool::Documents documents = {text, "", {}};
            documents.threads = {2, 1};
            require_harmless(
                hitopo::tool::render_check(documents, {Command::kCheck, format, false, "", ""}, charset),
                charset);
        }
        require_harmless(
            hitopo::tool::render_info({std::nullopt, "", {}, text},
                                      {Command::kInfo, Format::kText, false, "", ""}, charset),
            charset);
    }
    require_harmless(hitopo::tool::render_show(
                         {text, "", {}}, {Command::kShow, Format::kSvg, false, "", ""}, Charset::kUtf8),
                     Charset::kUtf8);
    return 0;
}
