// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/openib/hitopo_openib_file.h"

#include <algorithm>

#include "ompi/mca/hitopo/base/regular_file.h"
#include "ompi/mca/hitopo/core/ibnetdiscover.h"

namespace hitopo {
namespace {

std::string name_of(const IbPort& port) { return port.device + " port " + std::to_string(port.number); }

Error stale(const std::string& path, const IbPort& port, int line, const std::string& what) {
    return {
        Errc::kStale, guid_to_string(port.guid), what + "; make the file anew with ibnetdiscover", path,
        line,         line > 0 ? 1 : 0};
}

FabricAnswer broken(Error error) { return {std::nullopt, error.where + ": " + error.message, error}; }

}  // namespace

FabricAnswer FabricFile::locate(const std::vector<IbPort>& ports) {
    const Result<std::string> text = read_regular_file(
        path_, kMaxFabricBytes, "name a file that all nodes can read, made with ibnetdiscover",
        "hitopo_openib_fabric_file");
    if (!text) {
        return broken(text.error());
    }
    const Result<Fabric> fabric = parse_ibnetdiscover(*text, path_);
    if (!fabric) {
        return broken(fabric.error());
    }
    for (const IbPort& port : ports) {
        const FabricPort* listed = fabric->find_port(port.guid);
        if (listed == nullptr) {
            continue;
        }
        if (listed->lid != port.lid) {
            return broken(stale(path_, port, listed->line,
                                "the fabric has changed: the file says LID " +
                                    std::to_string(listed->lid) + ", " + name_of(port) + " has LID " +
                                    std::to_string(port.lid)));
        }
        return {place_port(*fabric, port.guid, port.subnet_prefix), name_of(port) + " by " + path_,
                std::nullopt};
    }
    return broken(
        stale(path_, ports.front(), 0, "the file lists no active port of this node at a switch"));
}

}  // namespace hitopo
