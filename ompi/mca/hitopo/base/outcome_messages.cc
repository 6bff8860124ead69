// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/outcome_messages.h"

#include <algorithm>
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
void print_error(const ReportedError& reported, const Answers& answers) {
    const bool is_own = std::any_of(answers.by_component.begin(), answers.by_component.end(),
                                    [&](const ComponentAnswer& answer) {
                                        return answer.component == reported.component && answer.error &&
                                               answer.error->value == reported.error.value;
                                    });
    const std::string position = reported.error.position();
    const std::string where = is_own ? position
                              : position.empty()
                                  ? "rank " + std::to_string(reported.rank)
                                  : "rank " + std::to_string(reported.rank) + ", " + position;
    // What any component can meet has a topic of base's.
    const Errc code = reported.error.code;
    const bool is_bases = code == Errc::kFailed || code == Errc::kSkipped || code == Errc::kAbsent;
    const std::string value = (is_bases ? reported.component + ": " : "") + reported.error.value;
    hitopo_glue_help(is_bases ? "base" : reported.component.c_str(), topic_of(code), value.c_str(),
                     where.c_str(), reported.error.message.c_str());
}

void print_warnings(const std::vector<std::string>& warnings) {
    std::string lines;
    for (const std::string& warning : warnings) {
        lines += "    " + safe(warning, Charset::kAscii) + ".\n";
    }
    hitopo_glue_help("base", "warning", lines.c_str(), "", "");
}

}  // namespace

void print_outcome(const ExchangeOutcome& outcome, const std::optional<ReportedError>& error,
                   const Answers& answers, const CommTree* tree) {
    if (outcome.status != kSuccess) {
        print_failure(outcome.failed_rank, outcome.status);
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
        print_error(*error, answers);
    }
    if (has_error && cost_of(error->error.code) == cost_of(Errc::kMalformed)) {
        return;
    }
    std::vector<std::string> all = unknown_components(answers);
    if (tree != nullptr) {
        const std::vector<std::string>& found = tree->tree().facts().warnings;
        all.insert(all.end(), found.begin(), found.end());
    }
    if (!all.empty()) {
        print_warnings(all);
    }
}

void print_failure(int rank, int status) {
    const std::string process = rank < 0 ? "one process" : "rank " + std::to_string(rank);
    char why[HITOPO_ERROR_TEXT_BYTES];
    hitopo_glue_error_text(status, why);
    hitopo_glue_help("base", "exchange-failed", process.c_str(), why, "");
}

}  // namespace hitopo
