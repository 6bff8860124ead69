// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/communicator/hwsplit/comm_hwsplit_origin.h"

#include <memory>
#include <mutex>
#include <new>
#include <set>

#include "ompi/communicator/hwsplit/comm_hwsplit_glue.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

constexpr const char* kUnknownType = "Unknown";

}  // namespace

const char* constant_of(const std::string& text) {
    static std::mutex& mutex = *new std::mutex;  // callers outlive static destructors
    static std::set<std::string>& texts = *new std::set<std::string>;
    const std::lock_guard<std::mutex> lock(mutex);
    return texts.insert(text).first->c_str();
}

int set_origin(ompi_communicator_t* comm, std::size_t number, std::size_t num_siblings,
               const std::string& type) {
    auto origin =
        std::make_unique<Origin>(Origin{static_cast<int>(num_siblings), static_cast<int>(number),
                                        type.empty() ? kUnknownType : constant_of(type)});
    const int status = hitopo_glue_set_origin(comm, origin.get());
    if (status == kSuccess) {
        (void)origin.release();  // the communicator's
    }
    return status;
}

Origin origin_of(ompi_communicator_t* comm) {
    const auto* origin = static_cast<const Origin*>(hitopo_glue_origin(comm));
    return origin != nullptr ? *origin : Origin{1, 0, kUnknownType};
}

}  // namespace hitopo

extern "C" void* ompi_hitopo_base_copy_origin(const void* origin) {
    return new (std::nothrow) hitopo::Origin(*static_cast<const hitopo::Origin*>(origin));
}

extern "C" void ompi_hitopo_base_free_origin(void* origin) {
    delete static_cast<hitopo::Origin*>(origin);
}
