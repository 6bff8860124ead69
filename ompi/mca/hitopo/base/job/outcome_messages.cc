// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/outcome_messages.h"

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
                               " names component " + name +
                               ", which is not open; priorities decide that level");
        }
    }
    return warnings;
}

// This process usually met the same error and knows all of it; of another one's it has the record.
void tell_error(const Record& record, std::uint32_t rank, const Answers& answers) {
    const std::string value(record.error_value, std::find(std::begin(record.error_value),
                                                          std::end(record.error_value), '\0'));
    const Error told = {static_cast<Errc>(record.error_code),
                        value,
                        "",
                        "rank " + std::to_string(rank),
                        record.error_line,
                        record.error_column};
    const char* topic = topic_of(told.code);
    for (const ComponentAnswer& answer : answers.by_component) {
        if (component_id(answer.component) != record.error_component) {
            continue;
        }
        if (answer.error && answer.error->value.compare(0, kErrorValueBytes, value) == 0) {
            const Error& error = *answer.error;
            hitopo_glue_help(answer.component.c_str(), topic, error.value.c_str(),
                             error.position().c_str(), error.message.c_str());
        } else {
            hitopo_glue_help(answer.component.c_str(), topic, value.c_str(), told.position().c_str(),
                             "`hitopo show --why` prints the whole reason");
        }
        return;
    }
    hitopo_glue_help("base", "failed", value.c_str(), told.position().c_str(), topic);
}

void tell_warnings(const std::vector<std::string>& warnings) {
    std::string lines;
    for (const std::string& warning : warnings) {
        lines += "    " + safe(warning, Charset::kAscii) + ".\n";
    }
    hitopo_glue_help("base", "warning", lines.c_str(), "", "");
}

}  // namespace

void tell_outcome(const Outcome& outcome, const Answers& answers, const Dictionary* found) {
    if (outcome.status != kSuccess) {
        tell_failure(outcome.failed_rank, outcome.status);
    } else if (outcome.refused) {
        hitopo_glue_help("base", "refused", outcome.refused->value.c_str(),
                         outcome.refused->message.c_str(), "");
    } else if (outcome.error_record) {
        tell_error(*outcome.error_record, outcome.error_rank, answers);
    } else {
        std::vector<std::string> all = unknown_components(answers);
        if (found != nullptr) {
            all.insert(all.end(), found->warnings.begin(), found->warnings.end());
        }
        if (!all.empty()) {
            tell_warnings(all);
        }
    }
}

void tell_failure(int rank, int status) {
    const std::string who = rank < 0 ? "one process" : "rank " + std::to_string(rank);
    char why[HITOPO_ERROR_TEXT_BYTES];
    hitopo_glue_error_text(status, why);
    hitopo_glue_help("base", "exchange-failed", who.c_str(), why, "");
}

}  // namespace hitopo
