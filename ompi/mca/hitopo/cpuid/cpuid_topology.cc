// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/cpuid/cpuid_topology.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace hitopo {
namespace {

constexpr std::uint32_t bits(std::uint32_t word, unsigned first, unsigned last) {
    return word >> first & (0xffffffffu >> (31 - (last - first)));
}

// Bits that `count` different numbers need.
unsigned bits_for(std::uint32_t count) {
    unsigned num_bits = 0;
    while (num_bits < 31 && (1u << num_bits) < count) {
        ++num_bits;
    }
    return num_bits;
}

std::uint32_t apic_id_of_cpu(std::uint32_t id_leaf, const Cpuid& cpuid) {
    const CpuidRegisters registers = cpuid(id_leaf, 0);
    switch (id_leaf) {
        case 1:
            return bits(registers.ebx, 24, 31);
        case 0x8000001E:
            return registers.eax;
        default:
            return registers.edx;
    }
}

class Decoder {
public:
    explicit Decoder(const Cpuid& cpuid) : cpuid_(cpuid) {
        const CpuidRegisters basic = cpuid_(0, 0);
        const CpuidRegisters extended = cpuid_(0x80000000, 0);
        last_basic_ = basic.eax;
        last_extended_ = bits(extended.eax, 16, 31) == 0x8000 ? extended.eax : 0;
        vendor_.resize(12);
        std::memcpy(&vendor_[0], &basic.ebx, 4);
        std::memcpy(&vendor_[4], &basic.edx, 4);
        std::memcpy(&vendor_[8], &basic.ecx, 4);
        if (has_leaf(1)) {
            one_ = cpuid_(1, 0);
        }
    }

    std::optional<ApicLayout> decode() const {
        if (!has_leaf(1)) {
            return std::nullopt;
        }
        for (const std::uint32_t leaf : {0x1Fu, 0x80000026u, 0x0Bu}) {
            if (const std::optional<ApicLayout> layout = decode_levels(leaf)) {
                return with_hygon_packages(*layout);
            }
        }
        if (is_amd_like()) {
            return decode_amd();
        }
        return has_legacy_leaves() ? std::optional(decode_legacy()) : std::nullopt;
    }

private:
    bool has_leaf(std::uint32_t leaf) const {
        return leaf <= (leaf < 0x80000000 ? last_basic_ : last_extended_);
    }
    bool is_amd_like() const { return vendor_ == "AuthenticAMD" || vendor_ == "HygonGenuine"; }
    bool has_legacy_leaves() const {
        return vendor_ == "GenuineIntel" || vendor_ == "CentaurHauls" || vendor_ == "  Shanghai  ";
    }
    bool is_virtual() const { return bits(one_.ecx, 31, 31) != 0; }
    bool has_topology_extensions() const {
        return has_leaf(0x8000001E) && bits(cpuid_(0x80000001, 0).ecx, 22, 22) != 0;
    }
    unsigned model() const { return bits(one_.eax, 16, 19) << 4 | bits(one_.eax, 4, 7); }
    bool contradicts_leaf_1(std::uint32_t id_leaf) const {
        return bits(apic_id_of_cpu(id_leaf, cpuid_), 0, 7) != bits(one_.ebx, 24, 31);
    }

    // Leaves that list one level in each subleaf: EAX 4:0 the number of bits of the APIC id below the
    // next level, EBX 15:0 the level's processors, ECX 15:8 its type (0 ends the list, 1 is the threads
    // of a core), EDX the APIC id.
    std::optional<ApicLayout> decode_levels(std::uint32_t leaf) const {
        constexpr std::uint32_t kMaxLevels = 16;
        ApicLayout layout;
        layout.id_leaf = leaf;
        std::uint32_t num_levels = 0;
        for (; has_leaf(leaf) && num_levels < kMaxLevels; ++num_levels) {
            const CpuidRegisters level = cpuid_(leaf, num_levels);
            if (bits(level.ecx, 8, 15) == 0 || bits(level.ebx, 0, 15) == 0) {
                break;
            }
            add_level(layout, level);
        }
        if (num_levels == 0 || contradicts_leaf_1(leaf)) {
            return std::nullopt;
        }
        return layout;
    }

    static void add_level(ApicLayout& layout, const CpuidRegisters& level) {
        unsigned shift = bits(level.eax, 0, 4);
        if (bits(level.ecx, 8, 15) == 1) {
            // Some machines give 0 bits for 2 threads.
            shift = shift == 0 ? bits_for(bits(level.ebx, 0, 15)) : shift;
            layout.thread_bits = shift;
        }
        layout.package_bits = std::max(layout.package_bits, shift);
    }

    std::optional<ApicLayout> decode_amd() const {
        if (!has_leaf(0x80000008)) {
            return std::nullopt;
        }
        const std::uint32_t sizes = cpuid_(0x80000008, 0).ecx;
        ApicLayout layout;
        layout.package_bits = bits(sizes, 12, 15);
        if (layout.package_bits == 0) {
            layout.package_bits = bits_for(bits(sizes, 0, 7) + 1);
        }
        add_amd_threads(layout);
        return with_hygon_packages(layout);
    }

    void add_amd_threads(ApicLayout& layout) const {
        if (!has_topology_extensions() || contradicts_leaf_1(0x8000001E)) {
            return;
        }
        layout.id_leaf = 0x8000001E;
        layout.thread_bits = bits_for(bits(cpuid_(0x8000001E, 0).ebx, 8, 15) + 1);
        layout.package_bits = std::max(layout.package_bits, layout.thread_bits);
    }

    // The first Hygon models number packages from bit 6 on, unlike their leaves.
    ApicLayout with_hygon_packages(ApicLayout layout) const {
        if (vendor_ == "HygonGenuine" && !is_virtual() && model() <= 3 && has_topology_extensions()) {
            layout.package_bits = std::max(6u, layout.thread_bits);
        }
        return layout;
    }

    ApicLayout decode_legacy() const {
        const std::uint32_t cache = has_leaf(4) ? cpuid_(4, 0).eax : 0;
        const unsigned core_bits = bits(cache, 0, 4) != 0 ? bits_for(bits(cache, 26, 31) + 1) : 0;
        const bool has_many = bits(one_.edx, 28, 28) != 0;
        const unsigned all_bits = has_many ? bits_for(bits(one_.ebx, 16, 23)) : 0;
        ApicLayout layout;
        layout.package_bits = std::max(all_bits, core_bits);
        layout.thread_bits = layout.package_bits - core_bits;
        return layout;
    }

    const Cpuid& cpuid_;
    std::uint32_t last_basic_ = 0;
    std::uint32_t last_extended_ = 0;
    std::string vendor_;
    CpuidRegisters one_;
};

}  // namespace

std::optional<ApicLayout> decode_apic_layout(const Cpuid& cpuid) { return Decoder(cpuid).decode(); }

CpuIds ids_of_cpu(const ApicLayout& layout, const Cpuid& cpuid) {
    const std::uint32_t apic_id = apic_id_of_cpu(layout.id_leaf, cpuid);
    return {apic_id >> layout.package_bits, apic_id >> layout.thread_bits, apic_id};
}

}  // namespace hitopo
