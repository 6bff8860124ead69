// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Tables of cpuid leaves, written from the vendors' manuals for known parts.
#include "ompi/mca/hitopo/cpuid/cpuid_topology.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <utility>

namespace hitopo {
namespace {

std::optional<CpuIds> decode_ids(const Cpuid& cpuid) {
    const std::optional<ApicLayout> layout = decode_apic_layout(cpuid);
    return layout ? std::optional(ids_of_cpu(*layout, cpuid)) : std::nullopt;
}

class CpuTable {
public:
    CpuTable(const std::string& vendor, std::uint32_t last_leaf, std::uint32_t apic_id) {
        const auto word = [&](std::size_t at) {
            std::uint32_t value = 0;
            for (std::size_t i = 0; i < 4; ++i) {
                value |= static_cast<std::uint32_t>(static_cast<unsigned char>(vendor[at + i]))
                         << (8 * i);
            }
            return value;
        };
        set(0, 0, {last_leaf, word(0), word(8), word(4)});
        set(1, 0, {0, (apic_id & 0xff) << 24, 0, 0});
    }

    CpuTable& set(std::uint32_t leaf, std::uint32_t subleaf, CpuidRegisters registers) {
        table_[{leaf, subleaf}] = registers;
        return *this;
    }
    CpuTable& level(std::uint32_t leaf, std::uint32_t index, unsigned type, unsigned shift,
                    unsigned count, std::uint32_t apic_id) {
        return set(leaf, index, {shift, count, type << 8 | index, apic_id});
    }
    CpuidRegisters& at(std::uint32_t leaf) { return table_[{leaf, 0}]; }

