// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/base/simulated_job.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "ompi/mca/hitopo/base/framework/hitopo_base_attribute.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/lifecycle.h"
#include "ompi/mca/hitopo/base/tree_cache.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "test/core/record/fake_machine.h"
#include "test/support/counted_memory.h"

struct ompi_communicator_t {};

namespace hitopo {
namespace {

constexpr int kMaxProcesses = 16, kMaxKeys = 8, kMaxMessages = 4, kMaxText = 160, kMaxNumbers = 16;
constexpr int kErrorOther = 16;  // MPI_ERR_OTHER of Open MPI
// After so many seconds a process waits for ever; no verdict hangs on it otherwise.
constexpr unsigned kPatience = 300;

// ---- what all processes of a job see ----

struct Key {
    char layer[32];
    std::uint32_t version;
};

struct Slot {
    Key keys[kMaxKeys];
    int num_keys;
    std::int64_t numbers[kMaxNumbers];  // of an allreduce

    bool is_over, has_tree;
    int nodes[kMaxProcesses];
    char messages[kMaxMessages][kMaxText];
    int num_told;
    long num_allocations, num_messages, num_lookups;
};

struct SharedState {
    pthread_barrier_t fence;
    Slot slots[kMaxProcesses];
};

class Board {
public:
    explicit Board(int num_processes)
        : state_(static_cast<SharedState*>(::mmap(nullptr, sizeof(SharedState), PROT_READ | PROT_WRITE,
                                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
        pthread_barrierattr_t attributes;
        pthread_barrierattr_init(&attributes);
        pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
        pthread_barrier_init(&state_->fence, &attributes, static_cast<unsigned>(num_processes));
        pthread_barrierattr_destroy(&attributes);
    }
    ~Board() { ::munmap(state_, sizeof(SharedState)); }
    Board(const Board&) = delete;

    Slot& slot(int rank) { return state_->slots[rank]; }
    void fence() { pthread_barrier_wait(&state_->fence); }

private:
    SharedState* state_;
};

// A socket for each pair of processes; its buffers hold more than any message of these small jobs, so
// that nobody waits who sends.
class Sockets {
public:
    explicit Sockets(int num_processes) : num_processes_(num_processes) {
        for (int i = 0; i < num_processes; ++i) {
            for (int j = 0; j < i; ++j) {
                int ends[2];
                EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
                ends_[i][j] = ends[0];
                ends_[j][i] = ends[1];
            }
        }
    }
    ~Sockets() {
        for (int i = 0; i < num_processes_; ++i) {
            for (int j = 0; j < num_processes_; ++j) {
                if (i != j) {
                    ::close(ends_[i][j]);
                }
            }
        }
    }
    Sockets(const Sockets&) = delete;

    int end(int own, int peer) const { return ends_[own][peer]; }

private:
    const int num_processes_;
    int ends_[kMaxProcesses][kMaxProcesses] = {};
};

// ---- this process, once it is one of a job ----

struct Self {
    const SimulatedJob* job = nullptr;
    Board* board = nullptr;
    const Sockets* sockets = nullptr;
    int rank = 0, size = 0;
    std::vector<std::vector<std::uint32_t>> nodes, reported_nodes;  // as they are, and by the launcher
    std::string machine;                                            // encoded
    std::string node;                                               // as its component reports it
    bool counts = false;                                            // allocations

    Slot& slot() const { return board->slot(rank); }
    bool is_faulty(SimulatedJob::Fault fault) const {
        return job->fault == fault && job->faulty_rank == rank;
    }
    // Whether the number-th of something is to fail.
    bool fails(SimulatedJob::Fault fault, long number) const {
        return is_faulty(fault) && number >= job->first_fault &&
               number - job->first_fault < job->num_faults;
    }
};
Self self;
ompi_communicator_t world;

// Memory that the simulation takes itself never fails.
class Uncounted {
public:
    Uncounted() : before_(self.counts) { self.counts = false; }
    ~Uncounted() { self.counts = before_; }
    Uncounted(const Uncounted&) = delete;

private:
    const bool before_;
};

// Whether one more allocation goes well.
bool has_memory() {
    return !self.counts || !self.fails(SimulatedJob::Fault::kAllocation, ++self.slot().num_allocations);
}

std::vector<std::vector<std::uint32_t>> parse_nodes(const std::string& text) {
    std::vector<std::vector<std::uint32_t>> nodes;
    for (const std::string_view node :
         text.empty() ? std::vector<std::string_view>() : split(text, '/')) {
        nodes.emplace_back();
        for (const std::string_view rank : split(node, ',')) {
            nodes.back().push_back(static_cast<std::uint32_t>(std::stoi(std::string(rank))));
        }
    }
    return nodes;
}

int node_in(const std::vector<std::vector<std::uint32_t>>& nodes, int rank) {
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        if (std::count(nodes[node].begin(), nodes[node].end(), static_cast<std::uint32_t>(rank)) > 0) {
            return static_cast<int>(node);
        }
    }
    return -1;
}

std::string node_name(int node) { return "node" + std::to_string(node); }

// The caller's to free.
char* text_of(const std::vector<std::uint32_t>& ranks) {
    std::string text;
    for (const std::uint32_t rank : ranks) {
        text += (text.empty() ? "" : ",") + std::to_string(rank);
    }
    return ::strdup(text.c_str());
}

bool has_announced(int rank, const char* layer, const std::uint32_t* version) {
    const Slot& slot = self.board->slot(rank);
    return std::any_of(slot.keys, slot.keys + slot.num_keys, [&](const Key& key) {
        return std::strcmp(key.layer, layer == nullptr ? "version" : layer) == 0 &&
               (version == nullptr || key.version == *version);
    });
}

void send_to(int peer, const void* bytes, std::size_t num_bytes) {
    if (::send(self.sockets->end(self.rank, peer), bytes, num_bytes, 0) !=
        static_cast<ssize_t>(num_bytes)) {
        std::abort();  // more than a socket holds
    }
}

// As ompi_hitopo_base_swap.
int receive_from(int peer, void* bytes, std::size_t capacity, std::size_t& num_received) {
    const ssize_t num = ::recv(self.sockets->end(self.rank, peer), bytes, capacity, MSG_TRUNC);
    num_received = static_cast<std::size_t>(std::max<ssize_t>(num, 0));
    return num >= 0 && num_received <= capacity ? kSuccess : kErrorOther;
}

// MPI_Init.
void live() {
    const bool has_hitopo = self.job->without.count(self.rank) == 0;
    self.counts = true;
    if (has_hitopo) {
        (void)guarded([] { Lifecycle::instance().announce(); });
    }
    self.board->fence();
    if (has_hitopo) {
        (void)guarded([] { (void)Lifecycle::instance().start(); });
    }
    self.counts = false;
    if (const auto tree = has_hitopo ? TreeCache::instance().world() : nullptr) {
        for (int rank = 0; rank < self.size; ++rank) {
            self.slot().nodes[rank] = tree->tree().address(static_cast<std::uint32_t>(rank))[kNode];
        }
        self.slot().has_tree = true;
    }
    self.slot().is_over = true;
}

pid_t start(int rank) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(kPatience);
        self.rank = rank;
        may_allocate = has_memory;
        self.node = node_name(node_in(self.nodes, rank)) + std::string(self.job->more_name_bytes, 'x');
        const int misinformed = self.job->misinformed_rank;
        if (misinformed == SimulatedJob::kEverybody || misinformed == rank) {
            self.reported_nodes = parse_nodes(self.job->reported_nodes);
        }
        live();
        ::_exit(0);
    }
    return child;
}

// Until all are over, or one ended otherwise, with which the others end.
void await(const std::vector<pid_t>& processes) {
    bool is_over = false;
    for (std::size_t left = processes.size(); left > 0; --left) {
        int status = 0;
        if (::wait(&status) < 0) {
            break;
        }
        EXPECT_FALSE(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) << "a process waits for ever";
        if (status != 0 && !is_over) {
            is_over = true;
            EXPECT_EQ(WTERMSIG(status), SIGKILL);
            std::for_each(processes.begin(), processes.end(),
                          [](pid_t process) { ::kill(process, SIGKILL); });
        }
    }
}

SimulatedProcess read(const Slot& slot, int size) {
    SimulatedProcess process;
    process.is_over = slot.is_over;
    process.has_tree = slot.has_tree;
    process.nodes.assign(slot.nodes, slot.nodes + (slot.has_tree ? size : 0));
    process.messages.assign(slot.messages, slot.messages + slot.num_told);
    process.num_allocations = slot.num_allocations;
    process.num_messages = slot.num_messages;
    process.num_lookups = slot.num_lookups;
    return process;
}

}  // namespace

