// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The job's report: one file, document "profile" of docs/json.md, written by rank 0 as the processes'
// parts come in, one after the other. So no process holds more than its own part, and rank 0 the list of
// communicators.
#ifndef OMPI_PROFILE_REPORT_H
#define OMPI_PROFILE_REPORT_H

namespace hitopo::profile {

// snapshot: 0 at the end. A file that cannot be written costs one warning. Collective over
// MPI_COMM_WORLD.
void write_report(int snapshot);

}  // namespace hitopo::profile

#endif
