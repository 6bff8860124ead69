// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo check`: the CPUs of a job's processes, from its table's document, with the threads and limits
// that each finds itself; the rules, each a pure function of these; and their findings. Rules about
// processes list occurrences, one for each place; equal ones become one finding, so that there are few
// for any number of ranks.
#ifndef OMPI_TOOLS_HITOPO_CHECK_CHECK_H
#define OMPI_TOOLS_HITOPO_CHECK_CHECK_H

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/machine/cgroup.h"
#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/devices/job.h"
#include "ompi/tools/hitopo/document.h"
#include "ompi/tools/hitopo/links/links.h"
#include "ompi/tools/hitopo/options.h"

namespace hitopo::tool {

// ---- facts that each process knows of itself ----

// The values of OMP_NUM_THREADS, OMP_THREAD_LIMIT and OMP_DYNAMIC; NULL where one is not set.
struct OmpVariables {
    const char* num_threads = nullptr;
    const char* thread_limit = nullptr;
    const char* dynamic = nullptr;
};

// Threads of the outermost parallel region: the first number of OMP_NUM_THREADS ("8", "4,2"), or the
// limit if that is less. 0: not set, no such list (any bytes), or OpenMP may take fewer (OMP_DYNAMIC is
// true). OpenMP 5.2, 21.1.2, 21.1.4, 21.2.2.
int omp_threads(const OmpVariables& variables);

struct CpuLimits {
    CpuSet allowed;                   // of its cpuset; empty: unknown
    CpuSet affinity;                  // on the real machine; empty: unknown
    std::vector<CgroupQuota> quotas;  // of its group and those above it
};

// The limits of this process and its calling thread.
CpuLimits own_cpu_limits();

// "0-3;0;17:500 9:2000": allowed, affinity, quotas. Odd parts of any other text limit nothing.
std::string to_text(const CpuLimits& limits);
CpuLimits cpu_limits_in(std::string_view text);

// Whether they are those of a process that the table has on `cpus` of a machine of `all` CPUs (either
// may be empty: unknown). Not where the machine is a simulated one.
bool are_limits_of(const CpuLimits& limits, const CpuSet& cpus, const CpuSet& all);

// ---- the job ----

struct CheckedMachine {
    CpuSet cpus;
    std::vector<CpuSet> sockets;
    std::vector<CpuSet> cores;
    bool is_restricted = false;  // to the CPUs that a cpuset leaves the job; all else is left out
};

struct CheckedProcess {
    std::size_t node = 0;
    // The CPUs that it may run on; processes of equal sets share one. Empty: unknown.
    std::shared_ptr<const CpuSet> cpus;
    int threads = 0;                       // omp_threads(): 0 if unknown
    std::vector<CgroupQuota> quotas = {};  // that hold for it
};

struct CheckedNode {
    std::string name;                         // as the document has it
    const CheckedMachine* machine = nullptr;  // empty: unknown
    std::array<int, kNumLevels> address{};    // of its lowest rank that knows; -1: unknown
    bool knows_inside = false;                // its machine, or a socket or core of some process
    std::vector<int> ranks;                   // ascending, one or more
};

struct CheckedJob {
    std::array<Known, kNumLevels> known{};
    std::vector<std::string> counts;  // job_counts()
    std::vector<std::unique_ptr<const CheckedMachine>> machines;
    std::vector<CheckedNode> nodes;
    std::vector<CheckedProcess> processes;  // entry r is rank r

