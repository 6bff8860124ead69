// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Help files. Input: a topic, and in the lines below it the file. A text stands between two lines, is of
// a topic that the file has, and is no longer than the file and what is filled in.
#include <string>

#include "ompi/mca/hitopo/core/text/help_file.h"
#include "test/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::size_t end = text.find('\n');
    const std::string_view topic = text.substr(0, end);
    const std::string_view file = end == std::string_view::npos ? "" : text.substr(end + 1);
    const std::string rule = std::string(74, '-') + "\n";
    const auto help = hitopo::help_text(file, topic, {"%s", "second", "third"});
    const std::string head = "\n[" + std::string(topic) + "]";
    const bool has_topic = ("\n" + std::string(file)).find(head) != std::string::npos;
    require(!help || has_topic);
    if (help) {
        constexpr std::size_t kFilledIn = sizeof "%ssecondthird";
        require(help->size() <= 2 * rule.size() + file.size() + kFilledIn);
        require(help->size() > 2 * rule.size() && help->substr(0, rule.size()) == rule);
        require(help->substr(help->size() - rule.size()) == rule);
    }
    return 0;
}
