// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The administrator's file as a source: ibnetdiscover's output, looked up by port GUID.
#ifndef OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_FILE_H
#define OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_FILE_H

#include <string>
#include <utility>

#include "ompi/mca/hitopo/openib/hitopo_openib_input.h"

namespace hitopo {

class FabricFile : public FabricSource {
public:
    explicit FabricFile(std::string path) : path_(std::move(path)) {}

    // Errors: kUnreadable, kTooLarge, kMalformed; kStale if it lists none of the ports, or the first
    // that it lists with another LID.
    LeafAnswer find_leaf(const std::vector<IbPort>& ports) override;

    // Does not know a switch that the file does not list.
    UplinksAnswer find_uplinks(const Leaf& leaf) override;

private:
    Result<const Fabric*> fabric();  // reads the file once

    std::string path_;
    std::optional<Result<Fabric>> fabric_;
};

}  // namespace hitopo

#endif