    const CheckedProcess& process(int rank) const { return processes[static_cast<std::size_t>(rank)]; }
};

// `threads`, `limits`: entry r is rank r's; entries beyond their ends are unknown. A node's machine is
// the part of it that cpusets leave to its processes.
Result<CheckedJob> read_checked_job(const TableDocument& table, const std::vector<int>& threads,
                                    const std::vector<std::string>& limits = {});

// ---- findings ----

// Faults first, in the order in which they are printed.
enum class FindingKind {
    kOverloadedNode,  // more processes on a node than its machine has CPUs
    kQuota,           // more processes than the quota of CPU time that they share has CPUs
    kSharedCore,      // processes bound to one core that get into each other's way
    kSharedCpus,      // more processes bound to some CPUs, of several cores, than these are
    kUnbound,         // may run on all of its node while others are bound
    kSeveralSockets,  // may run on several sockets while others are bound
    kThreads,         // fewer CPUs than OMP_NUM_THREADS: a remark unless the program uses OpenMP
    kSharedThreads,   // likewise: fewer CPUs than the threads of all processes that share them
    kQuotaThreads,    // likewise: a quota of fewer CPUs than the threads of the processes that share it
    kLevel,           // a level that only some nodes know
    kRequired,        // a level that --require names, and that some process does not know
    kUnknownGpu,      // variables name a GPU that is not there or not visible
    kFarGpu,          // GPUs of other NUMA nodes, while others are nearer
    kSharedGpu,       // one GPU for several, while others are idle: a remark if all have one list
    kFarNic,          // a NIC on the other socket than the GPU
    kUnknownNic,      // variables name a NIC that the node lacks
    kSlowNode,        // a node's link or NIC, as --links measures it
    kSlowUplink,      // the uplink of a switch, an island or a cluster, likewise
    kHwThreads,       // remarks from here on: hardware threads of one core, while cores are free
    kOneSocket,       // all of a node's processes on one of its sockets
    kAcrossSockets,   // may run on several sockets, and no process is bound
    kLoad,            // nodes of unequal load
    kOrder,           // nodes out of the fabric's order
    kNoSwitch,        // no node's switch is known
    kGpuNicApart,     // a NIC behind another switch or root than the GPU
    kGpuCpus,         // no process runs near the GPU
    kIdleGpu,         // no process has it
    kNicDown,         // a NIC without an active port
    kGpuOrder,        // numbers of unequal GPUs, in CUDA's own order
    kHiddenPeers,     // control groups let each process open its own GPUs only
};

std::string_view kind_name(FindingKind kind);  // "shared-core": the word of docs/json.md

// One place with a fault.
struct Occurrence {
    FindingKind kind = FindingKind::kOverloadedNode;
    int count = 0;  // its figures, as the kind has them (occurrences.cc)
    int of = 0;
    std::vector<int> ranks;
    std::size_t node = 0;
    std::string where = {};  // inside the node: "CPU 0"; may be empty
};

struct Finding {
    FindingKind kind = FindingKind::kOverloadedNode;
    std::vector<int> ranks;          // ascending; empty: it is about nodes
    std::vector<std::size_t> nodes;  // ascending
    std::string text;                // the fault, with the figure; names as the document has them
    std::string remedy;              // a sentence
    bool is_remark = false;          // else a fault
};

// More processes or threads than CPUs: on a node, on a core, on other CPUs, or of a quota of CPU time;
// and processes on the hardware threads of one core. A node that is overloaded as a whole is one
// occurrence: its cores only count while others are idle.
void find_sharing(const CheckedJob& job, std::vector<Occurrence>& found);

// Processes that may run on several sockets, or on all of their node; those that are on one socket while
// the others are idle; and those with fewer CPUs than threads.
void find_unbound(const CheckedJob& job, std::vector<Occurrence>& found);

// Levels that are required, and that some process does not know, or not from that component.
void find_required(const TableDocument& table, const CheckedJob& job,
                   const std::vector<RequiredLevel>& required, std::vector<Finding>& found);

// Levels that only some nodes know, and switches that none knows; nodes of unequal load; and nodes out
// of the fabric's order.
void find_levels(const CheckedJob& job, std::vector<Finding>& found);
void find_no_switch(const CheckedJob& job, std::vector<Finding>& found);
void find_load(const CheckedJob& job, std::vector<Finding>& found);
void find_order(const CheckedJob& job, std::vector<Finding>& found);

// The facts that the rules lack, a line each.
std::vector<std::string> find_unchecked(const CheckedJob& job);

// One finding for each kind and figures; one for all figures of a kind where they are many.
std::vector<Finding> to_findings(const std::vector<Occurrence>& occurrences, const CheckedJob& job);

// "node n1", "8 nodes (n[1-8])"; long lists end in "..".
std::string nodes_phrase(const std::vector<std::size_t>& nodes, const CheckedJob& job);

struct Checked {
    std::vector<Finding> findings;
    std::vector<std::string> unchecked;
    std::vector<LinkSummary> links = {};  // with --links
};

// Nodes and uplinks that are slower than others of their level, and what could not be told of them.
void find_slow_links(const MeasuredLinks& links, const TableDocument& table, const CheckedJob& job,
                     const DeviceJob& devices, Checked& checked);

// "bandwidth between nodes of one switch: 12391.0 MB/s (median of 24 pairs): ok".
std::string link_line(const LinkSummary& links, const CheckedJob& job);
Json link_json(const LinkSummary& links);

// The program's use of GPUs, by the options.
struct GpuUse {
    bool is_certain = false;     // it uses some, though no variable chooses any
    bool by_local_rank = false;  // each process takes the one of its local rank, modulo those it sees
};

// GPUs and NICs that variables choose and that are far, shared, idle, unknown or down; and what these
// rules could not look at. visible: of the job's processes; without ranks, nothing is found.
void find_devices(const DeviceJob& visible, const CheckedJob& job, GpuUse use, Checked& checked);

struct CpuWish {
    const CpuSet* cpus = nullptr;
    int num_wanted = 0;  // of these, for itself
};

// For each wish that cannot be met beside those before it, a set of CPUs such that the wishes for some
// of these alone are together for more than they are. None: all can be met at once (P. Hall's theorem).
std::vector<CpuSet> short_sets(const std::vector<CpuWish>& wishes);

// ---- for rules about GPUs and network interfaces: the processes of one node, and what is found.
// Nearness is that of NUMA nodes and PCI: what is far need not be slow ----

struct DeviceNode {
    const NodeDevices& devices;
    std::size_t number;  // in the job
    std::string where;   // ", as on node n1"; "" where the job has one
    std::vector<std::pair<int, const DeviceRank*>> ranks;
    std::vector<int> offered = {};  // the GPUs that the job can have
    std::vector<int> gpus = {};     // that it has
    bool is_certain = true;         // that it has these
    bool is_open = false;           // all have one list of several, of which each takes what it likes
};

// One finding for each kind, and whether it is a remark, with the text of its first place.
using DeviceFindings = std::map<std::pair<FindingKind, bool>, Finding>;
void add(DeviceFindings& found, FindingKind kind, const DeviceNode& node, const std::vector<int>& ranks,
         const std::string& text, const std::string& remedy, bool is_remark = false);

inline constexpr const char* kSelectScript =
    "`hitopo select --output select` writes a script that gives each rank its nearest: mpirun .. "
    "./select ./program";

// To which it is bound; else all of the node.
inline const CpuSet& cpus_of(const DeviceNode& node, const DeviceRank& rank) {
    return rank.cpus.is_empty() ? node.devices.cpus : rank.cpus;
}

// "GPU 1,3,5", ascending.
std::string gpus_phrase(const std::vector<int>& gpus);

// The variables of a view's source "A and B", with their values.
std::vector<std::pair<std::string, std::string>> values_of(const DeviceRank& rank,
                                                           const std::string& source);

// Whether its list of GPUs has an entry that names none by mistake: all of a list "" or "-1" means none.
bool is_wrong(const DeviceRank& rank);

// Whether it is known which GPUs it has: by a list, or since it may open some or one only.
bool has_choice(const DeviceNode& node, const DeviceRank& rank);

// Whether rules about GPUs hold for it: it has a choice of its own.
bool is_judged(const DeviceNode& node, const DeviceRank& rank);

// The rules.
void find_gpus(const DeviceNode& node, DeviceFindings& found);
void find_nics(const DeviceNode& node, DeviceFindings& found);

// ---- all of it ----

// All of it: faults, then remarks. uses_openmp: the program does for certain, so that too many threads
// are faults. more: what other rules found.
Checked check_job(const CheckedJob& job, bool uses_openmp, const DeviceJob& devices = {},
                  GpuUse use = {}, Checked more = {});

bool has_faults(const Checked& checked);

// A line with the counts, one for each finding, for each level's links, and for each thing that could
// not be checked.
std::string format_check(const Checked& checked, const CheckedJob& job, Charset charset);

// The document `check` of docs/json.md. `version` is the table's.
Json check_document(const Checked& checked, const CheckedJob& job, const std::string& version);

}  // namespace hitopo::tool

#endif
