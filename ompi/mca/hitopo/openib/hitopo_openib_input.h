// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The input of component openib: the node's ports, questions to the fabric, and the sources that know
// the place of a port. Tests stand in for each.
#ifndef OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_INPUT_H
#define OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_INPUT_H

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/answer.h"
#include "ompi/mca/hitopo/core/network/fabric.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/openib/smp.h"

namespace hitopo {

struct IbPort {
    std::string device;  // "mlx5_0"
    int number = 0;      // of the device's ports, from 1
    std::uint64_t guid = 0;
    std::uint64_t subnet_prefix = 0;
    unsigned lid = 0;
    bool is_active = false;
    bool is_infiniband = false;  // its link layer: false for Ethernet (RoCE)
    bool is_virtual = false;     // of a virtual function, as far as the kernel knows
};

std::string name_of(const IbPort& port);  // "mlx5_0 port 1"

struct IbPorts {
    std::vector<IbPort> ports;
    std::string reason;  // the obstacle to asking devices; empty if all were
};

// All ports of all devices, in any order; a driver may block. Empty where there are no devices.
using ListPorts = std::function<IbPorts()>;

// By libibverbs: local calls to the kernel; devices are closed again. A device that may not be opened is
// left out, with the reason.
IbPorts list_verbs_ports();
bool has_verbs_devices();  // quick: whether to list at all

using Deadline = std::chrono::steady_clock::time_point;

// The present time: the steady clock, but for tests.
using Now = std::function<Deadline()>;

// Questions to the fabric through one of the node's ports. A driver may block.
class SmpClient {
public:
    virtual ~SmpClient() = default;

    // Uses this port from now on. "" or the reason why it cannot.
    virtual std::string open(const IbPort& port) = 0;

    // Sends all, several at a time; answers[i] is that to requests[i], empty where none came in time or
    // it was a refusal. Ends by the deadline.
    virtual std::vector<std::optional<SmpData>> ask(const std::vector<SmpRequest>& requests,
                                                    Deadline deadline) = 0;
};

// By libibumad, which is loaded when the first port is opened: nodes without InfiniBand, or without the
// library, do not need it. Where it was not there at build time, no port can be opened.
std::shared_ptr<SmpClient> make_umad_client();

struct Leaf {
    std::uint64_t subnet_prefix;
    std::uint64_t guid;
    int max_uplinks;
};

struct LeafAnswer {
    std::optional<Leaf> leaf;
    std::string reason;          // the source's finding, or the reason for none
    std::optional<Error> error;  // bad input, where that is why; kSkipped beside a leaf
};

struct UplinksAnswer {
    std::optional<LeafUplinks> uplinks;
    std::string reason;
};

// One way to find the place of a port in the fabric. Bounded in time.
class FabricSource {
public:
    virtual ~FabricSource() = default;

    // `ports`: active InfiniBand ports, at least one, the preferred one first. The leaf switch is that
    // of the first that the source knows.
    virtual LeafAnswer find_leaf(const std::vector<IbPort>& ports) = 0;

    // The uplinks of a leaf switch that find_leaf of this source or one before it answered.
    virtual UplinksAnswer find_uplinks(const Leaf& leaf) = 0;
};

// ---- the sources ----

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

    // The reason why the file cannot be read; empty where it can, as far as is known without reading it.
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

// Reports the first leaf switch that a source knows, for the node, and the number of uplinks that it can
// have. Only in the process that asks for its node; without usable ports no source is asked. Ports that
// the driver does not list by `timeout` are none.
std::optional<Leaf> report_leaf(const ListPorts& list, const FabricSources& sources,
                                std::chrono::milliseconds timeout, const Question& question,
                                Answer& answer);

// Reports the switches above the leaf switch, from the first source that knows them.
void report_uplinks(const Leaf& leaf, const FabricSources& sources, Answer& answer);

}  // namespace hitopo

#endif
