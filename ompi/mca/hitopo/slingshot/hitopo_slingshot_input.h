// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The input of the component slingshot, apart from the folder that it reads.
#ifndef OMPI_MCA_HITOPO_SLINGSHOT_HITOPO_SLINGSHOT_INPUT_H
#define OMPI_MCA_HITOPO_SLINGSHOT_HITOPO_SLINGSHOT_INPUT_H

#include <string>

#include "ompi/mca/hitopo/core/address/answer.h"

namespace hitopo {

// interfaces: a folder as /sys/class/net, with a folder for each interface. Read only in the process
// that asks for its node.
void answer_slingshot(const std::string& interfaces, const Question& question, Answer& answer);

}  // namespace hitopo

#endif
