// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the component pmix reads, apart from where it reads it.
#ifndef OMPI_MCA_HITOPO_PMIX_HITOPO_PMIX_INPUT_H
#define OMPI_MCA_HITOPO_PMIX_HITOPO_PMIX_INPUT_H

#include <functional>
#include <optional>
#include <string>

#include "ompi/mca/hitopo/pmix/pmix_place.h"
#include "ompi/mca/hitopo/support/reporter.h"

namespace hitopo {

// What PMIx has stored in this process already: no server is asked, and what is absent takes no time.
// Empty where no PMIx server started the process.
std::optional<PmixFacts> fetch_pmix_facts();

using PmixFactsSource = std::function<std::optional<PmixFacts>()>;

// facts: called only in the process that asks for its node.
void answer_pmix(const PmixFactsSource& facts, const std::string& dimensions, Reporter& reporter);

}  // namespace hitopo

#endif
