// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Where openib learns of the fabric.
#ifndef OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_SOURCES_H
#define OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_SOURCES_H

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/answer.h"
#include "ompi/mca/hitopo/openib/hitopo_openib_input.h"

namespace hitopo {

// The fabric itself: subnet management packets to the leaf switch and its neighbours, by directed route.
// They need neither LIDs nor the subnet manager.
class FabricMads : public FabricSource {
public:
    // The time until find_leaf is over and that of find_uplinks are together no longer than `timeout`,
    // by `now`. For a driver that may not come back, both wait by the steady clock alone.
    FabricMads(std::shared_ptr<SmpClient> client, std::chrono::milliseconds timeout,
               Now now = std::chrono::steady_clock::now)
        : client_(std::move(client)), now_(std::move(now)), deadline_(now_() + timeout) {}

    // One packet, if the first port's switch answers; each port has an equal share of the time.
    LeafAnswer find_leaf(const std::vector<IbPort>& ports) override;

    // In three rounds, all packets of one at once: the leaf's description and ports, the other ends of
    // ports that are up, the description of the switch of the lowest GUID. A neighbour that does not
    // answer is no switch; if a port of the leaf itself does not, nothing is known.
    UplinksAnswer find_uplinks(const Leaf& leaf) override;

private:
    std::shared_ptr<SmpClient> client_;
    const Now now_;
    const Deadline deadline_;
    Deadline::duration left_{0};  // when find_leaf was over
    struct Found {
        IbPort port;
        FabricNode leaf;
    };
    std::optional<Found> found_;
};

// The administrator's file: ibnetdiscover's output, looked up by port GUID.
class FabricFile : public FabricSource {
public:
    explicit FabricFile(std::string path) : path_(std::move(path)) {}

    // Why the file cannot be read; empty where it can, as far as is known without reading it.
    std::optional<Error> why_not() const;

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

// ---- from the node's ports and the sources in their order to the leaf switch ----

// The active InfiniBand ports: those of physical functions first, by device in natural order
// (mlx5_2 < mlx5_10), then by number: all nodes of one build prefer the same rail.
std::vector<IbPort> usable_ports(std::vector<IbPort> ports);

using FabricSources = std::vector<std::unique_ptr<FabricSource>>;

// Reports the first leaf switch that a source knows, for the node, and how many uplinks it can have.
// Only in the process that asks for its node; without usable ports no source is asked. Ports that the
// driver does not list by `timeout` are none.
std::optional<Leaf> report_leaf(const std::shared_ptr<PortLister>& lister, const FabricSources& sources,
                                std::chrono::milliseconds timeout, const Question& question,
                                Answer& answer);

// Reports what the first source that knows tells to be above the leaf switch.
void report_uplinks(const Leaf& leaf, const FabricSources& sources, Answer& answer);

}  // namespace hitopo

#endif
