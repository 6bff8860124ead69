// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Short and full host names.
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_HOST_NAME_H
#define OMPI_MCA_HITOPO_CORE_TEXT_HOST_NAME_H

#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {

// Whether names of hosts may contain it.
constexpr bool is_host_char(char c) {
    return is_digit(c) || is_letter(c) || c == '.' || c == '-' || c == '_';
}

// "n1" of "n1.example.org": what stands before the first dot.
inline std::string_view short_host_name(std::string_view name) { return name.substr(0, name.find('.')); }

// Equal for all names of one host (is_same_host), and for some others.
inline std::string host_key(std::string_view name) { return in_lower_case(short_host_name(name)); }

// Equal but for case, or one is the short form of the other. Two full names of different domains are
// two hosts. The empty name is no host.
inline bool is_same_host(std::string_view a, std::string_view b) {
    return !a.empty() && (equals_ignoring_case(a, b) || equals_ignoring_case(a, short_host_name(b)) ||
                          equals_ignoring_case(short_host_name(a), b));
}

}  // namespace hitopo

#endif
