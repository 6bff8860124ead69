// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// This process in an exchange: what its components say, and the tree that it makes of what all say.
#ifndef OMPI_MCA_HITOPO_BASE_THIS_PROCESS_H
#define OMPI_MCA_HITOPO_BASE_THIS_PROCESS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "ompi/mca/hitopo/base/answers.h"
#include "ompi/mca/hitopo/base/exchange/exchange.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"

namespace hitopo {

// The machine of this process's node, as a tree has it already.
struct KnownMachine {
    std::string component;  // that told it
    std::string encoded;
};

// What stays while processes are bound anew.
struct Known {
    std::optional<KnownMachine> machine;
    std::optional<Answers> answers;  // of this process's latest exchange
};

class ThisProcess : public ExchangeSide {
public:
    using Keep = std::function<void(AddressTree&&)>;

    // process: what it is in its job, for its components. number, size: in the exchange. known: from
    // earlier ones, so that no component is asked for it again. keep: gets the tree; may throw.
    ThisProcess(const Contributor& process, std::uint32_t number, std::size_t size, Known&& known,
                Keep keep);

    RecordMessage say(bool must_ask) override;
    std::string uplinks(const std::string& component) override;
    std::optional<Error> accept(RecordMessage all, std::int64_t identity) override;

    // What was found out; complete after the exchange.
    const Answers& answers() const { return answers_; }
    Answers take_answers() { return std::move(answers_); }
    // The error to show, of any process; after accept.
    const std::optional<ReportedError>& error() const { return error_; }

private:
    void ask_components();
    bool add_known_machine();

    Contributor process_;
    const std::uint32_t number_;
    const std::size_t size_;
    Known known_;
    Keep keep_;
    Answers answers_;
    std::optional<ReportedError> error_;
};

}  // namespace hitopo

#endif
