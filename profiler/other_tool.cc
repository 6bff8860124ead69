// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Another tool that stands between the program and the profiler. MPI's profiling interface has room for
// one: calls that the other one hands on to MPI by PMPI_ never come here.
#include <dlfcn.h>
#include <link.h>

#include <string_view>

#include "profiler/count/made_functions.h"
#include "profiler/job.h"

namespace hitopo::profile {
namespace {

struct Object {
    const link_map* map = nullptr;  // null: unknown
    std::string_view path;
};

// An executable can give a function of a library an address of its own, to which no definition belongs.
Object object_of(const void* address) {
    Dl_info info = {};
    void* symbol = nullptr;
    void* map = nullptr;
    if (address == nullptr || dladdr1(address, &info, &symbol, RTLD_DL_SYMENT) == 0 ||
        dladdr1(address, &info, &map, RTLD_DL_LINKMAP) == 0) {
        return {};
    }
    const bool is_defined =
        symbol == nullptr || static_cast<const ElfW(Sym)*>(symbol)->st_shndx != SHN_UNDEF;
    return is_defined ? Object{static_cast<const link_map*>(map), info.dli_fname} : Object{};
}

}  // namespace

std::string complaint_of_other_tool() {
    static const char own = 0;
    const Object self = object_of(&own);
    const Object hitopo = object_of(dlsym(RTLD_DEFAULT, "PMPIX_Comm_register"));  // hands on to us
    std::string_view first;
    Object tool;
    unsigned count = 0;
    for (unsigned function = 0; function < kNumFunctions; ++function) {
        const Object object = object_of(dlsym(RTLD_DEFAULT, kFunctionNames[function]));
        const bool is_of_job =
            function == kMPI_Init || function == kMPI_Init_thread || function == kMPI_Finalize;
        if (object.map != nullptr && object.map != self.map && object.map != hitopo.map && !is_of_job) {
            first = count == 0 ? kFunctionNames[function] : first;
            tool = count == 0 ? object : tool;
            ++count;
        }
    }
    if (count == 0) {
        return "";
    }
    const bool is_program = tool.map->l_prev == nullptr;  // nothing can be loaded before it
    return std::string(tool.path) + " stands before the profiler for " + std::to_string(count) +
           " of MPI's functions (the first is " + std::string(first) +
           "): calls that it hands on by their PMPI_ names are not counted. " +
           (is_program ? "Build the program without its own functions of these names"
                       : "Name libhitopo_prof.so before it in LD_PRELOAD");
}

}  // namespace hitopo::profile
