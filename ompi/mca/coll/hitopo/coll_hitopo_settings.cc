// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/coll_hitopo_settings.h"

#include <string.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>

#include "ompi/mca/coll/hitopo/core/settings.h"
#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo::coll {
namespace {

template <class Setting>
std::string fault_of(const Result<Setting>& setting) {
    return setting ? "" : line_of(setting.error());
}

// On one node, of short messages alone.
Ranges parse_ranges(std::string_view text, const Shape& shape) {
    const auto read = parse_serve(text, shape);
    const Served served = read ? *read : *parse_serve("", shape);
    const bool is_on_one_node = shape.num_processes > 0 && !has_several_nodes(shape);
    Ranges ranges = {};
    for (std::size_t kind = 0; kind < served.size(); ++kind) {
        for (const ByteRange& range : served[kind]) {
            if (is_on_one_node && !may_be_shared(kind, range.first)) {
                continue;
            }
            ranges[kind].first[ranges[kind].num] = range.first;
            ranges[kind].last[ranges[kind].num++] =
                is_on_one_node ? std::min(range.last, kMostShared) : range.last;
        }
    }
    return ranges;
}

}  // namespace

// Each new communicator asks, and texts are few: the variable is seldom written.
Ranges read_ranges(std::string_view text, const Shape& shape) {
    static std::mutex& mutex = *new std::mutex;  // callers outlive static destructors
    static auto& read_before = *new std::map<std::string, Ranges>;
    const std::string key = std::string(text) + '\n' + default_serve(shape);
    const std::lock_guard<std::mutex> lock(mutex);
    const auto known = read_before.find(key);
    return known != read_before.end()
               ? known->second
               : read_before.emplace(key, parse_ranges(text, shape)).first->second;
}

}  // namespace hitopo::coll

using hitopo::guarded;
using hitopo::text_or_empty;

int hitopo_coll_may_serve(const hitopo_coll_settings_t* settings,
                          hitopo_coll_ranges_t* ranges) noexcept {
    static_assert(hitopo::coll::kNumBlocking == HITOPO_COLL_NONBLOCKING);
    static_assert(hitopo::coll::kServedKinds.size() == HITOPO_COLL_NUM_KINDS);
    static_assert(hitopo::coll::kMaxRanges == HITOPO_COLL_MAX_RANGES);
    return guarded([=] {
        const auto all =
            hitopo::coll::read_ranges(text_or_empty(settings->serve), hitopo::coll::Shape());
        std::copy(all.begin(), all.end(), ranges);
    });
}

int hitopo_coll_digest(const char* text) noexcept {
    return static_cast<int>(static_cast<std::uint32_t>(hitopo::hash_bytes(text == nullptr ? "" : text)));
}

char* hitopo_coll_wrong_setting(const hitopo_coll_settings_t* settings) noexcept {
    char* what = nullptr;
    (void)guarded([&] {
        using namespace hitopo::coll;
        const std::string faults = fault_of(parse_links(text_or_empty(settings->links))) +
                                   fault_of(parse_serve(text_or_empty(settings->serve), Shape()));
        what = faults.empty() ? nullptr : strdup(faults.c_str());
    });
    return what;
}
