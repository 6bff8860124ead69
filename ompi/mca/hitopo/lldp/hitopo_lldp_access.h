// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Who may ask lldpd: its socket, and in Debian the program that asks, are closed to ordinary users.
#ifndef OMPI_MCA_HITOPO_LLDP_HITOPO_LLDP_ACCESS_H
#define OMPI_MCA_HITOPO_LLDP_HITOPO_LLDP_ACCESS_H

#include <string>

namespace hitopo {

// Why this process cannot run `program`; "" if it can. `groups`: a file as /etc/group.
std::string why_not_runnable(const std::string& program, const std::string& groups);

// What lldpcli complained of, and if it was refused, who is not.
//
//   unable to connect to socket /run/lldpd.socket: Permission denied
std::string explain_complaint(const std::string& complaint, const std::string& groups);

}  // namespace hitopo

#endif
