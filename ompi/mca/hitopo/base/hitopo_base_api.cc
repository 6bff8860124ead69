// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The C interface: the functions that hitopo.h declares or the glue calls. hitopo.h itself is C only, so
// its signatures stand here again; hitopo_base_check.c makes the compiler compare the two.
#include "ompi/mca/hitopo/base/hitopo_base_api.h"

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "ompi/mca/hitopo/base/answers.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_abi.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_attribute.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_positions.h"
#include "ompi/mca/hitopo/base/lifecycle.h"
#include "ompi/mca/hitopo/base/or_end_job.h"
#include "ompi/mca/hitopo/base/trees.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/core/text/version.h"

namespace hitopo {
namespace {

// Functions of layers above, each once, in the order in which they were added. Few layers start and end
// with HiTopo, and a full heap must not keep them from it.
template <class Callback>
class Callbacks {
public:
    int add(Callback callback) {
        for (std::atomic<Callback>& place : all_) {
            Callback taken = nullptr;
            if (place.compare_exchange_strong(taken, callback) || taken == callback) {
                return kSuccess;
            }
        }
        return kErrorOutOfResource;
    }
    template <class Call>
    void for_each(Call call) const {
        for (const std::atomic<Callback>& place : all_) {
            if (const Callback callback = place) {
                call(callback);
            }
        }
    }

private:
    std::array<std::atomic<Callback>, 8> all_ = {};
};
Callbacks<hitopo_base_start_fn_t> starts;
Callbacks<void (*)()> ends;

// MPI_Finalize first deletes the attributes of MPI_COMM_SELF, last set first, and in their delete
// functions all of MPI may be used (MPI 5.0, 11.2.5): a library ends its work there. HiTopo serves them
// too: it ends with an attribute of its own, set in MPI_Init before any program could set one.
bool ends_with_self = false;
hitopo_base_attribute_t end_of_self = {HITOPO_BASE_NO_KEYVAL,
                                       [](ompi_communicator_t*, void*) {
                                           ends_with_self = false;
                                           ompi_hitopo_base_stop();
                                       },
                                       nullptr};

void end_with_self() {
    if (!ends_with_self) {
        ends_with_self =
            ompi_hitopo_base_attribute_set(&end_of_self, hitopo_glue_self(), nullptr) == kSuccess;
        ompi_hitopo_base_attribute_end(&end_of_self);  // the attribute keeps its keyval
    }
}

// Prints the line of hitopo_base_verbose. serving: the layers above that do, "coll/hitopo, profiler".
void print_that_it_is_on(const std::string& serving) {
    if (hitopo_glue_job_rank() != 0 || !hitopo_glue_is_verbose()) {
        return;
    }
    std::string components;
    (void)for_each_component(
        [&](const hitopo_glue_component_t& component) { add_item(components, ", ", component.name); });
    std::string levels;
    const unsigned known = ompi_hitopo_get_known_levels(hitopo_glue_world());
    for (int level = 0; level < kNumLevels; ++level) {
        if ((known >> level & 1U) != 0) {
            add_item(levels, ", ", level_name(static_cast<Level>(level)));
        }
    }
    const auto state = [&](const char* layer) {
        return serving.find(layer) != std::string::npos ? "on" : "off";
    };
    hitopo_glue_tell(
        "base", (std::string("HiTopo ") + kHitopoVersion + " is on; components: " + components +
                 "; levels: " + (levels.empty() ? "none" : levels) + "; collectives: " + state("coll/") +
                 "; reorder: " + state("topo/") + "; profiler: " + state("profiler"))
                    .c_str());
}

using TreeOfComm = std::shared_ptr<CommTree>;

// make(); `none` where something fails, such as memory.
template <class Value, class Make>
Value value_or(Value none, Make make) noexcept {
    Value value = none;
    (void)guarded([&] { value = make(); });
    return value;
}

// read(tree) of comm's tree; `none` where it has none, or memory is short.
template <class Value, class Read>
Value of_tree(ompi_communicator_t* comm, Value none, Read read) noexcept {
    return value_or(none, [&] {
        const TreeOfComm tree = TreeCache::instance().find(comm);
        return tree == nullptr ? none : read(tree);
    });
}

// Bit l is set where is_one(tree, l).
template <class IsOne>
unsigned levels_where(ompi_communicator_t* comm, IsOne is_one) noexcept {
    return of_tree(comm, 0U, [&](const TreeOfComm& tree) {
        unsigned levels = 0;
        for (int level = 0; level < kNumLevels; ++level) {
            levels |= (is_one(tree->tree(), static_cast<Level>(level)) ? 1U : 0U) << level;
        }
        return levels;
    });
}

std::uint32_t unsigned_of(int number) { return static_cast<std::uint32_t>(number); }

}  // namespace
}  // namespace hitopo

