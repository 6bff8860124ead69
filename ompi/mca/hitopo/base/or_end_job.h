// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Ends the job of a process that cannot go on in a collective of ours, while others wait for it.
#ifndef OMPI_MCA_HITOPO_BASE_OR_END_JOB_H
#define OMPI_MCA_HITOPO_BASE_OR_END_JOB_H

#include <new>
#include <utility>

#include "ompi/mca/hitopo/base/exchange/channel.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {

// Returns the result of body(). Where it throws, the job ends (docs/design.md, "Who fails alone").
// function: that all processes of comm are in, for people: "MPI_Comm_split_type".
template <class Body>
auto or_end_job(ompi_communicator_t* comm, const char* function, Body&& body) noexcept {
    int code = kErrorGeneric;
    try {
        return std::forward<Body>(body)();
    } catch (const std::bad_alloc&) {
        code = kErrorOutOfResource;
    } catch (const MessageFailed& failed) {
        code = failed.code;
    } catch (...) {
    }
    ompi_hitopo_base_end_job(comm, function, code);
}

}  // namespace hitopo

#endif
