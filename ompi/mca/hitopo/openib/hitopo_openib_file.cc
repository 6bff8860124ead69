// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/fabric.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/openib/hitopo_openib_input.h"
#include "ompi/mca/hitopo/support/regular_file.h"

namespace hitopo {
namespace {

constexpr const char* kRemedy = "name a file that ibnetdiscover wrote and that all nodes can read";
constexpr const char* kVariable = "hitopo_openib_fabric_file";

Error stale(const std::string& path, const IbPort& port, int line, const std::string& what) {
    return {Errc::kStale,
            guid_to_string(port.guid),
            what + "; write the file again with ibnetdiscover",
            path,
            line,
            line > 0 ? 1 : 0};
}

// The variable of an error in the file.
std::optional<Error> located(std::optional<Error> error) {
    if (error && error->where != kVariable) {
        error->variable = kVariable;
    }
    return error;
}

LeafAnswer broken(const Error& error) {
    return {std::nullopt, error.where + ": " + error.message, located(error)};
}

Result<Fabric> read_fabric(const std::string& path) {
    const Result<std::string> text =
        plain_text(read_regular_file(path, kMaxFabricBytes, kRemedy, kVariable), path);
    return text ? parse_ibnetdiscover(*text, path) : Result<Fabric>(text.error());
}

int num_uplinks(const Fabric& fabric, std::uint64_t leaf) {
    return static_cast<int>(uplinks_of(fabric, leaf).l2_switches.size());
}

}  // namespace

std::optional<Error> FabricFile::why_not() const {
    const RegularFile file(path_);
    return file.why_not().empty()
               ? std::nullopt
               : std::optional(with_remedy(file.unreadable(file.why_not()), kRemedy, kVariable));
}

Result<const Fabric*> FabricFile::fabric() {
    if (!fabric_) {
        fabric_ = read_fabric(path_);
    }
    return *fabric_ ? Result<const Fabric*>(&**fabric_) : Result<const Fabric*>(fabric_->error());
}

LeafAnswer FabricFile::find_leaf(const std::vector<IbPort>& ports) {
    const Result<const Fabric*> fabric = this->fabric();
    if (!fabric) {
        return broken(fabric.error());
    }
    for (const IbPort& port : ports) {
        const FabricPort* listed = (*fabric)->find_port(port.guid);
        if (listed == nullptr) {
            continue;
        }
        if (listed->lid != port.lid) {
            return broken(stale(path_, port, listed->line,
                                "the fabric has changed: the file has LID " +
                                    std::to_string(listed->lid) + ", " + name_of(port) + " has LID " +
                                    std::to_string(port.lid)));
        }
        const std::uint64_t guid = listed->switch_guid;
        return {Leaf{port.subnet_prefix, guid, num_uplinks(**fabric, guid)},
                name_of(port) + " at switch " + guid_to_string(guid) + " by " + path_,
                located((*fabric)->skipped.as_one())};
    }
    return broken(
        stale(path_, ports.front(), 0, "the file lists no active port of this node at a switch"));
}

UplinksAnswer FabricFile::find_uplinks(const Leaf& leaf) {
    const Result<const Fabric*> fabric = this->fabric();
    if (!fabric || (*fabric)->find_switch(leaf.guid) == nullptr) {
        return {std::nullopt, path_ + " does not list switch " + guid_to_string(leaf.guid)};
    }
    LeafUplinks uplinks = uplinks_of(**fabric, leaf.guid);
    std::string reason =
        "an island of " + std::to_string(uplinks.l2_switches.size()) + " switches above by " + path_;
    return {std::move(uplinks), std::move(reason)};
}

}  // namespace hitopo
