// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Texts for people, as hitopo_base_print.c prints them: topics of help files, and lines.
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/help_file.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/support/regular_file.h"

namespace hitopo {
namespace {

std::string help_from(const char* path, const char* topic, const std::vector<std::string_view>& values) {
    constexpr std::size_t kMaxBytes = 1 << 20;
    const Result<std::string> file = RegularFile(path).read(kMaxBytes);
    if (const std::optional<std::string> text = file ? help_text(*file, topic, values) : std::nullopt) {
        return *text;
    }
    std::string bare = std::string("HiTopo: ") + topic;
    for (const std::string_view value : values) {
        bare.append(", ").append(value);
    }
    return safe(bare + " (" + path + " has no such message)", Charset::kAscii) + "\n";
}

// The caller's to free; NULL if memory is short.
template <class Make>
char* copy_of(Make make) noexcept {
    char* copy = nullptr;
    (void)guarded([&] { copy = strdup(make().c_str()); });
    return copy;
}

}  // namespace
}  // namespace hitopo

char* ompi_hitopo_base_help_text(const char* path, const char* topic, const char* first,
                                 const char* second, const char* third) noexcept {
    return hitopo::copy_of([=] { return hitopo::help_from(path, topic, {first, second, third}); });
}

char* ompi_hitopo_base_safe_text(const char* text) noexcept {
    return hitopo::copy_of([=] { return hitopo::safe(text, hitopo::Charset::kAscii); });
}