struct hitopo_base_positions_t {
    std::shared_ptr<const hitopo::AddressTree> tree;
};

using hitopo::guarded;
using hitopo::Level;
using hitopo::levels_where;
using hitopo::Lifecycle;
using hitopo::of_tree;
using hitopo::TreeCache;
using hitopo::TreeOfComm;
using hitopo::unsigned_of;
using hitopo::value_or;

std::int32_t** ompi_hitopo_get_addrs(ompi_communicator_t* comm) {
    return of_tree(comm, static_cast<std::int32_t**>(nullptr),
                   [](const TreeOfComm& tree) { return tree->rows(); });
}

std::int32_t* ompi_hitopo_get_addr(ompi_communicator_t* comm, int process_rank) {
    return of_tree(comm, static_cast<std::int32_t*>(nullptr), [=](const TreeOfComm& tree) {
        const bool is_rank = process_rank >= 0 && unsigned_of(process_rank) < tree->sides().num_local;
        return is_rank ? tree->row(tree->number_of(process_rank)) : nullptr;
    });
}

int ompi_hitopo_read_addr(ompi_communicator_t* comm, int process_rank, std::int32_t addr[8]) {
    return guarded([=] { return TreeCache::instance().read(comm, process_rank, addr); });
}

unsigned ompi_hitopo_get_known_levels(ompi_communicator_t* comm) {
    return levels_where(comm, [](const hitopo::AddressTree& tree, Level level) {
        return tree.known(level) != hitopo::AddressTree::Known::kNone;
    });
}

unsigned ompi_hitopo_get_divided_levels(ompi_communicator_t* comm) {
    return levels_where(
        comm, [](const hitopo::AddressTree& tree, Level level) { return tree.num_distinct(level) > 1; });
}

int ompi_hitopo_load(ompi_communicator_t* comm) {
    return guarded([&] {
        const int status = Lifecycle::instance().load(comm);  // collective
        TreeCache::instance().release_replaced(comm);
        return status;
    });
}

int ompi_hitopo_simulate(const char* topology, const char* binding, const char* map_path) {
    return guarded([&] { return Lifecycle::instance().simulate(topology, binding, map_path); });
}

void ompi_hitopo_count_live(int* num_tables, int* num_holders) {
    *num_tables = hitopo::CommTree::num_live();
    *num_holders = TreeCache::instance().num_holders();
}

hitopo_base_positions_t* ompi_hitopo_base_positions_of(ompi_communicator_t* comm) noexcept {
    return hitopo::or_end_job(comm, "the look-up of a communicator's table", [=] {
        const TreeOfComm tree = TreeCache::instance().find(comm);
        auto positions = std::make_unique<hitopo_base_positions_t>();
        if (tree != nullptr) {
            positions->tree = {tree, &tree->tree()};
        }
        return tree != nullptr ? positions.release() : nullptr;
    });
}

void ompi_hitopo_base_drop_positions(hitopo_base_positions_t* positions) noexcept { delete positions; }

