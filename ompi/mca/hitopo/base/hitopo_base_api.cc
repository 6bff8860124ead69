// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The C interface: what hitopo.h declares, and what the glue calls. hitopo.h itself is C only, so its
// signatures stand here again; hitopo_base_check.c makes the compiler compare the two.
#include "ompi/mca/hitopo/base/hitopo_base_api.h"

#include <string.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/base/framework/hitopo_base_abi.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/lifecycle.h"
#include "ompi/mca/hitopo/base/positions.h"
#include "ompi/mca/hitopo/base/trees.h"
#include "ompi/mca/hitopo/base/words.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/help_file.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/support/regular_file.h"

namespace hitopo {
namespace {

// What others have called, each once, in the order in which they asked for it.
using Callback = void (*)();
class Callbacks {
public:
    int add(Callback callback) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto place = std::find_if(callbacks_.begin(), callbacks_.end(), [=](Callback taken) {
            return taken == nullptr || taken == callback;
        });
        if (place == callbacks_.end()) {
            return kErrorOutOfResource;
        }
        *place = callback;
        return kSuccess;
    }
    void run() {
        for (const Callback callback : all()) {
            if (callback != nullptr) {
                callback();
            }
        }
    }

private:
    // Few layers start and end with HiTopo, and a full heap must not keep them from it.
    using All = std::array<Callback, 8>;
    All all() {
        const std::lock_guard<std::mutex> lock(mutex_);
        return callbacks_;
    }
    std::mutex mutex_;
    All callbacks_ = {};
};
Callbacks starts, ends;

std::string help_from(const char* path, const char* topic, const std::vector<std::string_view>& values) {
    constexpr std::size_t kMaxBytes = 1 << 20;
    const Result<std::string> file = RegularFile(path).read(kMaxBytes);
    if (const std::optional<std::string> text = file ? help_text(*file, topic, values) : std::nullopt) {
        return *text;
    }
    std::string bare = std::string("HiTopo: ") + topic;
    for (const std::string_view value : values) {
        bare.append(", ").append(value);
    }
    return safe(bare + " (" + path + " has no such message)", Charset::kAscii) + "\n";
}

// Bit l is set where is_one(tree, l).
template <class IsOne>
unsigned levels_where(ompi_communicator_t* comm, IsOne is_one) noexcept {
    unsigned levels = 0;
    (void)guarded([&] {
        const auto tree = Trees::instance().cache().find(comm);
        for (int level = 0; tree != nullptr && level < kNumLevels; ++level) {
            levels |= (is_one(tree->tree(), static_cast<Level>(level)) ? 1u : 0u) << level;
        }
    });
    return levels;
}

bool is_local_rank(const CommTree& tree, int rank) {
    return rank >= 0 && static_cast<std::size_t>(rank) < tree.num_local();
}

}  // namespace
}  // namespace hitopo

using hitopo::guarded;
using hitopo::is_local_rank;
using hitopo::kSuccess;
using hitopo::levels_where;
using hitopo::Lifecycle;
using hitopo::Trees;

std::int32_t** ompi_hitopo_get_addrs(ompi_communicator_t* comm) {
    std::int32_t** rows = nullptr;
    (void)guarded([&] {
        if (const auto tree = Trees::instance().cache().find(comm)) {
            rows = tree->rows().all();
        }
    });
    return rows;
}

std::int32_t* ompi_hitopo_get_addr(ompi_communicator_t* comm, int process_rank) {
    std::int32_t* row = nullptr;
    (void)guarded([&] {
        const auto tree = Trees::instance().cache().find(comm);
        if (tree && is_local_rank(*tree, process_rank)) {
            row = tree->rows().row(tree->number_of(process_rank));
        }
    });
    return row;
}

int ompi_hitopo_read_addr(ompi_communicator_t* comm, int process_rank, std::int32_t addr[8]) {
    return guarded([=] { return Trees::instance().cache().read(comm, process_rank, addr); });
}

unsigned ompi_hitopo_get_known_levels(ompi_communicator_t* comm) {
    return levels_where(comm, [](const hitopo::AddressTree& tree, hitopo::Level level) {
        return tree.known(level) != hitopo::AddressTree::Known::kNone;
    });
}

unsigned ompi_hitopo_get_divided_levels(ompi_communicator_t* comm) {
    return levels_where(comm, [](const hitopo::AddressTree& tree, hitopo::Level level) {
        return tree.num_distinct(level) > 1;
    });
}

int ompi_hitopo_load(ompi_communicator_t* comm) {
    return guarded([&] {
        const int status = Lifecycle::instance().load(comm);  // collective
        Trees::instance().cache().release_replaced(comm);
        return status;
    });
}

