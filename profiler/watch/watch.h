// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Jobs that stand still (hitopo_prof_watch): a thread of each process, which calls no MPI, looks once a
// second where the process is, and puts that into memory that the node's processes share. Where one of
// them makes no progress for so long, or is gone, the first that notices writes the records of all into
// the node's file. So a process that is stopped or killed has there what it did last. On SIGUSR1 each
// process writes the file.
#ifndef PROFILER_WATCH_WATCH_H
#define PROFILER_WATCH_WATCH_H

#include <semaphore.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "profiler/watch/node_memory.h"

namespace hitopo::profile {

class Watch {
public:
    struct Settings {
        int seconds = 0;
        std::string folder;  // of the files; absolute
        std::string job;     // differs from other jobs that use this folder
        int rank = 0, size = 0;
        int leader = 0;  // the lowest rank of the node
    };

    // meet: as NodeMemory has it. Collective over MPI_COMM_WORLD; never destroyed.
    Watch(Settings settings, const std::function<void()>& meet);

    // table: at rank 0 the job's, as JSON, which it writes beside the records. Returns the fault and the
    // remedy; "" if all went well. The calling thread is the first place. Local.
    std::string start(const std::string& table);
    // Ends it; the last process of the node removes the file. After MPI_Finalize. Local.
    void end();

private:
    void run();
    static void on_signal(int);

    void look();
    void check_node();
    void write_on_signal();
    void write_file() const;
    void tell(const char* what) const;

    const Settings settings_;
    const std::string table_path_;
    NodeMemory* memory_ = nullptr;
    WatchSlot* own_ = nullptr;
    std::string path_, part_;
    WatchedHead head_ = {};

    std::thread thread_;
    sem_t wake_;
    std::atomic<bool> is_over_{false};
};

}  // namespace hitopo::profile

#endif
