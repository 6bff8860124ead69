// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the metadata service of an instance in Oracle's cloud says of its place in the RDMA network.
#ifndef OMPI_MCA_HITOPO_OCI_HITOPO_OCI_JSON_H
#define OMPI_MCA_HITOPO_OCI_HITOPO_OCI_JSON_H

#include <optional>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/address/name.h"

namespace hitopo {

// OCIDs, outermost first; "" where the answer has none.
struct OciPlace {
    std::string island;         // customerHPCIslandId
    std::string network_block;  // customerNetworkBlock
    std::string local_block;    // customerLocalBlock: hosts at the same leaf switches
    std::string gpu_fabric;     // customerGpuMemoryFabric: hosts in one NVLink domain
};

// Reads the service's rdmaTopologyData, any bytes. Empty where it is no JSON object, or has none of
// these as a text.
//
//   {"customerHPCIslandId": "ocid1.hpcisland.oc1.iad.an..a", "customerLocalBlock":
//   "ocid1.computelocalblock..", ..}
std::optional<OciPlace> parse_oci_place(std::string_view json);

// The levels' values: whole OCIDs, with those of the levels around, and as what people see the last
// characters of each. Empty where it is unknown.
std::optional<RawValue> island_of(const OciPlace& place);
std::optional<RawValue> switch_of(const OciPlace& place);

// What curl printed with --write-out '\n%{http_code}'.
struct CurlOutput {
    std::string body;     // where the status is 200
    std::string why_not;  // its complaint, or the status; "" where it is 200
};
CurlOutput split_curl_output(std::string_view text);

}  // namespace hitopo

#endif
