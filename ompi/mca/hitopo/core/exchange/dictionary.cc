// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/dictionary.h"

#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/exchange/distinct.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

// Where entry `index` of such rows ends.
template <class Row>
std::size_t end_of(const Array<Row>& rows, std::uint32_t Row::*begin, std::size_t index,
                   std::size_t end) {
    return index + 1 < rows.size() ? rows[index + 1].*begin : end;
}

std::vector<std::uint32_t> shared_numbers(const std::vector<Cohort>& cohorts) {
    FlatMap numbers;
    std::vector<std::uint32_t> dense;
    dense.reserve(cohorts.size());
    for (const Cohort& cohort : cohorts) {
        dense.push_back(numbers.number_of(cohort.shared_id));
    }
    return numbers.size() == cohorts.size() ? std::vector<std::uint32_t>() : dense;
}

std::vector<std::uint32_t> side_sets_of(const std::vector<Cohort>& cohorts) {
    std::vector<std::uint32_t> sets(cohorts.size());
    std::transform(cohorts.begin(), cohorts.end(), sets.begin(),
                   [](const Cohort& cohort) { return cohort.side; });
    const bool are_all_first = std::all_of(sets.begin(), sets.end(), [](auto set) { return set == 0; });
    return are_all_first ? std::vector<std::uint32_t>() : sets;
}

}  // namespace

class Dictionary::Maker {
public:
    explicit Maker(Dictionary& out) : out_(out) { (void)components_.number_of(""); }

    void take_nodes(const std::vector<NodeInfo>& nodes) {
        rows_.reserve(nodes.size());
        std::vector<std::uint64_t> identities;
        identities.reserve(nodes.size());
        for (const NodeInfo& node : nodes) {
            rows_.push_back({static_cast<std::uint32_t>(names_.size()), place_of(node), kind_of(node),
                             node.first_cohort});
            identities.push_back(node.identity);
            names_.insert(names_.end(), node.name.begin(), node.name.end());
        }
        out_.rows_ = std::move(rows_);
        out_.identities_ = std::move(identities);
        out_.places_ = std::move(places_);
        out_.kinds_ = std::move(kinds_);
        out_.names_ = std::move(names_);
    }

    void take_values(const std::array<std::vector<LevelValue>, kNode>& values) {
        for (std::size_t level = 0; level < values.size(); ++level) {
            std::vector<ValueRow> rows;
            add_rows(values[level], rows);
            out_.values_[level] = std::move(rows);
        }
    }

    void take_side(const std::vector<SideType>& types,
                   const std::vector<std::vector<std::int32_t>>& sets) {
        std::vector<ValueRow> rows;
        out_.first_side_value_ = {0};
        for (const SideType& type : types) {
            out_.side_types_.push_back(type.uri);
            add_rows(type.values, rows);
            out_.first_side_value_.push_back(static_cast<std::uint32_t>(rows.size()));
        }
        out_.side_values_ = std::move(rows);
        std::vector<std::int32_t> numbers;
        for (const std::vector<std::int32_t>& set : sets) {
            numbers.insert(numbers.end(), set.begin(), set.end());
        }
        out_.side_numbers_ = std::move(numbers);
    }

    void finish() {
        out_.coded_values_ = std::vector<char>(coded_.bytes().begin(), coded_.bytes().end());
        out_.components_.assign(components_.begin(), components_.end());
    }

private:
    void add_rows(const std::vector<LevelValue>& values, std::vector<ValueRow>& rows) {
        for (const LevelValue& value : values) {
            rows.push_back({components_.number_of(value.component),
                            static_cast<std::uint32_t>(coded_.bytes().size())});
            coded_.put(value.value);
        }
    }

    // Both are mostly those of the node before.
    std::uint32_t place_of(const NodeInfo& node) {
        if (places_.empty() || places_[latest_place_].values != node.values) {
            const std::uint64_t outer = combine(static_cast<std::uint32_t>(node.values[kCluster]),
                                                static_cast<std::uint32_t>(node.values[kIsland]));
            latest_place_ = place_numbers_.number_of(
                combine(outer, static_cast<std::uint32_t>(node.values[kSwitch])));
            if (latest_place_ == places_.size()) {
                places_.push_back({node.values});
            }
        }
        return latest_place_;
    }