int ompi_hitopo_base_num_positions(const hitopo_base_positions_t* positions) noexcept {
    return static_cast<int>(positions->tree->size());
}

int ompi_hitopo_base_rank_at(const hitopo_base_positions_t* positions, int position) noexcept {
    return static_cast<int>(positions->tree->rank_at(unsigned_of(position)));
}

int ompi_hitopo_base_position_of(const hitopo_base_positions_t* positions, int rank) noexcept {
    return static_cast<int>(positions->tree->position_of(unsigned_of(rank)));
}

void ompi_hitopo_base_address_of(const hitopo_base_positions_t* positions, int rank,
                                 std::int32_t* address) noexcept {
    positions->tree->read(unsigned_of(rank), address);
}

int ompi_hitopo_base_interval_at(const hitopo_base_positions_t* positions, int level,
                                 int position) noexcept {
    return static_cast<int>(
        positions->tree->interval_at(static_cast<Level>(level), unsigned_of(position)));
}

int ompi_hitopo_base_interval_begin(const hitopo_base_positions_t* positions, int level,
                                    int interval) noexcept {
    return static_cast<int>(
        positions->tree->interval_begin(static_cast<Level>(level), unsigned_of(interval)));
}

int ompi_hitopo_base_set_common(const char* key, const char* value) noexcept {
    return guarded([=] { hitopo::set_common(key, value); });
}

bool ompi_hitopo_base_is_common(const char* key) noexcept {
    return value_or(false, [=] {
        const std::optional<hitopo::SettingRanks> found = hitopo::find_common(key);
        return found && found->having && !found->differing;
    });
}

// All ways into a program begin here; HiTopo out of tree ends here in one of MPI's standard ABI.
void ompi_hitopo_base_announce() noexcept {
    if (ompi_hitopo_base_find_abi()) {
        return;
    }
    (void)guarded([] { Lifecycle::instance().announce(); });
}

void ompi_hitopo_base_announce_layer(const char* layer) noexcept {
    (void)guarded([=] { Lifecycle::instance().announce_layer(layer); });
}

bool ompi_hitopo_base_layer_runs_in_all_processes(const char* layer, const char* help) noexcept {
    return value_or(false, [=] { return Lifecycle::is_layer_everywhere(layer, help); });
}

bool ompi_hitopo_base_layer_agrees(const char* const* keys, int num_keys, const char* help) noexcept {
    return value_or(false, [=] { return Lifecycle::is_layer_alike(keys, num_keys, help); });
}

void ompi_hitopo_base_start() noexcept {
    if (ompi_hitopo_base_stays_out()) {
        return;
    }
    hitopo::end_with_self();
    if (value_or(false, [] { return Lifecycle::instance().start(); })) {  // the same everywhere
        std::string serving;
        hitopo::starts.for_each([&](auto start) {
            if (const char* name = start()) {
                (void)guarded([&] { hitopo::add_item(serving, ", ", name); });
            }
        });
        (void)guarded([&] { hitopo::print_that_it_is_on(serving); });
    }
}

int ompi_hitopo_base_at_start(hitopo_base_start_fn_t start) noexcept {
    return hitopo::starts.add(start);
}

void ompi_hitopo_base_finalize() noexcept {
    if (ompi_hitopo_base_stays_out()) {
        return;
    }
    if (hitopo::ends_with_self) {
        hitopo_glue_share_connection();
    } else {
        ompi_hitopo_base_stop();
    }
}

int ompi_hitopo_base_at_stop(void (*end)()) noexcept { return hitopo::ends.add(end); }

void ompi_hitopo_base_stop() noexcept {
    hitopo::ends.for_each([](auto end) { end(); });
    (void)guarded([] { Lifecycle::instance().stop(); });
}

void ompi_hitopo_base_stop_without_world() noexcept {
    if (!ompi_hitopo_base_stays_out() && !hitopo_glue_has_world()) {
        ompi_hitopo_base_stop();
    }
}
