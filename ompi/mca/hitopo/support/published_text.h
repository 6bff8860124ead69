// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the job's first process hands to all others with ompi_hitopo_base_publish (hitopo.h), between a
// component's C and C++.
#ifndef OMPI_MCA_HITOPO_SUPPORT_PUBLISHED_TEXT_H
#define OMPI_MCA_HITOPO_SUPPORT_PUBLISHED_TEXT_H

#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {

// The text that make() returns, an optional one, for C to free; NULL without one or without memory.
template <class Make>
char* text_to_publish(Make&& make) {
    char* copy = nullptr;
    (void)guarded([&] {
        const std::optional<std::string> text = make();
        copy = text ? ::strdup(text->c_str()) : nullptr;
        return kSuccess;
    });
    return copy;
}

// What was published, by the component's look-up in C; nothing if that is NULL or finds none.
inline std::optional<std::string> take_published(char* (*look_up)()) {
    const std::unique_ptr<char, void (*)(void*)> text(look_up != nullptr ? look_up() : nullptr,
                                                      std::free);
    return text ? std::optional<std::string>(text.get()) : std::nullopt;
}

}  // namespace hitopo

#endif