std::vector<SimulatedProcess> run(const SimulatedJob& job) {
    self = {};
    self.job = &job;
    self.nodes = self.reported_nodes = parse_nodes(job.nodes);
    for (const auto& node : self.nodes) {
        self.size += static_cast<int>(node.size());
    }
    self.machine = make_machine({2, 1, 1, 2, 1}).encoded();
    Board board(self.size);
    const Sockets sockets(self.size);
    self.board = &board;
    self.sockets = &sockets;
    std::vector<pid_t> processes;
    for (int rank = 0; rank < self.size; ++rank) {
        processes.push_back(start(rank));
    }
    await(processes);
    std::vector<SimulatedProcess> all;
    for (int rank = 0; rank < self.size; ++rank) {
        all.push_back(read(board.slot(rank), self.size));
    }
    return all;
}

}  // namespace hitopo

// ---- the glue, as far as base calls it ----

using hitopo::self;

extern "C" {

const hitopo_base_settings_t* hitopo_glue_settings() {
    static const hitopo_base_settings_t settings = {true, false, {}};
    return &settings;
}
const char* hitopo_glue_variable(const char*, const char*) { return nullptr; }
void hitopo_glue_set_variable(const char*, const char*, const char*) {}

bool hitopo_glue_claim() { return true; }
void hitopo_glue_unclaim() {}
int hitopo_glue_open() { return hitopo::kSuccess; }
void hitopo_glue_close() {}
void hitopo_glue_tell_left_out() {}
void ompi_hitopo_base_tell_too_small() {}
void hitopo_glue_prepare_components() {}

// One component, which knows the node and its machine.
int hitopo_glue_for_each_component(hitopo_glue_visit_fn_t visit, void* context) {
    const auto query = [](const hitopo_question_t* question, hitopo_answer_t* answer) {
        answer->values[hitopo::kNode] = hitopo::Name(self.node);
        answer->replaces_node = true;
        if (question->wants_machine) {
            answer->machine = self.machine;
        }
        return hitopo::kSuccess;
    };
    const hitopo_glue_component_t component = {"simulated", "1.0", 10,     HITOPO_LEVELS_ALL,
                                               false,       query, nullptr};
    return visit(context, &component);
}
void hitopo_glue_tell(const char*, const char*) {}

bool hitopo_glue_help(const char* topic, const char* first, const char* second, const char*) {
    hitopo::Slot& slot = self.slot();
    if (slot.num_told < hitopo::kMaxMessages) {
        std::snprintf(slot.messages[slot.num_told++], hitopo::kMaxText, "%s: %s, %s", topic, first,
                      second);
    }
    return true;
}
void ompi_hitopo_base_help_from(const char*, const char* topic, const char* first, const char* second,
                                const char* third) {
    hitopo_glue_help(topic, first, second, third);
}
void hitopo_glue_error_text(int status, char text[HITOPO_ERROR_TEXT_BYTES]) {
    std::snprintf(text, HITOPO_ERROR_TEXT_BYTES, "code %d", status);
}

ompi_communicator_t* hitopo_glue_world() { return &hitopo::world; }
bool hitopo_glue_has_world() { return true; }
bool hitopo_glue_is_up() { return true; }
std::uint32_t hitopo_glue_job() { return 1; }
int hitopo_glue_job_rank() { return self.rank; }
int hitopo_glue_job_size() { return self.size; }
bool hitopo_glue_is_inter(const ompi_communicator_t*) { return false; }
int hitopo_glue_rank(const ompi_communicator_t*) { return self.rank; }
int hitopo_glue_size(const ompi_communicator_t*) { return self.size; }
int hitopo_glue_remote_size(const ompi_communicator_t*) { return 0; }
int hitopo_glue_world_ranks(const ompi_communicator_t*, bool, std::uint32_t* ranks) {
    for (int rank = 0; rank < self.size; ++rank) {
        ranks[rank] = static_cast<std::uint32_t>(rank);
    }
    return hitopo::kSuccess;
}
bool ompi_hitopo_base_has_outsiders(const ompi_communicator_t*) { return false; }
bool hitopo_glue_member(const ompi_communicator_t*, bool, int i, std::uint32_t* job,
                        std::uint32_t* rank) {
    *job = 1;
    *rank = static_cast<std::uint32_t>(i);
    return false;
}
bool hitopo_glue_is_first_group(const ompi_communicator_t*) { return true; }

int hitopo_glue_allreduce_max(ompi_communicator_t*, const std::int64_t* send, std::int64_t* receive,
                              int num) {
    std::copy(send, send + num, self.slot().numbers);
    self.board->fence();
    std::copy(send, send + num, receive);
    for (int rank = 0; rank < self.size; ++rank) {
        for (int i = 0; i < num; ++i) {
            receive[i] = std::max(receive[i], self.board->slot(rank).numbers[i]);
        }
    }
    self.board->fence();
    return hitopo::kSuccess;
}

// As with fault tolerance: an error is returned.
int ompi_hitopo_base_swap(ompi_communicator_t*, hitopo_glue_peer_t to, const void* sent,
                          std::size_t num_sent, hitopo_glue_peer_t from, void* received,
                          std::size_t capacity, std::size_t* num_received) {
    int sent_status = hitopo::kSuccess, received_status = hitopo::kSuccess;
    if (to.rank >= 0) {
        const long number = ++self.slot().num_messages;
        if (self.fails(hitopo::SimulatedJob::Fault::kDeath, number)) {
            ::kill(::getpid(), SIGKILL);
        }
        hitopo::send_to(to.rank, sent, num_sent);
        sent_status = self.fails(hitopo::SimulatedJob::Fault::kMessage, number) ? hitopo::kErrorOther
                                                                                : hitopo::kSuccess;
    }
    if (from.rank >= 0) {
        received_status = hitopo::receive_from(from.rank, received, capacity, *num_received);
    }
    return sent_status != hitopo::kSuccess ? sent_status : received_status;
}

void ompi_hitopo_base_end_job(ompi_communicator_t*, const char* function, int code) {
    hitopo::Slot& slot = self.slot();
    std::snprintf(slot.messages[slot.num_told++], hitopo::kMaxText, "ended-job: rank %d, %s, code %d",
                  self.rank, function, code);
    ::kill(::getpid(), SIGKILL);
    std::abort();
}

bool hitopo_glue_is_live(const ompi_communicator_t* comm) { return comm == &hitopo::world; }
void* hitopo_glue_token(const ompi_communicator_t*) { return &self; }
void* hitopo_glue_keep_token(ompi_communicator_t*) { return &self; }
void hitopo_glue_drop_token(void*) {}
int ompi_hitopo_base_attribute_set(hitopo_base_attribute_t*, ompi_communicator_t*, void*) {
    return hitopo::kSuccess;
}
void* ompi_hitopo_base_attribute_get(hitopo_base_attribute_t*, ompi_communicator_t* comm) {
    return comm;
}
void ompi_hitopo_base_attribute_delete(hitopo_base_attribute_t*, ompi_communicator_t*) {}
void ompi_hitopo_base_attribute_end(hitopo_base_attribute_t*) {}

void hitopo_glue_announce(const char* layer, std::uint32_t version) {
    if (!hitopo::has_memory()) {
        return;
    }
    hitopo::Slot& slot = self.slot();
    hitopo::Key& key = slot.keys[slot.num_keys++];
    std::snprintf(key.layer, sizeof key.layer, "%s", layer == nullptr ? "version" : layer);
    key.version = version;
}
bool hitopo_glue_has_announced(const char* layer) {
    return hitopo::has_announced(self.rank, layer, nullptr);
}
bool hitopo_glue_can_tell() { return true; }
bool hitopo_glue_is_present(const char* layer, std::uint32_t version, int rank) {
    ++self.slot().num_lookups;
    return hitopo::has_announced(rank, layer, version == 0 ? nullptr : &version);
}
bool hitopo_glue_is_foreigner_present(std::uint32_t, std::uint32_t, std::uint32_t, bool) {
    return false;
}

char* hitopo_glue_local_peers() {
    const hitopo::Uncounted uncounted;
    const auto& nodes = self.reported_nodes.empty() ? self.nodes : self.reported_nodes;
    const int node = hitopo::node_in(nodes, self.rank);
    return node < 0 ? nullptr : hitopo::text_of(nodes[static_cast<std::size_t>(node)]);
}
int hitopo_glue_local_rank() {
    const auto& node = self.nodes[static_cast<std::size_t>(hitopo::node_in(self.nodes, self.rank))];
    return static_cast<int>(std::find(node.begin(), node.end(), static_cast<std::uint32_t>(self.rank)) -
                            node.begin());
}
void hitopo_glue_retire() {}

}  // extern "C"
