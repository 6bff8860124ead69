// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The kind of a file that describes a network, by its begin.
#ifndef OMPI_MCA_HITOPO_FILE_FILE_KIND_H
#define OMPI_MCA_HITOPO_FILE_FILE_KIND_H

#include <string>
#include <string_view>

namespace hitopo {

enum class FileKind {
    kEmpty,          // comments at most
    kMap,            // or anything else
    kTopologyConf,   // Slurm's
    kIbnetdiscover,  // the tool's output
    kLldp,           // "HOST JSON" of `hitopo map --from lldp`
    kDocuments       // YAML or JSON
};

// The kind by the first line that is neither empty nor a comment.
FileKind file_kind(std::string_view text);

// The description of a file of which only `hitopo map` makes use: "lists Kubernetes nodes". text: its
// begin.
std::string described_kind(std::string_view text);

}  // namespace hitopo

#endif
