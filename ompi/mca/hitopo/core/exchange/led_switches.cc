// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/led_switches.h"

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/network/uplinks.h"

namespace hitopo {
namespace {

std::uint32_t number_of(const RawValue& value, Names& names) {
    ByteWriter encoded;
    encoded.put(value);
    return names.value(encoded.bytes());
}

std::uint64_t key_of(std::uint32_t component, std::uint32_t value) {
    return std::uint64_t{component} << 32 | value;
}

}  // namespace

LedSwitches::LedSwitches(const std::vector<std::string>& told, Names& names) {
    std::vector<LedSwitch> leaves;
    for (const std::string& bytes : told) {
        std::optional<LedSwitch> led = decode_led_switch(bytes);
        if (led && numbers_.number_of(key_of(names.component(led->component),
                                             number_of(led->value, names))) == leaves.size()) {
            leaves.push_back(std::move(*led));
        }
    }
    for (const SettledSwitch& settled : settle(leaves)) {
        settled_.push_back({number_of(settled.value, names), number_of(settled.island, names)});
    }
}

std::optional<std::uint32_t> LedSwitches::value_for(Level level, const Choice& choice) const {
    const Candidate& candidate = choice.candidate;
    const std::uint32_t number = choice.is_led
                                     ? numbers_.look_up(key_of(candidate.component, candidate.value))
                                     : FlatMap::kAbsent;
    if (number != FlatMap::kAbsent) {
        return level == kIsland ? settled_[number].island : settled_[number].value;
    }
    const bool is_known = candidate.component != 0 && candidate.is_named;
    return is_known && !(choice.is_led && level == kIsland) ? std::optional(candidate.value)
                                                            : std::nullopt;
}

}  // namespace hitopo
