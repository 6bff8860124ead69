// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A text that is read piece by piece, so that a file of any size takes little memory, and what to do
// about one that is larger still, or broken.
#ifndef OMPI_MCA_HITOPO_FILE_YAML_TEXT_SOURCE_H
#define OMPI_MCA_HITOPO_FILE_YAML_TEXT_SOURCE_H

#include <functional>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// Gives the next piece, and "" at the end. An error is the text's end, too.
using TextSource = std::function<Result<std::string>()>;

// Begins the text; what it gives is independent of what it gave before.
using OpenText = std::function<Result<TextSource>()>;

// A source that reads a text in memory, which outlives it.
inline TextSource source_of(std::string_view text) {
    return [rest = text]() mutable {
        constexpr std::size_t kBytes = 65536;
        const std::string_view piece = rest.substr(0, kBytes);
        rest.remove_prefix(piece.size());
        return Result<std::string>(std::string(piece));
    };
}

// What is behind a ';' of a message. Commands that write of each node only what is read.
inline constexpr const char* kWriteLess =
    "write a smaller file: kubectl get nodes -o json | jq '{kind: \"NodeList\", items: [.items[] | "
    "{metadata: "
    ".metadata | {name, labels, annotations}}]}', aws ec2 describe-instance-topology, or gcloud compute "
    "instances "
    "list --format 'json(name,resourceStatus)'";

}  // namespace hitopo

#endif
