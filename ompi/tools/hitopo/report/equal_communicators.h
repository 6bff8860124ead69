// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Equal communicators as one: the rows of a grid, the duplicates that a library makes.
#ifndef OMPI_TOOLS_HITOPO_REPORT_EQUAL_COMMUNICATORS_H
#define OMPI_TOOLS_HITOPO_REPORT_EQUAL_COMMUNICATORS_H

#include <string>
#include <tuple>

#include "ompi/tools/hitopo/report/profile.h"

namespace hitopo::tool {

// Name and sizes: equal communicators have equal ones.
using CommunicatorKey = std::tuple<std::string, int, int>;
CommunicatorKey key_of(const ProfiledCommunicator& communicator);

// The profile with one communicator in place of all that have one name and equal sizes, which has what
// was counted for these; the one with the most bytes of all calls comes first.
//
// The processes of such a sum are numbered by their place in its `ranks`: those of MPI_COMM_WORLD
// ascending, and then all others as one, whose rank there is -1. Peers are, too, but those of
// intercommunicators, whose numbers stay. A communicator that has no equal keeps its own.
Profile join_equal_communicators(Profile profile);

// "4"; "2+3" of an intercommunicator.
std::string size_text(const ProfiledCommunicator& communicator);

// "4 processes", "8 communicators of 4 processes".
std::string size_phrase(const ProfiledCommunicator& communicator);

// "registered", "freed", "no longer registered"; "3 registered, 5 freed" where equal ones differ.
std::string state_phrase(const ProfiledCommunicator& communicator);

}  // namespace hitopo::tool

#endif
