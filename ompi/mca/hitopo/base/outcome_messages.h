// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What an exchange of the whole job has to tell its user: one message a job, the worst first.
#ifndef OMPI_MCA_HITOPO_BASE_OUTCOME_MESSAGES_H
#define OMPI_MCA_HITOPO_BASE_OUTCOME_MESSAGES_H

#include "ompi/mca/hitopo/base/answers.h"
#include "ompi/mca/hitopo/base/exchange/exchange.h"
#include "ompi/mca/hitopo/core/tree/job_facts.h"

namespace hitopo {

// To be called at one process. error: to show, of any process; answers: what this one said; found: NULL
// where there is no tree. Local.
void tell_outcome(const ExchangeOutcome& outcome, const std::optional<ReportedError>& error,
                  const Answers& answers, const JobFacts* found);

// That rank (a negative one: one process, nobody knows which) failed with that code, so that there is no
// tree. Local.
void tell_failure(int rank, int status);

}  // namespace hitopo

#endif
