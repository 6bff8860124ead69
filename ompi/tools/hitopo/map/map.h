// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo map`: from the files of a cluster, a cloud or a fabric to a map, and whether the hosts of a
// job are in one.
#ifndef OMPI_TOOLS_HITOPO_MAP_MAP_H
#define OMPI_TOOLS_HITOPO_MAP_MAP_H

#include <cstddef>
#include <initializer_list>
#include <istream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "ompi/mca/hitopo/core/network/switch_tree.h"
#include "ompi/mca/hitopo/core/text/include_stack.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/tools/hitopo/options.h"
#include "ompi/tools/hitopo/program.h"

namespace hitopo::map {

// Converts files ("-": standard input) and writes; returns the exit status.
int run(const tool::Options& options);

// Whether the processes' hosts are in the map that their component file read; processes: a document of
// each (docs/json.md).
tool::Rendered render_check(const std::string& path, const std::vector<std::string>& processes);

struct Conversion {
    std::string map;  // with a head; "": no host has a place, or a file cannot be read
    std::vector<std::string> messages;
    int status = 0;  // 0; 1: entries of the files were left out; 2: there is no map
};

// The output of run(). date: for the head.
Conversion convert(const tool::MapOptions& options, const MapReader& read, const std::string& date);

// ---- the places of hosts ----

using Names = std::vector<std::string>;

// Whether one of them is known: not "".
bool has_name(const Names& names);

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

// Messages about files for a person, each with all entries that it is about.
class Messages {
public:
    // The file that is read.
    void begin_file(const std::string& path) { file_ = path; }
    const std::string& file() const { return file_; }

    void add(const std::string& message, const std::string& entry = "");
    void add(const Error& error);
    void add(const Skipped& skipped);

    bool is_empty() const { return messages_.empty(); }
    std::vector<std::string> lines() const;

private:
    struct Message {
        std::string file, text;
        Names entries;
    };
    std::string file_;
    std::vector<Message> messages_;
};

// Collects the hosts of several files.
class Places {
public:
    explicit Places(const tool::MapOptions& settings);

    // Whether a file of this kind is wanted; else a message.
    bool is_wanted(std::string_view kind);

    // A host is added once; of several entries the first that places it counts.
    void add(const std::string& host, Place place);
    bool has(const std::string& host) const;

    // `names`: outermost first, the leaf last; "" and the names in settings.unknown are none.
    Place placed(Names names) const;
    // nvlink://Domain, and where the name is NVIDIA's UUID.NUMBER nvlink://Clique, unless there is one.
    void add_nvlink(const std::string& name, Place& place) const;

    const tool::MapOptions settings;
    const Placeholders unknown;
    Messages left_out;  // entries that no map will have

    // Called after all files: the hosts that have a place, in the order of the files. Then nowhere() has
    // the other hosts.
    std::vector<HostPlace> take();
    const Names& nowhere() const { return nowhere_; }

private:
    std::vector<HostPlace> hosts_;
    std::map<std::string, std::size_t> by_name_;  // in lower case; into hosts_
    Names nowhere_;
};

// A tree of Slurm's; topology: the name that its switches are below, "" for a topology.conf.
void read_tree(const SwitchTree& tree, const std::string& topology, Places& places);

// Reads the files of options. False: one of them cannot be read.
bool read_files(const tool::MapOptions& options, const MapReader& read, Places& places);

// Readers of whole texts.
void read_documents(std::string_view text, Places& places);
void read_ibnetdiscover(std::string_view text, Places& places);
void read_lldp(std::string_view text, Places& places);

// The shortest map (docs/levels.md) that places these hosts so: hosts of one place as ranges, and each
// value once or each place once, whichever is shorter. Names that all paths begin with are left away.
std::string to_map(std::vector<HostPlace> hosts);

// ---- YAML and JSON, as values of nlohmann's for either form ----

using Json = nlohmann::json;

struct Documents {
    std::vector<Json> values;
    std::vector<Error> left_out;  // a key that a map has twice; where the text breaks off
};

// All values of JSON, one behind the other as a cloud's tool prints pages, where a text begins with a
// bracket; else all documents of YAML. Numbers and truth values become strings, null the empty one,
// bytes that are no UTF-8 text (\xe9). Of two fields with one key the first stands. Of a text that
// breaks off the whole entries stand. Errors have a line: where no entry is whole; lists and maps more
// than 64 deep; aliases that repeat more than 16 MiB; YAML without yaml-cpp.
Result<Documents> parse_documents(std::string_view text);

// Likewise the next value of JSON of a stream of `text`.
Result<Json> read_json_value(std::istream& stream, std::string_view text);

// The member's value, null where there is none; its text, "" where it has none.
const Json& member(const Json& value, const char* key);
std::string text_of(const Json& value, const std::string& key);
// The text of the first of the keys that has one.
std::string first_text(const Json& fields, std::initializer_list<std::string> keys);

// ---- labels and annotations of a Kubernetes node (docs/commands.md) ----

// Outermost first, the leaf last: by the keys of --labels, else by the first family of which the node
// has a label; empty: by none.
Names names_by_labels(const Json& labels, const std::string& keys);

// Slinky's annotation: TOPOLOGY:SWITCH:..:SWITCH,TOPOLOGY:BLOCK. The first topology places the node, a
// tree before blocks.
//
//   topo-switch:spine1:leaf2,topo-block:b2
void read_slinky(const std::string& spec, bool wants_switch, const Places& places, Place& place);

}  // namespace hitopo::map

#endif
