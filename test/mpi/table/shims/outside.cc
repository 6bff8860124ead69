// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/address/answer.h"

extern "C" int outside_query(const hitopo_question_t* question, hitopo_answer_t* answer) {
    return hitopo::guarded([=] {
        answer->set(hitopo::kSwitch, hitopo::Name("the-only-switch-of-" + question->host_name),
                    "outside");
    });
}
