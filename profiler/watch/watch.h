// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Jobs that stand still (hitopo_prof_watch): a thread of each process, which calls no MPI, looks once a
// second where the process is, and writes that as text into memory that the node's processes share.
// Where one of them makes no progress for so long, or is gone, the first that can writes the texts of
// all into the node's file. So a process that is stopped or killed has there what it did last. On
// SIGUSR1 each process writes the file.
#ifndef PROFILER_WATCH_WATCH_H
#define PROFILER_WATCH_WATCH_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "profiler/watch/node_memory.h"
#include "profiler/watch/own_places.h"

namespace hitopo::profile {

class Watch {
public:
    struct Settings {
        int seconds = 0;
        std::string folder;  // of the files; absolute
        std::string job;     // differs from other jobs that use this folder
        int rank = 0, size = 0;
    };

    // node and meet: as NodeMemory has them. Collective over MPI_COMM_WORLD; never destroyed.
    Watch(Settings settings, const std::string& node, const std::function<void()>& meet);

    // Local. Returns what the user should know; "": nothing. The calling thread is the first place.
    std::string start();
    // Ends it; the last process of the node removes the file. After MPI_Finalize. Local.
    void end();

private:
    void run();
    static void on_signal(int);
    void wake() const;

    void look(bool has_comms);
    void keep_file();
    void write_on_signal() const;
    void write_file() const;
    void remove_file() const;
    void tell(const char* what, int seconds) const;

    const Settings settings_;
    OwnPlaces places_;
    const NodeMemory::Opened shared_;
    int first_ = 0;  // the lowest rank of the node
    std::string path_, part_;
    char host_[65] = "";

    std::thread thread_;
    int event_ = -1;  // wakes the thread
    std::atomic<bool> is_over_{false};
    std::uint64_t written_state_ = 0;  // these two of keep_file
    std::int64_t written_ns_ = 0;
};

}  // namespace hitopo::profile

#endif
