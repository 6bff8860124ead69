// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/program.h"

#include <fmt/format.h>
#include <langinfo.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "ompi/tools/hitopo/output.h"

namespace hitopo::tool {

bool is_of_profiler(std::string_view subcommand) {
    return subcommand == "report" || subcommand == "order";
}

Charset terminal_charset() {
    std::setlocale(LC_CTYPE, "");
    return std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? Charset::kUtf8 : Charset::kAscii;
}

bool is_first_process() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK"}) {
        if (const char* rank = std::getenv(name)) {
            return std::strcmp(rank, "0") == 0;
        }
    }
    return true;
}

// Not by fmt::print, which throws where it cannot write.
int report(const std::string& error) {
    std::fputs(("hitopo: " + error + '\n').c_str(), stderr);
    return kExitFailed;
}

int write(const Rendered& rendered, const Options& options) {
    if (!rendered.text.empty() || rendered.error.empty()) {
        if (const std::optional<Error> error = write_output(rendered.text, options.output)) {
            return report(error_line(*error));
        }
    }
    if (!rendered.error.empty()) {
        return report(rendered.error);
    }
    return rendered.has_faults ? kExitFailed : kExitDone;
}

int print(const CommandLine& line) {
    if (line.exit_code == kExitDone) {
        return write(Rendered{line.text, ""}, {});
    }
    std::fputs(line.text.c_str(), stderr);
    return line.exit_code;
}

std::string error_line(const Error& error) {
    const std::string where = error.where.empty() ? "" : error.position() + ": ";
    return safe(fmt::format("{}{} {}", where, error.value, error.message), Charset::kAscii);
}

}  // namespace hitopo::tool
