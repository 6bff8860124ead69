// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/payload.h"

#include <stdexcept>

#include "ompi/mca/hitopo/base/job/collections.h"
#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/exchange/plan.h"
#include "ompi/mca/hitopo/core/exchange/summary.h"

namespace hitopo {

std::string encode_payload(std::string_view sum, std::string_view led) {
    ByteWriter writer;
    writer.put_short(sum);
    writer.put_short(led);
    return writer.take();
}

Directory read_payload(std::string_view payload, std::size_t num_processes) {
    ByteReader reader(payload);
    const std::string_view sum = reader.get_short(), led = reader.get_short();
    const Result<Summary> summary = Summary::decode(sum, num_processes);
    if (!summary) {
        throw std::runtime_error(summary.error().message);
    }
    Result<Plan> plan = make_plan(*summary, num_processes);
    if (!plan) {
        throw std::runtime_error(plan.error().message);
    }
    return make_directory(*summary, *plan, Told::read(led));
}

}  // namespace hitopo
