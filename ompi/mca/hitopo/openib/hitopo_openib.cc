// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Levels switch and island of an InfiniBand fabric. A further source of the fabric is a class of
// FabricSource and one line in fabric_sources().
#include "ompi/mca/hitopo/openib/hitopo_openib.h"

#include "ompi/mca/hitopo/core/guard.h"
#include "ompi/mca/hitopo/openib/hitopo_openib_file.h"
#include "ompi/mca/hitopo/openib/hitopo_openib_locate.h"
#include "ompi/mca/hitopo/openib/hitopo_openib_verbs.h"

namespace hitopo {
namespace {

// Those that are set up, the most trusted first.
FabricSources fabric_sources(const hitopo_openib_settings_t& settings) {
    FabricSources sources;
    if (settings.fabric_file != nullptr && settings.fabric_file[0] != '\0') {
        sources.push_back(std::make_unique<FabricFile>(settings.fabric_file));
    }
    return sources;
}

int query(const hitopo_openib_settings_t& settings, const hitopo_report_t* report) {
    Reporter reporter(report);
    VerbsPorts ports;
    report_place(ports, fabric_sources(settings), reporter);
    return reporter.status();
}

}  // namespace
}  // namespace hitopo

extern "C" int hitopo_openib_query(const hitopo_openib_settings_t* settings,
                                   const hitopo_report_t* report) {
    return hitopo::guarded([&] { return hitopo::query(*settings, report); });
}
