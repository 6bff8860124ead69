// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the user should know of an exchange of the whole job: one message a job, the worst first.
#ifndef OMPI_MCA_HITOPO_BASE_OUTCOME_MESSAGES_H
#define OMPI_MCA_HITOPO_BASE_OUTCOME_MESSAGES_H

#include "ompi/mca/hitopo/base/answers.h"
#include "ompi/mca/hitopo/base/comm_tree.h"
#include "ompi/mca/hitopo/base/exchange/exchange.h"

namespace hitopo {

// To be called at one process. error: to show, of any process; answers: of this one's components; tree:
// NULL where there is none. Local.
void print_outcome(const ExchangeOutcome& outcome, const std::optional<ReportedError>& error,
                   const Answers& answers, const CommTree* tree);

// That rank (a negative one: one process, unknown which) failed with that code, so that there is no
// tree. Local.
void print_failure(int rank, int status);

}  // namespace hitopo

#endif
