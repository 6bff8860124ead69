// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// All that can be asked of a table, for tests that have one from bytes that somebody changed.
#ifndef TEST_CORE_TABLE_ALL_QUESTIONS_H
#define TEST_CORE_TABLE_ALL_QUESTIONS_H

#include <string>

#include "ompi/mca/hitopo/core/table/table.h"

namespace hitopo {

// Asks them all, of the first process and the last one where each process has an answer of its own that
// takes long. The first answer that names what there is not; "" for none.
std::string first_wrong_answer(const Table& table);

}  // namespace hitopo

#endif
