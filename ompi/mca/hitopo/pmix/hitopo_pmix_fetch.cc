// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// PMIx's values for this process as PmixFacts. Every value's type is looked at: an environment may give
// a key another one than PMIx's standard does, and is then taken to give none.
#include <pmix.h>

#include <cstdlib>
#include <memory>

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

// The elements of an array of PMIx's type `type`, a T each; none where the value is no such array.
template <class T>
std::pair<const T*, const T*> elements(const pmix_value_t* value, pmix_data_type_t type) {
    const bool is_array = value != nullptr && value->type == PMIX_DATA_ARRAY &&
                          value->data.darray != nullptr && value->data.darray->type == type &&
                          value->data.darray->array != nullptr;
    const T* first = is_array ? static_cast<const T*>(value->data.darray->array) : nullptr;
    return {first, is_array ? first + value->data.darray->size : nullptr};
}

// An array of PMIX_SWITCH_PEERS, one for each device, each an array of the device's ID, its switch and
// the ranks that share it.
std::vector<std::string> switches_of(const pmix_value_t* value) {
    std::vector<std::string> switches;
    const auto [device, end] = elements<pmix_info_t>(value, PMIX_INFO);
    for (const pmix_info_t* peers = device; peers != end; ++peers) {
        const auto [first, last] = elements<pmix_info_t>(&peers->value, PMIX_INFO);
        for (const pmix_info_t* info = first; info != last; ++info) {
            if (PMIX_CHECK_KEY(info, PMIX_FABRIC_SWITCH)) {
                switches.push_back(text_of(&info->value));
            }
        }
    }
    return switches;
}

PmixDevice device_of(const pmix_geometry_t& geometry) {
    PmixDevice device = {geometry.fabric, geometry.osname != nullptr ? geometry.osname : "", {}};
    const std::size_t num_views = geometry.coordinates != nullptr ? geometry.ncoords : 0;
    for (std::size_t i = 0; i < num_views; ++i) {
        const pmix_coord_t& view = geometry.coordinates[i];
        if (view.view == PMIX_COORD_LOGICAL_VIEW && view.coord != nullptr) {
            device.coordinate.assign(view.coord, view.coord + view.dims);
        }
    }
    return device;
}

std::vector<PmixDevice> devices_of(const pmix_value_t* value) {
    std::vector<PmixDevice> devices;
    const auto [first, last] = elements<pmix_geometry_t>(value, PMIX_GEOMETRY);
    for (const pmix_geometry_t* geometry = first; geometry != last; ++geometry) {
        devices.push_back(device_of(*geometry));
    }
    return devices;
}

}  // namespace

std::optional<PmixFacts> fetch_pmix_facts() {
    const std::optional<pmix_proc_t> self = find_self();
    if (!self) {
        return std::nullopt;
    }
    PmixFacts facts;
    facts.host_name = text_of(get(*self, PMIX_HOSTNAME).get());
    const Value node_id = get(*self, PMIX_NODEID);
    if (node_id && node_id->type == PMIX_UINT32) {
        facts.node_id = node_id->data.uint32;
    }
    facts.locality = text_of(get(*self, PMIX_LOCALITY_STRING).get());
    facts.groups = text_of(get_common(*self, PMIX_FABRIC_GROUPS).get());
    facts.switches = switches_of(get(*self, PMIX_SWITCH_PEERS).get());
    facts.devices = devices_of(get_common(*self, PMIX_FABRIC_COORDINATES).get());
    return facts;
}

}  // namespace hitopo
