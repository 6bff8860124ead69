// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/yaml/wanted_fields.h"

#include <algorithm>
#include <initializer_list>

namespace hitopo {
namespace {

bool is_one_of(std::string_view key, std::initializer_list<std::string_view> keys) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

// All that file/yaml/node_place.h looks for is among these.
bool is_wanted_label(std::string_view key, const std::vector<std::string>& labels) {
    return key.find("topo") != key.npos || key == "kubernetes.io/hostname" ||
           key == "nvidia.com/gpu.clique" ||
           std::find(labels.begin(), labels.end(), key) != labels.end();
}

}  // namespace

bool is_wanted_field(std::string_view parent, std::string_view key,
                     const std::vector<std::string>& labels) {
    if (parent == "labels" || parent == "annotations") {
        return is_wanted_label(key, labels);
    }
    if (parent == "metadata") {
        return is_one_of(key, {"name", "labels", "annotations"});
    }
    return !is_one_of(key, {"spec", "status", "disks", "networkInterfaces", "serviceAccounts"});
}

}  // namespace hitopo
