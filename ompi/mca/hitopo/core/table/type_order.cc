// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/type_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hitopo {
namespace {

using Numbers = std::vector<std::int32_t>;  // of domains, by process or seat; -1: none

std::vector<std::size_t> sizes_of(const Numbers& domain) {
    std::vector<std::size_t> sizes;
    for (const std::int32_t number : domain) {
        if (number >= 0) {
            sizes.resize(std::max(sizes.size(), static_cast<std::size_t>(number) + 1), 0);
            ++sizes[static_cast<std::size_t>(number)];
        }
    }
    return sizes;
}

// Whether a domain of `outer` has all of one of `inner`, and more.
bool has_inside(const Numbers& outer, const Numbers& inner) {
    constexpr std::int32_t kUnseen = -2;
    const std::vector<std::size_t> outer_sizes = sizes_of(outer);
    const std::vector<std::size_t> inner_sizes = sizes_of(inner);
    Numbers around(inner_sizes.size(), kUnseen);  // -1: no one domain
    for (std::size_t i = 0; i < inner.size(); ++i) {
        if (inner[i] >= 0) {
            std::int32_t& own = around[static_cast<std::size_t>(inner[i])];
            own = own == kUnseen || own == outer[i] ? outer[i] : -1;
        }
    }
    for (std::size_t number = 0; number < around.size(); ++number) {
        if (around[number] >= 0 &&
            outer_sizes[static_cast<std::size_t>(around[number])] > inner_sizes[number]) {
            return true;
        }
    }
    return false;
}

// A machine's name for what a type is made of; "" for what no machine has.
std::string machine_name(const ResourceType& type) {
    if (!type.is_level) {
        return type.crosses_nodes() ? "" : type.name;
    }
    switch (type.level) {
        case kL2Numa:
            return "L2NUMA";
        case kSocket:
            return "Package";
        case kCore:
            return "Core";
        case kHwThread:
            return "PU";
        default:
            return "";
    }
}

bool is_of_machine(const ResourceType& type) { return !type.is_level && type.is_inside_node(); }

// Domains of all layouts' seats, as if each layout were one node.
Numbers by_seat(const Table& table, const ResourceType& type) {
    const SeatInstances instances(table, type);
    const Array<NodeLayout>& layouts = table.layouts().layouts();
    Numbers numbers(table.layouts().seats().size());
    std::int32_t first = 0;
    for (std::size_t layout = 0; layout < layouts.size(); ++layout) {
        std::int32_t* const own = numbers.data() + layouts[layout].first_seat;
        const std::int32_t count = instances.of_layout(layout, own);
        std::transform(own, own + layouts[layout].num_seats, own,
                       [=](std::int32_t number) { return number < 0 ? -1 : first + number; });
        first += count;
    }
    return numbers;
}

class Containment {
public:
    // table: NULL where processes do not matter.
    Containment(const Dictionary& dictionary, const Table* table, const std::vector<ResourceType>& types)
        : types_(types), contains_(types.size(), std::vector<bool>(types.size(), false)) {
        for (const ResourceType& type : types) {
            stands_by_processes_.push_back(
                table != nullptr &&
                (type.is_level ? is_explicit(dictionary, type.level) : type.crosses_nodes()));
        }
        add_levels();
        for (const Machine& machine : dictionary.machines()) {
            add_machine(machine);
        }
        if (table != nullptr) {
            add_by_processes(*table);
        }
        if (!is_in_order()) {
            close();
        }
    }

    // Whether the types stand outermost first as they are: nothing is to be done then.
    bool is_in_order() const {
        for (std::size_t inner = 0; inner < types_.size(); ++inner) {
            for (std::size_t outer = inner + 1; outer < types_.size(); ++outer) {
                if (contains_[outer][inner]) {
                    return false;
                }
            }
        }
        return true;
    }

