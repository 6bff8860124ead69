// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/oci/hitopo_oci.h"

#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/oci/hitopo_oci_input.h"
#include "ompi/mca/hitopo/oci/hitopo_oci_json.h"
#include "ompi/mca/hitopo/support/helper_process.h"

namespace hitopo {
namespace {

constexpr std::size_t kMaxBytes = 64 << 10;  // of an answer, which has some 700
constexpr const char* kGpuFabric = "oci://GpuMemoryFabric";

// No file of the user's is read, no proxy asked and no redirection followed: what stands in the URL is
// asked and nobody else. Oracle's service wants the header as a sign that nobody is led to it
// unknowingly.
std::vector<std::string> arguments_of(const OciSettings& settings) {
    const std::string seconds = std::to_string(settings.timeout_ms / 1000) + '.' +
                                std::to_string(1000 + settings.timeout_ms % 1000).substr(1);
    return {"-q",          "--silent",        "--show-error",
            "--globoff",   "--noproxy",       "*",
            "--proto",     "=http,https",     "--max-time",
            seconds,       "--header",        "Authorization: Bearer Oracle",
            "--write-out", "\\n%{http_code}", "--url",
            settings.url};
}

// Nothing where the reporter has heard why.
std::optional<OciPlace> ask(const OciSettings& settings, Reporter& reporter) {
    if (!may_run(settings.program)) {
        reporter.error(not_run(settings.program, "hitopo_oci_program"));
        return std::nullopt;
    }
    const Printed printed =
        HelperProcess(settings.program, settings.timeout_ms, true, arguments_of(settings))
            .read(settings.timeout_ms, kMaxBytes);
    if (printed.is_too_long) {
        reporter.error(
            {Errc::kTooLarge, settings.url,
             printed.why_not + " is not a response of the metadata service; correct hitopo_oci_url",
             "hitopo_oci_url", 0, 0});
        return std::nullopt;
    }
    if (!printed.why_not.empty()) {
        reporter.reason(printed.why_not + (printed.is_late ? " (hitopo_oci_timeout_ms)" : ""));
        return std::nullopt;
    }
    const CurlOutput output = split_curl_output(printed.text);
    if (!output.why_not.empty()) {
        reporter.reason(settings.url + ": " + output.why_not);
        return std::nullopt;
    }
    std::optional<OciPlace> place = parse_oci_place(output.body);
    if (!place) {
        reporter.error({Errc::kMalformed, output.body.substr(0, 80),
                        "this is not rdmaTopologyData; name the path /opc/v2/host/rdmaTopologyData of "
                        "the metadata service",
                        "the answer of hitopo_oci_url " + settings.url, 0, 0});
    }
    return place;
}

void report(const OciPlace& place, Reporter& reporter) {
    if (const std::optional<RawValue> island = island_of(place)) {
        reporter.value(kIsland, *island);
    }
    reporter.reason(kIsland,
                    place.island.empty() ? "no customerHPCIslandId" : "HPC island " + place.island);
    if (const std::optional<RawValue> leaf = switch_of(place)) {
        reporter.value(kSwitch, *leaf);
    }
    reporter.reason(kSwitch, place.local_block.empty() ? "no customerLocalBlock"
                                                       : "local block " + place.local_block +
                                                             " of network block " + place.network_block);
    if (!place.gpu_fabric.empty()) {
        reporter.side(kGpuFabric, 0, Name(place.gpu_fabric), HITOPO_VALUE_FOR_NODE);
    }
}

// Without asking; "" if it is to be asked.
std::string why_not_asked(const OciSettings& settings, const Reporter& reporter) {
    if (settings.url.empty()) {
        return "hitopo_oci_url is not set";
    }
    if (!reporter.asks_for_node()) {
        return "not asked: local rank 0 answers for the whole node";
    }
    return settings.timeout_ms <= 0 ? "hitopo_oci_timeout_ms is 0" : "";
}

bool is_http(const std::string& url) {
    return url.substr(0, 7) == "http://" || url.substr(0, 8) == "https://";
}

}  // namespace

void answer_oci(const OciSettings& settings, Reporter& reporter) {
    const std::string why_not = why_not_asked(settings, reporter);
    if (!why_not.empty()) {
        reporter.reason(why_not);
    } else if (!is_http(settings.url)) {
        reporter.error({Errc::kMalformed, settings.url,
                        "this URL does not begin with http:// or https://; Oracle's service is "
                        "http://169.254.169.254/opc/v2/host/rdmaTopologyData",
                        "hitopo_oci_url", 0, 0});
    } else if (const std::optional<OciPlace> place = ask(settings, reporter)) {
        report(*place, reporter);
    }
}

}  // namespace hitopo

extern "C" int hitopo_oci_query(const hitopo_oci_settings_t* settings, const hitopo_report_t* report) {
    return hitopo::report_by(report, [settings](hitopo::Reporter& reporter) {
        hitopo::answer_oci({hitopo::text_or_empty(settings->url),
                            hitopo::text_or_empty(settings->program), settings->timeout_ms},
                           reporter);
    });
}
