// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Where hosts hang, as files of clusters, clouds and fabrics have it.
#ifndef OMPI_TOOLS_HITOPO_MAP_PLACES_H
#define OMPI_TOOLS_HITOPO_MAP_PLACES_H

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "ompi/mca/hitopo/core/network/placeholders.h"
#include "ompi/mca/hitopo/core/network/switch_tree.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/core/text/skipped.h"
#include "ompi/tools/hitopo/options.h"

namespace hitopo::map {

using Names = std::vector<std::string>;

struct Place {
    Names island, leaf;          // paths, outermost first; empty: unknown
    std::string domain, clique;  // of NVLink; the clique is one of its domain

    bool is_empty() const { return island.empty() && leaf.empty() && domain.empty(); }
    bool operator==(const Place& other) const {
        return std::tie(island, leaf, domain, clique) ==
               std::tie(other.island, other.leaf, other.domain, other.clique);
    }
};

struct HostPlace {
    std::string host;
    Place place;
};

// Messages about the files for a person, each with all entries that it is about.
class Messages {
public:
    void add(const std::string& file, const std::string& message, const std::string& entry = "");
    void add(const std::string& file, const Error& error);
    void add(const std::string& file, const Skipped& skipped);

    bool is_empty() const { return messages_.empty(); }
    std::vector<std::string> lines() const;

private:
    struct Message {
        std::string file, text;
        Names entries;
    };
    std::vector<Message> messages_;
};

// Collects the hosts of several files.
class Places {
public:
    explicit Places(const tool::MapOptions& settings);

    const tool::MapOptions& settings() const { return settings_; }

    // The file that is read.
    void begin_file(const std::string& path) { file_ = path; }
    const std::string& file() const { return file_; }

    // Whether a file of this kind is wanted; else a message.
    bool is_wanted(std::string_view kind);

    // A host is added once; of several entries the first that places it counts.
    void add(const std::string& host, Place place);
    bool has(const std::string& host) const;

    // `names`: outermost first, the leaf last; "" and what settings().unknown lists are none.
    Place placed(Names names) const;
    // nvlink://Domain, and where the name is NVIDIA's UUID.NUMBER nvlink://Clique, unless there is one.
    void add_nvlink(const std::string& name, Place& place) const;

    const Placeholders& unknown() const { return unknown_; }

    // Entries of the present file that no map will have.
    void leave_out(const std::string& message, const std::string& entry = "") {
        left_out_.add(file_, message, entry);
    }
    void leave_out(const Error& error) { left_out_.add(file_, error); }
    void leave_out(const Skipped& skipped) { left_out_.add(file_, skipped); }
    const Messages& left_out() const { return left_out_; }

    // After all files: the hosts that have a place, in the order of the files. Then nowhere() has the
    // other hosts.
    std::vector<HostPlace> take();
    const Names& nowhere() const { return nowhere_; }

private:
    const tool::MapOptions settings_;
    const Placeholders unknown_;
    std::string file_;
    Messages left_out_;
    std::vector<HostPlace> hosts_;
    std::map<std::string, std::size_t> by_name_;  // in lower case; into hosts_
    Names nowhere_;
};

// A tree of Slurm's; topology: the name that its switches are below, "" for a topology.conf.
void read_tree(const SwitchTree& tree, const std::string& topology, Places& places);

// Readers of whole texts.
void read_documents(std::string_view text, Places& places);
void read_ibnetdiscover(std::string_view text, Places& places);
void read_lldp(std::string_view text, Places& places);

}  // namespace hitopo::map

#endif
