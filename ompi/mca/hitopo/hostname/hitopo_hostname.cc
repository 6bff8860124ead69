// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/hostname/hitopo_hostname.h"

#include <string>

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
    std::string all;
    for (const std::string& name : reporter.node_names()) {
        if (const std::optional<RawAddress> address = pattern->match(name)) {
            reporter.values(*address);
            give_reasons("host name " + name + " matches " + text, reporter);
            return;
        }
        add_item(all, " or ", name);
    }
    give_reasons("host name " + all + " does not match " + text, reporter);
}

}  // namespace
}  // namespace hitopo

extern "C" int hitopo_hostname_query(const hitopo_hostname_settings_t* settings,
                                     const hitopo_report_t* report) {
    return hitopo::report_by(report, [settings](hitopo::Reporter& reporter) {
        const std::string host(reporter.host_name());
        hitopo::answer_pattern(hitopo::text_or_empty(settings->pattern), reporter);
        hitopo::answer_node(host, reporter);
    });
}
