// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/openib/hitopo_openib_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "ompi/mca/hitopo/core/ibnetdiscover.h"

namespace hitopo {
namespace {

class OpenFile {
public:
    // Does not wait for the writer of a pipe.
    explicit OpenFile(const std::string& path)
        : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
    ~OpenFile() {
        if (descriptor_ >= 0) {
            close(descriptor_);
        }
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    int descriptor() const { return descriptor_; }

private:
    int descriptor_;
};

Error unreadable(const std::string& path, const std::string& why) {
    return {Errc::kUnreadable,
            path,
            why + "; name a file that all nodes can read, made with ibnetdiscover",
            "hitopo_openib_fabric_file",
            0,
            0};
}

Error unreadable(const std::string& path, int code) {
    return unreadable(path, std::generic_category().message(code));
}

// One byte more than the parser takes is enough for its answer.
Result<std::string> read_file(const std::string& path) {
    const OpenFile file(path);
    struct stat status = {};
    if (file.descriptor() < 0 || fstat(file.descriptor(), &status) != 0) {
        return unreadable(path, errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return unreadable(path, "it is no regular file");
    }
    const std::size_t num_bytes =
        std::min(static_cast<std::size_t>(status.st_size), kMaxFabricBytes + 1);
    std::string text(num_bytes, '\0');
    std::size_t num_read = 0;
    for (ssize_t count = 1; num_read < num_bytes && count != 0;) {
        count = read(file.descriptor(), &text[num_read], num_bytes - num_read);
        if (count < 0 && errno != EINTR) {
            return unreadable(path, errno);
        }
        num_read += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    text.resize(num_read);
    return text;
}

std::string name_of(const IbPort& port) { return port.device + " port " + std::to_string(port.number); }

Error stale(const std::string& path, const IbPort& port, int line, const std::string& what) {
    return {
        Errc::kStale, guid_to_string(port.guid), what + "; make the file anew with ibnetdiscover", path,
        line,         line > 0 ? 1 : 0};
}

FabricAnswer broken(Error error) { return {std::nullopt, error.where + ": " + error.message, error}; }

}  // namespace

FabricAnswer FabricFile::locate(const std::vector<IbPort>& ports) {
    const Result<std::string> text = read_file(path_);
    if (!text) {
        return broken(text.error());
    }
    const Result<Fabric> fabric = parse_ibnetdiscover(*text, path_);
    if (!fabric) {
        return broken(fabric.error());
    }
    for (const IbPort& port : ports) {
        const FabricPort* listed = fabric->find_port(port.guid);
        if (listed == nullptr) {
            continue;
        }
        if (listed->lid != port.lid) {
            return broken(stale(path_, port, listed->line,
                                "the fabric has changed: the file says LID " +
                                    std::to_string(listed->lid) + ", " + name_of(port) + " has LID " +
                                    std::to_string(port.lid)));
        }
        return {place_port(*fabric, port.guid, port.subnet_prefix), name_of(port) + " by " + path_,
                std::nullopt};
    }
    return broken(
        stale(path_, ports.front(), 0, "the file lists no active port of this node at a switch"));
}

}  // namespace hitopo