    std::uint32_t kind_of(const NodeInfo& node) {
        if (latest_ == nullptr || latest_->machine != node.machine ||
            latest_->component != node.component || latest_->l2numa_component != node.l2numa_component ||
            latest_->inner_component != node.inner_component) {
            latest_ = &node;
            const NodeKind kind = {node.machine, components_.number_of(node.component),
                                   components_.number_of(node.l2numa_component),
                                   components_.number_of(node.inner_component)};
            const auto known = std::find_if(kinds_.begin(), kinds_.end(), [&](const NodeKind& other) {
                return other.machine == kind.machine && other.component == kind.component &&
                       other.l2numa_component == kind.l2numa_component &&
                       other.inner_component == kind.inner_component;
            });
            latest_kind_ = static_cast<std::uint32_t>(known - kinds_.begin());
            if (known == kinds_.end()) {
                kinds_.push_back(kind);
            }
        }
        return latest_kind_;
    }

    Dictionary& out_;
    Distinct components_;  // "" is 0
    ByteWriter coded_;
    std::vector<NodeRow> rows_;
    std::vector<NodePlace> places_;
    std::vector<NodeKind> kinds_;
    std::vector<char> names_;
    FlatMap place_numbers_;
    std::uint32_t latest_place_ = 0, latest_kind_ = 0;
    const NodeInfo* latest_ = nullptr;
};

Dictionary::Dictionary(DictionaryDraft draft)
    : shared_(shared_numbers(draft.cohorts)),
      sides_(side_sets_of(draft.cohorts)),
      machines_(std::move(draft.machines)),
      machine_components_(std::move(draft.machine_components)),
      patterns_(std::move(draft.patterns)),
      layers_(std::move(draft.layers)),
      warnings_(std::move(draft.warnings)) {
    Maker maker(*this);
    maker.take_nodes(draft.nodes);
    maker.take_values(draft.values);
    maker.take_side(draft.side_types, draft.side_sets);
    maker.finish();
}

NodeInfo Dictionary::node(std::size_t index) const {
    const NodeRow& row = rows_[index];
    const NodeKind& kind = kinds_[row.kind];
    NodeInfo node;
    node.identity = identities_[index];
    node.name.assign(names_.begin() + row.name,
                     names_.begin() + end_of(rows_, &NodeRow::name, index, names_.size()));
    node.component = components_[kind.component];
    node.values = places_[row.place].values;
    node.machine = kind.machine;
    node.first_cohort = row.first_cohort;
    node.l2numa_component = components_[kind.l2numa_component];
    node.inner_component = components_[kind.inner_component];
    return node;
}

LevelValue Dictionary::value(Level level, std::size_t number) const {
    return value_at(values_[static_cast<std::size_t>(level)], number);
}

LevelValue Dictionary::value_at(const Array<ValueRow>& rows, std::size_t index) const {
    ByteReader reader(
        {coded_values_.data() + rows[index].begin, coded_values_.size() - rows[index].begin});
    return {components_[rows[index].component], reader.get_value()};
}

namespace {

bool has_word(std::string_view words, std::string_view wanted) {
    while (words.size() > wanted.size()) {
        const std::size_t end = std::min(words.find(' '), words.size() - 1);
        if (words.substr(0, end) == wanted && words[end] == ' ') {
            return true;
        }
        words.remove_prefix(end + 1);
    }
    return words == wanted;
}

}  // namespace

// Without memory of its own: all processes go by the answer, which must not depend on whether one has
// some.
LayerPresence presence_of(const Dictionary& dictionary, std::string_view layer) {
    LayerPresence presence;
    for (const LayerClass& all : dictionary.layers()) {
        std::optional<std::uint32_t>& lowest =
            has_word(all.layers, layer) ? presence.present : presence.missing;
        lowest = std::min(lowest.value_or(all.first_rank), all.first_rank);
    }
    return presence;
}

}  // namespace hitopo
