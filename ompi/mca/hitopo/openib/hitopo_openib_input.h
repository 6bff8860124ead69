// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What component openib learns from: the node's ports, questions to the fabric, and the sources that
// know where a port stands. Tests stand in for each.
#ifndef OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_INPUT_H
#define OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_INPUT_H

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
    bool is_virtual = false;     // of a virtual function, as far as the kernel tells
};

std::string name_of(const IbPort& port);  // "mlx5_0 port 1"

struct IbPorts {
    std::vector<IbPort> ports;
    std::string reason;  // why devices could not be asked; empty if all were
};

class PortLister {
public:
    virtual ~PortLister() = default;
    virtual bool has_devices() = 0;  // quick: whether to list at all
    virtual IbPorts list() = 0;      // all ports of all devices, in any order; a driver may block
};

// By libibverbs: local calls to the kernel; devices are closed again. A device that may not be opened is
// left out, with the reason.
class VerbsPorts : public PortLister {
public:
    bool has_devices() override;
    IbPorts list() override;
};

using Deadline = std::chrono::steady_clock::time_point;

// The present time: the steady clock, but for tests.
using Now = std::function<Deadline()>;

// Questions to the fabric through one of the node's ports. A driver may block.
class SmpClient {
public:
    virtual ~SmpClient() = default;

    // Through this port from now on. "" or why it cannot be.
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
    std::string reason;          // what the source found, or why it does not know
    std::optional<Error> error;  // bad input, where that is why; kSkipped beside a leaf
};

struct UplinksAnswer {
    std::optional<LeafUplinks> uplinks;
    std::string reason;
};

// One way to learn where a port stands in the fabric. Bounded in time.
class FabricSource {
public:
    virtual ~FabricSource() = default;

    // `ports`: active InfiniBand ports, at least one, the preferred one first. The leaf switch is that
    // of the first that the source knows.
    virtual LeafAnswer find_leaf(const std::vector<IbPort>& ports) = 0;

    // The uplinks of a leaf switch that find_leaf of this source or one before it answered.
    virtual UplinksAnswer find_uplinks(const Leaf& leaf) = 0;
};

}  // namespace hitopo

#endif
