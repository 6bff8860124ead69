// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The collectives of one communicator over a wire.
#ifndef MCA_COLL_HITOPO_COLLECTIVES_H
#define MCA_COLL_HITOPO_COLLECTIVES_H

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ompi/mca/coll/hitopo/coll_hitopo.h"
#include "ompi/mca/coll/hitopo/coll_hitopo_operation.h"
#include "ompi/mca/coll/hitopo/core/groups.h"
#include "ompi/mca/coll/hitopo/core/model.h"

namespace hitopo::coll {

// Arguments as of coll_hitopo.h. Each gives an operation that has begun, but posted nothing; it lives no
// longer than this object. Memory that is short is thrown.
class Collectives {
public:
    // least_sharing: coll_hitopo_share. tell: gets a line for each call that is served, or NULL.
    Collectives(std::shared_ptr<const Positions> positions, int own_rank, const Links& links,
                int num_leaders, int least_sharing, void (*tell)(const char*));

    // Inside of one, others do better.
    bool is_on_several_nodes() const { return has_several_nodes(shape_); }
    const Groups& groups() const { return groups_; }
    const Shape& shape() const { return shape_; }
    // At rank 0.
    void tell(const std::string& line) const {
        if (tell_ != nullptr) {
            tell_(line.c_str());
        }
    }

    // part: of the tree, that goes now.
    OperationHolder<> bcast(const hitopo_coll_wire_t& bytes, char* buffer, std::size_t num_bytes,
                            int root, Route::Part part = Route::Part::kWhole);
    OperationHolder<> reduce(const hitopo_coll_wire_t& wire, const char* input, char* output,
                             std::size_t count, int root, Route::Part part = Route::Part::kWhole);
    OperationHolder<> allreduce(const hitopo_coll_wire_t& wire, const char* input, char* output,
                                std::size_t count, Route::Part part = Route::Part::kWhole);
    OperationHolder<> barrier(const hitopo_coll_wire_t& wire, Route::Part part = Route::Part::kWhole);
    OperationHolder<> allgather(const hitopo_coll_wire_t& bytes, char* all,
                                const hitopo_coll_blocks_t& blocks);
    OperationHolder<> reduce_scatter(const hitopo_coll_wire_t& wire, const char* input, char* own_output,
                                     const hitopo_coll_blocks_t& blocks);
    OperationHolder<> alltoall_bundled(const hitopo_coll_wire_t& bytes, const char* out, char* in,
                                       std::size_t block_bytes);
    OperationHolder<> alltoall(const hitopo_coll_wire_t& wire, const hitopo_coll_equal_blocks_t& out,
                               const hitopo_coll_equal_blocks_t& in, std::size_t block_bytes);
    // Whether it is so at any process, which `any` gets; the result. No call of the program; waits.
    int agree(const hitopo_coll_wire_t& bytes, bool own, bool& any);

private:
    // What was decided for the last messages: programs repeat theirs. By a hash of pattern and bytes.
    static constexpr int kLogDecisions = 5;
    struct Decision {
        std::size_t num_bytes = 0, unit_bytes = 0;  // 0: nothing was
        Choice choice;
    };

    // Thread safe: progress, in any thread, begins calls, too.
    Choice decide(Pattern pattern, std::size_t num_bytes, std::size_t unit_bytes);
    // The call begins.
    template <class Kind = Operation, class... Arguments>
    OperationHolder<Kind> begin(const hitopo_coll_wire_t& wire, Pattern pattern, std::size_t num_bytes,
                                std::size_t unit_bytes, Arguments&&... arguments);
    void merge(Operation& operation, const char* input, char* output, std::size_t count,
               Route::Part part = Route::Part::kWhole) const;
    std::size_t own_rank() const;
    std::size_t total_of(const hitopo_coll_blocks_t& blocks) const;
    std::vector<Block> blocks_of(const hitopo_coll_blocks_t& blocks) const;

    Groups groups_;
    Shape shape_;
    Links links_;
    int num_leaders_;
    void (*tell_)(const char*);
    std::mutex mutex_;
    std::array<Decision, 1 << kLogDecisions> decisions_;  // guarded by mutex_
};

}  // namespace hitopo::coll

#endif
