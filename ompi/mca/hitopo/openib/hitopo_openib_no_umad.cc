// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// For builds without libibumad.
#include "ompi/mca/hitopo/openib/hitopo_openib_input.h"

namespace hitopo {
namespace {

class NoUmad : public SmpClient {
public:
    std::string open(const IbPort&) override { return "HiTopo was built without libibumad"; }
    std::vector<std::optional<SmpData>> ask(const std::vector<SmpRequest>& requests, Deadline) override {
        return std::vector<std::optional<SmpData>>(requests.size());
    }
};

}  // namespace

std::shared_ptr<SmpClient> make_umad_client() { return std::make_shared<NoUmad>(); }

}  // namespace hitopo
