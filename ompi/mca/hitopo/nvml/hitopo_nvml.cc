// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/nvml/hitopo_nvml.h"

#include <unistd.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/answer.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/nvml/fabric_report.h"
#include "ompi/mca/hitopo/support/helper_process.h"

namespace hitopo {
namespace {

constexpr const char* kLibrary = "libnvidia-ml.so.1";
constexpr const char* kDomain = "nvlink://Domain";
constexpr const char* kClique = "nvlink://Clique";
// Further out first.
constexpr int kDomainOrder = 0;
constexpr int kCliqueOrder = 1;

// The program, from hitopo_nvml_prepare to the query that takes it. The framework asks from one thread
// at a time.
std::unique_ptr<HelperProcess>& preparation() {
    static std::unique_ptr<HelperProcess> program;
    return program;
}

// Empty, or the reason why GPUs are not asked.
std::string why_not(const hitopo_nvml_settings_t& settings) {
    if (settings.timeout_ms <= 0) {
        return "hitopo_nvml_timeout_ms is 0";
    }
    const bool is_here =
        !text_or_empty(settings.library).empty() || ::access(settings.driver, F_OK) == 0;
    return is_here ? "" : std::string("no NVIDIA driver: there is no ") + settings.driver;
}

// A library that a path names runs as this user. The loader judges a name without a path.
bool may_load(const std::string& library) {
    return library.find('/') == library.npos || may_run(library);
}

std::unique_ptr<HelperProcess> start(const hitopo_nvml_settings_t& settings) {
    const std::string library = text_or_empty(settings.library);
    return std::make_unique<HelperProcess>(
        std::vector<std::string>{settings.program, library.empty() ? kLibrary : library},
        settings.timeout_ms, false);
}

void give_reason(const std::string& reason, Answer& answer) {
    answer.side_reasons.push_back({kDomain, reason});
    answer.side_reasons.push_back({kClique, reason});
}

void report(const NodeFabric& fabric, Answer& answer) {
    give_reason(fabric.reason, answer);
    if (!fabric.cluster) {
        return;
    }
    const Name cluster(*fabric.cluster);
    answer.side.push_back({kDomain, kDomainOrder, cluster, true});
    if (fabric.clique) {
        answer.side.push_back(
            {kClique, kCliqueOrder, std::vector<Name>{cluster, Name::number(*fabric.clique)}, true});
    }
}

void query(const hitopo_nvml_settings_t& settings, const Question& question, Answer& answer) {
    if (!question.asks_for_node) {
        give_reason("not asked: local rank 0 answers for the whole node", answer);
        return;
    }
    const std::string reason = why_not(settings);
    if (!reason.empty()) {
        give_reason(reason, answer);
        return;
    }
    const std::string library = text_or_empty(settings.library);
    if (!may_load(library)) {
        answer.fail(not_run(library, "hitopo_nvml_library"));
        return;
    }
    std::unique_ptr<HelperProcess> program = std::move(preparation());
    const Printed printed = (program ? std::move(program) : start(settings))->read(settings.timeout_ms);
    if (!printed.why_not.empty()) {
        give_reason(printed.why_not, answer);
        return;
    }
    const NodeFabric fabric = read_fabric_report(printed.text);
    report(fabric, answer);
    if (!fabric.has_library && !library.empty()) {
        answer.fail({Errc::kUnreadable, library,
                     fabric.reason + "; name the libnvidia-ml.so.1 of NVIDIA's driver",
                     "hitopo_nvml_library"});
    }
}

}  // namespace
}  // namespace hitopo

extern "C" void hitopo_nvml_prepare(const hitopo_nvml_settings_t* settings) {
    (void)hitopo::guarded([settings] {
        if (hitopo::why_not(*settings).empty() &&
            hitopo::may_load(hitopo::text_or_empty(settings->library))) {
            hitopo::preparation() = hitopo::start(*settings);
        }
    });
}

extern "C" int hitopo_nvml_query(const hitopo_nvml_settings_t* settings,
                                 const hitopo_question_t* question, hitopo_answer_t* answer) {
    return hitopo::guarded([=] { hitopo::query(*settings, *question, *answer); });
}

extern "C" int hitopo_nvml_close() {
    return hitopo::guarded([] { hitopo::preparation() = nullptr; });
}
