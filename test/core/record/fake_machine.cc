// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/core/record/fake_machine.h"

#include <numeric>

#include "ompi/mca/hitopo/core/machine/machine.h"

namespace hitopo {

std::string FakeMachine::encoded() const {
    Machine machine;
    for (const auto& [type, instances] : types) {
        for (const CpuNumbers& instance : instances) {
            machine.add(type, set_of(instance));
        }
    }
    machine.finish();
    return machine.encode();
}

FakeMachine make_machine(const FakeShape& shape, std::vector<int> numbers) {
    const int num_cpus = shape.num_cpus();
    if (numbers.empty()) {
        numbers.resize(static_cast<std::size_t>(num_cpus));
        std::iota(numbers.begin(), numbers.end(), 0);
    }
    FakeMachine machine;
    const auto cut = [&](const char* type, int size) {
        for (int first = 0; first < num_cpus; first += size) {
            machine.types[type].emplace(numbers.begin() + first, numbers.begin() + first + size);
        }
    };
    int size = 1;
    cut("PU", size);
    cut("Core", size *= shape.threads);
    cut("L3Cache", size *= shape.cores);
    cut("NUMANode", size *= shape.caches);
    cut("Package", size *= shape.numas);
    cut("Machine", num_cpus);
    return machine;
}

}  // namespace hitopo
