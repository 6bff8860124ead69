// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Levels switch and island of an InfiniBand fabric. A further source of the fabric is a class of
// FabricSource and one line in fabric_sources().
#include "ompi/mca/hitopo/openib/hitopo_openib.h"

#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/openib/hitopo_openib_sources.h"

struct hitopo_openib_search_t {
    hitopo::FabricSources sources;
    hitopo::Leaf leaf;
};

namespace hitopo {
namespace {

// For the driver to list the ports, where the fabric is not asked.
constexpr int kListingTimeoutMs = 500;

// Those that are set up, the most trusted first. A file that is not there is an error, used or not.
FabricSources fabric_sources(const hitopo_openib_settings_t& settings, const Question& question,
                             Answer& answer) {
    FabricSources sources;
    if (settings.timeout_ms > 0) {
        sources.push_back(std::make_unique<FabricMads>(make_umad_client(),
                                                       std::chrono::milliseconds(settings.timeout_ms)));
    }
    if (settings.fabric_file != nullptr && settings.fabric_file[0] != '\0') {
        auto file = std::make_unique<FabricFile>(settings.fabric_file);
        if (const auto error = question.asks_for_node ? file->why_not() : std::nullopt) {
            answer.fail(*error);
        }
        sources.push_back(std::move(file));
    }
    return sources;
}

std::unique_ptr<hitopo_openib_search_t> query(const hitopo_openib_settings_t& settings,
                                              const Question& question, Answer& answer) {
    const std::chrono::milliseconds timeout(settings.timeout_ms > 0 ? settings.timeout_ms
                                                                    : kListingTimeoutMs);
    FabricSources sources = fabric_sources(settings, question, answer);
    if (sources.empty()) {
        answer.reason = "hitopo_openib_timeout_ms is 0 and hitopo_openib_fabric_file is not set";
    } else if (const std::optional<Leaf> leaf =
                   report_leaf(std::make_shared<VerbsPorts>(), sources, timeout, question, answer)) {
        return std::unique_ptr<hitopo_openib_search_t>(
            new hitopo_openib_search_t{std::move(sources), *leaf});
    }
    return nullptr;
}

}  // namespace
}  // namespace hitopo

extern "C" int hitopo_openib_query(const hitopo_openib_settings_t* settings,
                                   const hitopo_question_t* question, hitopo_answer_t* answer,
                                   hitopo_openib_search_t** search) {
    hitopo_openib_forget(*search);
    *search = nullptr;
    return hitopo::guarded([&] { *search = hitopo::query(*settings, *question, *answer).release(); });
}

extern "C" int hitopo_openib_lead(hitopo_openib_search_t* search, const hitopo_question_t* /*question*/,
                                  hitopo_answer_t* answer) {
    return hitopo::guarded([&] {
        if (search != nullptr) {
            hitopo::report_uplinks(search->leaf, search->sources, *answer);
        }
    });
}

extern "C" void hitopo_openib_forget(hitopo_openib_search_t* search) { delete search; }
