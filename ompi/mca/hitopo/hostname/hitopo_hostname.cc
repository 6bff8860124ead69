// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/hostname/hitopo_hostname.h"

#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/network/host_pattern.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/support/reporter.h"

namespace hitopo {
namespace {

void answer_node(const std::string& host, Reporter& reporter) {
    if (host.empty()) {
        reporter.reason(kNode, "this machine has no host name");
        return;
    }
    reporter.value(kNode, Name(host));
    reporter.reason(kNode, "the host name is " + host);
}

// No environment can have a name with '=', so that it would name no node.
void check_variable(const std::string& name, Reporter& reporter) {
    const std::size_t equals = name.find('=');
    if (equals != std::string::npos) {
        reporter.error({Errc::kMalformed, name,
                        "the name of an environment variable has no '='; write its name alone",
                        "hitopo_hostname_variable", 0, static_cast<int>(equals) + 1});
    }
}

void give_reasons(const std::string& text, Reporter& reporter) {
    for (const Level level : {kCluster, kIsland, kSwitch}) {
        reporter.reason(level, text);
    }
}

void answer_pattern(const std::string& text, Reporter& reporter) {
    if (text.empty()) {
        give_reasons("hitopo_hostname_pattern is not set", reporter);
        return;
    }
    const Result<HostPattern> pattern = HostPattern::parse(text);
    if (!pattern) {
        reporter.error(pattern.error(), "hitopo_hostname_pattern");
        return;
    }
    const std::vector<std::string> names = reporter.node_names();
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
        reporter.values(*address);
    }
    give_reasons("host name " + told + (address ? " matches " : " does not match ") + text, reporter);
}

}  // namespace
}  // namespace hitopo

extern "C" int hitopo_hostname_query(const hitopo_hostname_settings_t* settings,
                                     const hitopo_report_t* report) {
    return hitopo::report_by(report, [settings, report](hitopo::Reporter& reporter) {
        const std::string host(reporter.host_name());
        hitopo::check_variable(hitopo::text_or_empty(report->name_variable), reporter);
        hitopo::answer_pattern(hitopo::text_or_empty(settings->pattern), reporter);
        hitopo::answer_node(host, reporter);
    });
}
