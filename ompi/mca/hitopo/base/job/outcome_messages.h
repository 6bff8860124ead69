// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What an exchange of the whole job has to tell its user: one message a job, the worst first.
#ifndef OMPI_MCA_HITOPO_BASE_JOB_OUTCOME_MESSAGES_H
#define OMPI_MCA_HITOPO_BASE_JOB_OUTCOME_MESSAGES_H

#include "ompi/mca/hitopo/base/job/answers.h"
#include "ompi/mca/hitopo/base/job/exchange.h"
#include "ompi/mca/hitopo/core/exchange/dictionary.h"

namespace hitopo {

// To be called at one process. answers: what that one said; found: NULL where there is no table. Local.
void tell_outcome(const Outcome& outcome, const Answers& answers, const Dictionary* found);

// That rank (a negative one: one process, nobody knows which) failed with that code, so that there is no
// table. Local.
void tell_failure(int rank, int status);

}  // namespace hitopo

#endif
