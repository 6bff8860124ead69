// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Hosts in YAML and JSON: Kubernetes' nodes and ConfigMaps, lists of clouds, Slurm's topology.yaml.
#include <algorithm>
#include <iterator>

#include "ompi/mca/hitopo/core/network/topology_conf.h"
#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/map/map.h"

namespace hitopo::map {
namespace {

Names texts_in(const Json& list) {
    Names texts;
    for (const Json& item : list.is_array() ? list : Json::array()) {
        texts.push_back(item.is_string() ? item.get<std::string>() : "");
    }
    return texts;
}

bool has_suffix(std::string_view name, std::string_view suffix) {
    return name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix;
}

// One reading of all documents of a file.
class Reader {
public:
    explicit Reader(Places& places) : places_(places) {}

    void read(const Json& document);
    // Reports the lacks of all entries of the file.
    void finish();

private:
    void read_node(const Json& node);
    void read_items(const Json& items, const std::string& list_kind);
    void read_config_map(const Json& map);
    bool read_instances(const Json& list);
    void read_topologies(const Json& list);
    void read_topology(const Json& topology);

    Places& places_;
    bool is_any_read_ = false;  // a node, instance or switch
    bool is_any_placed_ = false;
    std::string unplaced_;  // the message if none is placed
    Names labels_;          // of nodes without a place
    Names refused_maps_;    // ConfigMaps without a topology, by name
    bool has_topology_map_ = false;
};

void Reader::read_node(const Json& node) {
    const Json& metadata = member(node, "metadata");
    const Json& labels = member(metadata, "labels");
    const Json& annotations = member(metadata, "annotations");
    const std::string& keys = places_.settings.labels;
    const Names names = names_by_labels(labels.is_object() ? labels : Json::object(), keys);
    Place place = places_.placed(names);
    for (const char* key : {"nvidia.com/gpu.clique", "accelerator.topograph.run/domain",
                            "network.topology.nvidia.com/accelerator"}) {
        places_.add_nvlink(text_of(labels, key), place);
    }
    places_.add_nvlink(text_of(annotations, "topograph.run/cluster-id"), place);
    read_slinky(
        first_text(annotations, {"topology.slinky.slurm.net/spec", "topology.slinky.slurm.net/line"}),
        names.empty() && keys.empty(), places_, place);
    is_any_placed_ = is_any_placed_ || !names.empty() || !place.is_empty();
    if (!is_any_placed_ && labels.is_object() && labels_.empty()) {
        for (const auto& [key, value] : labels.items()) {
            labels_.push_back(key);
        }
    }
    unplaced_ =
        keys.empty()
            ? "no node has a topology label that HiTopo knows; name the keys of your labels with "
              "--labels, the closest switch first"
            : "no node has a label of --labels; correct the keys";
    is_any_read_ = true;
    const std::string name = text_of(metadata, "name");
    const std::string host = text_of(labels, "kubernetes.io/hostname");
    // The shorter of two names of one host finds both.
    if (!is_same_host(name, host) || name.size() <= host.size()) {
        places_.add(name, place);
    }
    if (!host.empty() && (!is_same_host(name, host) || name.size() > host.size())) {
        places_.add(host, place);
    }
}

// A list of one kind may leave it away at its items: NodeList. So may one that has lost its own.
std::string kind_of(const Json& item, const std::string& list_kind) {
    constexpr std::string_view kList = "List";
    const std::string kind = text_of(item, "kind");
    return !kind.empty()                          ? kind
           : has_suffix(list_kind, kList)         ? list_kind.substr(0, list_kind.size() - kList.size())
           : member(item, "metadata").is_object() ? "Node"
                                                  : "";
}

constexpr const char* kUnknownObject =
    "this kind is not supported; name a file of nodes, of ConfigMaps or of a cloud's instances";

// If no object of the list describes a network, the messages name the other kinds.
void Reader::read_items(const Json& items, const std::string& list_kind) {
    Names others;
    bool is_any_known = false;
    for (const Json& item : items) {
        const std::string kind = kind_of(item, list_kind);
        is_any_known = is_any_known || kind == "Node" || kind == "ConfigMap";
        if (kind == "Node") {
            read_node(item);
        } else if (kind == "ConfigMap") {
            read_config_map(item);
        } else if (!kind.empty()) {
            others.push_back("kind: " + kind);
        }
    }
    for (const std::string& other : is_any_known ? Names() : others) {
        places_.left_out.add(kUnknownObject, other);
    }
}

// ---- ConfigMaps of Topograph ----

void Reader::read_config_map(const Json& map) {
    for (const auto& [name, value] : member(map, "data").items()) {
        const std::string text = value.is_string() ? value.get<std::string>() : "";
        // Beside it may stand a slurm.conf, which has lines of the same form.
        if (name == "topology.conf" || is_topology_conf(text, true)) {
            has_topology_map_ = true;
            if (const Result<SwitchTree> tree = parse_topology_conf(text, name)) {
                read_tree(*tree, "", places_);
                return;
            } else {
                places_.left_out.add(tree.error());
            }
        } else if (has_suffix(name, ".yaml")) {
            has_topology_map_ = true;
            const Result<Documents> inside = parse_documents(text);
            if (inside && !inside->values.empty() && inside->values.front().is_array()) {
                read_topologies(inside->values.front());
                return;
            }
            places_.left_out.add(
                text.empty() ? "this key has no text; write | after the key and the text below it"
                             : "this is no topology.yaml; name another file",
                name);
        }
    }
    if (!has_topology_map_) {
        refused_maps_.push_back(text_of(member(map, "metadata"), "name"));
    }
}

// ---- instances of clouds ----

Names google_names(const Json& instance) {
    const Json& status = member(instance, "resourceStatus");
    const Json& topology = member(status, "physicalHostTopology");
    if (!topology.is_null()) {
        return {text_of(topology, "block"), text_of(topology, "subblock")};
    }
    // "/BLOCK/SUBBLOCK/HOST", also without the first slash.
    std::string host = text_of(status, "physicalHost");
    host.erase(0, host.compare(0, 1, "/") == 0 ? 1 : 0);
    const auto parts = split(host, '/');
    return parts.size() == 3 ? Names{std::string(parts[0]), std::string(parts[1])} : Names();
}

// The marks of a cloud's list: the key of an instance's name, and a key that no other list has.
struct Cloud {
    const char *kind, *name, *sign;
    Names (*names)(const Json& instance);  // outermost first
    const char* unplaced;
};
constexpr Cloud kClouds[] = {
    {"topograph", "id", "network_layers",
     [](const Json& instance) {
         Names names = texts_in(member(instance, "network_layers"));
         std::reverse(names.begin(), names.end());
         return names;
     },
     "no instance has network_layers; write the file again when Topograph knows the network"},
    {"aws", "InstanceId", "InstanceId",
     [](const Json& instance) { return texts_in(member(instance, "NetworkNodes")); },
     "no instance has NetworkNodes; write the file with aws ec2 describe-instance-topology, for types "
     "that have a topology"},
    {"google", "name", "resourceStatus", google_names,
     "no instance has a physicalHost of block and sub-block; HiTopo knows the place only of instances "
     "with a compact placement policy"}};

const Cloud* cloud_of(const Json& instance) {
    if (text_of(instance, "kind") == "compute#instance") {
        return &kClouds[2];
    }
    const auto found = std::find_if(std::begin(kClouds), std::end(kClouds), [&](const Cloud& cloud) {
        return instance.is_object() && instance.contains(cloud.sign);
    });
    return found == std::end(kClouds) ? nullptr : found;
}

const Cloud* cloud_of_all(const Json& list) {
    const Cloud* cloud = list.is_object() ? cloud_of(list) : nullptr;
    for (const Json& each : list.is_array() ? list : Json::array()) {
        cloud = cloud == nullptr ? cloud_of(each) : cloud;
    }
    return cloud;
}

// False: it is neither an instance nor a list of some.
bool Reader::read_instances(const Json& list) {
    const Cloud* cloud = cloud_of_all(list);
    if (cloud == nullptr || !places_.is_wanted(cloud->kind)) {
        return cloud != nullptr;
    }
    is_any_read_ = true;
    unplaced_ = cloud->unplaced;
    for (const Json& instance : list.is_array() ? list : Json::array({list})) {
        const std::string name = text_of(instance, cloud->name);
        if (name.empty()) {
            continue;
        }
        const Names names = cloud->names(instance);
        Place place = places_.placed(names);
        places_.add_nvlink(text_of(instance, "CapacityBlockId"), place);
        places_.add_nvlink(text_of(member(instance, "labels"), "accelerator.topograph.run/domain"),
                           place);
        is_any_placed_ = is_any_placed_ || has_name(names) || !place.is_empty();
        places_.add(name, std::move(place));
    }
    return true;
}

// ---- Slurm's topology.yaml ----

// A host list; also as a list of such.
std::string hosts_of(const Json& map, const char* key) {
    std::string hosts = text_of(map, key);
    for (const std::string& text : texts_in(member(map, key))) {
        add_item(hosts, ",", text);
    }
    return hosts;
}

// Topograph wrote clusterDefault before it wrote cluster_default. Slurm takes these words.
bool is_default(const Json* topology) {
    const std::string text = in_lower_case(first_text(*topology, {"cluster_default", "clusterDefault"}));
    const char* const kTrue[] = {"true", "yes", "on", "y", "t", "1"};
    return std::find(std::begin(kTrue), std::end(kTrue), text) != std::end(kTrue);
}

// The kinds of a topology: the list in each, and the key of a name in that.
struct TopologyKind {
    const char *name, *list, *each;
};
constexpr TopologyKind kTopologyKinds[] = {{"tree", "switches", "switch"},
                                           {"block", "blocks", "block"},
                                           {"ring", "rings", "ring"},
                                           {"torus3d", "toruses", "name"}};

// tree = { "switches": [ { "switch": NAME, "nodes": HOSTS | "children": SWITCHES } ] }
// block = { "block_sizes": .., "blocks": [ { "block": NAME, "nodes": HOSTS } ] }
// torus3d = { "toruses": [ { "name": NAME, "nodes": HOSTS | "regions": [ { "nodes": HOSTS } ] } ] }
void Reader::read_topology(const Json& topology) {
    const std::string name = text_of(topology, "topology"), where = "topology " + name + ": ";
    std::vector<SwitchRecord> records;
    for (const TopologyKind& kind : kTopologyKinds) {
        for (const Json& each : member(member(topology, kind.name), kind.list)) {
            std::string nodes = hosts_of(each, "nodes");
            for (const Json& region : member(each, "regions")) {
                const std::string hosts = hosts_of(region, "nodes");
                add_item(nodes, hosts.empty() ? "" : ",", hosts);
            }
            const std::string own = text_of(each, kind.each);
            if (own.empty()) {
                places_.left_out.add(std::string("the name is missing; write ") + kind.each + ": NAME",
                                     "topology " + name);
                continue;
            }
            records.push_back({own, nodes, hosts_of(each, "children"),
                               std::string_view(kind.name) != "tree", where + own, 0});
        }
    }
    is_any_read_ = is_any_read_ || !records.empty();
    is_any_placed_ = is_any_placed_ || !records.empty();
    read_tree(SwitchTree::make(std::move(records)), name, places_);
    // A later Slurm may describe a network by other kinds; other settings are words and numbers.
    for (const auto& [key, value] : topology.items()) {
        const std::string_view field = key;
        const bool is_known =
            field == "flat" ||
            std::any_of(std::begin(kTopologyKinds), std::end(kTopologyKinds),
                        [field](const TopologyKind& kind) { return kind.name == field; });
        if (!is_known && value.is_structured()) {
            places_.left_out.add(
                "this topology is of an unknown kind; HiTopo supports tree, block, ring and torus3d",
                where + key);
        }
    }
}

void Reader::read_topologies(const Json& list) {
    const std::string& wanted_name = places_.settings.topology;
    std::vector<const Json*> wanted;
    bool is_flat = true;
    for (const Json& topology : list) {
        const std::string name = text_of(topology, "topology");
        if (topology.is_object() && name.empty()) {
            places_.left_out.add("the topology has no name; write - topology: NAME");
        } else if (wanted_name.empty() ? !name.empty() : name == wanted_name) {
            wanted.push_back(&topology);
            is_flat = is_flat && topology.contains("flat");
        }
    }
    if (wanted.empty() && !wanted_name.empty()) {
        places_.left_out.add("the file has no topology of this name; correct --topology", wanted_name);
    }
    std::stable_partition(wanted.begin(), wanted.end(), is_default);
    for (const Json* topology : wanted) {
        read_topology(*topology);
    }
    if (!wanted.empty()) {
        unplaced_ = is_flat ? "a flat topology has no switches; name another topology or file"
                            : "no switch is in the file; name another one";
        is_any_read_ = true;
    }
}

// ---- any document ----

void Reader::read(const Json& document) {
    const std::string kind = text_of(document, "kind");
    const bool is_topologies =
        document.is_array() && std::any_of(document.begin(), document.end(), [](const Json& each) {
            return std::any_of(std::begin(kTopologyKinds), std::end(kTopologyKinds),
                               [&](const TopologyKind& known) {
                                   return each.is_object() && each.contains(known.name);
                               }) ||
                   !text_of(each, "topology").empty();
        });
    if (kind == "ConfigMap" || kind == "Node") {
        if (places_.is_wanted("kubernetes")) {
            read_items(Json::array({document}), kind);
        }
    } else if (read_instances(document)) {
    } else if (is_topologies) {
        if (places_.is_wanted("slurm")) {
            read_topologies(document);
        }
    } else if (member(document, "items").is_array() && kind != "compute#instanceList" &&
               !(kind.empty() && cloud_of_all(member(document, "items")) != nullptr)) {
        if (places_.is_wanted("kubernetes")) {
            read_items(member(document, "items"), kind);
        }
    } else {
        for (const char* key : {"items", "instances", "Instances"}) {
            if (read_instances(member(document, key))) {
                return;
            }
        }
        if (!kind.empty()) {
            places_.left_out.add(kUnknownObject, "kind: " + kind);
        } else if (!(document.is_string() ? document.get_ref<const std::string&>().empty()
                                          : document.empty())) {
            places_.left_out.add(
                "this is of no kind that HiTopo knows; name Slurm's topology.yaml, Kubernetes nodes, a "
                "ConfigMap of Topograph, or a cloud's list of instances",
                document.is_object()   ? document.begin().key()
                : document.is_string() ? document.get<std::string>()
                                       : "a list");
        }
    }
}

void Reader::finish() {
    if (is_any_read_ && !is_any_placed_ && !unplaced_.empty()) {
        places_.left_out.add(unplaced_);
        for (const std::string& label : labels_) {
            places_.left_out.add(unplaced_, label);
        }
    }
    for (const std::string& name : has_topology_map_ ? Names() : refused_maps_) {
        places_.left_out.add(
            "this ConfigMap has no topology.conf and no topology.yaml; name another one",
            name.empty() ? "ConfigMap" : name);
    }
}

}  // namespace

void read_documents(std::string_view text, Places& places) {
    const Result<Documents> documents = parse_documents(text);
    if (!documents) {
        places.left_out.add(documents.error());
        return;
    }
    for (const Error& error : documents->left_out) {
        places.left_out.add(error);
    }
    Reader reader(places);
    for (const Json& document : documents->values) {
        reader.read(document);
    }
    reader.finish();
}

}  // namespace hitopo::map
