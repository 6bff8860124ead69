// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// How a communicator came to be: the split that made it.
#ifndef OMPI_COMM_HWSPLIT_ORIGIN_H
#define OMPI_COMM_HWSPLIT_ORIGIN_H

#include <cstddef>
#include <string>

struct ompi_communicator_t;

namespace hitopo {

struct Origin {
    int num_siblings;  // communicators of the split, this one too
    int number;        // among them, by their lowest ranks in the parent
    const char* type;  // a constant of the library
};

// A string that is never freed, one for equal ones. Thread safe.
const char* constant_of(const std::string& text);

// type "": "Unknown". Returns an OMPI_ERR_* code.
int set_origin(ompi_communicator_t* comm, std::size_t number, std::size_t num_siblings,
               const std::string& type);

// A communicator that is neither made by a split nor a duplicate of such has one part, "Unknown".
Origin origin_of(ompi_communicator_t* comm);

}  // namespace hitopo

#endif
