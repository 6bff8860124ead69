// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/hostname/hitopo_hostname.h"

#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/address/answer.h"
#include "ompi/mca/hitopo/core/network/host_pattern.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

void answer_node(const std::string& host, Answer& answer) {
    if (host.empty()) {
        answer.reasons[kNode] = "this machine has no host name";
    } else {
        answer.set(kNode, Name(host), "the host name is " + host);
    }
}

// No environment can have a name with '=', so that it would name no node.
void check_variable(const std::string& name, Answer& answer) {
    const std::size_t equals = name.find('=');
    if (equals != std::string::npos) {
        answer.fail({Errc::kMalformed, name,
                     "the name of an environment variable has no '='; write its name alone",
                     "hitopo_hostname_variable", 0, static_cast<int>(equals) + 1});
    }
}

void give_reasons(const std::string& text, Answer& answer) {
    for (const Level level : {kCluster, kIsland, kSwitch}) {
        answer.reasons[level] = text;
    }
}

void answer_pattern(const std::string& text, const std::vector<std::string>& names, Answer& answer) {
    if (text.empty()) {
        give_reasons("hitopo_hostname_pattern is not set", answer);
        return;
    }
    const Result<HostPattern> pattern = HostPattern::parse(text);
    if (!pattern) {
        answer.fail(pattern.error(), "hitopo_hostname_pattern");
        return;
    }
    std::optional<RawAddress> address;
    std::string told;
    for (std::size_t i = 0; !address && i < names.size(); ++i) {
        address = pattern->match(names[i]);
        if (address) {
            told.clear();
        }
        add_item(told, " or ", names[i]);
    }
    if (address) {
        answer.values = *address;
    }
    give_reasons("host name " + told + (address ? " matches " : " does not match ") + text, answer);
}

}  // namespace
}  // namespace hitopo

extern "C" int hitopo_hostname_query(const hitopo_hostname_settings_t* settings,
                                     const hitopo_question_t* question, hitopo_answer_t* answer) {
    return hitopo::guarded([=] {
        hitopo::check_variable(hitopo::text_or_empty(settings->variable), *answer);
        hitopo::answer_pattern(hitopo::text_or_empty(settings->pattern), question->node_names, *answer);
        hitopo::answer_node(question->host_name, *answer);
    });
}
