// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// runs: 1000
//
// Machine::decode: any bytes are a machine in regular form that comes back equal from its own encoding,
// or an error.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ompi/mca/hitopo/core/machine/machine.h"
#include "test/fuzz/require.h"

namespace {

void require_regular(const hitopo::MachineType& type) {
    require(!type.name.empty() && !type.instances.empty());
    for (std::size_t i = 0; i < type.instances.size(); ++i) {
        require(!type.instances[i].is_empty());
        require(i == 0 || type.instances[i - 1] < type.instances[i]);
    }
}

void require_equal(const hitopo::Machine& a, const hitopo::Machine& b) {
    require(a.cpus() == b.cpus() && a.types().size() == b.types().size());
    for (std::size_t i = 0; i < a.types().size(); ++i) {
        require(a.types()[i].name == b.types()[i].name &&
                a.types()[i].instances == b.types()[i].instances);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const hitopo::Result<hitopo::Machine> machine = hitopo::Machine::decode(bytes);
    if (!machine) {
        require(machine.error().column >= 1 && !machine.error().message.empty());
        return 0;
    }
    std::for_each(machine->types().begin(), machine->types().end(), require_regular);
    const hitopo::Result<hitopo::Machine> again = hitopo::Machine::decode(machine->encode());
    require(again.is_ok());
    require_equal(*machine, *again);
    const int first = machine->cpus().first();
    require(place(*machine, hitopo::CpuSet::range(first, first)).is_covered == (first >= 0));
    return 0;
}