    std::optional<CpuIds> decode() const {
        return decode_ids([this](std::uint32_t leaf, std::uint32_t subleaf) {
            const auto found = table_.find({leaf, subleaf});
            return found == table_.end() ? CpuidRegisters{} : found->second;
        });
    }

private:
    std::map<std::pair<std::uint32_t, std::uint32_t>, CpuidRegisters> table_;
};

void expect_ids(const CpuTable& cpu, std::uint32_t package, std::uint32_t core, std::uint32_t thread) {
    const std::optional<CpuIds> ids = cpu.decode();
    ASSERT_TRUE(ids);
    EXPECT_EQ(ids->package, package);
    EXPECT_EQ(ids->core, core);
    EXPECT_EQ(ids->thread, thread);
}

// Two packages of 32 cores and 2 threads: bit 0 is the thread, bits 5:1 the core, bit 6 the package.
CpuTable xeon(std::uint32_t apic_id) {
    CpuTable cpu("GenuineIntel", 0x16, apic_id);
    cpu.level(0x0B, 0, 1, 1, 2, apic_id).level(0x0B, 1, 2, 6, 64, apic_id);
    return cpu;
}

TEST(CpuidTopology, leaf_0b_on_two_packages) {
    expect_ids(xeon(0x00), 0, 0x00, 0x00);
    expect_ids(xeon(0x03), 0, 0x01, 0x03);
    expect_ids(xeon(0x43), 1, 0x21, 0x43);
}

TEST(CpuidTopology, apic_ids_of_more_than_8_bits) { expect_ids(xeon(0x1c5), 7, 0xe2, 0x1c5); }

// Two dies a package: with leaf 0x0B alone each die would be a package.
TEST(CpuidTopology, leaf_1f_wins_where_dies_are_listed) {
    CpuTable cpu("GenuineIntel", 0x1F, 0x63);
    cpu.level(0x0B, 0, 1, 1, 2, 0x63).level(0x0B, 1, 2, 5, 32, 0x63);
    cpu.level(0x1F, 0, 1, 1, 2, 0x63).level(0x1F, 1, 2, 5, 32, 0x63).level(0x1F, 2, 5, 6, 64, 0x63);
    expect_ids(cpu, 1, 0x31, 0x63);
}

TEST(CpuidTopology, unknown_level_types_only_move_the_package_up) {
    CpuTable cpu("GenuineIntel", 0x1F, 0x63);
    cpu.level(0x1F, 0, 1, 1, 2, 0x63).level(0x1F, 1, 2, 5, 32, 0x63).level(0x1F, 2, 9, 7, 64, 0x63);
    expect_ids(cpu, 0, 0x31, 0x63);
}

TEST(CpuidTopology, zeros_in_leaf_1f_fall_to_leaf_0b) {
    CpuTable cpu = xeon(0x43);
    cpu.at(0).eax = 0x1F;
    expect_ids(cpu, 1, 0x21, 0x43);
}

TEST(CpuidTopology, leaf_0b_above_the_last_leaf_is_not_asked) {
    CpuTable cpu = xeon(0x43);
    cpu.at(0).eax = 0x0A;
    cpu.at(1) = {0, 0x43u << 24, 0, 0};  // one thread a package
    expect_ids(cpu, 0x43, 0x43, 0x43);
}

// An efficiency core has one thread, yet its ids keep the room for two.
TEST(CpuidTopology, hybrid_cores_share_one_layout) {
    CpuTable performance("GenuineIntel", 0x20, 0x09);
    performance.level(0x1F, 0, 1, 1, 2, 0x09).level(0x1F, 1, 2, 7, 24, 0x09);
    CpuTable efficiency("GenuineIntel", 0x20, 0x42);
    efficiency.level(0x1F, 0, 1, 1, 1, 0x42).level(0x1F, 1, 2, 7, 24, 0x42);
    expect_ids(performance, 0, 4, 0x09);
    expect_ids(efficiency, 0, 0x21, 0x42);
}

TEST(CpuidTopology, two_threads_in_zero_bits_are_two_threads) {
    CpuTable cpu("GenuineIntel", 0x0B, 0x05);
    cpu.level(0x0B, 0, 1, 0, 2, 0x05).level(0x0B, 1, 2, 4, 16, 0x05);
    expect_ids(cpu, 0, 2, 5);
}

TEST(CpuidTopology, a_first_level_of_cores_has_one_thread_each) {
    CpuTable cpu("GenuineIntel", 0x0B, 0x15);
    cpu.level(0x0B, 0, 2, 4, 16, 0x15);
    expect_ids(cpu, 1, 0x15, 0x15);
}

// Nehalem's fields without leaf 0x0B: 16 ids a package, 8 of them cores.
CpuTable legacy(const std::string& vendor, std::uint32_t apic_id) {
    CpuTable cpu(vendor, 4, apic_id);
    cpu.at(1).ebx |= 16u << 16;
    cpu.at(1).edx = 1u << 28;
    cpu.set(4, 0, {7u << 26 | 1, 0, 0, 0});
    return cpu;
}

TEST(CpuidTopology, leaves_1_and_4) {
    expect_ids(legacy("GenuineIntel", 0x17), 1, 0x0b, 0x17);
    expect_ids(legacy("  Shanghai  ", 0x17), 1, 0x0b, 0x17);
    expect_ids(legacy("CentaurHauls", 0x17), 1, 0x0b, 0x17);
}

TEST(CpuidTopology, an_apic_id_that_contradicts_leaf_1_falls_to_legacy) {
    CpuTable cpu = legacy("GenuineIntel", 0x17);
    cpu.at(0).eax = 0x0B;
    cpu.level(0x0B, 0, 1, 1, 2, 0).level(0x0B, 1, 2, 6, 64, 0);
    expect_ids(cpu, 1, 0x0b, 0x17);
}

TEST(CpuidTopology, one_thread_a_package_without_the_ht_flag) {
    CpuTable cpu("GenuineIntel", 4, 3);
    cpu.at(1).ebx |= 16u << 16;
    cpu.set(4, 0, {1, 0, 0, 0});
    expect_ids(cpu, 3, 3, 3);
}

// Naples: 6 bits of the APIC id in a package, 2 threads a core.
CpuTable zen1(const std::string& vendor, std::uint32_t apic_id) {
    CpuTable cpu(vendor, 0x0D, apic_id);
    cpu.set(0x80000000, 0, {0x8000001F, 0, 0, 0});
    cpu.set(0x80000001, 0, {0, 0, 1u << 22, 0});
    cpu.set(0x80000008, 0, {0, 0, 6u << 12 | 63, 0});
    cpu.set(0x8000001E, 0, {apic_id, 1u << 8 | (apic_id >> 1 & 0x1f), 3u << 8, 0});
    return cpu;
}

TEST(CpuidTopology, amd_leaf_8000001e) {
    expect_ids(zen1("AuthenticAMD", 0x00), 0, 0, 0);
    expect_ids(zen1("AuthenticAMD", 0x47), 1, 0x23, 0x47);
}

TEST(CpuidTopology, amd_without_topology_extensions_has_one_thread_a_core) {
    CpuTable cpu = zen1("AuthenticAMD", 0x47);
    cpu.at(0x80000001).ecx = 0;
    expect_ids(cpu, 1, 0x47, 0x47);
}

TEST(CpuidTopology, amd_leaf_8000001e_of_zeros_is_ignored) {
    CpuTable cpu = zen1("AuthenticAMD", 0x47);
    cpu.at(0x8000001E) = {0, 1u << 8, 0, 0};
    expect_ids(cpu, 1, 0x47, 0x47);
}

TEST(CpuidTopology, amd_size_of_the_apic_id_from_the_thread_count) {
    CpuTable cpu = zen1("AuthenticAMD", 0x0d);
    cpu.at(0x80000008).ecx = 5;  // 6 threads: 3 bits
    expect_ids(cpu, 1, 6, 0x0d);
}

// Three cores of each complex of four are fused off or not: ids have holes, which tell nothing.
TEST(CpuidTopology, amd_leaf_0b_with_complexes_of_three_cores) {
    for (const std::uint32_t apic_id : {0x00u, 0x05u, 0x08u, 0x0du}) {
        CpuTable cpu = zen1("AuthenticAMD", apic_id);
        cpu.at(0).eax = 0x10;
        cpu.level(0x0B, 0, 1, 1, 2, apic_id).level(0x0B, 1, 2, 7, 12, apic_id);
        expect_ids(cpu, 0, apic_id >> 1, apic_id);
    }
}

// Genoa: threads, complexes, dies, package.
TEST(CpuidTopology, amd_leaf_80000026) {
    CpuTable cpu = zen1("AuthenticAMD", 0xb3);
    cpu.at(0).eax = 0x10;
    cpu.at(0x80000000).eax = 0x80000028;
    cpu.level(0x80000026, 0, 1, 1, 2, 0x1b3).level(0x80000026, 1, 2, 4, 16, 0x1b3);
    cpu.level(0x80000026, 2, 3, 4, 16, 0x1b3).level(0x80000026, 3, 4, 8, 192, 0x1b3);
    cpu.level(0x0B, 0, 1, 1, 2, 0x1b3).level(0x0B, 1, 2, 8, 192, 0x1b3);
    expect_ids(cpu, 1, 0xd9, 0x1b3);
}

TEST(CpuidTopology, early_hygon_packages_start_at_bit_6_on_bare_metal) {
    CpuTable bare = zen1("HygonGenuine", 0x47);
    bare.at(0x80000008).ecx = 4u << 12;
    expect_ids(bare, 1, 0x23, 0x47);
    CpuTable guest = bare;
    guest.at(1).ecx = 1u << 31;
    expect_ids(guest, 4, 0x23, 0x47);
    CpuTable later = bare;
    later.at(1).eax = 4u << 4;
    expect_ids(later, 4, 0x23, 0x47);
}

TEST(CpuidTopology, nothing_where_no_leaf_tells) {
    EXPECT_FALSE(CpuTable("GenuineIntel", 0, 0).decode());
    EXPECT_FALSE(CpuTable("AuthenticAMD", 1, 0).decode());
    EXPECT_FALSE(CpuTable("Some Newcome", 4, 0).decode());
}

TEST(CpuidTopology, unknown_vendors_answer_by_level_leaves) {
    CpuTable cpu("Some Newcome", 0x0B, 0x43);
    cpu.level(0x0B, 0, 1, 1, 2, 0x43).level(0x0B, 1, 2, 6, 64, 0x43);
    expect_ids(cpu, 1, 0x21, 0x43);
}

// A machine whose leaves are noise (equal for equal `seed`), but for the vendor and the APIC ids.
std::optional<CpuIds> decode_noise(std::uint32_t seed, const CpuidRegisters& vendor,
                                   std::uint32_t apic_id) {
    return decode_ids([&](std::uint32_t leaf, std::uint32_t subleaf) {
        std::mt19937 noise(seed ^ leaf ^ subleaf << 16);
        const auto word = [&] { return static_cast<std::uint32_t>(noise()); };
        switch (leaf) {
            case 0:
                return CpuidRegisters{word() % 0x22, vendor.ebx, vendor.ecx, vendor.edx};
            case 1:
                return CpuidRegisters{word(), (word() & 0xffffff) | apic_id << 24, word(), word()};
            case 0x80000000:
                return CpuidRegisters{0x80000000 + word() % 0x30, 0, 0, 0};
            case 0x8000001E:
                return CpuidRegisters{apic_id, word(), word(), word()};
            default:
                return CpuidRegisters{word(), word(), word(), apic_id};
        }
    });
}

TEST(CpuidTopology, any_answers_nest) {
    int num_compared = 0;
    for (const char* vendor : {"GenuineIntel", "AuthenticAMD", "HygonGenuine", "  Shanghai  "}) {
        const CpuidRegisters zero = CpuTable(vendor, 0, 0).at(0);
        for (std::uint32_t seed = 0; seed < 500; ++seed) {
            const std::optional<CpuIds> a = decode_noise(seed, zero, seed & 0xff);
            const std::optional<CpuIds> b = decode_noise(seed, zero, (seed & 0xff) ^ 1);
            ASSERT_EQ(a.has_value(), b.has_value());
            if (a && a->core == b->core) {
                EXPECT_EQ(a->package, b->package);
                EXPECT_NE(a->thread, b->thread);
                ++num_compared;
            }
        }
    }
    EXPECT_GT(num_compared, 100);
}

}  // namespace
}  // namespace hitopo
