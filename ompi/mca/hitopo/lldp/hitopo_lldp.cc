// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/lldp/hitopo_lldp.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/network/host_pattern.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/lldp/hitopo_lldp_input.h"
#include "ompi/mca/hitopo/support/helper_process.h"

namespace hitopo {
namespace {

using Neighbours = std::vector<LldpNeighbour>;

constexpr std::size_t kMaxBytes = 1 << 20;  // of an answer: 256 neighbours take half of it
constexpr std::size_t kMaxTold = 16;        // neighbours in a reason
constexpr const char* kDefaultProgram = "/usr/sbin/lldpcli";
constexpr std::string_view kAlsoInSwitches = " !#%&'()+/:;<=>?@[]~";  // system names are any text

std::vector<std::string> arguments_of(const LldpSettings& settings) {
    std::vector<std::string> arguments;
    if (!settings.socket.empty()) {
        arguments = {"-u", settings.socket};
    }
    arguments.insert(arguments.end(), {"-f", "json0", "show", "neighbors"});
    if (!settings.interfaces.empty()) {
        arguments.insert(arguments.end(), {"ports", settings.interfaces});
    }
    return arguments;
}

// A driver's folder is there for an interface that verbs know, too.
void read_link(const std::string& folder, LldpNeighbour& neighbour) {
    if (!neighbour.interface.empty() && neighbour.interface.find('/') == std::string::npos) {
        const std::string own = folder + '/' + neighbour.interface;
        neighbour.has_rdma = ::access((own + "/device/infiniband").c_str(), F_OK) == 0;
        std::ifstream(own + "/speed") >> neighbour.speed_mbps;
    }
}

// A missing lldpd is no error, unless the user named its program or its socket.
void tell_failure(const LldpSettings& settings, const std::string& why, Answer& answer) {
    answer.reason = why;
    if (settings.is_own_program) {
        answer.fail(
            {Errc::kUnreadable, settings.program,
             why + "; name lldpd's lldpcli, or a program that prints the same, which this user may run",
             "hitopo_lldp_program", 0, 0});
    } else if (!settings.socket.empty()) {
        answer.fail({Errc::kUnreadable, settings.socket,
                     why + "; name the socket of lldpd, which this user may open", "hitopo_lldp_socket",
                     0, 0});
    }
}

// Sorted; nothing where the answer has why.
std::optional<Neighbours> ask(const LldpSettings& settings, const std::string& interfaces,
                              Answer& answer) {
    if (!may_run(settings.program)) {
        answer.fail(not_run(settings.program, "hitopo_lldp_program"));
        return std::nullopt;
    }
    const Printed printed =
        HelperProcess(settings.program, settings.timeout_ms, true, arguments_of(settings))
            .read(settings.timeout_ms, kMaxBytes);
    if (printed.is_too_long) {
        answer.fail({Errc::kTooLarge, settings.program,
                     printed.why_not + "; name fewer interfaces in hitopo_lldp_interfaces",
                     "hitopo_lldp_program", 0, 0});
        return std::nullopt;
    }
    if (printed.is_late) {
        answer.reason = printed.why_not + " (hitopo_lldp_timeout_ms)";
        return std::nullopt;
    }
    const LldpcliOutput output = split_output(printed.text);
    if (output.json.empty()) {
        tell_failure(settings,
                     !printed.why_not.empty()   ? printed.why_not
                     : output.complaint.empty() ? settings.program + " printed nothing"
                                                : output.complaint,
                     answer);
        return std::nullopt;
    }
    std::optional<Neighbours> neighbours = parse_lldp_neighbours(output.json);
    if (!neighbours) {
        answer.fail(
            {Errc::kMalformed, std::string(output.json.substr(0, 80)),
             "this is not the output of `lldpcli -f json0 show neighbors`; name the lldpcli of lldpd",
             "the answer of hitopo_lldp_program " + settings.program, 0, 0});
        return std::nullopt;
    }
    for (LldpNeighbour& neighbour : *neighbours) {
        read_link(interfaces, neighbour);
    }
    sort_neighbours(*neighbours);
    return neighbours;
}

// What was heard besides `used`.
std::string describe_others(const Neighbours& neighbours, const LldpNeighbour* used) {
    std::string others;
    std::size_t num_told = 0;
    for (const LldpNeighbour& neighbour : neighbours) {
        if (&neighbour != used && num_told++ < kMaxTold) {
            add_item(others, "; ", describe(neighbour));
        }
    }
    return others + (num_told > kMaxTold ? "; .." : "");
}

// Empty where there is none, or none that can be read.
std::optional<HostPattern> read_pattern(const std::string& text, Answer& answer) {
    if (text.empty()) {
        answer.reasons[kIsland] = "hitopo_lldp_pattern is not set";
        return std::nullopt;
    }
    Result<HostPattern> pattern = HostPattern::parse(text, kAlsoInSwitches);
    if (!pattern) {
        answer.fail(pattern.error(), "hitopo_lldp_pattern");
        return std::nullopt;
    }
    return std::move(*pattern);
}

void answer_island(const HostPattern& pattern, const std::string& pattern_text,
                   const std::string& switch_name, Answer& answer) {
    const std::optional<RawAddress> found = pattern.match(switch_name);
    const bool has_island = found && (*found)[kIsland];
    if (has_island) {
        answer.values[kIsland] = *(*found)[kIsland];
    }
    answer.reasons[kIsland] = "the switch's name " + switch_name +
                              (found ? " matches " : " does not match ") + pattern_text +
                              (found && !has_island ? ", which has no {island}" : "");
}

void answer_neighbours(const LldpSettings& settings, const Neighbours& neighbours,
                       const std::optional<HostPattern>& pattern, Answer& answer) {
    const LldpNeighbour* found = find_switch(neighbours);
    const std::string others = describe_others(neighbours, found);
    if (found == nullptr) {
        answer.reason = neighbours.empty()
                            ? "lldpd has no neighbour" +
                                  (settings.interfaces.empty() ? "" : " at " + settings.interfaces)
                            : "no switch: " + others;
        return;
    }
    answer.values[kSwitch] = to_switch(*found);
    answer.reasons[kSwitch] = describe(*found) + (others.empty() ? "" : "; not used: " + others);
    if (pattern) {
        answer_island(*pattern, settings.pattern, found->name, answer);
    }
}

// "" if it may. In Debian the program is closed to ordinary users.
std::string why_not_run(const LldpSettings& settings) {
    if (::faccessat(AT_FDCWD, settings.program.c_str(), X_OK, AT_EACCESS) == 0) {
        return "";
    }
    return errno == ENOENT && !settings.is_own_program
               ? "no " + settings.program + ": no lldpd"
               : settings.program + ": " + std::generic_category().message(errno);
}

}  // namespace

void answer_lldp(const LldpSettings& settings, const std::string& interfaces, const Question& question,
                 Answer& answer) {
    if (!question.asks_for_node) {
        answer.reason = "not asked: local rank 0 answers for the whole node";
        return;
    }
    const std::optional<HostPattern> pattern = read_pattern(settings.pattern, answer);
    if (settings.timeout_ms <= 0) {
        answer.reason = "hitopo_lldp_timeout_ms is 0";
    } else if (const std::string why_not = why_not_run(settings); !why_not.empty()) {
        tell_failure(settings, why_not, answer);
    } else if (const std::optional<Neighbours> neighbours = ask(settings, interfaces, answer)) {
        answer_neighbours(settings, *neighbours, pattern, answer);
    }
}

}  // namespace hitopo

extern "C" int hitopo_lldp_query(const hitopo_lldp_settings_t* settings,
                                 const hitopo_question_t* question, hitopo_answer_t* answer) {
    return hitopo::guarded([=] {
        const std::string program = hitopo::text_or_empty(settings->program);
        hitopo::answer_lldp(
            {program.empty() ? hitopo::kDefaultProgram : program,
             hitopo::text_or_empty(settings->socket), hitopo::text_or_empty(settings->interfaces),
             hitopo::text_or_empty(settings->pattern), settings->timeout_ms, !program.empty()},
            "/sys/class/net", *question, *answer);
    });
}
