// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo show --format svg`: Graphviz draws what dot.cc says.
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>

#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/show/graphviz.h"

namespace hitopo::tool {
namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// Unlinked temporary files instead of pipes: nothing can block or raise SIGPIPE.
struct Streams {
    File in{std::tmpfile()};
    File out{std::tmpfile()};
    File errors{std::tmpfile()};

    bool is_open() const { return in && out && errors; }
};

class FileActions {
public:
    explicit FileActions(const Streams& streams) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_adddup2(&actions_, fileno(streams.in.get()), STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, fileno(streams.out.get()), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, fileno(streams.errors.get()), STDERR_FILENO);
    }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;
    ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }

    const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_;
};

Error failure(const Graphviz& graphviz, const std::string& what) {
    return {Errc::kFailed,
            graphviz.program,
            what + "; `hitopo show --format dot` prints the drawing for Graphviz to draw elsewhere",
            "",
            0,
            0};
}

bool fill(std::FILE* file, const std::string& text) {
    return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0 &&
           std::fseek(file, 0, SEEK_SET) == 0;
}

std::string contents(std::FILE* file) {
    std::string text;
    char buffer[65536];
    std::rewind(file);
    while (const std::size_t num_read = std::fread(buffer, 1, sizeof buffer, file)) {
        text.append(buffer, num_read);
    }
    return text;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (std::string& text : texts) {
        result.push_back(text.data());
    }
    result.push_back(nullptr);
    return result;
}

Result<pid_t> start(const Graphviz& graphviz, const Streams& streams) {
    std::vector<std::string> arguments = {graphviz.program, "-Tsvg"};
    std::vector<std::string> environment = child_environment(environ);
    pid_t child = 0;
    const FileActions actions(streams);
    const int code = posix_spawnp(&child, graphviz.program.c_str(), actions.get(), nullptr,
                                  pointers(arguments).data(), pointers(environment).data());
    if (code == ENOENT) {
        return failure(graphviz, "is not installed: install Graphviz (the package graphviz)");
    }
    if (code != 0) {
        return failure(graphviz, fmt::format("cannot be run: {}", std::strerror(code)));
    }
    return child;
}

// The child's wait status; empty if it had to be killed at the limit or cannot be waited for.
std::optional<int> wait_for(pid_t child, int limit_ms) {
    using std::chrono::steady_clock;
    const auto deadline = steady_clock::now() + std::chrono::milliseconds(limit_ms);
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0 && steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (ended == 0) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
    }
    return ended == child ? std::optional<int>(status) : std::nullopt;
}

// The first line of what the child complained about.
std::string complaint(const Streams& streams) {
    const std::string text = contents(streams.errors.get());
    return safe(text.substr(0, std::min<std::size_t>(text.find('\n'), 200)), Charset::kAscii);
}

}  // namespace

std::vector<std::string> child_environment(const char* const* environment) {
    std::vector<std::string> kept;
    for (; *environment != nullptr; ++environment) {
        const std::string_view entry(*environment);
        const auto starts = [entry](std::string_view name) {
            return entry.substr(0, name.size()) == name;
        };
        if (!starts("LD_PRELOAD=") && !starts("OMPI_") && !starts("PMIX_")) {
            kept.emplace_back(entry);
        }
    }
    return kept;
}

Result<std::string> draw_svg(const std::string& dot, const Graphviz& graphviz) {
    const Streams streams;
    if (!streams.is_open() || !fill(streams.in.get(), dot)) {
        return failure(graphviz, fmt::format("cannot be given the drawing in a temporary file: {}",
                                             std::strerror(errno)));
    }
    const Result<pid_t> child = start(graphviz, streams);
    if (!child) {
        return child.error();
    }
    const std::optional<int> status = wait_for(*child, graphviz.limit_ms);
    if (!status) {
        return failure(graphviz, fmt::format("did not end within {} ms", graphviz.limit_ms));
    }
    if (!WIFEXITED(*status) || WEXITSTATUS(*status) != 0) {
        return failure(graphviz, fmt::format("could not draw: {}", complaint(streams)));
    }
    return contents(streams.out.get());
}

}  // namespace hitopo::tool
