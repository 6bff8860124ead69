// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// PMIx's values for this process as PmixFacts. Every value's type is looked at: an environment may give
// a key another one than PMIx's standard does, and is then taken to give none.
#include <pmix.h>

#include <cstdlib>
#include <memory>
#include <utility>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/pmix/hitopo_pmix_input.h"

namespace hitopo {
namespace {

struct ReleaseValue {
    void operator()(pmix_value_t* value) const { PMIX_VALUE_RELEASE(value); }
};
using Value = std::unique_ptr<pmix_value_t, ReleaseValue>;

// This process as its PMIx server named it; the framework is connected, but PMIx tells the name only to
// who calls PMIx_Init once more.
std::optional<pmix_proc_t> find_self() {
    const char* job = std::getenv("PMIX_NAMESPACE");
    const char* text = std::getenv("PMIX_RANK");
    const std::optional<std::uint64_t> rank = parse_number(text != nullptr ? text : "");
    if (job == nullptr || !rank || *rank > PMIX_RANK_VALID || PMIx_Initialized() == 0) {
        return std::nullopt;
    }
    pmix_proc_t self;
    PMIX_LOAD_PROCID(&self, job, static_cast<pmix_rank_t>(*rank));
    return self;
}

Value get(const pmix_proc_t& process, const char* key) {
    bool is_local = true;  // asks no server: docs/upstream.md, 14
    pmix_info_t only_local;
    PMIX_INFO_LOAD(&only_local, PMIX_OPTIONAL, &is_local, PMIX_BOOL);
    pmix_value_t* value = nullptr;
    const pmix_status_t status = PMIx_Get(&process, key, &only_local, 1, &value);
    PMIX_INFO_DESTRUCT(&only_local);
    return Value(status == PMIX_SUCCESS ? value : nullptr);
}

// A value of the job or the node, which PMIx 4.2 gives for no single process (docs/upstream.md).
Value get_common(const pmix_proc_t& self, const char* key) {
    Value value = get(self, key);
    if (!value) {
        pmix_proc_t all = self;
        all.rank = PMIX_RANK_WILDCARD;
        value = get(all, key);
    }
    return value;
}

std::string text_of(const pmix_value_t* value) {
    const bool is_text = value != nullptr && value->type == PMIX_STRING && value->data.string != nullptr;
    return is_text ? value->data.string : "";
}

// The elements of an array of them; none where the value is no such array.
std::pair<const pmix_info_t*, const pmix_info_t*> elements(const pmix_value_t* value) {
    const bool is_array = value != nullptr && value->type == PMIX_DATA_ARRAY &&
                          value->data.darray != nullptr && value->data.darray->type == PMIX_INFO &&
                          value->data.darray->array != nullptr;
    const auto* first = is_array ? static_cast<const pmix_info_t*>(value->data.darray->array) : nullptr;
    return {first, is_array ? first + value->data.darray->size : nullptr};
}

// An array of PMIX_SWITCH_PEERS, one for each device, each an array of the device's ID, its switch and
// the ranks that share it.
std::vector<std::string> switches_of(const pmix_value_t* value) {
    std::vector<std::string> switches;
    const auto [device, end] = elements(value);
    for (const pmix_info_t* peers = device; peers != end; ++peers) {
        const auto [first, last] = elements(&peers->value);
        for (const pmix_info_t* info = first; info != last; ++info) {
            if (PMIX_CHECK_KEY(info, PMIX_FABRIC_SWITCH)) {
                switches.push_back(text_of(&info->value));
            }
        }
    }
    return switches;
}

}  // namespace

std::optional<PmixFacts> fetch_pmix_facts() {
    const std::optional<pmix_proc_t> self = find_self();
    if (!self) {
        return std::nullopt;
    }
    PmixFacts facts;
    facts.host_name = text_of(get(*self, PMIX_HOSTNAME).get());
    facts.groups = text_of(get_common(*self, PMIX_FABRIC_GROUPS).get());
    facts.switches = switches_of(get(*self, PMIX_SWITCH_PEERS).get());
    return facts;
}

}  // namespace hitopo
