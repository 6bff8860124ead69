// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Asking slurmctld in bounded time, and safely: Slurm's library ends the process that calls it where it
// finds no slurm.conf, after a minute of trying. So a program of its own calls it.
#ifndef OMPI_MCA_HITOPO_SLURM_HITOPO_SLURM_ASK_H
#define OMPI_MCA_HITOPO_SLURM_HITOPO_SLURM_ASK_H

#include <string>

namespace hitopo {

struct Printed {
    std::string text;     // all that the program printed, at most 64 MiB
    std::string why_not;  // it did not start or did not end in time; empty if it ended
};

// Runs `program` without arguments, with this process's environment but for LD_PRELOAD. It is killed
// after timeout_ms.
Printed run_program(const std::string& program, int timeout_ms);

}  // namespace hitopo

#endif
