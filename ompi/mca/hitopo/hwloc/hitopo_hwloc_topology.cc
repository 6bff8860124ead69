// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/hwloc/hitopo_hwloc_topology.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/support/regular_file.h"

namespace hitopo {
namespace {

constexpr const char* kVariable = "hitopo_hwloc_topology";

// These plugins of hwloc start the runtimes of GPUs, which takes seconds. PCI shows the devices.
constexpr std::array<const char*, 6> kSlowPlugins = {"cuda",      "nvml",   "rsmi",
                                                     "levelzero", "opencl", "gl"};

// A topology that still has to be loaded, or NULL. I/O devices are off by default; instruction caches
// too. Errors do not matter: a missing plugin starts nothing.
Topology new_topology() {
    hwloc_topology_t topology = nullptr;
    unsigned long flags = HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED;
#if HWLOC_API_VERSION >= 0x00020800
    flags |= HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS;  // reads several files for each CPU
#endif
    if (hwloc_topology_init(&topology) != 0) {
        return nullptr;
    }
    Topology owner(topology);
    const bool is_set =
        hwloc_topology_set_flags(topology, flags) == 0 &&
        hwloc_topology_set_icache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL) == 0 &&
        hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT) == 0;
#if HWLOC_API_VERSION >= 0x00020100
    for (const char* plugin : kSlowPlugins) {
        (void)hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, plugin);
    }
#endif
    return is_set ? std::move(owner) : nullptr;
}

Error not_loaded(int error_number) {
    return {Errc::kFailed, "hwloc_topology_load",
            "hwloc could not read this node's hardware (" +
                std::generic_category().message(error_number) +
                "); check the output of lstopo on this node",
            "hwloc"};
}

// ---- XML files ----

Result<std::string> read_xml(const std::string& path) {
    return plain_text(
        read_regular_file(path, kMaxXmlBytes,
                          "name a file that lstopo --of xml --no-io wrote and that all nodes can read, "
                          "or a synthetic string such as pack:2 core:4 pu:2",
                          kVariable),
        path);
}

// <topology version="3.0">: the version of the format; hwloc reads its own and earlier ones.
constexpr int kOwnFormat = HWLOC_API_VERSION >= 0x00030000 ? 3 : 2;

int format_of(std::string_view xml) {
    constexpr std::string_view kBegin = "<topology version=\"";
    const std::size_t begin = std::min(xml.find(kBegin), xml.size());
    const std::string_view digit = xml.substr(begin, kBegin.size() + 1);
    return digit.size() > kBegin.size() && is_digit(digit.back()) ? digit.back() - '0' : 0;
}

Error not_read(const std::string& path, int format) {
    return {Errc::kMalformed, path,
            format > kOwnFormat
                ? "it was written by hwloc " + std::to_string(format) +
                      "; write it with lstopo --of xml --export-xml-flags v2, which this hwloc can read"
                : "hwloc does not read this file as a topology; write it with lstopo --of xml",
            kVariable};
}

// hwloc 2.13 prints messages about any other text.
bool is_markup(const std::string& text) { return !trim(text).empty() && trim(text)[0] == '<'; }

Result<Topology> load_xml(const std::string& path) {
    const Result<std::string> file = read_xml(path);
    if (!file) {
        return file.error();
    }
    // A board may have a name that is no UTF-8, which XML is.
    const std::string xml = as_utf8(*file);
    Topology topology = new_topology();
    if (topology == nullptr) {
        return not_loaded(errno);
    }
    // hwloc counts the terminating NUL. libxml2 refuses more than 10 MB, but not from a file.
    if (!is_markup(xml) ||
        (hwloc_topology_set_xmlbuffer(topology.get(), xml.c_str(), static_cast<int>(xml.size() + 1)) !=
             0 &&
         hwloc_topology_set_xml(topology.get(), path.c_str()) != 0) ||
        hwloc_topology_load(topology.get()) != 0) {
        return not_read(path, format_of(xml));
    }
    return topology;
}

// ---- synthetic strings ----

// "pack:2(memory=1GB) [numa] core:4" without the parts in brackets.
std::string without_attributes(std::string_view text) {
    std::string plain;
    int depth = 0;
    for (const char c : text) {
        depth += c == '(' || c == '[' ? 1 : 0;
        if (depth == 0) {
            plain += c;
        }
        depth -= c == ')' || c == ']' ? 1 : 0;
    }
    return plain;
}

// The product of all counts: "pack:2 l2:3 4" has 24 PUs. kMaxSyntheticPus + 1 stands for all above it.
unsigned long num_synthetic_pus(std::string_view text) {
    const std::string plain = without_attributes(text);
    unsigned long num_pus = 1;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        const bool is_in_name = i > 0 && is_letter(plain[i - 1]);  // the 2 of "l2"
        unsigned long count = 0;
        const std::size_t start = i;
        for (; i < plain.size() && is_digit(plain[i]); ++i) {
            count =
                std::min(count * 10 + static_cast<unsigned long>(plain[i] - '0'), kMaxSyntheticPus + 1);
        }
        if (i > start && !is_in_name) {
            num_pus = std::min(num_pus * count, kMaxSyntheticPus + 1);
        }
    }
    return num_pus;
}

Result<Topology> load_synthetic(const std::string& text) {
    if (num_synthetic_pus(text) > kMaxSyntheticPus) {
        return Error{Errc::kTooLarge, text,
                     "a synthetic machine has at most 8192 PUs; use smaller counts", kVariable};
    }
    Topology topology = new_topology();
    if (topology == nullptr) {
        return not_loaded(errno);
    }
    if (hwloc_topology_set_synthetic(topology.get(), text.c_str()) != 0 ||
        hwloc_topology_load(topology.get()) != 0) {
        return Error{
            Errc::kMalformed, text,
            "hwloc does not read this as a synthetic topology; write types and counts down to pu, "
            "such as pack:2 core:4 pu:2, or the path of an XML file with a / in it",
            kVariable};
    }
    return topology;
}

}  // namespace

Result<Topology> load_real_topology() {
    Topology topology = new_topology();
    if (topology == nullptr || hwloc_topology_load(topology.get()) != 0) {
        return not_loaded(errno);
    }
    return topology;
}

Result<Topology> load_simulated_topology(const std::string& source) {
    const std::string_view suffix = ".xml";
    const bool is_xml = source.size() >= suffix.size() &&
                        source.compare(source.size() - suffix.size(), suffix.size(), suffix) == 0;
    return is_xml || source.find('/') != std::string::npos ? load_xml(source) : load_synthetic(source);
}

}  // namespace hitopo