    // Types that contain each other have no order.
    bool is_before(std::size_t a, std::size_t b) const { return contains_[a][b] && !contains_[b][a]; }

private:
    template <class Contains>
    void add(const Contains& contains) {
        for (std::size_t outer = 0; outer < types_.size(); ++outer) {
            for (std::size_t inner = 0; inner < types_.size(); ++inner) {
                contains_[outer][inner] =
                    contains_[outer][inner] || (outer != inner && contains(outer, inner));
            }
        }
    }

    void add_levels() {
        add([this](std::size_t outer, std::size_t inner) {
            const ResourceType& a = types_[outer];
            const ResourceType& b = types_[inner];
            return a.is_level &&
                   (b.is_level ? a.level < b.level : a.level <= kNode && b.is_inside_node());
        });
    }

    void add_machine(const Machine& machine) {
        std::vector<const MachineType*> own;
        for (std::size_t type = 0; type < types_.size(); ++type) {
            own.push_back(stands_by_processes_[type] ? nullptr
                                                     : machine.find(machine_name(types_[type])));
        }
        const MachineType* const first = machine.types().data();
        add([&](std::size_t outer, std::size_t inner) {
            return own[outer] != nullptr && own[inner] != nullptr &&
                   machine.contains(static_cast<std::size_t>(own[outer] - first),
                                    static_cast<std::size_t>(own[inner] - first));
        });
    }

    void add_by_processes(const Table& table) {
        for (std::size_t type = 0; type < types_.size(); ++type) {
            if (!stands_by_processes_[type]) {
                continue;
            }
            const bool is_inside = types_[type].is_inside_node();
            const auto numbers_of = [&](const ResourceType& of) {
                return is_inside ? by_seat(table, of) : domains_of(table, of).domain;
            };
            const Numbers own = numbers_of(types_[type]);
            for (std::size_t other = 0; other < types_.size(); ++other) {
                // A level inside the node against what a machine has: levels have their order.
                if (other != type && (!is_inside || is_of_machine(types_[other]))) {
                    const Numbers others = numbers_of(types_[other]);
                    contains_[type][other] = contains_[type][other] || has_inside(own, others);
                    contains_[other][type] = contains_[other][type] || has_inside(others, own);
                }
            }
        }
    }

    void close() {
        for (std::size_t through = 0; through < types_.size(); ++through) {
            for (std::vector<bool>& outer : contains_) {
                for (std::size_t inner = 0; outer[through] && inner < types_.size(); ++inner) {
                    outer[inner] = outer[inner] || contains_[through][inner];
                }
            }
        }
    }

    const std::vector<ResourceType>& types_;
    std::vector<bool> stands_by_processes_;    // by type
    std::vector<std::vector<bool>> contains_;  // by outer type, then by inner
};

void put_in_order(const Containment& containment, std::vector<ResourceType>& types) {
    if (containment.is_in_order()) {
        return;
    }
    std::vector<std::size_t> left(types.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    std::vector<ResourceType> ordered;
    while (!left.empty()) {
        const auto next = std::find_if(left.begin(), left.end(), [&](std::size_t type) {
            return std::none_of(left.begin(), left.end(),
                                [&](std::size_t other) { return containment.is_before(other, type); });
        });
        ordered.push_back(types[*next]);
        left.erase(next);
    }
    types = std::move(ordered);
}

}  // namespace

bool is_explicit(const Dictionary& dictionary, Level level) {
    const std::vector<Pattern>& patterns = dictionary.patterns();
    return level > kNode && std::any_of(patterns.begin(), patterns.end(), [=](const Pattern& pattern) {
               return !pattern.names[level].empty();
           });
}

void put_outer_first(const Dictionary& dictionary, std::vector<ResourceType>& types) {
    put_in_order(Containment(dictionary, nullptr, types), types);
}

void put_outer_first(const Table& table, std::vector<ResourceType>& types) {
    put_in_order(Containment(table.dictionary(), &table, types), types);
}

}  // namespace hitopo