int ompi_hitopo_simulate(const char* topology, const char* binding, const char* map_path) {
    return guarded([&] { return Lifecycle::instance().simulate(topology, binding, map_path); });
}

void ompi_hitopo_count_live(int* num_tables, int* num_holders) {
    *num_tables = hitopo::CommTree::num_live();
    *num_holders = Trees::instance().cache().num_holders();
}

std::size_t hitopo_base_num_nodes(ompi_communicator_t* comm) noexcept {
    std::size_t num = 0;
    (void)guarded([&] {
        const auto tree = Trees::instance().cache().find(comm);
        num = tree == nullptr ? 0 : tree->tree().nodes().size();
    });
    return num;
}

hitopo_base_positions_t* hitopo_base_positions_of(ompi_communicator_t* comm) noexcept {
    hitopo_base_positions_t* positions = nullptr;
    (void)guarded([&] {
        const auto tree = Trees::instance().cache().find(comm);
        if (tree != nullptr) {
            positions = new hitopo_base_positions_t{
                std::shared_ptr<const hitopo::AddressTree>(tree, &tree->tree())};
        }
    });
    return positions;
}

int hitopo_base_at_exchange(const char* key, const char* value) noexcept {
    return guarded([=] { hitopo::say_word(key, value); });
}

bool hitopo_base_is_said_alike(const char* key, int* differing) noexcept {
    std::optional<hitopo::SettingRanks> found;
    (void)guarded([&] { found = Trees::instance().find_word(key); });
    if (differing != nullptr) {
        *differing = !found ? -1 : static_cast<int>(found->differing.value_or(0));
    }
    return found && found->having && !found->differing;
}

// All ways into a program begin here: where it is one of MPI's standard ABI, nothing of HiTopo does.
void hitopo_base_announce() noexcept {
    if (hitopo_base_find_abi()) {
        return;
    }
    (void)guarded([] { Lifecycle::instance().announce(); });
}

void hitopo_base_announce_layer(const char* layer) noexcept {
    (void)guarded([=] { Lifecycle::instance().announce_layer(layer); });
}

bool hitopo_base_is_layer_everywhere(const char* layer, const char* help) noexcept {
    bool is_everywhere = false;
    (void)guarded([&] { is_everywhere = Lifecycle::is_layer_everywhere(layer, help); });
    return is_everywhere;
}

bool hitopo_base_is_same_everywhere(std::int64_t value) noexcept {
    const std::int64_t mine[] = {value, -value};
    std::int64_t greatest[2];
    return hitopo_glue_max64(hitopo_glue_world(), mine, greatest, 2) == kSuccess &&
           greatest[0] == -greatest[1];
}

void hitopo_base_start() noexcept {
    if (hitopo_base_has_abi()) {
        return;
    }
    hitopo_glue_end_with_self();
    bool has_tree = false;
    (void)guarded([&] {
        has_tree = Lifecycle::instance().start();  // the same everywhere
    });
    if (has_tree) {
        hitopo::starts.run();
    }
}

int hitopo_base_at_start(void (*start)()) noexcept { return hitopo::starts.add(start); }

void hitopo_base_finalize() noexcept {
    if (hitopo_base_has_abi()) {
        return;
    }
    if (hitopo_glue_ends_with_self()) {
        hitopo_glue_share_connection();
    } else {
        hitopo_base_stop();
    }
}

int hitopo_base_at_stop(void (*end)()) noexcept { return hitopo::ends.add(end); }

void hitopo_base_stop() noexcept {
    hitopo::ends.run();
    (void)guarded([] { Lifecycle::instance().stop(); });
}

void hitopo_base_stop_without_world() noexcept {
    if (!hitopo_base_has_abi() && !hitopo_glue_has_world()) {
        hitopo_base_stop();
    }
}

char* hitopo_base_help_text(const char* path, const char* topic, const char* first, const char* second,
                            const char* third) noexcept {
    char* text = nullptr;
    (void)guarded([&] {
        text = strdup(hitopo::help_from(path, topic, {first, second, third}).c_str());
    });
    return text;
}

char* hitopo_base_safe_text(const char* text) noexcept {
    char* safe = nullptr;
    (void)guarded([&] { safe = strdup(hitopo::safe(text, hitopo::Charset::kAscii).c_str()); });
    return safe;
}

void hitopo_base_forget(ompi_communicator_t* comm) noexcept {
    (void)guarded([&] { Trees::instance().cache().forget(comm); });
}
