// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Remedies for lists of nodes and instances that are too large or broken.
#ifndef OMPI_MCA_HITOPO_FILE_YAML_LIST_COMMANDS_H
#define OMPI_MCA_HITOPO_FILE_YAML_LIST_COMMANDS_H

namespace hitopo {

// What is behind a ';' of a message. Commands that write of each node only what is read.
inline constexpr const char* kWriteLess =
    "write a smaller file: kubectl get nodes -o json | jq '{kind: \"NodeList\", items: [.items[] | "
    "{metadata: "
    ".metadata | {name, labels, annotations}}]}', aws ec2 describe-instance-topology, or gcloud compute "
    "instances "
    "list --format 'json(name,resourceStatus)'";

}  // namespace hitopo

#endif
