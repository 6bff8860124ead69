// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/outcome_messages.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"

namespace hitopo {
namespace {

// hitopo_base_level_<name> with a component that is not open here.
std::vector<std::string> unknown_components(const Answers& answers) {
    std::vector<std::string> warnings;
    for (int i = 0; i < kNumLevels; ++i) {
        const Level level = static_cast<Level>(i);
        const std::string& name = answers.facts.forced[level];
        const bool is_open =
            std::any_of(answers.by_component.begin(), answers.by_component.end(),
                        [&](const ComponentAnswer& answer) { return answer.component == name; });
        if (!name.empty() && !is_open) {
            warnings.push_back("hitopo_base_level_" + std::string(level_name(level)) +
                               " names the component " + name +
                               ", which is not open: the priorities decide this level; name an open "
                               "component (`hitopo info` lists them)");
        }
    }
    return warnings;
}

// The message names the rank that met the error, unless this process did.
void tell_error(const ReportedError& told, const Answers& answers) {
    const bool is_own = std::any_of(answers.by_component.begin(), answers.by_component.end(),
                                    [&](const ComponentAnswer& answer) {
                                        return answer.component == told.component && answer.error &&
                                               answer.error->value == told.error.value;
                                    });
    const std::string position = told.error.position();
    const std::string where = is_own             ? position
                              : position.empty() ? "rank " + std::to_string(told.rank)
                                                 : "rank " + std::to_string(told.rank) + ", " + position;
    // What any component can meet has a topic of base's.
    const Errc code = told.error.code;
    const bool is_bases = code == Errc::kFailed || code == Errc::kSkipped || code == Errc::kAbsent;
    const std::string value = (is_bases ? told.component + ": " : "") + told.error.value;
    hitopo_glue_help(is_bases ? "base" : told.component.c_str(), topic_of(code), value.c_str(),
                     where.c_str(), told.error.message.c_str());
}

void tell_warnings(const std::vector<std::string>& warnings) {
    std::string lines;
    for (const std::string& warning : warnings) {
        lines += "    " + safe(warning, Charset::kAscii) + ".\n";
    }
    hitopo_glue_help("base", "warning", lines.c_str(), "", "");
}

}  // namespace

void tell_outcome(const ExchangeOutcome& outcome, const std::optional<ReportedError>& error,
                  const Answers& answers, const JobFacts* found) {
    if (outcome.status != kSuccess) {
        tell_failure(outcome.failed_rank, outcome.status);
        return;
    }
    if (outcome.is_refused) {
        if (outcome.reason) {
            hitopo_glue_help("base", "refused", outcome.reason->value.c_str(),
                             outcome.reason->message.c_str(), "");
        }
        return;
    }
    const bool has_error = error && error->error.code != Errc::kNone;
    if (has_error) {
        tell_error(*error, answers);
    }
    if (has_error && cost_of(error->error.code) == cost_of(Errc::kMalformed)) {
        return;
    }
    std::vector<std::string> all = unknown_components(answers);
    if (found != nullptr) {
        all.insert(all.end(), found->warnings.begin(), found->warnings.end());
    }
    if (!all.empty()) {
        tell_warnings(all);
    }
}

void tell_failure(int rank, int status) {
    const std::string who = rank < 0 ? "one process" : "rank " + std::to_string(rank);
    char why[HITOPO_ERROR_TEXT_BYTES];
    hitopo_glue_error_text(status, why);
    hitopo_glue_help("base", "exchange-failed", who.c_str(), why, "");
}

}  // namespace hitopo
