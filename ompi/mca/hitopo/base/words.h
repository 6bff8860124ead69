// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What layers above the framework have to say alike in all processes: it goes into the records of
// MPI_Init's exchange.
#ifndef OMPI_MCA_HITOPO_BASE_WORDS_H
#define OMPI_MCA_HITOPO_BASE_WORDS_H

#include "ompi/mca/hitopo/core/record/node_record.h"

namespace hitopo {

// All thread safe. Of one key the last value counts.
void say_word(const std::string& key, const std::string& value);
AgreedSettings said_words();
void forget_words();

}  // namespace hitopo

#endif
